/* Expressions that are computed in advance (meridian/abi/early.h): arithmetic that is defined for all
 * operands, against 128-bit arithmetic at the ends of each type; comparisons that do not trap; and the test
 * whether an object is there. Signed overflow is fatal in this program. */
#include <meridian/abi/abi.h>

#include "../rma/ahead/address_check.c"

#include <fenv.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

struct mer_job mer_job = {.threads = 3, .here = 2, .here_first = 1, .mythread = 1, .has_remote = 1};
struct mer_memory mer_memory;
static int failures;

#define CHECK(...)                                                                                           \
    do {                                                                                                     \
        if (!(__VA_ARGS__) && failures++ < 20)                                                               \
            printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #__VA_ARGS__);                                 \
    } while (0)

/* ---- arithmetic -----------------------------------------------------------------------------------------
 * */

typedef __int128 wide;
typedef signed char schar;
typedef unsigned short word;
typedef unsigned natural;
typedef long long llong;
typedef unsigned long long ullong;

/* Converts a value to the type of `like', as C does. */
#define AS(like, value) ((__typeof__(like))(unsigned __int128)(value))

/* All operators of a and b whose result has the type of a + b. */
#define OPERATORS(a, b)                                                                                      \
    do {                                                                                                     \
        __typeof__((a) + (b)) x_ = (a), y_ = (b);                                                            \
        int minus_ = y_ == (__typeof__(y_))-1 && (__typeof__(y_))-1 < (__typeof__(y_))1;                     \
        CHECK(MER_EARLY_ADD(a, b) == AS(x_, (wide)x_ + (wide)y_));                                           \
        CHECK(MER_EARLY_SUB(a, b) == AS(x_, (wide)x_ - (wide)y_));                                           \
        CHECK(MER_EARLY_MUL(a, b) == AS(x_, (unsigned __int128)x_ * (unsigned __int128)y_));                 \
        CHECK(MER_EARLY_DIV(a, b) == (y_ == 0 ? 0 : AS(x_, minus_ ? -(wide)x_ : (wide)x_ / (wide)y_)));      \
        CHECK(MER_EARLY_REM(a, b) == (y_ == 0 || minus_ ? 0 : x_ % y_));                                     \
        CHECK(__builtin_types_compatible_p(__typeof__(MER_EARLY_ADD(a, b)), __typeof__((a) + (b))));         \
        CHECK(__builtin_types_compatible_p(__typeof__(MER_EARLY_DIV(a, b)), __typeof__((a) / (b))));         \
        CHECK(__builtin_types_compatible_p(__typeof__(MER_EARLY_SHL(a, b)), __typeof__((a) << (b))));        \
        CHECK(__builtin_types_compatible_p(__typeof__(MER_EARLY_NEG(a)), __typeof__(-(a))));                 \
        __typeof__(+(a)) p_ = (a);                                                                           \
        CHECK(MER_EARLY_NEG(a) == AS(p_, -(wide)p_));                                                        \
        unsigned bits_ = 8 * (unsigned)sizeof(p_), by_ = (unsigned)(b) % bits_;                              \
        CHECK(MER_EARLY_SHL(a, b) == AS(p_, (unsigned __int128)p_ << by_));                                  \
        CHECK(MER_EARLY_SHR(a, b) == (__typeof__(p_))(p_ >> by_));                                           \
        __typeof__(a) v_ = (a);                                                                              \
        CHECK(MER_EARLY_POST(MER_EARLY_ADD, v_) == (a));                                                     \
        CHECK(v_ == AS(v_, (wide)(a) + 1));                                                                  \
    } while (0)

#define ENDS(type, least, most)                                                                              \
    ((type[]){(least), (type)((least) + 1), (type)-1, 0, 1, 7, (type)((most)-1), (most)})
#define BETWEEN(S, s_least, s_most, T, t_least, t_most)                                                      \
    for (int i = 0; i < 8; i++)                                                                              \
        for (int j = 0; j < 8; j++) {                                                                        \
            S a = ENDS(S, s_least, s_most)[i];                                                               \
            T b = ENDS(T, t_least, t_most)[j];                                                               \
            OPERATORS(a, b);                                                                                 \
        }
#define WITH(S, least, most)                                                                                 \
    static void of_##S(void) {                                                                               \
        BETWEEN(S, least, most, schar, SCHAR_MIN, SCHAR_MAX)                                                 \
        BETWEEN(S, least, most, word, 0, USHRT_MAX)                                                          \
        BETWEEN(S, least, most, int, INT_MIN, INT_MAX)                                                       \
        BETWEEN(S, least, most, natural, 0, UINT_MAX)                                                        \
        BETWEEN(S, least, most, llong, LLONG_MIN, LLONG_MAX)                                                 \
        BETWEEN(S, least, most, ullong, 0, ULLONG_MAX)                                                       \
    }
WITH(schar, SCHAR_MIN, SCHAR_MAX)
WITH(word, 0, USHRT_MAX)
WITH(int, INT_MIN, INT_MAX)
WITH(natural, 0, UINT_MAX)
WITH(llong, LLONG_MIN, LLONG_MAX)
WITH(ullong, 0, ULLONG_MAX)

