/* The barrier of sync/phase.c with the tree, of fan-in 2 here and three threads: nodes 0 (threads 0, 1), 1
 * (thread 2 alone) and 2 (the root). A thread that completes a node clears it and goes up; the one that
 * completes the root posts the release. Waiting is blocking until the number is reached, see event.pml.
 * Checked: no thread leaves phase n before all have announced n, the entries of a phase remain until all have
 * read them, a node never counts above its arrivals, nobody blocks for ever. */
#define THREADS 3
#define PHASES 4

byte arrivals[3];
byte release = 0;
byte entry[THREADS * 2];
byte announced[THREADS]; /* ghost */

proctype thread(byte me) {
    byte n = 1, t, node, now, expected;
    bool up;
    do
    :: n <= PHASES ->
        entry[me * 2 + n % 2] = n;
        announced[me] = n;
        node = me / 2;
        up = true;
        do
        :: up ->
            expected = (node == 1 -> 1 : 2);
            atomic { arrivals[node]++; now = arrivals[node] } /* addition */
            assert(now <= expected);
            if
            :: now < expected -> up = false
            :: else ->
                arrivals[node] = 0;
                if
                :: node == 2 -> release = n; up = false
                :: else -> node = 2
                fi
            fi
        :: else -> break
        od;
        release >= n;
        t = 0;
        do
        :: t < THREADS ->
            assert(announced[t] >= n);
            assert(entry[t * 2 + n % 2] == n);
            t++
        :: else -> break
        od;
        n++
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
