/* Atomic operations in loops: reads are done ahead of them; operations that determine addresses or branches
 * are done ahead of their iterations. One thread runs loops whose results depend on the order. */
#include <stdint.h>
#include <stdio.h>
#include <upc_atomic.h>
#include <upc_relaxed.h>
#define N 70
#define M 500
upc_atomicdomain_t *longs, *ints, *doubles;
shared int64_t fill[N * THREADS], begin[(N + 1) * THREADS], rows[M * THREADS], values[M * THREADS];
shared int64_t out[8 * M * THREADS], ticket;
shared int columns[M * THREADS], marks[N * THREADS], small[N * THREADS];
shared double weights[N * THREADS];
static int64_t one = 1;

static int64_t sum_up(void) {
    int64_t sum = 0;
    for (int i = 0; i < N * THREADS; i++) //> prefetch: cached [fill begin marks small weights]
        sum = sum * 7 % 1000000007 + fill[i] + 3 * begin[i] + marks[i] + small[i] + (int64_t)(4 * weights[i]);
    for (int i = 0; i < 8 * M * THREADS; i++) //> prefetch: cached [out]
        sum = sum * 7 % 1000000007 + out[i];
    return sum;
}

/* A place for each element in its row: the old value is the place. */
static void places(int n) {
    int64_t at;
    for (int i = 0; i < n; i++) { //> prefetch: stages [columns rows], [atomic fill]
        int c = columns[i];
        upc_atomic_relaxed(longs, &at, UPC_ADD, &fill[c], &one, 0);
        out[at % (8 * M)] = rows[i];
    }
}

/* The same by a pointer: the loop asks whether the pointer for writes leads to other objects. */
static void places_by_pointer(shared int64_t *where, shared int64_t *to, shared int *of, int n) {
    int64_t at;
    for (int i = 0; i < n; i++) { //> prefetch: stages [of], [atomic where]
        int c = of[i];
        upc_atomic_relaxed(longs, &at, UPC_INC, where + c, 0, 0);
        to[at % N] = i;
    }
}

/* The loop also asks about pointers that an iteration sets, as inlined functions do; about private
 * pointers; and about several. */
static int64_t by_pointers(shared int64_t *where, int64_t *own, shared int64_t *sum, shared int *of, int n) {
    int64_t all = 0;
    for (int i = 0; i < n; i++) { //> prefetch: stages [of atomic sum], [atomic of_c]
        shared int64_t *of_c = &where[of[i]];
        int64_t a, b, by = own[i % 7];
        upc_atomic_relaxed(longs, &a, UPC_ADD, of_c, &by, 0);
        upc_atomic_relaxed(longs, &b, UPC_XOR, sum + i % 3, &by, 0);
        all = all * 3 % 1000003 + a + b;
    }
    return all;
}

/* In an inner loop whose bounds are read; with private operands that differ. */
static void in_rows(int n) {
    for (int r = 0; r < n; r++) //> prefetch: stages [begin begin], [columns values], [atomic fill]
        for (int64_t k = begin[r]; k < begin[r + 1]; k++) { //> prefetch: stages [columns values], [atomic fill]
            int c = columns[k];
            int64_t at, by = k % 3 + 1;
            upc_atomic_relaxed(longs, &at, UPC_ADD, &fill[c], &by, 0);
            out[(at + r) % (8 * M)] = values[k] + by;
        }
}

/* Under a condition on a read. */
static int marked(int n) {
    int found = 0;
    for (int i = 0; i < n; i++) { //> prefetch: stages [columns values], [atomic marks]
        int c = columns[i];
        if (values[i] % 3 != 0) {
            int before, none = 0, now = i + 1;
            upc_atomic_relaxed(ints, &before, UPC_CSWAP, &marks[c], &none, &now);
            if (before == 0)
                found += c;
        }
    }
    return found;
}

