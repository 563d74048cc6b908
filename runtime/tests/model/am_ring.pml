/* The ring of transport/receive_ring.h: SENDERS senders of EACH messages, one receiver that handles them all
 * and sleeps when there are none. The receiver never sleeps while there is a message (no invalid end state),
 * no slot is overwritten before its handler has returned, each sender's messages are handled in order, and
 * each once.
 *
 * Here the receiver publishes `taken' at each place, in receive_ring.h at every fourth part of the ring: less
 * often, and never more than it has taken. */
#define SENDERS 2
#define EACH 3
#define DEPTH 2
#define TOTAL 6

byte tail = 0, taken = 0;
byte ready[DEPTH];           /* place + 1 */
byte source[DEPTH], number[DEPTH];
bool handling[DEPTH];        /* ghost: the handler reads the slot */
bit asleep = 0;
bool sleeping = false;

proctype sender(byte me) {
    byte k = 0, place, seen;
    bit old;
    do
    :: k < EACH ->
        do
        :: place = tail;
           seen = taken;
           if
           :: place >= seen + DEPTH -> taken != seen /* full: look again once the receiver has published */
           :: else ->
               atomic { /* compare-exchange */
                   if
                   :: tail == place -> tail++; break
                   :: else -> skip
                   fi
               }
           fi
        od;
        assert(!handling[place % DEPTH]);
        source[place % DEPTH] = me;
        number[place % DEPTH] = k;
        ready[place % DEPTH] = place + 1; /* exchange: a full fence */
        if
        :: asleep ->
            atomic { old = asleep; asleep = 0 }
            if
            :: old -> sleeping = false /* FUTEX_WAKE */
            :: else
            fi
        :: else
        fi;
        k++
    :: else -> break
    od
}

proctype receiver() {
    byte next = 0, slot;
    byte expected[SENDERS];
    do
    :: next < TOTAL ->
        slot = next % DEPTH;
        if
        :: ready[slot] == next + 1 ->
            handling[slot] = true;
            assert(number[slot] == expected[source[slot]]);
            expected[source[slot]]++;
            handling[slot] = false;
            next++;
            taken = next
        :: else ->
            asleep = 1; /* exchange: a full fence */
            if
            :: ready[slot] == next + 1 -> skip
            :: else ->
                atomic { /* FUTEX_WAIT */
                    if
                    :: asleep == 1 -> sleeping = true
                    :: else -> skip
                    fi
                };
                !sleeping
            fi;
            asleep = 0
        fi
    :: else -> break
    od
}

init {
    atomic {
        run receiver();
        run sender(0);
        run sender(1)
    }
}
