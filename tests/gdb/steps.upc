// A UPC program in a debugger.
#include <stdio.h>
#include <upc.h>

shared [4] int cells[4 * THREADS];
shared int count;

static int sum(shared [4] int *from, int n) {
    int total = 0; // LINE sum
    for (int i = 0; i < n; i++) {
        int value = from[i]; // LINE value
        total += value; // LINE add
    }
    return total; // LINE summed
}

int main(void) {
    int local = 7; // LINE first
    upc_forall (int i = 0; i < 4 * THREADS; i++; &cells[i])
        cells[i] = i * local; // LINE body
    upc_barrier;
    int s = sum(cells, 4); // LINE call
    count = s; // LINE after
    printf("%d end\n", count);
    return 0;
}
//> break sum
//> run
//= sum (from=<thread 0, phase 0, &cells[0]>, n=4) at
//= {file}:{sum}
//> backtrace
//= in main () at
//= {file}:{call}
//> tbreak {add} if i == 3
//> continue
//= {add}	        total
//> print value
//= = 21
//> print i
//= = 3
//> tbreak {summed}
//> continue
//= {summed}	    return total
//> print total
//= = 42
//> finish
//= = 42
//> next
//= {after}	    count = s
//> next
//> info locals
//= local = 7
//= s = 42
//> continue
//= 42 end
//= exited normally