/* Two operations: those on one array in the order of the program, the other in any order. */
static int64_t two(int n) {
    int64_t sum = 0;
    for (int i = 0; i < n; i++) { //> prefetch: stages [columns], [atomic fill atomic fill atomic weights]
        int64_t a, b;
        double w, by = 0.5;
        int c = columns[i];
        upc_atomic_relaxed(longs, &a, UPC_ADD, &fill[c], &one, 0);
        upc_atomic_relaxed(longs, &b, UPC_XOR, &fill[(c + 1) % N], &one, 0);
        upc_atomic_relaxed(doubles, &w, UPC_ADD, &weights[c], &by, 0);
        sum = sum * 3 % 1000003 + b + (int64_t)(2 * w);
    }
    return sum;
}

/* Two operations on one array; the second needs the first one's value, so they cannot be done at once. */
static int64_t after_another(int n) {
    int64_t sum = 0;
    for (int i = 0; i < n; i++) { //> prefetch: [columns]
        int64_t a, b;
        int c = columns[i];
        upc_atomic_relaxed(longs, &a, UPC_ADD, &fill[c], &one, 0);
        upc_atomic_relaxed(longs, &b, UPC_XOR, &fill[(c + 1) % N], &a, 0);
        sum = sum * 3 % 1000003 + b;
    }
    return sum;
}

/* One chain: the first operation's value determines the object of the second. */
static int64_t chained(int n) {
    int64_t sum = 0;
    for (int i = 0; i < n; i++) { //> prefetch: stages [columns], [atomic fill], [small]
        int64_t a;
        upc_atomic_relaxed(longs, &a, UPC_ADD, &fill[columns[i]], &one, 0);
        sum = sum * 3 % 1000003 + small[a % (N * THREADS)];
    }
    return sum;
}

/* The previous iteration's value is an operand: it is not known in advance. */
static int64_t carried(int n) {
    int64_t last = 1;
    for (int i = 0; i < n; i++) { //> prefetch: [columns]
        int64_t by = last;
        upc_atomic_relaxed(longs, &last, UPC_ADD, &fill[columns[i]], &by, 0);
    }
    return last;
}

/* The loop also reads the object that an operation changes, or writes it. */
static int64_t beside(int n) {
    int64_t a, sum = 0;
    for (int i = 0; i < n; i++) { //> prefetch: [fill], held [columns], up to written objects
        int c = columns[i];
        upc_atomic_relaxed(longs, &a, UPC_ADD, &fill[c], &one, 0);
        sum = sum * 3 % 1000003 + a + fill[(c + 7) % N];
    }
    for (int i = 0; i < n; i++) { //> prefetch: [columns]
        int c = columns[i];
        fill[(c + 3) % N] = i;
        upc_atomic_relaxed(longs, &a, UPC_ADD, &fill[c], &one, 0);
        sum = sum * 3 % 1000003 + a;
    }
    return sum;
}

/* The value determines the number of iterations of an inner loop. */
static int64_t decides(int n) {
    int64_t sum = 0;
    for (int i = 0; i < n; i++) { //> prefetch: [columns]
        int64_t a;
        upc_atomic_relaxed(longs, &a, UPC_ADD, &fill[columns[i]], &one, 0);
        for (int64_t k = 0; k < a % 4; k++) //> prefetch: [small]
            sum = sum * 3 % 1000003 + small[(k + i) % N];
    }
    return sum;
}

/* A loop that waits for another thread by such an operation is left alone. */
static int64_t waits(int n) {
    int64_t sum = 0;
    for (int i = 0; i < n; i++) { //> not prefetch: the loop calls a function with unknown effects
        int64_t a;
        do
            upc_atomic_relaxed(longs, &a, UPC_GET, &ticket, 0, 0);
        while (a < 0);
        sum = sum * 3 % 1000003 + columns[i];
    }
    return sum;
}

/* All threads at once: each place is given out once. */
static void together(void) {
    int64_t at;
    for (int i = MYTHREAD; i < M * THREADS; i += THREADS) { //> prefetch: stages [columns], [atomic fill]
        int c = columns[i];
        upc_atomic_relaxed(longs, &at, UPC_INC, &fill[c], 0, 0);
        out[at] = i;
    }
}

