/* A collection of all processors (tam/collection.c). Each processor has one object, and words for some of
 * the three; an object may have a word for another. A word leaves in a message, or in a handler's answer to a
 * take, whose owner keeps none; a processor that has a word for an object may read the object's contents. The
 * owner pins an object before a word for it leaves. A leader, here a process of its own, stops all, waits
 * until no word is under way, has all mark, waits until no mark is under way, has all sweep, and lets them go
 * on.
 *
 * Checked: no object is free while a word leads to it. An object to which no word leads when a collection
 * begins is free after it.
 *
 * faults: NOT_QUIET GO_EARLY KEEPS_PINS */
#define N 3
#define MOST 2 /* messages of the program */
#define NONE 3
#define TAKE 4

byte has[N];    /* bit n: it has a word for object n */
byte inside[N]; /* the word that is in its object; NONE */
bool freed[N], pinned[N], told[N], marked[N], fresh[N], idle[N];
chan net[N] = [MOST] of { byte, byte }; /* a word or TAKE, and from whom */
chan marks[N] = [N + 1] of { byte };
byte sent[N], received[N], marks_sent[N], marks_received[N], total;
#define STOPPED 1
#define MARKS 2
#define SWEPT 3
byte part[N];
byte step = 0; /* 1: stop, 2: mark, 3: sweep, 4: go on */
byte useless = 0; /* ghost: bit n: no word led to object n when all had stopped */

#define BIT(n) (1 << (n))
#define HAS(p, n) ((has[p] >> (n)) & 1)
#define FINE(n) assert(!freed[n])

inline send(me_, to_, what_) {
    total++;
    sent[me_]++;
    net[to_]!what_,me_
}

/* One operation of the program. */
inline operate(me, other) {
    if
    :: atomic { total < MOST && HAS(me, me) -> pinned[me] = true; send(me, other, me) }
    :: atomic { total < MOST && HAS(me, other) -> send(me, 3 - me - other, other) }
    :: atomic { total < MOST - 1 -> send(me, other, TAKE) }
    :: atomic { HAS(me, other) && inside[other] != NONE ->
        FINE(other); FINE(inside[other]); has[me] = has[me] | BIT(inside[other]) }
    :: atomic { step < 2 && HAS(me, other) -> has[me] = has[me] & ~BIT(other) }
    fi
}
/* A collection of this processor alone. */
inline collect(me) {
    atomic { !HAS(me, me) && !pinned[me] && !freed[me] -> freed[me] = true; inside[me] = NONE }
}

inline handle(me) {
    atomic { net[me]?what,from ->
        received[me]++;
        if
        :: what == TAKE && HAS(me, me) ->
            FINE(me);
            pinned[me] = true;
            has[me] = has[me] & ~BIT(me);
            send(me, from, me)
        :: what == TAKE && !HAS(me, me)
        :: else -> FINE(what); has[me] = has[me] | BIT(what)
        fi;
        what = 0; from = 0 }
}
inline handle_mark(me) {
    atomic { marks[me]?what ->
        marks_received[me]++;
        if
        :: !told[me] -> told[me] = true; fresh[me] = true; idle[me] = false
        :: else -> skip
        fi;
        what = 0 }
}

inline tell(me, n_) {
    marks_sent[me]++;
    marks[n_]!n_
}
/* Marks the processor's own object as live. */
inline mark(me) {
    if
    :: !marked[me] ->
        marked[me] = true;
        if
        :: inside[me] != NONE -> tell(me, inside[me])
        :: else -> skip
        fi
    :: else -> skip
    fi
}

