// A Split-C program in a debugger: splitc_main, split-phase accesses, loops over own elements.
#include <split-c/control.h>
#include <split-c/split-c.h>
#include <stdio.h>

int cells[4 * PROCS]::;

static int sum(int *spread from, int n) {
    int total = 0; // LINE sum
    for (int i = 0; i < n; i++) {
        int value;
        value := from[i]; // LINE get
        sync(); // LINE sync
        total += value; // LINE add
    }
    return total; // LINE summed
}

int splitc_main(int argc, char **argv) {
    int local = 7, i; // LINE first
    for_my_1d(i, 4 * PROCS)
        cells[i] = i * local; // LINE body
    cells[0] :- 1; // LINE store
    all_store_sync();
    int s = sum(cells, 4); // LINE call
    printf("%d end\n", s); // LINE after
    return 0;
}
//> break sum
//> run
//= sum (from=<thread 0, &cells[0]>, n=4) at
//= {file}:{sum}
//> backtrace
//= in splitc_main (argc=1
//= {file}:{call}
//> tbreak {get} if i == 2
//> continue
//= {get}	        value := from[i]
//> next
//= {sync}	        sync()
//> next
//= {add}	        total
//> print value
//= = 14
//> tbreak {summed}
//> continue
//= {summed}	    return total
//> print total
//= = 43
//> finish
//= = 43
//> next
//= {after}	    printf
//> print local
//= = 7
//> continue
//= 43 end
//= exited normally
