// One program of three dialects and C: UPC allocates, Split-C stores, AC walks, C calls all of them.
#include <upc.h>
#include <stdio.h>
#include "three.h"

shared int *numbers;

int upc_allocate(int n) {
    numbers = upc_all_alloc((n + THREADS - 1) / THREADS, THREADS * sizeof(int));
    return numbers != 0;
}

union both {
    shared int *pointer;
    unsigned long long bits;
};

unsigned long long upc_numbers(void) {
    union both u;
    u.pointer = numbers;
    return u.bits;
}

int upc_ends(void) { return numbers[0] == 7 && numbers[1] == 10; }

int main(void) { return c_main(MYTHREAD); }
