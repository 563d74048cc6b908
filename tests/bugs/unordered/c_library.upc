// running finds: 6: data race on names[
#include <upc_relaxed.h>
#include <string.h>
shared [16] char names[16 * THREADS];
int main(void) {
    strcpy((char *)&names[16 * MYTHREAD], "a name");
    char other[16];
    upc_memget(other, &names[16 * ((MYTHREAD + 1) % THREADS)], 16);
    upc_barrier;
    return other[0] == 'b';
}
