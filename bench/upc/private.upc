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

#define LOOP(prefix, name, call)                                                                             \
    static void prefix##name##_turns(long turns) {                                                           \
        while (turns--) {                                                                                    \
            call;                                                                                            \
            MEASURE_FORGET();                                                                                \
        }                                                                                                    \
    }

#define LOOPS(prefix)                                                                                        \
    LOOP(prefix, stream, prefix##stream(a, b, c, 3, N))                                                      \
    LOOP(prefix, dgemm, prefix##dgemm(matrix[0], matrix[1], matrix[2], ORDER))                               \
    LOOP(prefix, chase, measure_sink = prefix##chase(head))                                                  \
    LOOP(prefix, stencil, prefix##stencil(grid[0], grid[1], ORDER, ORDER))                                   \
    LOOP(prefix, histogram, prefix##histogram(bins, data, N))                                                \
    LOOP(prefix, strings, measure_sink = prefix##strings(text))                                              \
    LOOP(prefix, collatz, measure_sink = prefix##collatz(1, 100))

LOOPS(gcc_)
LOOPS(our_)

#define ROW(name, ops)                                                                                       \
    {"gcc_" #name, gcc_##name##_turns, ops}, { "our_" #name, our_##name##_turns, ops }

static const struct kernel kernels[] = {
    ROW(stream, N),
    ROW(dgemm, ORDER *ORDER *ORDER),
    ROW(chase, NODES),
    ROW(stencil, (ORDER - 2) * (ORDER - 2)),
    ROW(histogram, N),
    ROW(strings, TEXT),
    ROW(collatz, 100),
};

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
    return MEASURE_MAIN(argc, argv, kernels);
}
