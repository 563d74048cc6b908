/* The counterpart of operations.upc in MPI's one-sided operations and collectives: a put is complete, and
 * visible to the target, after MPI_Win_flush. */
#include "../measure-mpi.h"

#include "operations.h"

static MPI_Win window, guarded;
static MPI_Datatype rows, long_rows, list;
static unsigned long *table, *guard, buffer[WORDS], one = 1, old;
static char *bulk;
static int target;

static void flush(void) { MPI_Win_flush(target, window); }

static void put_word(unsigned long *word) {
    MPI_Put(word, 1, MPI_UNSIGNED_LONG, target, next_place(), 1, MPI_UNSIGNED_LONG, window);
}
static void get_word(unsigned long *word) {
    MPI_Get(word, 1, MPI_UNSIGNED_LONG, target, next_place(), 1, MPI_UNSIGNED_LONG, window);
}
static void update(void) {
    MPI_Accumulate(&one, 1, MPI_UNSIGNED_LONG, target, next_place(), 1, MPI_UNSIGNED_LONG, MPI_BXOR, window);
}
static void get_bytes(int n) { MPI_Get(buffer, n, MPI_BYTE, target, 0, n, MPI_BYTE, window); }

ALONE(put, put_word(&one); flush())
ALONE(get, get_word(buffer); flush())
ALONE(add, MPI_Fetch_and_op(&one, &old, MPI_UNSIGNED_LONG, target, next_place(), MPI_SUM, window); flush())
ALONE(
    puts_many, for (int i = 0; i < MANY; i++) {
        buffer[i] = (unsigned long)i;
        put_word(&buffer[i]);
    } flush())
ALONE(gets_many, for (int i = 0; i < MANY; i++) get_word(&buffer[i]); flush())
ALONE(updates_many, for (int i = 0; i < MANY; i++) update(); flush())
ALONE(put_bulk, MPI_Put(buffer, BULK, MPI_BYTE, target, 0, BULK, MPI_BYTE, window); flush())
ALONE(get_bulk, get_bytes(BULK); flush())

/* Makes types that are scattered at the target, and contiguous here. */
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
ALONE(get_contiguous, get_bytes(ROWS *ROW); flush())
ALONE(get_strided, get_typed(ROWS *ROW, rows))
ALONE(put_strided, put_typed(ROWS *ROW, rows))
ALONE(get_indexed, get_typed(ROWS *ROW, list))
ALONE(put_indexed, put_typed(ROWS *ROW, list))
ALONE(get_strided_long, get_typed(LONG_ROWS *LONG_ROW, long_rows))
ALONE(put_strided_long, put_typed(LONG_ROWS *LONG_ROW, long_rows))
ALONE(lock, MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, guarded); MPI_Win_unlock(target, guarded))

static void meet_once(void) { MPI_Barrier(MPI_COMM_WORLD); }
TOGETHER(meet, meet_once())
static void broadcast(int n) {
    meet_once();
    MPI_Bcast(bulk, n, MPI_BYTE, 0, MPI_COMM_WORLD);
    meet_once();
}
TOGETHER(broadcast_word, broadcast(8))
TOGETHER(broadcast_bulk, broadcast(BULK))
/* Works as upc_all_reduce: the sum of all words of all ranks, on rank 0. */
static void reduce(int words) {
    unsigned long sum = 0, total;
    meet_once();
    for (int i = 0; i < words; i++)
        sum += table[i];
    MPI_Reduce(&sum, &total, 1, MPI_UNSIGNED_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    meet_once();
}
TOGETHER(reduce_word, reduce(1))
TOGETHER(reduce_bulk, reduce(BULK / 8))
static void allocate_once(void) {
    MPI_Win made;
    void *memory;
    MPI_Win_allocate(1024, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &made);
    MPI_Win_free(&made);
}
TOGETHER(allocate, allocate_once())

#include "operations.inc"

int main(int argc, char **argv) {
    static const struct part parts[] = {{"operations", add_operations}};
    int ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &measure_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    target = ranks - 1;
    processes_here = ranks;
    MPI_Win_allocate(GRID, sizeof *table, MPI_INFO_NULL, MPI_COMM_WORLD, &table, &window);
    MPI_Win_allocate(sizeof *guard, sizeof *guard, MPI_INFO_NULL, MPI_COMM_WORLD, &guard, &guarded);
    bulk = calloc(1, BULK);
    if (!bulk)
        MPI_Abort(MPI_COMM_WORLD, 1);
    make_types();
    memset(table, 0, GRID);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
    int code = PROBE_MAIN(argc, argv, parts);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&guarded);
    MPI_Win_free(&window);
    free(bulk);
    MPI_Finalize();
    return code;
}