int main(void) {
    unsigned s = 7;
    longs = upc_all_atomicdomain_alloc(UPC_INT64, UPC_ADD | UPC_INC | UPC_XOR | UPC_GET, 0);
    ints = upc_all_atomicdomain_alloc(UPC_INT, UPC_CSWAP, 0);
    doubles = upc_all_atomicdomain_alloc(UPC_DOUBLE, UPC_ADD, 0);
    int64_t sum = 0;
    if (MYTHREAD == THREADS - 1) {
        for (int i = 0; i < M * THREADS; i++) {
            s = s * 1103515245 + 12345;
            columns[i] = s / 65536 % N;
            rows[i] = i % 91;
            values[i] = s / 1024 % 1000;
        }
        for (int i = 0; i < N * THREADS; i++) {
            fill[i] = 5 * i;
            begin[i] = i * 3 + i % 2;
            small[i] = i % 11;
            marks[i] = 0;
            weights[i] = i;
        }
        places(M);
        places_by_pointer(fill, out, columns, M);
        places_by_pointer(fill, fill, columns, M);
        shared int64_t *heap = upc_alloc(N * sizeof(int64_t)), *more = upc_global_alloc(N, sizeof(int64_t));
        heap[0] = 0;
        for (int i = 0; i < N; i++)
            more[i] = 0;
        int64_t own[8] = {1, 2, 3, 4, 5, 6, 7, 8};
        places_by_pointer(more, fill, columns, M);
        places_by_pointer(fill, more, columns, M);
        places_by_pointer(more, more, columns, M);
        places_by_pointer(more, more + 3, columns, 40);
        sum = sum * 5 % 1000003 + by_pointers(more, own, fill, columns, M);
        sum = sum * 5 % 1000003 + by_pointers(fill, own, heap, columns, 1);
        sum = sum * 5 % 1000003 + by_pointers(more, own, more + 5, columns, M);
        for (int i = 0; i < N; i++) //> prefetch: cached [more]
            sum = sum * 7 % 1000000007 + more[i];
        upc_free(heap);
        upc_free(more);
        in_rows(N);
        sum = sum * 5 % 1000003 + marked(M);
        sum = sum * 5 % 1000003 + two(M);
        sum = sum * 5 % 1000003 + after_another(M);
        sum = sum * 5 % 1000003 + chained(M);
        sum = sum * 5 % 1000003 + carried(40);
        sum = sum * 5 % 1000003 + beside(M);
        sum = sum * 5 % 1000003 + decides(M);
        sum = sum * 5 % 1000003 + waits(N);
        printf("%ld\n", (long)(sum + sum_up()));
        for (int i = 0; i < N; i++)
            fill[i] = 0;
        for (int i = 0; i < M * THREADS; i++) { //> prefetch: stages [columns], [atomic fill]
            int64_t n;
            int c = columns[i];
            upc_atomic_relaxed(longs, &n, UPC_ADD, &fill[c], &one, 0);
        }
        int64_t all = 0;
        for (int i = 0; i < N; i++) { //> prefetch: cached [fill]
            int64_t n = fill[i];
            fill[i] = all;
            all += n;
        }
        printf("%d\n", all == (int64_t)M * THREADS);
        for (int i = 0; i < 8 * M * THREADS; i++)
            out[i] = -1;
    }
    upc_barrier;
    together();
    upc_barrier;
    if (MYTHREAD == 0) {
        int64_t last = -1, bad = 0, all = 0;
        for (int i = 0; i < M * THREADS; i++) { //> prefetch: stages [out], [columns columns]
            int64_t of = out[i];
            bad += of < 0 || columns[of] < last;
            last = of < 0 ? last : columns[of];
            all += of;
        }
        printf("%ld %d\n", (long)bad, all == (int64_t)M * THREADS * (M * THREADS - 1) / 2);
    }
    upc_all_atomicdomain_free(longs);
    upc_all_atomicdomain_free(ints);
    upc_all_atomicdomain_free(doubles);
    return 0;
}
