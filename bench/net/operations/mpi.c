/* The twin of operations.upc over MPI's one-sided operations and collectives: a put is complete, and seen by
 * the target, after MPI_Win_flush. */
#include "operations.h"

#include <mpi.h>

static MPI_Win window;
static unsigned long *table, room[WORDS], one = 1, old;
static char *bulk;
static int me, ranks, target;

static void flush(void) { MPI_Win_flush(target, window); }

static void put(void) {
    MPI_Put(&one, 1, MPI_UNSIGNED_LONG, target, next_place(), 1, MPI_UNSIGNED_LONG, window);
    flush();
}
static void get(void) {
    MPI_Get(room, 1, MPI_UNSIGNED_LONG, target, next_place(), 1, MPI_UNSIGNED_LONG, window);
    flush();
}
static void add(void) {
    MPI_Fetch_and_op(&one, &old, MPI_UNSIGNED_LONG, target, next_place(), MPI_SUM, window);
    flush();
}
static void puts_many(void) {
    for (int i = 0; i < MANY; i++) {
        room[i] = (unsigned long)i;
        MPI_Put(&room[i], 1, MPI_UNSIGNED_LONG, target, next_place(), 1, MPI_UNSIGNED_LONG, window);
    }
    flush();
}
static void gets_many(void) {
    for (int i = 0; i < MANY; i++)
        MPI_Get(&room[i], 1, MPI_UNSIGNED_LONG, target, next_place(), 1, MPI_UNSIGNED_LONG, window);
    flush();
}
static void updates_many(void) {
    for (int i = 0; i < MANY; i++)
        MPI_Accumulate(&one, 1, MPI_UNSIGNED_LONG, target, next_place(), 1, MPI_UNSIGNED_LONG, MPI_BXOR,
                       window);
    flush();
}
static void put_bulk(void) {
    MPI_Put(room, BULK, MPI_BYTE, target, 0, BULK, MPI_BYTE, window);
    flush();
}
static void get_bulk(void) {
    MPI_Get(room, BULK, MPI_BYTE, target, 0, BULK, MPI_BYTE, window);
    flush();
}

static void meet(void) { MPI_Barrier(MPI_COMM_WORLD); }
static void broadcast(int n) {
    meet();
    MPI_Bcast(bulk, n, MPI_BYTE, 0, MPI_COMM_WORLD);
    meet();
}
static void broadcast_word(void) { broadcast(8); }
static void broadcast_bulk(void) { broadcast(BULK); }
/* As upc_all_reduce: the sum of all words of all ranks, on rank 0. */
static void reduce(int words) {
    unsigned long sum = 0, total;
    meet();
    for (int i = 0; i < words; i++)
        sum += table[i];
    MPI_Reduce(&sum, &total, 1, MPI_UNSIGNED_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    meet();
}
static void reduce_word(void) { reduce(1); }
static void reduce_bulk(void) { reduce(BULK / 8); }

static const struct operation one_sided[] = {{"put", put, 1},           {"get", get, 1},
                                             {"add", add, 1},           {"puts", puts_many, MANY},
                                             {"gets", gets_many, MANY}, {"updates", updates_many, MANY},
                                             {"put_1MB", put_bulk, 1},  {"get_1MB", get_bulk, 1}};
static const struct operation together[] = {{"barrier", meet, 1},
                                            {"broadcast_8", broadcast_word, 1},
                                            {"broadcast_1MB", broadcast_bulk, 1},
                                            {"reduce_8", reduce_word, 1},
                                            {"reduce_1MB", reduce_bulk, 1}};

int main(int argc, char **argv) {
    double seconds = seconds_of(argc, argv);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    target = ranks - 1;
    MPI_Win_allocate(WORDS * sizeof *table, sizeof *table, MPI_INFO_NULL, MPI_COMM_WORLD, &table, &window);
    bulk = calloc(1, BULK);
    for (int i = 0; i < WORDS; i++)
        table[i] = 0;
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
    for (int i = 0; i < LENGTH(one_sided); i++) {
        if (me == 0)
            measure_alone(&one_sided[i], seconds);
        meet();
    }
    for (int i = 0; i < LENGTH(together); i++)
        for (int count = 10, again = 1; again; count *= 2) {
            double took = measure_count(&together[i], count);
            again = took < seconds;
            MPI_Bcast(&again, 1, MPI_INT, 0, MPI_COMM_WORLD);
            if (me == 0 && !again)
                report(&together[i], took, count);
        }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    free(bulk);
    return MPI_Finalize();
}
