/* The barrier of many hosts (am/barrier.c): three hosts of one thread each, in a row of two and a short
 * one, whose host serves both columns.  A thread tells the other host of its row; who completes the count
 * of a row on a host, its thread or the handler of its messages, clears it and passes the row on to the
 * hosts of the other row that this host serves, before what it has is counted for the whole. Checked: no
 * thread leaves phase n before all have announced n; the entries of a phase stand on each host until its
 * thread has read them, and until they have been passed on; a count is one of a single phase, and never
 * goes beyond what it waits for; a sender never finds more messages of its own untaken than those of two
 * phases; nobody blocks for ever, although no thread does anything for the others while it waits. */
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
        now = arrived[on * 2 + n % 2];
        assert(now <= HOSTS)
    }
    if
    :: now == HOSTS -> arrived[on * 2 + n % 2] = 0; release[on] = n
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
        now = arrived_row[on * 2 + n % 2];
        assert(now <= ROW(on))
    }
    if
    :: now == ROW(on) -> arrived_row[on * 2 + n % 2] = 0; pass_on(on, n)
    :: else
    fi
}

proctype handler(byte h) {
    byte n, whose, now;
end:
    do
    :: in_row[h] ? n -> AT(h, MATE(h), n) = n; arrive_in_row(h, n); arrive(h, MATE(h), n)
    :: between[h] ? whose, n -> AT(h, whose, n) = n; arrive(h, whose, n)
    od
}

proctype thread(byte h) {
    byte n = 1, now;
    do
    :: n <= PHASES ->
        d_step { announced[h] = n; AT(h, h, n) = n };
        if
        :: h < 2 -> d_step { assert(nfull(in_row[MATE(h)])); in_row[MATE(h)] ! n }
        :: else
        fi;
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
