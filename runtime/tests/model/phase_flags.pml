/* The barrier of sync/phase.c with flags: each thread posts the phase in its own slot and waits for all
 * others'. Waiting is taken as blocking until the number is reached, which event.pml justifies. Checked:
 * no thread leaves phase n before all have announced n; no entry of parity n & 1 is overwritten before all
 * have read it; nobody blocks for ever. */
#define THREADS 3
#define PHASES 4

byte event[THREADS];
byte entry[THREADS * 2]; /* the phase for which it was written */
byte announced[THREADS]; /* ghost */

proctype thread(byte me) {
    byte n = 1, t;
    do
    :: n <= PHASES ->
        entry[me * 2 + n % 2] = n;
        announced[me] = n;
        event[me] = n; /* exchange */
        t = 0;
        do
        :: t < THREADS -> event[t] >= n; t++
        :: else -> break
        od;
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
