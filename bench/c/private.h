/* The loops of private.c, in their two compilations. */
#ifndef BENCH_PRIVATE_H
#define BENCH_PRIVATE_H

struct private_node {
    long value;
    struct private_node *next;
};

#define PRIVATE_LOOPS(prefix)                                                                                \
    void prefix##stream(double *a, const double *b, const double *c, double s, long n);                      \
    void prefix##dgemm(double *c, const double *a, const double *b, long n);                                 \
    long prefix##chase(const struct private_node *p);                                                        \
    void prefix##stencil(double *to, const double *from, long rows, long columns);                           \
    void prefix##histogram(unsigned *bins, const unsigned char *data, long n);                               \
    long prefix##strings(char *text);                                                                        \
    long prefix##collatz(unsigned from, unsigned to);

PRIVATE_LOOPS(gcc_)
PRIVATE_LOOPS(our_)

#endif
