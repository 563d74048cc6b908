// GNU C in UPC files: statement expressions, typeof, labels as values, ranges, attributes, asm, vectors,
// __int128, conditional without middle, zero-length arrays, alignment, builtins, aliases, __auto_type.
#include <stdint.h>
#include "../../check.h"

shared int sh[THREADS];
#define MAX(a, b)                                                                                        \
    ({                                                                                                   \
        __typeof__((a) + 0) a_ = (a);                                                                          \
        __typeof__((b) + 0) b_ = (b);                                                                          \
        a_ > b_ ? a_ : b_;                                                                               \
    })
typedef int v4 __attribute__((vector_size(16)));
struct packed {
    char c;
    int i;
} __attribute__((packed));
struct flexible {
    int n;
    short tail[];
};
static __attribute__((noinline, const)) int twice(int x) { return 2 * x; }
static inline __attribute__((always_inline)) int thrice(int x) { return 3 * x; }
extern int aliased(int) __attribute__((alias("target_")));
int target_(int x) { return x + 100; }
static int order[3], ordered;
__attribute__((constructor)) static void before(void) { order[ordered++] = 1; }
_Thread_local int tls = 5;

static int interpret(const unsigned char *code) {
    static void *const labels[] = {&&push, &&add, &&stop};
    int stack[8], top = 0;
    goto *labels[*code];
push:
    stack[top++] = code[1];
    code += 2;
    goto *labels[*code];
add:
    top--;
    stack[top - 1] += stack[top];
    goto *labels[*++code];
stop:
    return stack[0];
}
static int vla(int n, int a[n][n]) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i][i];
    return sum + sizeof(int[n]);
}

int main(void) {
    sh[MYTHREAD] = 4;
    CHECK_EQ(MAX(sh[MYTHREAD], 3), 4);
    CHECK_EQ(({ int t = sh[MYTHREAD]; t + 1; }), 5);
    CHECK_EQ(({ sh[MYTHREAD]++; sh[MYTHREAD]--; }), 5);
    shared int *moved = sh;
    CHECK(({ moved++; moved--; }) == sh + 1 && moved == sh);
    v4 a = {1, 2, 3, 4}, b = a * 2 + (v4){1, 1, 1, 1};
    CHECK(b[0] == 3 && b[3] == 9);
    __int128 big = (__int128)INT64_MAX * 4;
    CHECK_EQ((int64_t)(big >> 64), 1);
    CHECK_EQ(sizeof(struct packed), 5);
    CHECK_EQ(__alignof__(double), 8);
    CHECK_EQ(twice(4) + thrice(5) + aliased(1), 8 + 15 + 101);
    CHECK_EQ((sh[MYTHREAD] ?: 9), 4);
    CHECK_EQ(order[0], 1);
    CHECK_EQ(tls++ + tls, 11);
    const unsigned char code[] = {0, 20, 0, 22, 1, 2};
    CHECK_EQ(interpret(code), 42);
    int n = 3, m[n][n];
    for (int i = 0; i < n * n; i++)
        m[i / n][i % n] = i;
    CHECK_EQ(vla(n, m), 12 + 3 * sizeof(int));
    struct flexible *f = malloc(sizeof *f + 3 * sizeof(short));
    f->n = 3;
    f->tail[2] = 7;
    CHECK_EQ(f->tail[2], 7);
    free(f);
    CHECK(__builtin_expect(1, 1) && __builtin_constant_p(3) && __builtin_popcount(255) == 8);
    CHECK(__builtin_types_compatible_p(int, __typeof__(n)));
    CHECK_EQ(__builtin_choose_expr(1, 5, "no"), 5);
    __auto_type x = 2.5;
    CHECK(x == 2.5);
    unsigned out;
#if defined(__x86_64__)
    __asm__ volatile("lea 1(%1), %0" : "=r"(out) : "r"((unsigned long)41) : "cc");
#else
    out = 42;
#endif
    CHECK_EQ(out, 42);
    __extension__ long long ext = 1;
    CHECK_EQ(ext + __builtin_offsetof(struct packed, i), 2);
    CHECK_EQ(__func__[0], 'm');
    CHECK_EQ(__real__(3.0 + 4.0i) == 3, 1);
    {
        __label__ skip;
        goto skip;
        CHECK(0);
    skip:;
    }
    return 0;
}
