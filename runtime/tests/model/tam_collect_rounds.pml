/* The steps of collections of all processors (tam/collection.c), from start to end of a program: processors
 * compute, wait for messages, ask for collections; processor 0 leads the collections one after another,
 * asking all (tam/wave.c) until each has stopped, marked and swept, and ends the program when nothing is
 * left.
 *
 * A poll handles any number of messages before its caller looks at anything again, and an answer is sent by a
 * handler.  So a whole exchange may pass while a processor waits for one condition.
 *
 * Checked: when processor 0 concludes that all have reached a step, they have, in this collection and no
 * other, and no counted message is under way. Nobody computes while anybody marks or sweeps. No handler of
 * the program runs in a mark or a sweep. Every run comes to its end, where all have taken part in all
 * collections. Processor 0 asks again only after something has changed, since until then the same question
 * has the same answers: so a question asked for ever is an invalid end state.
 *
 * sizes: PROCESSORS=2 PROCESSORS=3
 * faults: UNNUMBERED MISSED CLEARED_LATE GO_EARLY
 *
 * UNNUMBERED: answers do not say to which collection they belong. A processor that has swept and has not been
 * told to go on answers that it has stopped for the next. MISSED: UNNUMBERED without assertions; such a
 * processor sleeps through a whole collection, takes part in it when the next one begins, and is not woken
 * for the next one. */
#ifndef PROCESSORS
#define PROCESSORS 2
#endif
#ifdef MISSED
#define UNNUMBERED
#define WANTS 3
#define CLAIM(c) skip
#else
#define WANTS 2
#define CLAIM(c) assert(c)
#endif
#if PROCESSORS > 2
#define MOST 1 /* messages of the program, and of marks in one collection */
#else
#define MOST 2
#endif
#define CHANNEL 7 /* more messages than are ever under way */

mtype = { TOLD, PROBE, WANT, PROGRAM, OBJECTS, HALT };
#define NET(from_, to_) net[(from_) * PROCESSORS + (to_)]
chan net[PROCESSORS * PROCESSORS] = [CHANNEL] of { mtype, byte };

/* Steps of a collection, and the parts of a processor in one, as in collection.c. */
#define STOP 0
#define MARK 1
#define SWEEP 2
#define GO 3
#define STEPS 4
#define RUNS 0
#define STOPPED 1
#define MARKS 2
#define SWEPT 3
#define END 4 /* a round */

byte part[PROCESSORS], step[PROCESSORS], collections[PROCESSORS];
bool fresh[PROCESSORS], idle[PROCESSORS], told[PROCESSORS];
bool due[PROCESSORS], wanted[PROCESSORS], asked[PROCESSORS];
bool waits[PROCESSORS], halted[PROCESSORS];
byte work[PROCESSORS]; /* operations that are left */
byte sent[PROCESSORS], received[PROCESSORS], marks_sent[PROCESSORS], marks_received[PROCESSORS];
byte total, marks_total, wants; /* ghosts: the numbers of messages sent, and of collections asked for */
bool changed;     /* ghost: something on which answers depend */
bool all_stopped; /* ghost: processor 0 has concluded that all have stopped, and has let none go on */
byte under_way, marks_under_way; /* ghosts */

/* The answer of a processor. */
#ifdef UNNUMBERED
#define ELSEWHERE(p_) false
#else
#define ELSEWHERE(p_) (collections[p_] != collections[0])
#endif
#define BUSY(p_, round_) ( \
    round_ == END -> (!waits[p_] || work[p_] > 0) : (ELSEWHERE(p_) || part[p_] < round_ || \
    (round_ == MARKS && !idle[p_])))
#define SENT(p_, round_) (round_ == MARKS -> marks_sent[p_] : (round_ == SWEPT -> 0 : sent[p_]))
#define RECEIVED(p_, round_) (round_ == MARKS -> marks_received[p_] : (round_ == SWEPT -> 0 : received[p_]))
byte sum_sent, sum_received, answers, first_sent, first_received;
bool sum_busy, quiet;

inline send_program(from_, to_) {
    total++;
    sent[from_]++;
    under_way++;
    NET(from_, to_)!PROGRAM,0
}
inline send_objects(from_, to_) {
    marks_total++;
    marks_sent[from_]++;
    marks_under_way++;
    NET(from_, to_)!OBJECTS,0
}

