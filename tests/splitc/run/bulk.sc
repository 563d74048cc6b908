//: clause bulk 1
//: clause bulk 2
//: clause bulk 3
//: clause bulk 4
// Bulk transfers of every alignment and of lengths about the sizes of words, lines and messages, with guards
// on both sides; and between overlapping parts of one object.
#include <split-c/split-c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../check.h"
#define MOST 40000
#define BUFFER (MOST + 64)

static unsigned char theirs[BUFFER], mine[BUFFER];
static size_t lengths[] = {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 63, 64, 65, 255, 4095, 4159, 4160, 4161, 8321, MOST};

static unsigned char value(int proc, size_t i) { return (unsigned char)(i * 13 + proc * 101 + i / 256); }

static void prepare(void) {
    for (size_t i = 0; i < BUFFER; i++) {
        theirs[i] = value(MYPROC, i);
        mine[i] = 0xee;
    }
    barrier();
}

static void check(const unsigned char *got, size_t to, size_t from, size_t n, int proc, int around) {
    for (size_t i = 0; i < n; i++)
        CHECK(got[to + i] == value(proc, from + i));
    CHECK(got[to + n] == (around < 0 ? value(MYPROC, to + n) : around));
    CHECK(to == 0 || got[to - 1] == (around < 0 ? value(MYPROC, to - 1) : around));
}

static void one(size_t n, size_t to, size_t from) {
    int right = (MYPROC + 1) % PROCS, left = (MYPROC + PROCS - 1) % PROCS;
    unsigned char *global there = toglobal(right, theirs);
    prepare();
    bulk_read(mine + to, there + from, n);
    check(mine, to, from, n, right, 0xee);
    prepare();
    bulk_get(mine + to, there + from, n);
    sync();
    check(mine, to, from, n, right, 0xee);
    for (int form = 0; form < 3; form++) {
        prepare();
        for (size_t i = 0; i < BUFFER; i++)
            mine[i] = value(MYPROC, i);
        if (form == 0)
            bulk_write(there + to, mine + from, n);
        else if (form == 1)
            bulk_put(there + to, mine + from, n);
        else
            bulk_store(there + to, mine + from, n);
        if (form == 2)
            store_sync(n);
        sync();
        barrier();
        check(theirs, to, from, n, left, -1);
        all_store_sync();
    }
}

// Within one object, of this processor or its neighbour: as with memmove.
static void overlap(int proc, size_t n, long by) {
    static unsigned char buffer[BUFFER], like[BUFFER];
    barrier();
    for (size_t i = 0; i < BUFFER; i++)
        buffer[i] = like[i] = value(MYPROC, i);
    unsigned char *from = buffer + 100, *to = from + by;
    memmove(like + 100 + by, like + 100, n);
    barrier();
    if (proc == MYPROC) {
        bulk_write(toglobal(MYPROC, to), from, n);
        CHECK(!memcmp(buffer, like, BUFFER));
        for (size_t i = 0; i < BUFFER; i++)
            buffer[i] = value(MYPROC, i);
        bulk_read(to, toglobal(MYPROC, from), n);
        CHECK(!memcmp(buffer, like, BUFFER));
    }
}

int splitc_main(void) {
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (size_t k = 0; k < 3; k++)
            one(lengths[i], (i + k) % 9, (i * 3 + k * 5) % 8);
    for (int p = 0; p < PROCS; p++)
        for (long by = -9; by <= 9; by += 3) {
            overlap(p, 50, by);
            overlap(p, 20000, by * 7);
        }
    barrier();
    return 0;
}
