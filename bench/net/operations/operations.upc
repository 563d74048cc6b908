/* What operations on another host's memory cost through the language; the twin of mpi.c and socket.c.
 *
 *   operations MILLISECONDS
 *
 * Thread 0 works on the memory of the last thread, which waits in a barrier; then all meet in barriers, and a
 * broadcast and a reduction of 8 bytes and 1 MB.  Lines: name, nanoseconds an operation. */
#include "operations.h"

#include <bupc_extensions.h>
#include <upc_atomic.h>
#include <upc_collective.h>
#include <upc_nb.h>
#include <upc_relaxed.h>

shared[WORDS] unsigned long table[THREADS][WORDS];
shared[GRID] char grid[THREADS][GRID];
shared[BULK] char from[THREADS][BULK], to[THREADS][BULK];
static upc_atomicdomain_t *domain;
static unsigned long buffer[WORDS];
static int target;

#define PLACE table[target][next_place()]

static void put(void) {
    PLACE = 1;
    upc_fence;
}
static unsigned long sum;
static void get(void) { sum += PLACE; }
static void add(void) {
    unsigned long one = 1, old;
    upc_atomic_relaxed(domain, &old, UPC_ADD, &PLACE, &one, NULL);
    sum += old;
}
static void puts_many(void) {
    for (int i = 0; i < MANY; i++)
        PLACE = (unsigned long)i;
    upc_fence;
}
static void gets_many(void) {
    for (int i = 0; i < MANY; i++)
        upc_memget_nbi(&buffer[i], &PLACE, sizeof *buffer);
    upc_synci();
    sum += buffer[0];
}
static void updates_many(void) {
    for (int i = 0; i < MANY; i++) {
        unsigned long x = (unsigned long)i;
        upc_atomic_relaxed(domain, NULL, UPC_XOR, &PLACE, &x, NULL);
    }
    upc_fence;
}
static void put_bulk(void) {
    upc_memput(&to[target][0], buffer, BULK);
    upc_fence;
}
static void get_bulk(void) { upc_memget(buffer, &to[target][0], BULK); }

static shared void *places[ROWS];
static void *pieces[ROWS];
static void make_lists(void) {
    for (int i = 0; i < ROWS; i++) {
        places[i] = &grid[target][place_of(i)];
        pieces[i] = (char *)buffer + i * ROW;
    }
}
static void get_rows(size_t length, size_t rows) {
    bupc_memget_fstrided(buffer, length * rows, length * rows, 1, &grid[target][0], length, 2 * length, rows);
}
static void put_rows(size_t length, size_t rows) {
    bupc_memput_fstrided(&grid[target][0], length, 2 * length, rows, buffer, length * rows, length * rows, 1);
}
static void get_contiguous(void) { upc_memget(buffer, &grid[target][0], ROWS * ROW); }
static void get_strided(void) { get_rows(ROW, ROWS); }
static void put_strided(void) { put_rows(ROW, ROWS); }
static void get_strided_long(void) { get_rows(LONG_ROW, LONG_ROWS); }
static void put_strided_long(void) { put_rows(LONG_ROW, LONG_ROWS); }
static void get_indexed(void) { bupc_memget_ilist(ROWS, pieces, ROW, ROWS, places, ROW); }
static void put_indexed(void) { bupc_memput_ilist(ROWS, places, ROW, ROWS, pieces, ROW); }

static void meet(void) { upc_barrier; }
static void broadcast_word(void) { upc_all_broadcast(to, &from[0][0], 8, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC); }
static void broadcast_bulk(void) {
    upc_all_broadcast(to, &from[0][0], BULK, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
}
static void reduce(int words) {
    upc_all_reduceUL((shared void *)to, (shared void *)table, UPC_ADD, (size_t)words * THREADS, words, NULL,
                     UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
}
static void reduce_word(void) { reduce(1); }
static void reduce_bulk(void) { reduce(BULK / 8); }

static const struct operation one_sided[] = {{"put", put, 1},
                                             {"get", get, 1},
                                             {"add", add, 1},
                                             {"puts", puts_many, MANY},
                                             {"gets", gets_many, MANY},
                                             {"updates", updates_many, MANY},
                                             {"put_1MB", put_bulk, 1},
                                             {"get_1MB", get_bulk, 1},
                                             {"get_64KB", get_contiguous, 1},
                                             {"get_strided", get_strided, 1},
                                             {"put_strided", put_strided, 1},
                                             {"get_indexed", get_indexed, 1},
                                             {"put_indexed", put_indexed, 1},
                                             {"get_strided_1MB", get_strided_long, 1},
                                             {"put_strided_1MB", put_strided_long, 1}};
static const struct operation together[] = {{"barrier", meet, 1},
                                            {"broadcast_8", broadcast_word, 1},
                                            {"broadcast_1MB", broadcast_bulk, 1},
                                            {"reduce_8", reduce_word, 1},
                                            {"reduce_1MB", reduce_bulk, 1}};

int main(int argc, char **argv) {
    double seconds = seconds_of(argc, argv);
    target = THREADS - 1;
    make_lists();
    domain = upc_all_atomicdomain_alloc(UPC_ULONG, UPC_ADD | UPC_XOR, 0);
    upc_barrier;
    for (int i = 0; i < LENGTH(one_sided); i++) {
        if (MYTHREAD == 0)
            measure_alone(&one_sided[i], seconds);
        upc_barrier;
    }
    for (int i = 0; i < LENGTH(together); i++) {
        int count = 10;
        for (;;) { /* as many as take the time asked for, on thread 0's clock */
            static shared int again;
            double took = measure_count(&together[i], count);
            if (MYTHREAD == 0)
                again = took < seconds;
            upc_barrier;
            if (!again) {
                if (MYTHREAD == 0)
                    report(&together[i], took, count);
                upc_barrier;
                break;
            }
            upc_barrier;
            count *= 2;
        }
    }
    return sum == 42; /* nobody can leave the reads out */
}
