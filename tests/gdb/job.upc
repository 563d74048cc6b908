// THREADS 3
// All threads of a job in one gdb.
#include <stdio.h>
#include <upc.h>

shared int a[4 * THREADS];
shared [2] int pairs[2 * THREADS];

static int look(shared int *p, int k) {
    return *p + k; // LINE look
}

static void part(int k) {
    if (MYTHREAD == 1) {
        upc_barrier;
        k = look(&a[5], k); // LINE one
    } else {
        upc_barrier;
        k = look(&a[6], k); // LINE others
    }
    upc_barrier;
    if (k > 1000)
        printf("%d\n", k);
}

int main(int argc, char **argv) {
    for (int i = 0; i < 4; i++)
        a[i * THREADS + MYTHREAD] = 10 * (i * THREADS + MYTHREAD);
    pairs[2 * MYTHREAD + 1] = MYTHREAD;
    part(argc); // LINE part
    printf("%s ends\n", argv[1]); // LINE ends
    return 0;
}
//> break {look} if MYTHREAD == 2
//> run
//= "thread 2" hit Breakpoint 1
//= {look}	    return
//> print MYTHREAD
//= = 2
//> print *p
//= = 60
//> print a[5] + pairs[3]
//= = 51
//> print p
//= = <thread 0, &a[6]>
//> up
//= {others}	        k = look
//> meridian-thread 1
//= [thread 1 of 3, process
//= job.upc:
//> print MYTHREAD
//= = 1
//> print k >= 2
//= = 1
//> print a[11]
//= = 110
//> meridian-thread 3
//! There is no thread 3 in a job of 3.
//> run elsewhere
//! The job runs already.
//> delete
//> break {ends}
//> continue
//= {ends}	    printf
//> meridian-threads
//= thread 0  process
//= thread 1  process
//= thread 2  process
//> meridian-bt
//= of 3:
//= main () at
//> print a[0]@2
//! print the elements one by one
//> set var a[4] = 7
//> meridian-thread 0
//> print a[4]
//= = 7
//> delete
//> continue
//= All threads of the job have ended.
//> continue
//! All threads of the job have ended. Quit
//> meridian-thread 0
//! Thread 0 has ended.
