/* The barrier of sync/phase.c over three hosts of one thread each (how the threads of a host come together
 * is phase_tree.pml's).  The last thread of a host, here the only one, announces to the other hosts, by
 * messages that keep their order from one host to another.  A handler on each host takes them at any time,
 * notes the entry, and counts.  Whoever completes the count of a phase's parity clears it and posts the
 * host's release.
 *
 * Checked: no thread leaves phase n before all have announced n.  On each host the entries of a phase stand
 * until all its threads have read them.  A count never goes beyond the number of threads, and is one of a
 * single phase.  A sender never finds more than two of its messages untaken.  Nobody blocks for ever,
 * although no thread does anything for the others while it waits.
 *
 * That a thread has announced is noted and first sent in one step: `announced' is read by assertions alone,
 * which fail the more the later it is written.  Variables that are no longer read become 0, so that states
 * which differ in nothing else are one. */
#define HOSTS 3
#define PHASES 3
#define AT(h, g, n) entry[((h) * HOSTS + (g)) * 2 + (n) % 2]

byte arrived[HOSTS * 2];
byte counting[HOSTS * 2];      /* ghost: the phase whose threads are counted there */
byte release[HOSTS];
byte entry[HOSTS * HOSTS * 2]; /* on each host, of the thread of each, by parity */
byte announced[HOSTS];         /* ghost */
chan sent[9] = [3] of { byte };  /* from host * HOSTS + to */

inline arrive(on, from, n) { /* its entry, then the addition */
    d_step {
        AT(on, from, n) = n;
        assert(arrived[on * 2 + n % 2] == 0 || counting[on * 2 + n % 2] == n);
        counting[on * 2 + n % 2] = n;
        arrived[on * 2 + n % 2]++;
        assert(arrived[on * 2 + n % 2] <= HOSTS);
        last = arrived[on * 2 + n % 2] == HOSTS
    }
    if
    :: last -> d_step { arrived[on * 2 + n % 2] = 0; last = 0 }; release[on] = n
    :: else
    fi
}

inline send(h, g, n) {
    d_step { assert(nfull(sent[h * HOSTS + g])); sent[h * HOSTS + g] ! n }
}

proctype handler(byte h; byte g; byte f) { /* on host h, of what hosts g and f send */
    byte n;
    bool last;
end:
    do
    :: sent[g * HOSTS + h] ? n -> arrive(h, g, n); n = 0
    :: sent[f * HOSTS + h] ? n -> arrive(h, f, n); n = 0
    od
}

proctype thread(byte h; byte g; byte f) {
    byte n = 1;
    bool last;
    do
    :: n <= PHASES ->
        d_step {
            announced[h] = n;
            assert(nfull(sent[h * HOSTS + g]));
            sent[h * HOSTS + g] ! n
        };
        send(h, f, n);
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
