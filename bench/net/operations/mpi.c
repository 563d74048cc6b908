/* The twin of operations.upc over MPI's one-sided operations and collectives: a put is complete, and seen by
 * the target, after MPI_Win_flush. */
#include "operations.h"

#include <mpi.h>

static MPI_Win window;
static MPI_Datatype rows, long_rows, list;
static unsigned long *table, buffer[WORDS], one = 1, old;
static char *bulk;
static int me, ranks, target;

static void flush(void) { MPI_Win_flush(target, window); }

static void put(void) {
    MPI_Put(&one, 1, MPI_UNSIGNED_LONG, target, next_place(), 1, MPI_UNSIGNED_LONG, window);
    flush();
}
static void get(void) {
    MPI_Get(buffer, 1, MPI_UNSIGNED_LONG, target, next_place(), 1, MPI_UNSIGNED_LONG, window);
    flush();
}
static void add(void) {
    MPI_Fetch_and_op(&one, &old, MPI_UNSIGNED_LONG, target, next_place(), MPI_SUM, window);
    flush();
}
static void puts_many(void) {
    for (int i = 0; i < MANY; i++) {
        buffer[i] = (unsigned long)i;
        MPI_Put(&buffer[i], 1, MPI_UNSIGNED_LONG, target, next_place(), 1, MPI_UNSIGNED_LONG, window);
    }
    flush();
}
static void gets_many(void) {
    for (int i = 0; i < MANY; i++)
        MPI_Get(&buffer[i], 1, MPI_UNSIGNED_LONG, target, next_place(), 1, MPI_UNSIGNED_LONG, window);
    flush();
}
static void updates_many(void) {
    for (int i = 0; i < MANY; i++)
        MPI_Accumulate(&one, 1, MPI_UNSIGNED_LONG, target, next_place(), 1, MPI_UNSIGNED_LONG, MPI_BXOR,
                       window);
    flush();
}
static void put_bulk(void) {
    MPI_Put(buffer, BULK, MPI_BYTE, target, 0, BULK, MPI_BYTE, window);
    flush();
}
static void get_bulk(void) {
    MPI_Get(buffer, BULK, MPI_BYTE, target, 0, BULK, MPI_BYTE, window);
    flush();
}

/* Scattered at the target, and in one piece here. */
static void make_types(void) {
    MPI_Aint places[ROWS];
    for (int i = 0; i < ROWS; i++)
        places[i] = (MPI_Aint)place_of((unsigned)i);
    MPI_Type_vector(ROWS, ROW, 2 * ROW, MPI_BYTE, &rows);
    MPI_Type_vector(LONG_ROWS, LONG_ROW, 2 * LONG_ROW, MPI_BYTE, &long_rows);
    MPI_Type_create_hindexed_block(ROWS, ROW, places, MPI_BYTE, &list);
    MPI_Type_commit(&rows);
    MPI_Type_commit(&long_rows);
    MPI_Type_commit(&list);
}
static void get_typed(int bytes, MPI_Datatype there) {
    MPI_Get(buffer, bytes, MPI_BYTE, target, 0, 1, there, window);
    flush();
}
static void put_typed(int bytes, MPI_Datatype there) {
    MPI_Put(buffer, bytes, MPI_BYTE, target, 0, 1, there, window);
    flush();
}
static void get_contiguous(void) {
    MPI_Get(buffer, ROWS * ROW, MPI_BYTE, target, 0, ROWS * ROW, MPI_BYTE, window);
    flush();
}
static void get_strided(void) { get_typed(ROWS * ROW, rows); }
static void put_strided(void) { put_typed(ROWS * ROW, rows); }
static void get_indexed(void) { get_typed(ROWS * ROW, list); }
static void put_indexed(void) { put_typed(ROWS * ROW, list); }
static void get_strided_long(void) { get_typed(LONG_ROWS * LONG_ROW, long_rows); }
static void put_strided_long(void) { put_typed(LONG_ROWS * LONG_ROW, long_rows); }

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
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    target = ranks - 1;
    MPI_Win_allocate(GRID, sizeof *table, MPI_INFO_NULL, MPI_COMM_WORLD, &table, &window);
    bulk = calloc(1, BULK);
    make_types();
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
