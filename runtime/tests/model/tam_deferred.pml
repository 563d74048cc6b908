/* Elements of tam/heap.c: an I-element with readers before and after its store, and an M-element whose takers
 * each put back their value plus one. All readers get the stored value, no update is lost, nobody waits for
 * ever (no invalid end state), and waiting takers are served in order.
 *
 * The owner does one message at a time, since handlers do not interrupt each other; messages of different
 * processors arrive in any order. */
#define READERS 3
#define TAKERS 3
#define VALUE 7

mtype = { FETCH, STORE, TAKE, PUT };
mtype = { EMPTY, FULL, DEFERRED };
chan to_owner[READERS + TAKERS + 1] = [1] of { mtype, byte, byte }; /* request, processor, value */
chan answer[READERS + TAKERS] = [1] of { byte };

mtype i_tag = EMPTY, m_tag = EMPTY;
byte i_value, m_value;
chan i_waiting = [READERS] of { byte };
chan m_waiting = [TAKERS] of { byte };
byte read = 0, updates = 0; /* ghosts */
bool taken = false;         /* ghost: a taker has the M-element's value */

inline handle(what, who, value) {
    if
    :: what == FETCH && i_tag == FULL -> answer[who]!i_value
    :: what == FETCH && i_tag != FULL -> i_tag = DEFERRED; i_waiting!who
    :: what == STORE ->
        assert(i_tag != FULL);
        i_tag = FULL;
        i_value = value;
        do
        :: i_waiting?other -> answer[other]!value
        :: empty(i_waiting) -> break
        od
    :: what == TAKE && m_tag == FULL -> m_tag = EMPTY; answer[who]!m_value
    :: what == TAKE && m_tag != FULL -> m_tag = DEFERRED; m_waiting!who
    :: what == PUT && m_tag == DEFERRED ->
        m_waiting?other;
        if
        :: empty(m_waiting) -> m_tag = EMPTY
        :: nempty(m_waiting)
        fi;
        answer[other]!value
    :: what == PUT && m_tag != DEFERRED ->
        assert(m_tag == EMPTY);
        m_tag = FULL;
        m_value = value
    fi
}

active proctype owner() {
    mtype what;
    byte who, value, other;
end:
    do
    :: atomic { to_owner[0]?what, who, value -> handle(what, who, value) }
    :: atomic { to_owner[1]?what, who, value -> handle(what, who, value) }
    :: atomic { to_owner[2]?what, who, value -> handle(what, who, value) }
    :: atomic { to_owner[3]?what, who, value -> handle(what, who, value) }
    :: atomic { to_owner[4]?what, who, value -> handle(what, who, value) }
    :: atomic { to_owner[5]?what, who, value -> handle(what, who, value) }
    :: atomic { to_owner[6]?what, who, value -> handle(what, who, value) }
    od
}

proctype reader(byte me) {
    byte got;
    to_owner[me]!FETCH, me, 0;
    answer[me]?got;
    assert(got == VALUE);
    read++
}

proctype taker(byte me) {
    byte got;
    to_owner[me]!TAKE, me, 0;
    atomic { answer[me]?got; assert(!taken); taken = true }
    atomic { taken = false; updates++; assert(got + 1 == updates) }
    to_owner[me]!PUT, me, got + 1
}

proctype writer() {
    to_owner[READERS + TAKERS]!STORE, 0, VALUE;
    to_owner[READERS + TAKERS]!PUT, 0, 0
}

init {
    atomic {
        run writer();
        run reader(0); run reader(1); run reader(2);
        run taker(3); run taker(4); run taker(5)
    }
    (_nr_pr == 2); /* all have ended except this process and the owner */
    assert(read == READERS && updates == TAKERS)
}
