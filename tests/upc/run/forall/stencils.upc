// Loops a compiler may turn into private ones: indices i+c and i-c, several arrays with the same and with
// different block sizes, bounds that are no multiples, reads of other arrays' elements.
//: clause 6.6.2 p7
//: clause 6.4.2 p4
#include "../../check.h"

#define B 8
#define N (5 * B * THREADS)
shared[B] double x[5 * B * THREADS], y[5 * B * THREADS];
shared[3] double z[5 * B * THREADS];
shared double w[5 * B * THREADS];
shared[] double s[100];

int main(void) {
    int i, n = N;
    upc_forall(i = 0; i < n; i++; &x[i]) x[i] = i;
    upc_forall(i = 0; i < n; i++; &w[i]) {
        w[i] = 2 * i;
        z[i] = 3 * i;
    }
    upc_forall(i = 0; i < 100; i++; &s[i]) s[i] = -i;
    upc_barrier;
    upc_forall(i = 1; i < n - 1; i++; &y[i]) y[i] = x[i - 1] + x[i] + x[i + 1];
    upc_barrier;
    for (i = 1; i < n - 1; i++)
        CHECK(y[i] == 3 * i);
    CHECK(y[0] == 0 && y[n - 1] == 0);
    upc_barrier;
    upc_forall(i = 3; i <= n - 5; i += 2; &x[i + 4]) y[i] = w[i] + z[i + 4] - x[i - 3] + s[i % 100];
    upc_barrier;
    for (i = 3; i <= n - 5; i += 2)
        CHECK(y[i] == 2 * i + 3 * (i + 4) - (i - 3) - i % 100);
    upc_barrier;
    upc_forall(i = n - 2; i > 0; i--; &z[i]) z[i] += w[i - 1] * y[1] + w[i + 1];
    upc_barrier;
    for (i = 1; i < n - 1; i++)
        CHECK(z[i] == 3 * i + 2 * (i - 1) * 3.0 + 2 * (i + 1));
    upc_forall(i = 0; i < n; i++; &w[n - 1 - i]) w[n - 1 - i] = i;
    upc_forall(i = 0; 2 * i < n; i++; &x[2 * i]) x[2 * i] = -1;
    upc_barrier;
    for (i = 0; i < n; i++) {
        CHECK(w[i] == n - 1 - i);
        CHECK(x[i] == (i % 2 ? i : -1));
    }
    return 0;
}
