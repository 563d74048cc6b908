/* The event of base/wait.h: a number and a sleeper's bit in one word.  One poster, WAITERS waiters, each
 * of which waits for numbers of its own; no waiter sleeps for ever (no invalid end state), and none passes
 * early.
 *
 * futex: FUTEX_WAIT compares and goes to sleep in one step, as the kernel does under its lock; FUTEX_WAKE
 * wakes all sleepers. */
#define WAITERS 2
#define LAST 3

byte number = 0;     /* word >> 1 */
bit bit_set = 0;     /* word & 1 */
bool sleeping[WAITERS];
byte posted = 0;     /* ghost: the last number posted */

proctype poster() {
    byte n = 1;
    bit old;
    do
    :: n <= LAST ->
        posted = n; /* ghost: before the exchange, as data would be written */
        atomic { old = bit_set; number = n; bit_set = 0 } /* exchange */
        if
        :: old ->
            d_step {
                byte i = 0;
                do
                :: i < WAITERS -> sleeping[i] = false; i++
                :: else -> break
                od
            }
        :: else
        fi;
        n++
    :: else -> break
    od
}

proctype waiter(byte me; byte want) {
    byte seen_number;
    bit seen_bit;
    do
    :: number >= want -> break /* acquire load */
    :: else ->
        atomic { seen_number = number; seen_bit = bit_set }
        if
        :: seen_number >= want -> skip
        :: else ->
            if
            :: seen_bit -> skip
            :: else ->
                atomic { /* compare-exchange */
                    if
                    :: number == seen_number && bit_set == seen_bit -> bit_set = 1; seen_bit = 1
                    :: else -> skip
                    fi
                }
            fi;
            if
            :: seen_bit ->
                atomic { /* FUTEX_WAIT */
                    if
                    :: number == seen_number && bit_set == 1 -> sleeping[me] = true
                    :: else -> skip
                    fi
                };
                !sleeping[me] /* blocked until woken */
            :: else -> skip
            fi
        fi
    od;
    assert(posted >= want)
}

init {
    atomic {
        run poster();
        run waiter(0, LAST);
        run waiter(1, 1)
    }
}
