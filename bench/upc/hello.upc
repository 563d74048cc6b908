/* The smallest program: what compiling and starting cost. */
#include <stdio.h>
#include <upc.h>

int main(void) {
    printf("hello from %d of %d\n", MYTHREAD, THREADS);
    return 0;
}
