// A thread's writes, of any kind and to any thread, are seen by a thread that is notified: by a semaphore, a
// signal, a lock, a strict write, a fence or a strict atomic.
//: threads 1 3 4
#include <upc_relaxed.h>
#include <bupc_extensions.h>
#include <upc_atomic.h>
#include <upc_nb.h>
#include "../../check.h"

#define ROUNDS 12

enum manner { STORE, UPDATE, LONG, PUT, SPLIT_PHASE, FILL, COPY, ATOMIC, MANNERS };
enum signal { SEMAPHORE, WITH_DATA, LOCK, STRICT, FENCE, STRICT_ATOMIC, SIGNALS };

typedef struct wide { long at[4]; } wide;

shared long number[THREADS], source[THREADS], flag[THREADS];
shared wide object[THREADS];
strict shared long ready[THREADS];
bupc_sem_t *shared told[THREADS];
upc_lock_t *shared turn;
static upc_atomicdomain_t *domain;

static void write(enum manner manner, int to, long value) {
    wide w = {{value, value, value, value}};
    switch (manner) {
    case STORE: number[to] = value; break;
    case UPDATE: number[to] += value - number[to]; break;
    case LONG: object[to] = w; break;
    case PUT: upc_memput(&number[to], &value, sizeof value); break;
    case SPLIT_PHASE: upc_sync(upc_memput_nb(&number[to], &value, sizeof value)); break;
    case FILL: upc_memset(&number[to], (int)(value & 127), sizeof(long)); break;
    case COPY: source[MYTHREAD] = value; upc_memcpy(&number[to], &source[MYTHREAD], sizeof(long)); break;
    default: upc_atomic_relaxed(domain, 0, UPC_SET, &number[to], &value, 0); break;
    }
}

static int seen(enum manner manner, int to, long value) {
    if (manner == LONG)
        return object[to].at[0] == value && object[to].at[3] == value;
    return number[to] == (manner == FILL ? (value & 127) * 0x0101010101010101 : value);
}

static void tell(enum signal signal, int whom, long value) {
    switch (signal) {
    case SEMAPHORE: bupc_sem_post(told[whom]); break;
    case WITH_DATA: bupc_memput_signal(&flag[whom], &value, sizeof value, told[whom], 1); break;
    case LOCK: upc_lock(turn); flag[whom] = value; upc_unlock(turn); break;
    case STRICT: ready[whom] = value; break;
    case FENCE: upc_fence; flag[whom] = value; upc_fence; break;
    default: upc_atomic_strict(domain, 0, UPC_SET, &flag[whom], &value, 0); break;
    }
}

static void hear(enum signal signal, long value) {
    long has = 0;
    switch (signal) {
    case SEMAPHORE: bupc_sem_wait(told[MYTHREAD]); break;
    case WITH_DATA: bupc_sem_wait(told[MYTHREAD]); CHECK(flag[MYTHREAD] == value); break;
    case LOCK:
        while (has != value) {
            upc_lock(turn);
            has = flag[MYTHREAD];
            upc_unlock(turn);
        }
        break;
    case STRICT: while (ready[MYTHREAD] != value) ; break;
    case FENCE: do { upc_fence; } while (flag[MYTHREAD] != value); upc_fence; break;
    default: while (has != value) upc_atomic_strict(domain, &has, UPC_GET, &flag[MYTHREAD], 0, 0); break;
    }
}

/* Thread 0 writes to thread `to' and tells thread `whom', which answers. */
static void rounds(enum manner manner, enum signal signal, int to, int whom, long base) {
    for (long value = base + 1; value <= base + ROUNDS; value++) {
        if (MYTHREAD == 0) {
            write(manner, to, value);
            tell(signal, whom, value);
            hear(signal, value);
        } else if (MYTHREAD == whom) {
            hear(signal, value);
            CHECK(seen(manner, to, value));
            tell(signal, 0, value);
        }
    }
}

int main(void) {
    long base = 0;
    told[MYTHREAD] = bupc_sem_alloc(BUPC_SEM_INTEGER);
    if (MYTHREAD == 0)
        turn = upc_global_lock_alloc();
    domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_GET | UPC_SET, 0);
    upc_barrier;
    for (int manner = 0; manner < MANNERS; manner++)
        for (int signal = 0; signal < SIGNALS; signal++)
            for (int to = 1; to < THREADS; to++) {
                int whom = to % (THREADS - 1) + 1;
                if (whom != to)
                    rounds(manner, signal, to, whom, base);
                base += ROUNDS;
                upc_barrier;
            }
    return 0;
}
