// Globals, statics, heap and stack without shared are each thread's own.
//: clause 5.1.2.1 p1
#include "../../check.h"

int global = 1;
static int array[100];
shared int go;

int main(void) {
    int automatic = MYTHREAD;
    int *heap = malloc(sizeof *heap);
    CHECK_EQ(global, 1);
    global = 100 + MYTHREAD;
    for (int i = 0; i < 100; i++)
        array[i] = MYTHREAD * 1000 + i;
    *heap = MYTHREAD * 7;
    upc_barrier;
    CHECK_EQ(global, 100 + MYTHREAD);
    CHECK_EQ(automatic, MYTHREAD);
    CHECK_EQ(*heap, MYTHREAD * 7);
    for (int i = 0; i < 100; i++)
        CHECK_EQ(array[i], MYTHREAD * 1000 + i);
    free(heap);
    return 0;
}
