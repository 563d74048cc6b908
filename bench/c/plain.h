/* The loops of the shared-memory benchmarks over ordinary arrays, compiled by the C compiler alone. */
#ifndef BENCH_PLAIN_H
#define BENCH_PLAIN_H

struct plain_node {
    int value;
    struct plain_node *next;
};

long plain_sum(const int *a, long n);
long plain_gather(const int *a, const int *index, long n);
long plain_gather_long(const long *a, const int *index, long n);
/* a[index[i]] = value[i], and value[i] = a[index[i]] */
void plain_scatter(int *a, const int *index, const int *value, long n);
void plain_scatter_long(long *a, const int *index, const long *value, long n);
void plain_fetch_long(long *value, const long *a, const int *index, long n);
/* a[i] = i */
void plain_fill(int *a, long n);
void plain_move(void *to, const void *from, unsigned long n);
long plain_list(const struct plain_node *p);
void plain_triad(double *a, const double *b, const double *c, double s, long n);
void plain_heat(double *to, const double *from, long n);
/* c[rows][64] = a[rows][64] * b[64][64] */
void plain_matmul(double (*c)[64], double (*a)[64], double (*b)[64], long rows);
void plain_alloc(unsigned long size);

/* A lock, a counter and a flag, by the compiler's built-ins. */
void plain_lock(int *lock);
void plain_unlock(int *lock);
void plain_add(long *counter);
void plain_await(int *flag, int value);
void plain_raise(int *flag, int value);

#endif
