/* The barrier of sync/phase.c over three hosts of one thread each (how the threads of a host come together
 * is phase_tree.pml's).  The last thread of a host, here the only one, tells the other hosts, by messages
 * that keep their order from one host to another; a handler on each host takes them at any time, notes the
 * entry, and counts.  Who completes the count of a phase's parity clears it and posts the host's release.
 * Checked: no thread leaves phase n before all have announced n; on each host the entries of a phase stand
 * until all its threads have read them; a count never goes beyond the number of threads, and is one of a
 * single phase; a sender never finds more than two of its messages untaken; nobody blocks for ever,
 * although no thread does anything for the others while it waits. */
#define HOSTS 3
#define PHASES 3
#define AT(h, g, n) entry[((h) * HOSTS + (g)) * 2 + (n) % 2]

byte arrived[HOSTS * 2];
byte counting[HOSTS * 2];      /* ghost: the phase whose threads are counted there */
byte release[HOSTS];
byte entry[HOSTS * HOSTS * 2]; /* on each host, of the thread of each, by parity */
byte announced[HOSTS];         /* ghost */
chan wire[9] = [3] of { byte }; /* from host * HOSTS + to */

inline arrive(on, from, n) { /* its entry, then the addition */
    d_step {
        AT(on, from, n) = n;
        assert(arrived[on * 2 + n % 2] == 0 || counting[on * 2 + n % 2] == n);
        counting[on * 2 + n % 2] = n;
        arrived[on * 2 + n % 2]++;
        now = arrived[on * 2 + n % 2];
        assert(now <= HOSTS)
    }
    if
    :: now == HOSTS -> arrived[on * 2 + n % 2] = 0; release[on] = n
    :: else
    fi
}

inline tell(h, g, n) {
    d_step { assert(nfull(wire[h * HOSTS + g])); wire[h * HOSTS + g] ! n }
}

proctype handler(byte h; byte g; byte f) { /* on host h, of what hosts g and f send */
    byte n, now;
end:
    do
    :: wire[g * HOSTS + h] ? n -> arrive(h, g, n)
    :: wire[f * HOSTS + h] ? n -> arrive(h, f, n)
    od
}

proctype thread(byte h; byte g; byte f) {
    byte n = 1, now;
    do
    :: n <= PHASES ->
        announced[h] = n;
        tell(h, g, n);
        tell(h, f, n);
        arrive(h, h, n);
        release[h] >= n;
        d_step {
            assert(announced[h] >= n && announced[g] >= n && announced[f] >= n);
            assert(AT(h, h, n) == n && AT(h, g, n) == n && AT(h, f, n) == n);
            n++
        }
    :: else -> break
    od
}

init {
    atomic {
        run thread(0, 1, 2);
        run thread(1, 2, 0);
        run thread(2, 0, 1);
        run handler(0, 1, 2);
        run handler(1, 2, 0);
        run handler(2, 0, 1)
    }
}
