/* Parts of a body besides reads: loops and switches of its own, private work, calls that assign none of the
   program's objects. */
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>
#define N 300
shared int a[N * THREADS];
int steady = 3;

static void change(void) { steady ^= 1; }

static int first(int wanted) {
    for (int i = 0; i < N; i++) //> not prefetch: the body synchronises, leaves
        if (a[i] == wanted)
            return i;
    return -1;
}

int main(void) {
    long x = 0;
    int i, j, n = 0, *p = &n;
    upc_forall (i = 0; i < N * THREADS; i++; &a[i])
        a[i] = i % 17;
    upc_barrier;
    for (i = 0; i < N; i++) { //> prefetch: cached [a]
        int rest = a[i] % 3;
        switch (rest) {
        case 0:
            x += i;
            break;
        default:
            x ^= i;
        }
    }
    for (i = 0; i < N; i++) { //> prefetch: cached [a]
        int most = a[i] % 4;
        for (j = 0; j < 4; j++) {
            if (j == most)
                break;
            x += j;
        }
        while (j > 0)
            if (--j < 2)
                continue;
        do
            x++;
        while (x % 2);
    }
    for (i = 0; i < N; i++) //> prefetch: cached [a]
        x += abs(a[i] - 9);
    for (i = 0; i < N; i++) //> prefetch: cached [a]
        x += a[i] + sizeof(i++);
    /* The loop is left after an inner loop or switch. */
    for (i = 0; i < N; i++) { //> not prefetch: the body synchronises, leaves
        x += a[i];
        for (j = 0; j < 2; j++)
            x ^= j;
        if (i == N - 5)
            break;
    }
    for (i = 0; i < N; i++) { //> not prefetch: the body synchronises, leaves
        x += a[i];
        do
            j--;
        while (j > 0);
        switch (j) {
        case 7:
            break;
        }
        if (i == N - 6)
            break;
    }
    for (i = 0; i < N; i++) { //> not prefetch: the body synchronises, leaves
        x += a[i];
        if (i == N - 7)
            goto out;
    }
out:
    /* The body changes the variable. */
    for (i = 0; i < N; i++) { //> not prefetch: the loop's variable is changed
        x += a[i];
        i++;
    }
    for (i = 0; i < N; i++) { //> not prefetch: the loop's variable is changed
        x += a[i];
        --i;
        i = i + 2;
    }
    for (n = 0; n < N; n++) { //> not prefetch: the loop's variable is changed
        x += a[n];
        (*p)++;
    }
    /* The call may change `steady'. */
    for (i = 0; i < N; i++) { //> not prefetch: the loop calls a function
        x += a[steady + i] * 2;
        change();
    }
    for (i = 0; i < N; i++) //> prefetch: [a]
        x += a[steady + i] * 2;
    x += first(16) + first(99);
    printf("%ld %d\n", x, j);
    upc_barrier;
    return 0;
}
