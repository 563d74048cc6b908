// Reading a text file: thread 0 writes one and passes its name through shared memory, every thread reads its
// records, with fseek and fscanf, and the parts add up to the whole.
//: clause 7.2.5.3 p2
#include <string.h>
#include <unistd.h>
#include "../../check.h"

#define LINES 90
#define WIDTH 16 /* bytes in each line */
shared[] char path[256];
shared long sums[THREADS];
shared[] double table[LINES];
shared int lines[THREADS];

int main(void) {
    char name[256];
    if (MYTHREAD == 0) {
        const char *place = getenv("TMPDIR");
        snprintf(name, sizeof name, "%s/meridian-reading-%ld.txt", place ? place : "/tmp", (long)getpid());
        FILE *out = fopen(name, "w");
        CHECK(out);
        for (int i = 0; i < LINES; i++)
            fprintf(out, "%4d %10.3f\n", i * i % 97, i / 8.0);
        CHECK(fclose(out) == 0);
        upc_memput(path, name, strlen(name) + 1);
    }
    upc_barrier;
    upc_memget(name, path, sizeof name);
    FILE *in = fopen(name, "r");
    CHECK(in);
    int low = LINES * MYTHREAD / THREADS, high = LINES * (MYTHREAD + 1) / THREADS;
    CHECK(fseek(in, (long)low * WIDTH, SEEK_SET) == 0);
    long sum = 0;
    for (int i = low; i < high; i++) {
        int key;
        double value;
        CHECK_EQ(fscanf(in, "%d %lf", &key, &value), 2);
        sum += key;
        table[i] = value;
    }
    sums[MYTHREAD] = sum;
    lines[MYTHREAD] = high - low;
    fclose(in);
    upc_barrier;
    if (MYTHREAD == 0)
        remove(name);
    long all = 0, want = 0;
    int n = 0;
    for (int t = 0; t < THREADS; t++)
        all += sums[t], n += lines[t];
    for (int i = 0; i < LINES; i++) {
        want += i * i % 97;
        CHECK(table[i] == i / 8.0);
    }
    CHECK(all == want && n == LINES);
    return 0;
}
