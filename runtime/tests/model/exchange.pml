/* The buffers of array/move/exchange.c: threads run an exchange over and over, and each run sends a message
 * into buffer run % 2 of each receiver. 0 and 1 send each other (mutual); 0 sends to 2, which sends nothing
 * back and answers by an event. Waiting is taken as blocking until the number is reached, which event.pml
 * justifies. Checked: no buffer is filled before its last message has been unpacked; each run unpacks its own
 * message; nobody blocks for ever. */
#define RUNS 6
#define FREE 0

/* By sender and receiver: 0 -> 1, 1 -> 0, 0 -> 2. */
byte event[6];   /* of each buffer: the run last posted */
byte message[6]; /* the run that it holds; FREE once it is unpacked */
byte answer;     /* 2's, in 0's memory */

inline fill(way, n) {
    assert(message[way * 2 + n % 2] == FREE);
    message[way * 2 + n % 2] = n;
    event[way * 2 + n % 2] = n
}

inline unpack(way, n) {
    event[way * 2 + n % 2] >= n;
    assert(message[way * 2 + n % 2] == n);
    message[way * 2 + n % 2] = FREE
}

active proctype both() { /* thread 0 */
    byte n = 1;
    do
    :: n <= RUNS ->
        fill(0, n);
        n <= 2 || answer >= n - 2;
        fill(2, n);
        unpack(1, n);
        n++
    :: else -> break
    od
}

active proctype neighbour() { /* thread 1 */
    byte n = 1;
    do
    :: n <= RUNS ->
        fill(1, n);
        unpack(0, n);
        n++
    :: else -> break
    od
}

active proctype receiver() { /* thread 2 */
    byte n = 1;
    do
    :: n <= RUNS ->
        unpack(2, n);
        answer = n;
        n++
    :: else -> break
    od
}
