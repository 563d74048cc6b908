// Parallel files: records written with individual pointers, appended with a common pointer, read as
// lists of pieces, asynchronously, and by plain C afterwards.
//: clause 7.8 p1
#include "../../check.h"
#include <string.h>
#include <unistd.h>
#include <upc_io.h>

#define N 6
#define BOTH (UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC)
shared [N] int records[N * THREADS];
shared [N] int got[N * THREADS];
shared int name_number;

int main(void) {
    char path[64];
    if (MYTHREAD == 0)
        name_number = (int)getpid();
    upc_barrier;
    snprintf(path, sizeof path, "/tmp/records.%d", name_number);
    upc_forall (int i = 0; i < N * THREADS; i++; &records[i])
        records[i] = i * i + 1;

    upc_file_t *f = upc_all_fopen(path, UPC_CREATE | UPC_RDWR | UPC_TRUNC | UPC_INDIVIDUAL_FP, 0, NULL);
    CHECK(f != NULL);
    upc_all_fseek(f, (upc_off_t)MYTHREAD * N * (upc_off_t)sizeof(int), UPC_SEEK_SET);
    int mine[N];
    upc_memget(mine, &records[MYTHREAD * N], sizeof mine);
    CHECK_EQ(upc_all_fwrite_local(f, mine, sizeof(int), N, BOTH), (long)sizeof mine);
    upc_all_fsync(f);
    CHECK_EQ(upc_all_fget_size(f), N * THREADS * (long)sizeof(int));
    /* Somebody else's, asynchronously. */
    int other = (MYTHREAD + 1) % THREADS, read[N];
    upc_all_fseek(f, (upc_off_t)other * N * (upc_off_t)sizeof(int), UPC_SEEK_SET);
    upc_all_fread_local_async(f, read, sizeof(int), N, BOTH);
    CHECK_EQ(upc_all_fwait_async(f), (long)sizeof read);
    for (int i = 0; i < N; i++)
        CHECK_EQ(read[i], (other * N + i) * (other * N + i) + 1);
    upc_all_fclose(f);

    f = upc_all_fopen(path, UPC_RDWR | UPC_COMMON_FP, 0, NULL);
    CHECK(f != NULL);
    CHECK_EQ(upc_all_fread_shared(f, got, N, sizeof(int), (size_t)N * THREADS, BOTH),
             N * THREADS * (long)sizeof(int));
    for (int i = 0; i < N * THREADS; i++)
        CHECK_EQ(got[i], i * i + 1);
    upc_barrier;
    /* Behind them the same, backwards. */
    upc_forall (int i = 0; i < N * THREADS; i++; &got[i])
        got[i] = -i;
    CHECK_EQ(upc_all_fwrite_shared(f, got, N, sizeof(int), (size_t)N * THREADS, BOTH),
             N * THREADS * (long)sizeof(int));
    CHECK_EQ(upc_all_fseek(f, 0, UPC_SEEK_CUR), 2 * N * THREADS * (long)sizeof(int));
    upc_all_fclose(f);
    if (MYTHREAD == 0) {
        FILE *c = fopen(path, "rb");
        int x;
        CHECK(c != NULL);
        for (int i = 0; i < 2 * N * THREADS; i++) {
            CHECK_EQ(fread(&x, sizeof x, 1, c), 1);
            CHECK_EQ(x, i < N * THREADS ? i * i + 1 : -(i - N * THREADS));
        }
        fclose(c);
    }
    upc_barrier;
    f = upc_all_fopen(path, UPC_RDONLY | UPC_INDIVIDUAL_FP | UPC_DELETE_ON_CLOSE, 0, NULL);
    int piece[4] = {0};
    struct upc_local_memvec memory[2] = {{&piece[0], 4}, {&piece[2], 8}};
    struct upc_filevec file[2] = {{0, 4}, {(upc_off_t)sizeof(int) * 2, 8}};
    CHECK_EQ(upc_all_fread_list_local(f, 2, memory, 2, file, BOTH), 12);
    CHECK_EQ(piece[0], 1);
    CHECK_EQ(piece[1], 0);
    CHECK_EQ(piece[2], 5);
    CHECK_EQ(piece[3], 10);
    upc_all_fclose(f);
    CHECK(access(path, F_OK) != 0);
    return 0;
}