proctype processor(byte me) {
    byte what, from;
    do
    :: nempty(net[me]) -> handle(me)
    :: step < 2 -> operate(me, (me + 1) % N)
    :: step == 1 -> break
    od;
    part[me] = STOPPED;
    do
    :: nempty(net[me]) -> handle(me)
    :: nempty(marks[me]) -> handle_mark(me)
    :: step == 2 -> break
    od;
    part[me] = MARKS;
    if
    :: atomic { HAS(me, (me + 1) % N) -> tell(me, (me + 1) % N) }
    :: !HAS(me, (me + 1) % N)
    fi;
    if
    :: atomic { HAS(me, (me + 2) % N) -> tell(me, (me + 2) % N) }
    :: !HAS(me, (me + 2) % N)
    fi;
    if
    :: atomic { HAS(me, me) -> mark(me) }
    :: !HAS(me, me)
    fi;
    do
    :: nempty(net[me]) -> handle(me)
    :: nempty(marks[me]) -> handle_mark(me)
    :: atomic { fresh[me] -> fresh[me] = false; mark(me) }
    :: atomic { !fresh[me] && !idle[me] -> idle[me] = true }
    :: step >= 3 -> break
    od;
    atomic {
#ifdef KEEPS_PINS
        pinned[me] = pinned[me] || told[me];
#else
        pinned[me] = told[me];
#endif
        told[me] = false;
        if
        :: !marked[me] && !pinned[me] -> freed[me] = true; inside[me] = NONE
        :: else -> skip
        fi;
        assert(freed[me] || !((useless >> me) & 1));
        part[me] = SWEPT
    }
    do
    :: nempty(net[me]) -> handle(me)
    :: step == 4 -> break
    od;
end:
    do
    :: nempty(net[me]) -> handle(me)
    :: operate(me, (me + 1) % N)
    :: collect(me)
    od
}

byte p;
bool busy;
byte s1, r1, s2, r2;

/* Asks one processor after another; each answers at a time of its own. */
inline ask_all(s, r, least) {
    s = 0; r = 0; busy = false;
    p = 0;
    do
    :: p < N -> atomic {
        s = s + (least == MARKS -> marks_sent[p] : sent[p]);
        r = r + (least == MARKS -> marks_received[p] : received[p]);
        busy = busy || part[p] < least || (least == MARKS && !idle[p]);
        p++ }
    :: else -> p = 0; break
    od
}
inline forget() { s1 = 0; r1 = 0; s2 = 0; r2 = 0; busy = false }
inline await_quiet(least) {
    do
    :: ask_all(s1, r1, least);
        if
        :: atomic { busy || s1 != r1 -> forget() }
        :: else ->
            ask_all(s2, r2, least);
            if
            :: atomic { !busy && s1 == s2 && r1 == r2 -> forget(); break }
            :: atomic { else -> forget() }
            fi
        fi
    od
}

active proctype leader() {
    atomic {
        /* All objects begin pinned: other objects or processors have words for them. */
        inside[0] = 1; inside[1] = NONE; inside[2] = NONE;
        has[0] = BIT(0);
        has[1] = BIT(2);
        pinned[0] = true; pinned[1] = true; pinned[2] = true;
        run processor(0);
        run processor(1);
        run processor(2)
    }
    step = 1;
#ifdef NOT_QUIET
    (part[0] == STOPPED && part[1] == STOPPED && part[2] == STOPPED);
#else
    await_quiet(STOPPED);
#endif
    /* An object's word leads on only if one leads to the object: from the last to the first. */
    atomic {
        s1 = has[0] | has[1] | has[2];
        if
        :: (s1 & BIT(0)) && inside[0] != NONE -> s1 = s1 | BIT(inside[0])
        :: else -> skip
        fi;
        if
        :: (s1 & BIT(1)) && inside[1] != NONE -> s1 = s1 | BIT(inside[1])
        :: else -> skip
        fi;
        useless = 7 & ~s1;
        s1 = 0
    }
    step = 2;
    await_quiet(MARKS);
    step = 3;
#ifndef GO_EARLY
    (part[0] == SWEPT && part[1] == SWEPT && part[2] == SWEPT);
#endif
    step = 4
}
