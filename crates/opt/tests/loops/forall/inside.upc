/* A upc_forall inside another one, over a call: every thread runs all of its iterations, on numbers of all
 * types. */
#include <stdio.h>
#include <upc_relaxed.h>

enum colour { RED = -1, GREEN = 300 };

#define N (12 * THREADS)
#define ARRAYS(X)                                                                                            \
    X(_Bool, bits)                                                                                           \
    X(signed char, bytes)                                                                                    \
    X(unsigned char, letters)                                                                                \
    X(short, shorts)                                                                                         \
    X(unsigned short, marks)                                                                                 \
    X(int, ints)                                                                                             \
    X(unsigned, counts)                                                                                      \
    X(long, longs)                                                                                           \
    X(unsigned long long, words)                                                                             \
    X(float, floats)                                                                                         \
    X(double, doubles)                                                                                       \
    X(long double, wide)                                                                                     \
    X(enum colour, colours)                                                                                  \
    X(volatile int, seen)

#define DECLARE(T, name)                                                                                     \
    shared T name[N];                                                                                        \
    shared[3] T blocks_##name[N];                                                                            \
    shared struct {                                                                                          \
        char before;                                                                                         \
        T value, row[2];                                                                                     \
    } in_##name[N];
ARRAYS(DECLARE)

/* Each thread changes the elements with its number modulo THREADS, so that no two change the same one. */
#define CHANGE(T, name)                                                                                      \
    static double change_##name(int me, int all) {                                                           \
        double sum = 0;                                                                                      \
        upc_forall (int i = 0; i < N; i++; &name[i]) {                                                       \
            if (!all && i % THREADS != me)                                                                   \
                continue;                                                                                    \
            name[i] = (T)(i * 37 - 100);                                                                     \
            sum += (double)(name[i] += 2) + (double)name[i]++;                                               \
        }                                                                                                    \
        upc_forall (int i = 0; i < N; i++; &blocks_##name[i]) {                                              \
            if (!all && i % THREADS != me)                                                                   \
                continue;                                                                                    \
            blocks_##name[i] = name[i];                                                                      \
            sum += (double)--blocks_##name[i];                                                               \
        }                                                                                                    \
        upc_forall (int i = 0; i < N; i++; &in_##name[i]) {                                                  \
            if (!all && i % THREADS != me)                                                                   \
                continue;                                                                                    \
            in_##name[i].value = (T)(i - 5);                                                                 \
            in_##name[i].row[i & 1] = in_##name[i].value;                                                    \
            in_##name[i].row[1 - (i & 1)] = (T)(in_##name[i].value * 3);                                     \
            sum += (double)(in_##name[i].row[1] -= 1);                                                       \
        }                                                                                                    \
        return sum;                                                                                          \
    }
ARRAYS(CHANGE)

#define SHOW(T, name)                                                                                        \
    static void show_##name(void) {                                                                          \
        for (int i = 0; i < 12; i++)                                                                         \
            printf("%s[%d] %g %g %g %g %g\n", #name, i, (double)name[i], (double)blocks_##name[i],           \
                   (double)in_##name[i].value, (double)in_##name[i].row[0], (double)in_##name[i].row[1]);    \
    }
ARRAYS(SHOW)

int main(void) {
    double sum = 0;
    int mine = MYTHREAD;
#define RUN(T, name) sum += change_##name(mine, 0);
    upc_forall (int t = 0; t < THREADS; t++; t) {
        ARRAYS(RUN)
    }
    printf("inside: %d: %g\n", MYTHREAD, sum);
    upc_barrier;
    if (MYTHREAD == 0) {
#define PRINT(T, name) show_##name();
        ARRAYS(PRINT)
    }
    upc_barrier;
    sum = 0;
#define ALL(T, name) sum += change_##name(0, 1);
    ARRAYS(ALL)
    printf("outside: %d: %g\n", MYTHREAD, sum);
    return 0;
}
