/* The smallest program, for the cost of compiling and starting. */
#include <stdio.h>
#include <upc.h>

int main(void) {
    printf("hello from %d of %d\n", MYTHREAD, THREADS);
    return 0;
}