/* Each operand is evaluated once; operators nest. */
static void nested(void) {
    int n = 0, bad = INT_MIN;
    struct {
        unsigned few : 5;
        int more : 20;
    } field = {31, -1};
    CHECK(MER_EARLY_ADD(n++, MER_EARLY_MUL(n, MER_EARLY_ADD(bad, -1))) == INT_MAX && n == 1);
    CHECK(MER_EARLY_SUB(MER_EARLY_DIV(bad, n - 2), MER_EARLY_REM(7, n - 1)) == INT_MIN);
    CHECK(MER_EARLY_ADD(field.few, field.more) == 30);
    CHECK(MER_EARLY_SHL(1, 35) == 8 && MER_EARLY_SHR(-16, 33) == -8);
}

/* ---- comparisons ----------------------------------------------------------------------------------------
 * */

static void comparisons(void) {
    volatile mer_u64 quiet = 0x7ff8000000000001, signalling = 0xfff0000000000001;
    volatile unsigned small = 0x7f800001;
    double q, s, one = 1, two = 2, infinite = __builtin_inf();
    float f, half = 0.5F;
    memcpy(&q, (const void *)&quiet, sizeof q);
    memcpy(&s, (const void *)&signalling, sizeof s);
    memcpy(&f, (const void *)&small, sizeof f);
    feclearexcept(FE_ALL_EXCEPT);
    for (int i = 0; i < 3; i++) {
        double with = i ? one : infinite;
        CHECK(!MER_EARLY_LESS(q, with) && !MER_EARLY_GREATER(s, with) && !MER_EARLY_EQUAL(f, with));
        CHECK(!MER_EARLY_LESS_EQUAL(with, s) && !MER_EARLY_GREATER_EQUAL(with, f) && !MER_EARLY_LESS(f, 2));
        CHECK(MER_EARLY_UNEQUAL(with, s) && MER_EARLY_UNEQUAL(q, q));
    }
    CHECK(!fetestexcept(FE_ALL_EXCEPT));
    CHECK(MER_EARLY_LESS(one, two) && !MER_EARLY_LESS(two, one) && MER_EARLY_GREATER(two, half));
    CHECK(MER_EARLY_LESS_EQUAL(two, 2) && MER_EARLY_GREATER_EQUAL(infinite, 1e300));
    CHECK(MER_EARLY_EQUAL(half, 0.5) && !MER_EARLY_UNEQUAL(one, 1) && MER_EARLY_GREATER(infinite, -infinite));
}

/* ---- objects --------------------------------------------------------------------------------------------
 * */

static void objects(void) {
    const mer_u64 low = 1 << 20, mapped = MER_HEAP_OFFSET + (1 << 22);
    mer_memory.low = low;
    mer_memory.mapped = mapped;
    mer_job.span = (MER_VIEW_SIZE >> 2) - MER_SPAN_SKEW;
    const mer_u64 there[] = {0, 8, low - 8, MER_HEAP_OFFSET, mapped - 8};
    const mer_u64 beyond[] = {-(mer_u64)8,         -(mer_u64)4,         low - 4,      low,
                              MER_HEAP_OFFSET - 8, MER_HEAP_OFFSET - 4, mapped - 4,   mapped,
                              mer_job.span - 8,    mer_job.span,        MER_VIEW_SIZE};
    for (mer_u64 t = 0; t < 3; t++) {
        for (unsigned i = 0; i < sizeof there / sizeof *there; i++)
            CHECK(mer_there(mer_bits(t, there[i]), 8, 4));
        for (unsigned i = 0; i < sizeof beyond / sizeof *beyond; i++)
            CHECK(!mer_there(mer_bits(t, beyond[i]), 8, 4));
    }
    CHECK(!mer_there(mer_bits(1, 2), 8, 4) && !mer_there(mer_bits(1, 8), 16, 16) &&
          mer_there(mer_bits(1, 2), 8, 2));
    CHECK(!mer_there(0, 8, 4) && !mer_there(8, 8, 4) && !mer_there(~(mer_u64)0, 1, 1));
    CHECK(!mer_there(mer_bits(3, 8), 8, 4) && !mer_there(mer_bits(43690, 8), 8, 4));
    CHECK(!mer_there(0xaaaaaaaaaaaaaaaaULL, 8, 2) && !mer_there(mer_bits(0, 8) + (1ULL << 48), 8, 4));
    /* Threads 1 and 2 are on this host. */
    for (mer_u64 t = 0; t < 3; t++) {
        const char *part = (const char *)(MER_VIEW_BASE + t * mer_job.span);
        CHECK(mer_there_own(part + 8, 8) == (t > 0) && !mer_there_own(part + low - 4, 8));
    }
    CHECK(!mer_there_own(&failures, 4) && !mer_there_own((const void *)0, 4));
    CHECK(!mer_there_own((const char *)MER_VIEW_BASE + 3 * mer_job.span + 8, 8));
}

int main(void) {
    of_schar();
    of_word();
    of_int();
    of_natural();
    of_llong();
    of_ullong();
    nested();
    comparisons();
    objects();
    if (failures)
        printf("%d failures\n", failures);
    return failures != 0;
}
