/* An I-element of tam/heap.c that other processors of the owner's host know: they read it by a load and fill
 * it by a compare-and-swap, or ask the owner by message. All readers get the one stored value, nobody waits
 * for ever (no invalid end state), and of two writers exactly one is reported.
 *
 * A writer may claim the element early, as a loop does for its passes, and give it back; then it stores at
 * another time.
 *
 * faults: BACK_ANYWAY NO_CLAIM
 *
 * The owner is also a reader and a writer itself; it handles one message at a time. */
#define READERS 2
#define FIRST 7
#define SECOND 8

mtype = { FETCH, STORE };
mtype = { EMPTY, WRITING, FULL, DEFERRED };
chan to_owner[READERS + 2] = [1] of { mtype, byte, byte }; /* request, processor, value */
chan answer[READERS] = [1] of { byte };

mtype state = EMPTY;
byte value = 0;
chan waiting = [READERS] of { byte };
byte stored = 0, reported = 0, read = 0, writers = 1; /* ghosts */

/* tam_fill: the value, then its release. */
inline fill(given) {
    value = given;
    atomic { state = FULL; assert(stored == 0); stored = given }
}

/* A compare-and-swap from EMPTY. */
inline claim(success) {
    atomic {
        if
#ifdef NO_CLAIM
        :: state == EMPTY -> success = true
#else
        :: state == EMPTY -> state = WRITING; success = true
#endif
        :: else -> success = false
        fi
    }
}

/* wait_for, and the rest of tam_element_read. */
inline fetch(who) {
    do
    :: atomic { state == EMPTY -> state = DEFERRED; waiting!who; break }
    :: atomic { state == DEFERRED -> waiting!who; break }
    :: state == FULL -> answer[who]!value; break
    :: state == WRITING -> skip /* the writer goes on */
    od
}

/* tam_element_write: by the owner itself, or for another processor. */
inline store(given) {
    if
    :: state == DEFERRED ->
        fill(given);
        do
        :: waiting?other -> answer[other]!value
        :: empty(waiting) -> break
        od
    :: else ->
        claim(won);
        if
        :: won -> fill(given)
        :: else -> reported++
        fi
    fi
}

active proctype owner() {
    byte who, given, other;
    bool won;
end:
    do
    :: to_owner[0]?FETCH, who, given -> fetch(who)
    :: to_owner[1]?FETCH, who, given -> fetch(who)
    :: to_owner[READERS]?STORE, who, given -> store(given)
    :: to_owner[READERS + 1]?STORE, who, given -> store(given)
    od
}

proctype reader(byte me) {
    byte got;
    if
    :: state == FULL -> got = value
    :: state != FULL -> to_owner[me]!FETCH, me, 0; answer[me]?got
    fi;
    assert(got == stored);
    read++
}

/* tam_give_back: an element that is claimed and not full. */
inline give_back() {
    if
    :: state == WRITING -> state = EMPTY
    :: else
#ifdef BACK_ANYWAY
        -> state = EMPTY
#endif
    fi
}

/* Runs on another processor, or on the owner if it only sends a message. */
proctype writer(byte me; byte given) {
    bool won;
    if
    :: claim(won);
        if
        :: won ->
            if
            :: fill(given); give_back(); goto stored_it
            :: give_back()
            fi
        :: else
        fi
    :: skip
    fi;
    if
    :: claim(won);
        if
        :: won -> fill(given)
        :: else -> to_owner[READERS + me]!STORE, 0, given
        fi
    :: to_owner[READERS + me]!STORE, 0, given
    fi;
stored_it:
    skip
}

init {
    atomic {
        run writer(0, FIRST);
        if
        :: run writer(1, SECOND); writers = 2
        :: skip
        fi;
        run reader(0);
        run reader(1)
    }
    (_nr_pr == 2); /* all have ended except this process and the owner */
    (empty(to_owner[READERS]) && empty(to_owner[READERS + 1]));
    (stored != 0 && reported == writers - 1);
    assert(read == READERS && state == FULL && empty(waiting))
}
