/* The wait for halves that a loop has given away (tam/share.c, tam_await_half). Two of three processors have
 * an activation of their own, whose loop may give halves of its passes to processors that have asked; a half
 * may give halves, too. After its loop an activation stores a value. A half may wait for the value of either
 * activation, before its loop or after it: a half may need values that its giver computes after the loop. A
 * half has ended when the halves that it gave away have. Nobody waits for ever (no invalid end state).
 *
 * An idle processor asks its givers, and perhaps all others: on large jobs it asks few. The marks of askers
 * may be out of date. In each turn of the wait the machine polls; the model leaves out turns that change
 * nothing, so that a wait for ever is an end state. With TELL a waiting processor, too, asks its givers,
 * which makes waits shorter; the model holds with and without TELL.
 *
 * faults: NO_HEAD NO_HUNGRY NO_GIVERS */
#define PROCESSORS 3
#define OWNERS 2 /* processors with an activation of their own; the others only help */
#define HALVES 2
#define OWN 0 /* the number of a processor's own activation; halves are 1 ... HALVES */
#define BIT(p) (1 << (p))

chan queue[PROCESSORS] = [HALVES + 1] of { byte };
byte giver[HALVES + 1], parent[HALVES + 1], count[HALVES + 1], at[HALVES + 1];
byte stage[HALVES + 1];    /* 0: not begun; the awaited value has come, 1: before its loop, 2: after it */
byte waits_on[HALVES + 1]; /* 1 + the processor whose value it awaits; 0: none */
byte halves = 0;           /* given away so far */
byte given[PROCESSORS];    /* halves that each has given and that have not ended */
byte hungry[PROCESSORS];   /* the processors that each believes to be without work */
byte givers[PROCESSORS];   /* the processors that have given each a half */
bool stored[PROCESSORS];
byte left = OWNERS; /* ghost: activations and halves that have not ended */

/* One of the halves that half h counts has ended. */
inline end_one(h) {
    e = h;
    do
    :: e == 0 -> break
    :: else ->
        count[e]--;
        if
        :: count[e] > 0 -> e = 0
        :: else ->
            given[giver[e]]--; left--;
            i = parent[e];
            giver[e] = 0; parent[e] = 0; at[e] = 0; stage[e] = 0; /* fewer states */
            e = i; i = 0
        fi
    od
}

inline store_value() {
    stored[me] = true;
    left--;
    i = 1;
    do
    :: i > HALVES -> break
    :: else ->
        if
        :: waits_on[i] == me + 1 -> waits_on[i] = 0; queue[at[i]]!i
        :: else
        fi;
        i++
    od;
    i = 0
}

inline give(who) {
    halves++;
    i = halves;
    giver[i] = me; parent[i] = item; count[i] = 1; at[i] = who;
    if
    :: item != OWN -> count[item]++
    :: else
    fi;
    given[me]++; left++;
    hungry[me] = hungry[me] & ~BIT(who);
    givers[who] = givers[who] | BIT(me);
    queue[who]!i;
    to = who;
    i = 0
}

/* missing: giver g does not know that this processor asks. tell_givers informs all of them. */
#define missing(g) ((givers[me] & BIT(g)) && !(hungry[g] & BIT(me)))
#define tells(p) (missing(0) || missing(1) || missing(2))
inline tell_givers() {
    i = 0;
    do
    :: i == PROCESSORS -> break
    :: else ->
        if
        :: missing(i) -> hungry[i] = hungry[i] | BIT(me)
        :: else
        fi;
        i++
    od;
    i = 0
}

inline await_half() {
    do
    :: atomic { given[me] <= before -> break }
#ifndef NO_HUNGRY
    :: atomic { hungry[me] & BIT(to) -> break }
#endif
#ifndef NO_HEAD
    :: atomic { nempty(queue[me]) -> break }
#endif
#ifdef TELL
    :: atomic { tells(me) -> tell_givers() }
#endif
    od
}

inline loop() {
    atomic { before = given[me]; to = PROCESSORS }
    do
    :: atomic { halves < HALVES && (hungry[me] & BIT(0)) -> give(0) }
    :: atomic { halves < HALVES && (hungry[me] & BIT(1)) -> give(1) }
    :: atomic { halves < HALVES && (hungry[me] & BIT(2)) -> give(2) }
    :: break
    od;
    if
    :: to < PROCESSORS -> await_half()
    :: else
    fi;
    atomic { before = 0; to = 0 }
}

/* Half `item' waits, before its loop or after it, for the value of a processor that has not stored it. */
#define wait_for(p, now, next) \
    atomic { stage[item] == now && !stored[p] -> waits_on[item] = p + 1; stage[item] = next }
inline run_half() {
    if
    :: wait_for(0, 0, 1)
    :: wait_for(1, 0, 1)
    :: stage[item] == 0 ->
        loop();
        if
        :: wait_for(0, 0, 2)
        :: wait_for(1, 0, 2)
        :: atomic { end_one(item) }
        fi
    :: stage[item] == 1 -> loop(); atomic { end_one(item) }
    :: stage[item] == 2 -> atomic { end_one(item) }
    fi
}

proctype processor(byte me) {
    byte item, e, i, before, to;
    bool begun = me >= OWNERS, asked = false;
    do
    :: atomic { queue[me]?item -> asked = false }
        run_half();
        item = 0
    :: atomic { !begun -> begun = true; asked = false; item = OWN }
        loop();
        atomic { store_value() }
    :: atomic {
            empty(queue[me]) && !asked ->
            asked = true;
#ifndef NO_GIVERS
            tell_givers();
#endif
            /* Asks all others, too, or none. */
            if
            :: hungry[0] = hungry[0] | (BIT(me) & ~1);
               hungry[1] = hungry[1] | (BIT(me) & ~2);
               hungry[2] = hungry[2] | (BIT(me) & ~4)
            :: skip
            fi
        }
    :: left == 0 -> break
    od
}

init {
    atomic {
        stored[2] = true;
        run processor(0);
        run processor(1);
        run processor(2)
    }
}
