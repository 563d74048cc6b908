// Headers may be included in any order and again; each inclusion asserts its pragma from there on.
//: clause 7.1 p2
//: clause 7.1 p3
//: clause 7.1 p4
#include <upc_strict.h>
#include <upc.h>
#include <upc_relaxed.h>
#include <upc.h>
#include <upc_strict.h>
#include <stdio.h>
#include <upc_relaxed.h>
#include <stdlib.h>
#include "../../check.h"

shared int x[THREADS];

int main(void) {
    size_t (*threadof)(shared void *) = upc_threadof;
    x[MYTHREAD] = 4;
    CHECK_EQ(threadof(&x[MYTHREAD]), MYTHREAD);
    CHECK_EQ((upc_phaseof)(&x[MYTHREAD]), 0);
    shared void *(*alloc)(size_t) = upc_alloc;
    shared void *p = alloc(10);
    (upc_free)(p);
    return 0;
}
