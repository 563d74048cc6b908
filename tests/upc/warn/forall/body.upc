// Bodies that are probably mistakes: an empty one, and a statement that looks as if it belonged to the loop.
#include <upc_relaxed.h>
shared int a[10 * THREADS], b[10 * THREADS];
int main(void) {
    int i;
    upc_forall (i = 0; i < 10 * THREADS; i++; &a[i]); //~ WARNING U0634
    a[0] = 1;
    upc_forall (i = 0; i < 10 * THREADS; i++; i) //~ WARNING U0635
        a[i] = i;
        b[i] = i;
    if (i) upc_forall (i = 0; i < 10 * THREADS; i++; i)
        a[i] = i;
    b[0] = 2;
    upc_forall (i = 0; i < 10 * THREADS; i++; i) {
        a[i] = i;
    }
    upc_forall (i = 0; i < 10 * THREADS; i++; i)
        ;
    upc_forall (i = 0; i < 10 * THREADS; i++; i)
        for (int j = 0; j < 2; j++)
            a[i] = j;
    b[1] = 3;
    return 0;
}
