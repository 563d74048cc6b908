//: clause program 7
//: clause space 9
//: mode dynamic
// Plain C over Split-C's headers: every call that needs no syntax, on statics, heap and stack, and pointers
// handed to Split-C code and taken from it.
#include "plain.h"

#include <split-c/atomic.h>
#include <split-c/control.h>
#include <split-c/counter.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int cell, counted;
static char text[32];
static Ctr counter;
static StCtr stores;

static long scale(int *p, long by) { return *p *= (int)by; }

static void moves(int right, int left) {
    char buffer[32] = "";
    mer_ptr there = toglobal(right, text);
    snprintf(text, sizeof text, "text of %d", MYPROC);
    barrier();
    bulk_read(buffer, there, sizeof buffer);
    CHECK(atoi(buffer + 8) == right);
    barrier();
    bulk_put(there, "put", 4);
    sync();
    barrier();
    CHECK(!strcmp(text, "put"));
    barrier();
    bulk_store(there, "stored", 7);
    store_sync(7);
    CHECK(!strcmp(text, "stored"));
    get_ctr(buffer, there, 4, &counter);
    sync_ctr(&counter);
    CHECK(!strncmp(buffer, "stor", 4));
    barrier();
    store_ctr(toglobal(right, &cell), &left, sizeof left, &stores);
    store_sync_ctr(&stores, sizeof left);
    CHECK(cell == (left + PROCS - 1) % PROCS);
    all_store_sync();
}

static void shared_objects(int right) {
    int *heap = malloc(sizeof *heap), stack = 3 * MYPROC;
    *heap = MYPROC + 50;
    give(toglobal(MYPROC, heap), mer_to_global(&stack));
    barrier();
    CHECK(heap_of(right) == right + 50);
    CHECK(toproc(toglobal(right, heap)) == right && tolocal(toglobal(right, heap)) == heap);
    barrier();
    fetch_and_add(toglobal(0, &counted), MYPROC + 1);
    barrier();
    CHECK(all_bcast(counted) == PROCS * (PROCS + 1) / 2);
    barrier();
    on_one CHECK(atomic_l(scale, toglobal(PROCS - 1, &counted), 2L) >= 0);
    CHECK(all_reduce_to_all_dadd(0.5) == 0.5 * PROCS);
    free(heap);
}

int splitc_main(int argc, char **argv) {
    (void)argc;
    (void)argv;
    moves((MYPROC + 1) % PROCS, (MYPROC + PROCS - 1) % PROCS);
    shared_objects((MYPROC + 1) % PROCS);
    return 0;
}
