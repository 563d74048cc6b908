/* The end of a program (tam/wave.c): processor 0 asks all, twice, how many counted messages they have sent
 * and received and whether they are busy. When it concludes that the program has ended, all are idle and no
 * counted message is under way. Nothing blocks before that (no invalid end state). */
#define PROCESSORS 3
#define MESSAGES 4

chan net[PROCESSORS] = [MESSAGES] of { byte };
byte sent[PROCESSORS], received[PROCESSORS];
bool busy[PROCESSORS];
byte total = 0;     /* ghost: messages ever sent */
byte under_way = 0; /* ghost */
bool ended = false;

inline send(me, to) {
    atomic { total < MESSAGES -> total++; sent[me]++; under_way++; net[to]!me }
}
inline receive(me) {
    atomic { net[me]?from; received[me]++; under_way--; busy[me] = true }
}

/* A processor other than 0: computes while it is busy, and receives messages. */
proctype processor(byte me) {
    byte from;
end:
    do
    :: nempty(net[me]) && !ended -> receive(me)
    :: busy[me] ->
        if
        :: send(me, 0)
        :: send(me, 3 - me)
        :: busy[me] = false
        fi
    :: ended -> break
    od
}

byte s1, r1, s2, r2, p;
bool b;

/* Asks one processor after another: each answers at a time of its own. */
inline ask_all(s, r) {
    s = sent[0]; r = received[0]; b = busy[0];
    p = 1;
    do
    :: p < PROCESSORS -> atomic { s = s + sent[p]; r = r + received[p]; b = b || busy[p]; p++ }
    :: else -> break
    od;
    b = b || busy[0] || nempty(net[0])
}

active proctype zero() {
    byte from;
    atomic {
        busy[0] = true;
        run processor(1);
        run processor(2)
    }
    do
    :: nempty(net[0]) -> receive(0)
    :: busy[0] ->
        if
        :: send(0, 1)
        :: send(0, 2)
        :: busy[0] = false
        fi
    :: !busy[0] && empty(net[0]) ->
        ask_all(s1, r1);
        if
        :: b || s1 != r1 -> skip
        :: else ->
            ask_all(s2, r2);
            if
            :: !b && s2 == s1 && r2 == r1 ->
                assert(under_way == 0 && !busy[0] && !busy[1] && !busy[2]);
                ended = true;
                break
            :: else -> skip
            fi
        fi
    od
}
