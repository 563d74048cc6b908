/* The barrier of many hosts (sync/announce.c): three hosts of one thread each, in a row of two and a row of
 * one, whose host serves both columns. A thread announces to the other host of its row. The thread or the
 * message handler that completes the count of a row on a host clears the count and passes the row on to the
 * hosts of the other row that this host serves, and then adds its arrival to the whole count.
 *
 * Checked: no thread leaves phase n before all have announced n. The entries of a phase remain on each host
 * until its thread has read them, and until they have been passed on. A count belongs to a single phase, and
 * never exceeds its limit. A sender never finds more of its messages unhandled than those of two phases.
 * Nobody blocks for ever, although no thread does anything for the others while it waits.
 *
 * Two pairs of steps are merged, since no other process can tell them apart. One is a thread's write of its
 * own entry and the send after it: only its own host reads the entry, and a message that leaves earlier only
 * makes a full channel more likely. The other is a handler's receipt and the write of the entry: a message
 * that is received later does the same. Variables that are no longer read become 0, so that states which
 * differ in nothing else are merged. */
#define HOSTS 3
#define PHASES 3
#define AT(h, g, n) entry[((h) * HOSTS + (g)) * 2 + (n) % 2]
#define MATE(h) (1 - (h)) /* of hosts 0 and 1, which are one row */
#define ROW(h) ((h) < 2 -> 2 : 1)

byte arrived[HOSTS * 2];
byte arrived_row[HOSTS * 2];
byte counting[HOSTS * 2];       /* ghost: the phase whose threads are counted there */
byte release[HOSTS];
byte entry[HOSTS * HOSTS * 2];  /* on each host, of the thread of each, by parity */
byte announced[HOSTS];          /* ghost */
chan in_row[HOSTS] = [2] of { byte };        /* to the host: of its mate's thread, the phase */
chan between[HOSTS] = [4] of { byte, byte }; /* to the host: of which thread, the phase */

inline arrive(on, from, n) { /* into the whole count */
    d_step {
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

inline pass(to, whose, n) {
    d_step {
        assert(nfull(between[to]));
        between[to] ! whose, n
    }
}

inline pass_on(on, n) { /* host 0 serves the other row, host 1 none of it, host 2 both */
    if
    :: on == 0 ->
        assert(AT(0, 0, n) == n && AT(0, 1, n) == n);
        pass(2, 0, n);
        pass(2, 1, n)
    :: on == 1
    :: on == 2 ->
        assert(AT(2, 2, n) == n);
        pass(0, 2, n);
        pass(1, 2, n)
    fi
}

inline arrive_in_row(on, n) {
    d_step {
        arrived_row[on * 2 + n % 2]++;
        assert(arrived_row[on * 2 + n % 2] <= ROW(on));
        last = arrived_row[on * 2 + n % 2] == ROW(on)
    }
    if
    :: last -> d_step { arrived_row[on * 2 + n % 2] = 0; last = 0 }; pass_on(on, n)
    :: else
    fi
}

proctype handler(byte h) {
    byte n, whose;
    bool last;
end:
    do
    :: atomic { in_row[h] ? n -> AT(h, MATE(h), n) = n };
       arrive_in_row(h, n);
       arrive(h, MATE(h), n);
       n = 0
    :: atomic { between[h] ? whose, n -> AT(h, whose, n) = n };
       arrive(h, whose, n);
       d_step { whose = 0; n = 0 }
    od
}

proctype thread(byte h) {
    byte n = 1;
    bool last;
    do
    :: n <= PHASES ->
        d_step {
            announced[h] = n;
            AT(h, h, n) = n;
            if
            :: h < 2 -> assert(nfull(in_row[MATE(h)])); in_row[MATE(h)] ! n
            :: else
            fi
        };
        arrive_in_row(h, n);
        arrive(h, h, n);
        release[h] >= n;
        d_step {
            assert(announced[0] >= n && announced[1] >= n && announced[2] >= n);
            assert(AT(h, 0, n) == n && AT(h, 1, n) == n && AT(h, 2, n) == n);
            n++
        }
    :: else -> break
    od
}

init {
    atomic {
        byte h = 0;
        do
        :: h < HOSTS -> run handler(h); run thread(h); h++
        :: else -> break
        od
    }
}
