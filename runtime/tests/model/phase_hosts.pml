/* The barrier of sync/phase.c over three hosts of one thread each (phase_tree.pml is the model of the threads
 * of a host). The last thread of a host, here the only one, announces to the other hosts, by messages that
 * keep their order from one host to another. A handler on each host takes them at any time, writes the entry,
 * and counts. The handler or thread that completes the count of a phase's parity clears it and posts the
 * host's release.
 *
 * Checked: no thread leaves phase n before all have announced n. On each host the entries of a phase remain
 * until all its threads have read them. A count never exceeds the number of threads, and belongs to a single
 * phase. A sender never finds more than two of its messages unhandled. Nobody blocks for ever, although no
 * thread does anything for the others while it waits.
 *
 * The write of `announced' and the first send are one step: assertions alone read `announced', and the later
 * it is written, the more often they fail. Variables that are no longer read become 0, so that states which
 * differ in nothing else are merged. */
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

proctype handler(byte h; byte g; byte f) { /* on host h, of the messages of hosts g and f */
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
