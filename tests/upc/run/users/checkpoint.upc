// A computation that writes its shared array to a file by upc_io, loses it, and goes on from the file.
//: clause 7.4.3.1 p1
#include <string.h>
#include <unistd.h>
#include <upc_io.h>
#include "../../check.h"

#define EACH 33
shared[EACH] long state[EACH * THREADS];
shared[] char name[200];

static void step(void) {
    upc_forall (int i = 0; i < EACH * THREADS; i++; &state[i])
        state[i] = state[i] * 3 + i;
    upc_barrier;
}

int main(void) {
    char path[200];
    const long n = EACH * THREADS;
    if (MYTHREAD == 0) {
        const char *place = getenv("TMPDIR");
        snprintf(path, sizeof path, "%s/meridian-checkpoint-%ld", place ? place : "/tmp", (long)getpid());
        upc_memput(name, path, sizeof path);
    }
    upc_barrier;
    upc_memget(path, name, sizeof path);
    upc_forall (long i = 0; i < n; i++; &state[i])
        state[i] = i;
    step();
    step();
    upc_file_t *file = upc_all_fopen(path, UPC_WRONLY | UPC_CREATE | UPC_TRUNC | UPC_COMMON_FP, 0, NULL);
    CHECK(file);
    upc_off_t wrote = upc_all_fwrite_shared(file, state, EACH, sizeof(long), n, 0);
    CHECK_EQ(wrote, n * sizeof(long));
    CHECK_EQ(upc_all_fclose(file), 0);
    upc_memset(&state[MYTHREAD * EACH], 0xff, EACH * sizeof(long));
    upc_barrier;
    CHECK_EQ(state[n - 1], -1);
    upc_barrier;
    file = upc_all_fopen(path, UPC_RDONLY | UPC_COMMON_FP, 0, NULL);
    CHECK(file);
    CHECK_EQ(upc_all_fget_size(file), n * sizeof(long));
    CHECK_EQ(upc_all_fread_shared(file, state, EACH, sizeof(long), n, 0), wrote);
    CHECK_EQ(upc_all_fclose(file), 0);
    upc_barrier;
    if (MYTHREAD == 0)
        remove(path);
    step();
    for (long i = 0; i < n; i++)
        CHECK_EQ(state[i], ((i * 3 + i) * 3 + i) * 3 + i);
    return 0;
}
