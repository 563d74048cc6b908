#include <upc_relaxed.h>
#include <stdio.h>
shared [8] char box[8 * THREADS];
int main(void) {
    char text[8] = "message";
    upc_memput(&box[8 * ((MYTHREAD + 1) % THREADS)], text, 8);
    upc_barrier;
    char got = box[8 * MYTHREAD + 6];
    return got == 'x';
}
