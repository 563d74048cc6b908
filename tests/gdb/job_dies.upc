// THREADS 3
// The thread that dies stops all; threads with equal stacks are named together.
#include <upc_strict.h>

shared int there[THREADS];

static int fault(int *where) {
    return *where; // LINE fault
}

static int endless(volatile int *mine) {
    for (;; (*mine)++); // LINE endless
}

int main(void) {
    int here = MYTHREAD; // LINE first
    upc_barrier; // LINE wait
    if (MYTHREAD != 1)
        return endless((int *)&there[MYTHREAD]);
    while (!there[0] || !there[2]);
    here = fault((int *)8);
    return here < 0;
}
//> start
//= {first}	    int here = MYTHREAD
//> break {wait}
//> continue
//= {wait}	    upc_barrier
//> delete
//> continue
//= "thread 1" received signal SIGSEGV
//= {fault}	    return
//> print where
//= = (int *) 0x8
//> print there[0] > 0 && there[2] > 0
//= = 1
//> meridian-bt
//= threads 0, 2 of 3:
//=   #0  endless () at
//=   #1  main () at
//= thread 1 of 3:
//=   #0  fault () at
//=   #1  main () at
//> start
//! The job runs already.
//> continue
//= "thread 1" received signal SIGSEGV
//> continue
//= Program terminated with signal SIGSEGV
//= Thread 1 has ended by a signal. 2 threads are left, and stopped.
//> meridian-thread 1
//! Thread 1 has ended.
//> meridian-threads
//= * thread 0  process
//=   thread 1  ended
//> kill
//= The job has been ended.
//> continue
//! All threads of the job have ended.
