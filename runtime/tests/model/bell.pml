/* The bell of base/wait.h, by which the progress thread wakes the thread (transport/deferred.c). Messages of
 * three kinds come in any order: EVENT, whose memory handler posts an event; CELL, whose memory handler
 * changes memory without an event; DEFERRED, which only the thread can handle, and after which nothing comes
 * until it has. The thread waits for all events, asleep on their word and the bell, and then for all cells,
 * asleep on the bell. Checked: it never sleeps for ever.
 *
 * faults: CELLS_AS_MESSAGES DEFERRED_AS_SERVED WITHOUT_LOOK */
#define EACH 2 /* messages of each kind */
#define AWAKE 0
#define ALL 1
#define MESSAGES 2

byte number = 0, cells = 0;           /* the effects of handlers */
bit slept_on = 0;                     /* the bit in the word of the event */
byte queue = 0;                       /* deferred */
bit served = 0;                       /* a memory handler has run */
byte bell = AWAKE;
bit asleep = 0, on_word = 0;

inline wake(is_served) {
    seen = bell;
    if
    :: seen == AWAKE || (is_served && seen == MESSAGES)
    :: else ->
        atomic { seen = bell; bell = AWAKE }
        if
        :: seen -> asleep = 0
        :: else
        fi
    fi
}

inline serve() {
    served = 1;
    wake(true)
}

active proctype progress() {
    byte events = EACH, changes = EACH, deferred = EACH, seen;
    do
    :: events > 0 ->
        events--;
        atomic { seen = slept_on; number++; slept_on = 0 } /* exchange */
        if
        :: seen -> d_step { asleep = (asleep && !on_word) }
        :: else
        fi;
        serve()
    :: changes > 0 ->
        changes--;
        cells++;
        serve()
    :: deferred > 0 ->
        deferred--;
        queue++;
#ifdef DEFERRED_AS_SERVED
        wake(true);
#else
        wake(false);
#endif
        queue == 0
    :: events + changes + deferred == 0 -> break
    od
}

inline poll() {
    handled = queue > 0 || served;
    queue = 0;
    served = 0
}

/* Sets the bell to `what', the messages that wake, and looks once more; `handled' says whether there was
 * one. */
inline set_bell(what) {
    bell = what;
#ifdef WITHOUT_LOOK
    handled = 0;
#else
    atomic { poll() }
#endif
    if
    :: handled -> bell = AWAKE
    :: else
    fi
}

active proctype thread() {
    bit handled;
    byte before, what;
    do
    :: number == EACH -> break
    :: else ->
        atomic { poll() };
        before = number;
        if
        :: before < EACH ->
            if /* a core for each thread, or not */
            :: what = ALL
            :: what = MESSAGES
            fi;
            atomic { /* compare-exchange */
                if
                :: number == before -> slept_on = 1
                :: else
                fi
            };
            set_bell(what);
            if
            :: handled
            :: else ->
                atomic { /* FUTEX_WAITV */
                    if
                    :: number == before && slept_on && bell == what -> asleep = 1; on_word = 1
                    :: else
                    fi
                };
                !asleep;
                bell = AWAKE
            fi
        :: else
        fi
    od;
    do
    :: cells == EACH -> break
    :: else ->
        atomic { poll() };
        if
        :: cells < EACH ->
#ifdef CELLS_AS_MESSAGES
            what = MESSAGES;
#else
            what = ALL;
#endif
            set_bell(what);
            if
            :: handled
            :: else ->
                atomic { /* FUTEX_WAIT */
                    if
                    :: bell == what -> asleep = 1; on_word = 0
                    :: else
                    fi
                };
                !asleep;
                bell = AWAKE
            fi
        :: else
        fi
    od;
    do /* messages deferred after the last event and cell */
    :: queue > 0 -> atomic { poll() }
    :: timeout -> break
    od
}
