// Steps pass over the calls for accesses.
#include <stdio.h>
#include <upc_relaxed.h>

shared int a[4 * THREADS];
shared [2] double b[4 * THREADS];

int main(void) {
    int i = 3; // LINE first
    a[i] = 5; // LINE write
    int x = a[i] + a[2]; // LINE read
    b[i] += x; // LINE update
    shared int *p = &a[1]; // LINE pointer
    *p++ = x; // LINE walk
    printf("%d end\n", a[1]); // LINE last
    return 0;
}
//> break {first}
//> run
//> step
//= {write}	    a[i] = 5
//> step
//= {read}	    int x
//> step
//= {update}	    b[i] +=
//> step
//= {pointer}	    shared int
//> step
//= {walk}	    *p++
//> step
//= {last}	    printf
//> continue
//= 5 end