/* Handles one message from `from'; the effect of a reply at processor 0 happens here. */
inline handle_from(me, from) {
    atomic { nempty(NET(from, me)) ->
        NET(from, me)?kind,value;
        if
        :: kind == TOLD ->
            step[me] = value;
            if
            :: value % STEPS == STOP -> due[me] = true
            :: else
            fi;
            changed = true
        :: kind == PROBE ->
            sum_sent = sum_sent + SENT(me, value);
            sum_received = sum_received + RECEIVED(me, value);
            sum_busy = sum_busy || BUSY(me, value);
            answers++
        :: kind == WANT -> wanted[me] = true; due[me] = true; changed = true
        :: kind == PROGRAM ->
            CLAIM(part[me] != MARKS && !(part[me] == SWEPT && all_stopped));
            under_way--;
            received[me]++;
            if
            :: work[me]++
            :: total < MOST -> send_program(me, from)
            fi;
            changed = true
        :: kind == OBJECTS ->
            marks_under_way--;
            marks_received[me]++;
            if
            :: !told[me] -> told[me] = true; fresh[me] = true; idle[me] = false
            :: else
            fi;
            changed = true
        :: kind == HALT -> halted[me] = true; changed = true
        fi;
        kind = 0; value = 0 }
}

#define SECOND ((me + 1) % PROCESSORS)
#define THIRD ((me + 2) % PROCESSORS)

/* An operation of the program. */
inline operate(me) {
    atomic { work[me] > 0 && !waits[me] ->
        CLAIM(!all_stopped);
        work[me]--;
        if
        :: total < MOST -> send_program(me, SECOND)
#if PROCESSORS > 2
        :: total < MOST -> send_program(me, THIRD)
#endif
        :: wants < WANTS -> wants++; wanted[me] = true; due[me] = true; work[me]++
        :: skip
        fi;
        changed = true }
}

inline send_mark(me) {
    if
    :: marks_total < MOST -> send_objects(me, SECOND)
#if PROCESSORS > 2
    :: marks_total < MOST -> send_objects(me, THIRD)
#endif
    :: skip
    fi
}
inline mark(me) {
    atomic {
        idle[me] = false;
        part[me] = MARKS;
        changed = true;
        send_mark(me)
    }
}
/* A request may poll: with 2 processors it does. */
inline requests(me) {
#if PROCESSORS == 2
    do
    :: handle_from(me, SECOND)
    :: break
    od
#else
    skip
#endif
}
inline go_on(me) {
    do
    :: atomic { fresh[me] -> fresh[me] = false; changed = true; send_mark(me) }
        requests(me)
    :: atomic { !fresh[me] -> idle[me] = true; changed = true; break }
    od
}
inline sweep(me) {
    atomic { told[me] = false; fresh[me] = false; part[me] = SWEPT; changed = true }
}

/* The requests of processor 0 to all. */
inline tell_all(what_, value_) {
    atomic {
        NET(0, 1)!what_,value_;
#if PROCESSORS > 2
        NET(0, 2)!what_,value_;
#endif
        skip
    }
}

/* `first': this question may miss changes from now on. */
inline ask_all(round_, first) {
    atomic {
        changed = changed && !first;
        sum_sent = SENT(0, round_);
        sum_received = RECEIVED(0, round_);
        sum_busy = false;
        answers = 0;
        tell_all(PROBE, round_)
    }
    do
    :: handle_from(0, 1)
#if PROCESSORS > 2
    :: handle_from(0, 2)
#endif
    :: answers == PROCESSORS - 1 -> break
    od
}
inline forget() {
    sum_sent = 0; sum_received = 0; first_sent = 0; first_received = 0; answers = 0;
    sum_busy = false; quiet = false
}
inline ask_twice(round_) {
    ask_all(round_, true);
    if
    :: atomic { sum_busy || BUSY(0, round_) || sum_sent != sum_received -> forget() }
    :: atomic { else -> first_sent = sum_sent; first_received = sum_received }
        ask_all(round_, false);
        atomic {
            sum_busy = sum_busy || BUSY(0, round_);
            sum_busy = sum_busy || sum_sent != first_sent || sum_received != first_received;
            if
            :: sum_busy -> forget()
            :: else -> forget(); quiet = true
            fi
        }
    fi
}
/* Polls until another question may have another answer. */
inline poll_until_changed() {
    do
    :: handle_from(0, 1)
#if PROCESSORS > 2
    :: handle_from(0, 2)
#endif
    :: changed -> break
    od
}

#if PROCESSORS > 2
#define ALL(c0, c1, c2) ((c0) && (c1) && (c2))
#else
#define ALL(c0, c1, c2) ((c0) && (c1))
#endif
#define ALL_ARE(what_) ALL(part[0] == what_, part[1] == what_, part[2] == what_)
#define ALL_TAKE_PART \
    ALL(true, collections[1] == collections[0], collections[2] == collections[0])

