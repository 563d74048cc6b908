// Legal programs are compiled without a message.
//: clause 6.5.2.1 p8
#include <stdio.h>
#include <upc_relaxed.h>
shared int x[10 * THREADS];
shared int y[THREADS * (100 * 20)];
shared[] int z[10];
shared int *p = x;
enum kind { FEW, MANY };
shared struct {
    int n;
    union {
        enum kind kind;
        float real;
    };
} tagged[THREADS];
int main(void) {
    upc_forall(int i = 0; i < 10 * THREADS; i++; &x[i]) {
        if (i == 5)
            continue;
        x[i] = y[i % THREADS] + z[i % 10];
    }
    upc_barrier 1;
    tagged[MYTHREAD].kind = MANY;
    typedef shared [] int row;
    row *first = z;
    first[0] = tagged[MYTHREAD].kind == MANY;
    upc_barrier 2;
    if (p == x && MYTHREAD == 0)
        printf("%d\n", *p);
    return 0;
}
