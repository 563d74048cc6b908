/* The references: the same loops in plain C, with the same compiler and options. */
#include "plain.h"

#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#define SPIN_HINT() __builtin_ia32_pause()
#else
#define SPIN_HINT() ((void)0)
#endif

long plain_sum(const int *a, long n) {
    int sum = 0;
    for (long i = 0; i < n; i++)
        sum += a[i];
    return sum;
}

long plain_gather(const int *a, const int *index, long n) {
    int sum = 0;
    for (long i = 0; i < n; i++)
        sum += a[index[i]];
    return sum;
}

long plain_gather_long(const long *a, const int *index, long n) {
    long sum = 0;
    for (long i = 0; i < n; i++)
        sum += a[index[i]];
    return sum;
}

long plain_list(const struct plain_node *p) {
    int sum = 0;
    for (; p; p = p->next)
        sum += p->value;
    return sum;
}

void plain_triad(double *a, const double *b, const double *c, double s, long n) {
    for (long i = 0; i < n; i++)
        a[i] = b[i] + s * c[i];
}

void plain_heat(double *to, const double *from, long n) {
    for (long i = 1; i < n - 1; i++)
        to[i] = 0.25 * (from[i - 1] + 2 * from[i] + from[i + 1]);
}

void plain_matmul(double (*c)[64], double (*a)[64], double (*b)[64], long rows) {
    for (long i = 0; i < rows; i++)
        for (int j = 0; j < 64; j++) {
            double sum = 0;
            for (int l = 0; l < 64; l++)
                sum += a[i][l] * b[l][j];
            c[i][j] = sum;
        }
}

void plain_alloc(unsigned long size) {
    char *p = malloc(size);
    __asm__ volatile("" : "+r"(p)::"memory");
    free(p);
}

/* UPC's locks imply null strict accesses (7.2.4), so these are sequentially consistent too. Partner: the
 * store in plain_unlock. */
void plain_lock(int *lock) {
    while (__atomic_exchange_n(lock, 1, __ATOMIC_SEQ_CST))
        while (__atomic_load_n(lock, __ATOMIC_RELAXED))
            SPIN_HINT();
}

void plain_unlock(int *lock) { __atomic_store_n(lock, 0, __ATOMIC_SEQ_CST); }

void plain_add(long *counter) { __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED); }

/* Partner: the sequentially consistent store in plain_raise. */
void plain_await(int *flag, int value) {
    while (__atomic_load_n(flag, __ATOMIC_SEQ_CST) != value)
        ;
}

void plain_raise(int *flag, int value) { __atomic_store_n(flag, value, __ATOMIC_SEQ_CST); }

void plain_scatter(int *a, const int *index, const int *value, long n) {
    for (long i = 0; i < n; i++)
        a[index[i]] = value[i];
}

void plain_scatter_long(long *a, const int *index, const long *value, long n) {
    for (long i = 0; i < n; i++)
        a[index[i]] = value[i];
}

void plain_fetch_long(long *value, const long *a, const int *index, long n) {
    for (long i = 0; i < n; i++)
        value[i] = a[index[i]];
}

void plain_fill(int *a, long n) {
    for (long i = 0; i < n; i++)
        a[i] = (int)i;
}

void plain_move(void *to, const void *from, unsigned long n) { memmove(to, from, n); }
