#include <upc_relaxed.h>
#include <string.h>
shared [16] char names[16 * THREADS];
int main(void) {
    strcpy((char *)&names[16 * MYTHREAD], "a name");
    upc_barrier;
    char other[16];
    upc_memget(other, &names[16 * ((MYTHREAD + 1) % THREADS)], 16);
    return other[0] == 'b';
}
