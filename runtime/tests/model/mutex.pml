/* The mutex of base/mutex.c: 0 free, h held, h with the sleepers' bit.  THREADS threads take it ROUNDS times.
 * Checked: one holder at a time, and no thread sleeps for ever (no invalid end state). */
#define THREADS 3
#define ROUNDS 2

byte holder = 0;    /* word without the bit */
bit sleepers = 0;   /* the bit */
bool sleeping[THREADS];
byte inside = 0;    /* ghost */

inline try(mark, got) {
    atomic {
        if
        :: holder == 0 && sleepers == 0 -> holder = _pid; sleepers = mark; got = true
        :: else -> got = false
        fi
    }
}

inline wake_one() {
    atomic { /* any one of the sleepers */
        if
        :: sleeping[0] -> sleeping[0] = false
        :: sleeping[1] -> sleeping[1] = false
        :: sleeping[2] -> sleeping[2] = false
        :: else -> skip
        fi
    }
}

proctype thread(byte me) {
    byte round = 0, seen;
    bit seen_bit, old;
    bool got;
    do
    :: round < ROUNDS ->
        try(0, got);
        do
        :: got -> break
        :: !got ->
            atomic { seen = holder; seen_bit = sleepers }
            if
            :: seen == 0 -> try(1, got)
            :: else ->
                if
                :: seen_bit -> skip
                :: else ->
                    atomic { /* compare-exchange */
                        if
                        :: holder == seen && sleepers == 0 -> sleepers = 1; seen_bit = 1
                        :: else -> skip
                        fi
                    }
                fi;
                if
                :: seen_bit ->
                    atomic { /* FUTEX_WAIT */
                        if
                        :: holder == seen && sleepers == 1 -> sleeping[me] = true
                        :: else -> skip
                        fi
                    };
                    !sleeping[me]
                :: else -> skip
                fi
            fi
        od;
        inside++;
        assert(inside == 1);
        inside--;
        atomic { old = sleepers; holder = 0; sleepers = 0 } /* exchange */
        if
        :: old -> wake_one()
        :: else -> skip
        fi;
        round++
    :: else -> break
    od
}

init {
    atomic {
        run thread(0);
        run thread(1);
        run thread(2)
    }
}