inline lead() {
    tell_all(TOLD, collections[0] * STEPS + STOP);
    do
    :: ask_twice(STOPPED);
        if
        :: quiet -> break
        :: else -> poll_until_changed()
        fi
    od;
    atomic {
        CLAIM(ALL_ARE(STOPPED) && ALL_TAKE_PART && under_way == 0 && marks_under_way == 0);
        all_stopped = true;
        marks_total = 0;
        quiet = false;
        tell_all(TOLD, collections[0] * STEPS + MARK);
        mark(0)
    }
    do
    :: go_on(0);
        ask_twice(MARKS);
        if
        :: quiet -> break
        :: else -> poll_until_changed()
        fi
    od;
    atomic {
        CLAIM(ALL_ARE(MARKS) && ALL_TAKE_PART && marks_under_way == 0);
        CLAIM(ALL(!fresh[0], !fresh[1], !fresh[2]));
        quiet = false;
        tell_all(TOLD, collections[0] * STEPS + SWEEP);
        sweep(0)
    }
#ifndef GO_EARLY
    do
    :: ask_all(SWEPT, true);
        if
        :: atomic { !sum_busy -> forget(); break }
        :: atomic { else -> forget() } poll_until_changed()
        fi
    od;
#endif
    atomic {
        CLAIM(ALL_ARE(SWEPT) && ALL_TAKE_PART && under_way == 0);
        all_stopped = false;
        tell_all(TOLD, collections[0] * STEPS + GO)
    }
}

inline wait_until(me, condition) {
    do
    :: handle_from(me, SECOND)
#if PROCESSORS > 2
    :: handle_from(me, THIRD)
#endif
    :: condition -> break
    od
}

inline follow(me) {
    wait_until(me, step[me] >= collections[me] * STEPS + MARK);
    mark(me);
    do
    :: step[me] < collections[me] * STEPS + SWEEP ->
        go_on(me);
        wait_until(me, fresh[me] || step[me] >= collections[me] * STEPS + SWEEP)
    :: else -> break
    od;
    sweep(me);
    wait_until(me, step[me] >= collections[me] * STEPS + GO)
}

/* tam_collection_enter, if tam_collection_poll finds that a collection is due. */
inline collect(me) {
    atomic { due[me] && !waits[me] ->
#ifndef CLEARED_LATE
        due[me] = false;
#endif
        if
        :: me != 0 && wanted[me] && !asked[me] -> asked[me] = true; NET(me, 0)!WANT,0
        :: else
        fi
    }
    requests(me);
    if
    :: atomic { me == 0 && wanted[me] || me != 0 && step[me] / STEPS > collections[me] ->
            wanted[me] = false;
            collections[me]++;
            part[me] = STOPPED;
            changed = true }
        if
        :: me == 0 -> lead()
        :: else -> follow(me)
        fi;
        atomic { part[me] = RUNS; asked[me] = false; changed = true }
    :: atomic { else -> wanted[me] = false }
    fi;
#ifdef CLEARED_LATE
    due[me] = false;
#endif
    skip
}

#define HAS_TO_DO(p_) (work[p_] > 0 || due[p_])

proctype processor(byte me) {
    mtype kind;
    byte value;
    do
    :: halted[me] -> break
    :: else ->
        if
        :: handle_from(me, SECOND)
#if PROCESSORS > 2
        :: handle_from(me, THIRD)
#endif
        :: operate(me)
        :: collect(me)
        /* tam_wait_or_finish */
        :: atomic { work[me] == 0 && !due[me] && !waits[me] -> waits[me] = true; changed = true }
        :: atomic { waits[me] && HAS_TO_DO(me) -> waits[me] = false; changed = true }
        :: me == 0 && waits[me] && !HAS_TO_DO(me) ->
#if PROCESSORS > 2
            /* 2 processors are enough for a model of this question (tam_end.pml). */
            atomic {
                quiet = ALL(under_way == 0, waits[1] && work[1] == 0, waits[2] && work[2] == 0);
                changed = false
            }
#else
            ask_twice(END);
#endif
            if
            :: quiet ->
                atomic {
                    assert(under_way == 0 && ALL(work[0] == 0, work[1] == 0, work[2] == 0));
                    assert(ALL(true, waits[1], waits[2]));
                    CLAIM(ALL_ARE(RUNS) && ALL_TAKE_PART);
                    halted[0] = true;
                    quiet = false
                }
                tell_all(HALT, 0)
            :: else ->
                do
                :: handle_from(0, 1)
#if PROCESSORS > 2
                :: handle_from(0, 2)
#endif
                :: changed || HAS_TO_DO(me) -> break
                od
            fi
        fi
    od
}

init {
    atomic {
#if PROCESSORS > 2
        work[0] = 1;
#else
        work[0] = 2;
#endif
        work[1] = 1;
        run processor(0);
        run processor(1);
#if PROCESSORS > 2
        run processor(2);
#endif
        skip
    }
}
