/* A value that a thread shares before the others have entered (mer_barrier_allgather_early in
 * sync/barrier.h). Host R reads its own x when it announces a phase, and sends it along. Host W writes x by
 * messages which it may wait for in a later phase, and says in each announcement whether, since its last one,
 * it has begun a write or learnt that one is complete (mer_transport_wrote). Writes and announcements go to
 * different processes of R's host, in no order. Checked: if W has waited for all its writes when it
 * announces, and has not written by its own account, then the value that R has shared is the value of x once
 * both have announced. */
#define PHASES 4
#define WRITES 3

byte x;              /* R's memory */
byte seen;           /* by R: the phase that W has announced last */
byte said[2];        /* and whether W said that it had written, by parity */
byte settled[2];     /* ghost: W had waited for all its writes */
byte announced_w, announced_r, truth[2]; /* ghost: x when the second of the two announced */
chan writes = [WRITES] of { byte };
chan acknowledged = [WRITES] of { byte };
chan from_w = [2] of { byte, bit, bit };
chan from_r = [2] of { byte };

active proctype memory() { /* handlers of R's host */
    byte v, n;
    bit w, done;
end:
    do
    :: writes ? v -> x = v; acknowledged ! v
    :: from_w ? n, w, done -> d_step { said[n % 2] = w; settled[n % 2] = done; seen = n }
    od
}

active proctype writer() {
    byte n = 1, value, under_way, v;
    bit wrote;
    do
    :: n <= PHASES ->
        do
        :: value < WRITES -> d_step { value++; under_way++; wrote = 1 }; writes ! value
        :: under_way > 0 -> acknowledged ? v; d_step { under_way--; wrote = 1 }
        :: break
        od;
        skip; /* nothing may jump into a d_step */
        d_step {
            from_w ! n, wrote, (under_way == 0);
            announced_w = n;
            truth[n % 2] = (announced_r == n -> x : truth[n % 2]);
            wrote = 0
        };
        do
        :: from_r ? v -> assert(v == n); break
        :: acknowledged ? v -> d_step { under_way--; wrote = 1 }
        od;
        n++
    :: else -> break
    od
}

active proctype reader() {
    byte n = 1, shared;
    do
    :: n <= PHASES ->
        if
        :: x = x + 10 /* its own write */
        :: skip
        fi;
        shared = x;
        d_step {
            from_r ! n;
            announced_r = n;
            truth[n % 2] = (announced_w == n -> x : truth[n % 2])
        };
        seen >= n;
        assert(said[n % 2] || !settled[n % 2] || shared == truth[n % 2]);
        n++
    :: else -> break
    od
}
