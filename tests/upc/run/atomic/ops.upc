// Every atomic operation on every type, strict and relaxed, with and without the old value.
//: clause 7.6.2 p3
//: clause 7.6.2 p4
//: clause 7.6.4.3 p1
//: clause 7.6.4.3 p3
//: clause 7.6.4.3 p4
//: clause 7.6.4.3 p5
//: clause 7.6.4.3 p6
//: clause 7.6.4.3 p9
//: clause 7.6.4.3 p10
#include <float.h>
#include <limits.h>
#include <stdint.h>
#include <upc_atomic.h>
#include "../../check.h"

#define ACCESS (UPC_GET | UPC_SET | UPC_CSWAP)
#define BITWISE (UPC_AND | UPC_OR | UPC_XOR)
#define NUMERIC (UPC_ADD | UPC_SUB | UPC_MULT | UPC_INC | UPC_DEC | UPC_MAX | UPC_MIN)

// One operation in all four ways: the object starts as `start' and ends as `wanted'.
#define WAYS(T, op, start, a, b, wanted)                                                                 \
    do {                                                                                                 \
        for (int way = 0; way < 4; way++) {                                                              \
            T old = 77;                                                                                  \
            T *fetch = way & 1 || (op) == UPC_GET ? &old : NULL;                                         \
            objects_##T[MYTHREAD] = (start);                                                             \
            if (way & 2)                                                                                 \
                upc_atomic_strict(domain, fetch, op, &objects_##T[MYTHREAD], a, b);                      \
            else                                                                                         \
                upc_atomic_relaxed(domain, fetch, op, &objects_##T[MYTHREAD], a, b);                     \
            CHECK(objects_##T[MYTHREAD] == (wanted));                                                    \
            CHECK(old == (fetch ? (start) : (T)77));                                                     \
        }                                                                                                \
    } while (0)

#define COMMON(T)                                                                                        \
    T five = 5, seven = 7, three = 3;                                                                    \
    WAYS(T, UPC_GET, five, NULL, NULL, five);                                                            \
    WAYS(T, UPC_SET, five, &seven, NULL, seven);                                                         \
    WAYS(T, UPC_CSWAP, five, &five, &seven, seven);                                                      \
    WAYS(T, UPC_CSWAP, five, &three, &seven, five);                                                      \
    WAYS(T, UPC_ADD, five, &seven, NULL, (T)12);                                                         \
    WAYS(T, UPC_SUB, five, &three, NULL, (T)2);                                                          \
    WAYS(T, UPC_SUB, five, &seven, NULL, (T)(five - seven));                                             \
    WAYS(T, UPC_MULT, five, &seven, NULL, (T)35);                                                        \
    WAYS(T, UPC_INC, five, NULL, NULL, (T)6);                                                            \
    WAYS(T, UPC_DEC, five, NULL, NULL, (T)4);                                                            \
    WAYS(T, UPC_MIN, five, &three, NULL, three);                                                         \
    WAYS(T, UPC_MIN, three, &five, NULL, three);                                                         \
    WAYS(T, UPC_MAX, five, &three, NULL, five);                                                          \
    WAYS(T, UPC_MAX, three, &five, NULL, five)

#define INTEGER(T, code, least, most)                                                                    \
    shared T objects_##T[THREADS];                                                                       \
    void test_##T(void) {                                                                                \
        upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(code, ACCESS | BITWISE | NUMERIC, 0);    \
        COMMON(T);                                                                                       \
        T c = (T)0x5a5a, d = (T)0x3c3c, low = (least), high = (most);                                    \
        WAYS(T, UPC_AND, c, &d, NULL, (T)(c & d));                                                       \
        WAYS(T, UPC_OR, c, &d, NULL, (T)(c | d));                                                        \
        WAYS(T, UPC_XOR, c, &d, NULL, (T)(c ^ d));                                                       \
        WAYS(T, UPC_INC, high, NULL, NULL, low);                                                         \
        WAYS(T, UPC_DEC, low, NULL, NULL, high);                                                         \
        WAYS(T, UPC_MIN, high, &low, NULL, low);                                                         \
        WAYS(T, UPC_MAX, low, &high, NULL, high);                                                        \
        WAYS(T, UPC_CSWAP, high, &high, &low, low);                                                      \
        upc_all_atomicdomain_free(domain);                                                               \
    }

#define FLOATING(T, code, tiny)                                                                          \
    shared T objects_##T[THREADS];                                                                       \
    void test_##T(void) {                                                                                \
        upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(code, ACCESS | NUMERIC, 0);              \
        COMMON(T);                                                                                       \
        T half = (T)0.5, zero = 0, minus = -zero, small = (tiny);                                        \
        WAYS(T, UPC_ADD, half, &half, NULL, (T)1);                                                       \
        WAYS(T, UPC_MULT, half, &half, NULL, (T)0.25);                                                   \
        WAYS(T, UPC_MIN, zero, &small, NULL, zero);                                                      \
        WAYS(T, UPC_MAX, zero, &small, NULL, small);                                                     \
        WAYS(T, UPC_CSWAP, minus, &zero, &half, half);                                                   \
        upc_all_atomicdomain_free(domain);                                                               \
    }

typedef unsigned int uint_;
typedef unsigned long ulong_;
INTEGER(int, UPC_INT, INT_MIN, INT_MAX)
INTEGER(uint_, UPC_UINT, 0, UINT_MAX)
INTEGER(long, UPC_LONG, LONG_MIN, LONG_MAX)
INTEGER(ulong_, UPC_ULONG, 0, ULONG_MAX)
INTEGER(int32_t, UPC_INT32, INT32_MIN, INT32_MAX)
INTEGER(uint32_t, UPC_UINT32, 0, UINT32_MAX)
INTEGER(int64_t, UPC_INT64, INT64_MIN, INT64_MAX)
INTEGER(uint64_t, UPC_UINT64, 0, UINT64_MAX)
FLOATING(float, UPC_FLOAT, FLT_MIN)
FLOATING(double, UPC_DOUBLE, DBL_MIN)

int main(void) {
    test_int();
    test_uint_();
    test_long();
    test_ulong_();
    test_int32_t();
    test_uint32_t();
    test_int64_t();
    test_uint64_t();
    test_float();
    test_double();
    return 0;
}
