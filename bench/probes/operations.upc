/* The cost of operations on another host's memory through the language; the counterpart of
 * operations-mpi.c. */
#include "operations.h"

#include <bupc_extensions.h>
#include <upc_atomic.h>
#include <upc_collective.h>
#include <upc_nb.h>

static shared[WORDS] unsigned long table[THREADS][WORDS];
static shared[GRID] char grid[THREADS][GRID];
static shared[BULK] char from[THREADS][BULK], to[THREADS][BULK];
static upc_atomicdomain_t *domain;
static upc_lock_t *shared guard_there; /* of the target */
static upc_lock_t *guard;
static unsigned long buffer[WORDS], sum;
static shared void *places[ROWS];
static void *pieces[ROWS];

#define TARGET (THREADS - 1)
#define PLACE table[TARGET][next_place()]

ALONE(put, PLACE = 1; upc_fence)
ALONE(get, sum += PLACE)
ALONE(
    add, unsigned long one = 1, old; upc_atomic_relaxed(domain, &old, UPC_ADD, &PLACE, &one, NULL);
    sum += old)
ALONE(
    puts_many, for (int i = 0; i < MANY; i++) PLACE = (unsigned long)i; upc_fence)
ALONE(
    gets_many, for (int i = 0; i < MANY; i++) upc_memget_nbi(&buffer[i], &PLACE, sizeof *buffer); upc_synci();
    sum += buffer[0])
static void update(unsigned long x) { upc_atomic_relaxed(domain, NULL, UPC_XOR, &PLACE, &x, NULL); }
ALONE(
    updates_many, for (int i = 0; i < MANY; i++) update((unsigned long)i); upc_fence)
ALONE(put_bulk, upc_memput(&to[TARGET][0], buffer, BULK); upc_fence)
ALONE(get_bulk, upc_memget(buffer, &to[TARGET][0], BULK))

static void get_rows(size_t length, size_t rows) {
    bupc_memget_fstrided(buffer, length * rows, length * rows, 1, &grid[TARGET][0], length, 2 * length, rows);
}
static void put_rows(size_t length, size_t rows) {
    bupc_memput_fstrided(&grid[TARGET][0], length, 2 * length, rows, buffer, length * rows, length * rows, 1);
}
ALONE(get_contiguous, upc_memget(buffer, &grid[TARGET][0], ROWS * ROW))
ALONE(get_strided, get_rows(ROW, ROWS))
ALONE(put_strided, put_rows(ROW, ROWS))
ALONE(get_strided_long, get_rows(LONG_ROW, LONG_ROWS))
ALONE(put_strided_long, put_rows(LONG_ROW, LONG_ROWS))
ALONE(get_indexed, bupc_memget_ilist(ROWS, pieces, ROW, ROWS, places, ROW))
ALONE(put_indexed, bupc_memput_ilist(ROWS, places, ROW, ROWS, pieces, ROW))
ALONE(lock, upc_lock(guard); upc_unlock(guard))

TOGETHER(meet, upc_barrier)
static void broadcast(size_t bytes) {
    upc_all_broadcast(to, &from[0][0], bytes, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
}
TOGETHER(broadcast_word, broadcast(8))
TOGETHER(broadcast_bulk, broadcast(BULK))
static void reduce(int words) {
    upc_all_reduceUL((shared void *)to, (shared void *)table, UPC_ADD, (size_t)words * THREADS, words, NULL,
                     UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
}
TOGETHER(reduce_word, reduce(1))
TOGETHER(reduce_bulk, reduce(BULK / 8))
TOGETHER(allocate, upc_all_free(upc_all_alloc(THREADS, 1024)))

#include "operations.inc"

int main(int argc, char **argv) {
    static const struct part parts[] = {{"operations", add_operations}};
    for (int i = 0; i < ROWS; i++) {
        places[i] = &grid[TARGET][place_of((unsigned)i)];
        pieces[i] = (char *)buffer + i * ROW;
    }
    domain = upc_all_atomicdomain_alloc(UPC_ULONG, UPC_ADD | UPC_XOR, 0);
    if (MYTHREAD == TARGET)
        guard_there = upc_global_lock_alloc();
    upc_barrier;
    guard = guard_there;
    processes_here = THREADS;
    int code = PROBE_MAIN(argc, argv, parts);
    measure_sink = (double)sum; /* so that the reads are not optimised away */
    return code;
}
