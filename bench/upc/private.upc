/* Private code: the same loops through the C compiler and through meridian, in turn, on the same data. */
#include "../measure.h"

#include "../c/private.h"
#include <string.h>

#define N 1408 /* arrays must not lie near a multiple of 4 KB apart */
#define ORDER 64
#define NODES 4096
#define TEXT 4000

static double a[N], b[N], c[N], grid[2][ORDER * ORDER], matrix[3][ORDER * ORDER];
static struct private_node nodes[NODES], *head;
static unsigned bins[256];
static unsigned char data[N];
static char text[TEXT + 1];

#define LOOP(prefix, name, ops, call)                                                                        \
    MEASURE_TURNS(prefix##name##_turns, call) KERNEL_OF(#prefix #name, prefix##name##_turns, ops)

#define LOOPS(name, ops, call) LOOP(gcc_, name, ops, gcc_##call) LOOP(our_, name, ops, our_##call)
LOOPS(stream, N, stream(a, b, c, 3, N))
LOOPS(dgemm, ORDER * ORDER * ORDER, dgemm(matrix[0], matrix[1], matrix[2], ORDER))
LOOPS(stencil, (ORDER - 2) * (ORDER - 2), stencil(grid[0], grid[1], ORDER, ORDER))
LOOPS(histogram, N, histogram(bins, data, N))

#define RESULTS(name, ops, call)                                                                             \
    LOOP(gcc_, name, ops, measure_sink = gcc_##call) LOOP(our_, name, ops, measure_sink = our_##call)
RESULTS(chase, NODES, chase(head))
RESULTS(strings, TEXT, strings(text))
RESULTS(collatz, 100, collatz(1, 100))

int main(int argc, char **argv) {
    for (int i = 0; i < NODES; i++) {
        struct private_node *node = &nodes[i * 1237 % NODES];
        *node = (struct private_node){i, head};
        head = node;
    }
    for (int i = 0; i < N; i++)
        data[i] = (unsigned char)(i * 7919 >> 3);
    for (int i = 0; i < TEXT; i++)
        text[i] = i % 7 == 6 ? ' ' : (char)('a' + i * 31 % 26);
    return MEASURE_MAIN(argc, argv);
}
