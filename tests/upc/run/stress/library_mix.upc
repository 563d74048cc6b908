// Random calls of the library, by all threads at a time, against the same on private arrays: copies of
// all kinds and lengths between arrays of all layouts, non-blocking ones, castability, collectives with
// all flags, reductions, atomics, locks, split barriers. Every thread draws the same numbers, and so
// knows all threads' calls; a round writes to one array, a part for each thread, and reads others.
// Arguments: a seed, and the number of rounds.
#include "../../check.h"
#include <string.h>
#include <upc_atomic.h>
#include <upc_castable.h>
#include <upc_collective.h>
#include <upc_nb.h>

#define PART 84  /* bytes of each array that each thread has */
#define MOST 16  /* threads */
#define ARRAYS 4
#define WORDS 24 /* elements of a thread in the arrays of reductions */
#define CELLS 5  /* counters of each thread */

shared unsigned char cyclic[PART * THREADS];
shared[7] unsigned char blocked[PART * THREADS];
shared[PART] unsigned char whole[PART * THREADS];
shared[12] unsigned char other[PART * THREADS];
shared long c_words[WORDS * THREADS], c_sums[WORDS * THREADS];
shared[8] long b_words[WORDS * THREADS], b_sums[WORDS * THREADS];
shared long result[THREADS];
shared int perm[THREADS];
shared long cells[CELLS * THREADS];
shared[] long guarded[CELLS];
upc_lock_t *locks[CELLS];
upc_atomicdomain_t *domain;

static unsigned char model[ARRAYS][MOST][PART];
static long cell_model[CELLS * MOST], guarded_model[CELLS];

/* ---- numbers that all threads draw alike ---- */

static unsigned long state;
static int seed, round_number;
static const char *doing = "";

static int draw(int n) {
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return (int)((state >> 33) % (unsigned)n);
}

#define SAME(got, wanted)                                                                                \
    do {                                                                                                 \
        long got_ = (long)(got), wanted_ = (long)(wanted);                                               \
        if (got_ != wanted_) {                                                                           \
            fprintf(stderr, "seed %d, round %d, %s, thread %d of %d, line %d: %ld, not %ld\n", seed,     \
                    round_number, doing, (int)MYTHREAD, (int)THREADS, __LINE__, got_, wanted_);          \
            upc_global_exit(1);                                                                          \
        }                                                                                                \
    } while (0)

/* ---- arrays: byte `at` of thread t's part ---- */

static shared void *place(int array, int t, int at) {
    static const int blocks[ARRAYS] = {1, 7, PART, 12};
    int b = blocks[array], i = at / b * b * THREADS + t * b + at % b;
    switch (array) {
    case 0: return &cyclic[i];
    case 1: return &blocked[i];
    case 2: return &whole[i];
    default: return &other[i];
    }
}

static void compare(int array, int t, int at, int n) {
    unsigned char got[PART + 1];
    got[n] = 0xa5;
    upc_memget(got, place(array, t, at), (size_t)n);
    for (int k = 0; k < n; k++)
        SAME(got[k], model[array][t][at + k]);
    SAME(got[n], 0xa5);
}

static void barrier(void) {
    switch (draw(4)) {
    case 0: upc_barrier; break;
    case 1: upc_barrier round_number; break;
    case 2:
        upc_notify round_number;
        memset(&(char[64]){0}, 1, 64);
        upc_wait round_number;
        break;
    default: upc_notify; upc_wait;
    }
}

/* ---- copies ---- */

struct seven {
    unsigned char c[7];
};
struct copy {
    int how, from, from_thread, from_at, to_thread, to_at, n, value;
};

static void finish(upc_handle_t handle, int how) {
    if (how % 2)
        upc_sync(handle);
    else
        while (!upc_sync_attempt(handle))
            ;
}

/* Does the copy, whose target is `to`; byte k of a put has the value `value` + k. */
static void copy(int to, const struct copy *c) {
    shared void *target = place(to, c->to_thread, c->to_at);
    shared void *source = place(c->from, c->from_thread, c->from_at);
    size_t n = (size_t)c->n;
    unsigned char buffer[PART];
    unsigned char *near;
    for (int k = 0; k < c->n; k++)
        buffer[k] = (unsigned char)(c->value + k);
    switch (c->how) {
    case 0: upc_memput(target, buffer, n); break;
    case 1: finish(upc_memput_nb(target, buffer, n), c->value); break;
    case 2:
        upc_memput_nbi(target, buffer, n / 2);
        upc_memput_nbi((shared[] char *)target + n / 2, buffer + n / 2, n - n / 2);
        upc_synci();
        break;
    case 3:
        for (int k = 0; k < c->n; k++)
            ((shared[] unsigned char *)target)[k] = buffer[k];
        break;
    case 4: upc_memcpy(target, source, n); break;
    case 5: finish(upc_memcpy_nb(target, source, n), c->value); break;
    case 6:
        upc_memcpy_nbi(target, source, n);
        while (!upc_synci_attempt())
            ;
        break;
    case 7:
        upc_memget(buffer, source, n);
        upc_memput(target, buffer, n);
        break;
    case 8:
        finish(upc_memget_nb(buffer, source, n), c->value);
        finish(upc_memput_nb(target, buffer, n), c->value);
        break;
    case 9:
        for (int k = 0; k < c->n; k++)
            ((shared[] unsigned char *)target)[k] = ((shared[] unsigned char *)source)[k];
        break;
    case 10:
        for (int k = 0; k + 7 <= c->n; k += 7)
            *(shared[] struct seven *)((shared[] char *)target + k) =
                *(shared[] struct seven *)((shared[] char *)source + k);
        upc_memcpy((shared[] char *)target + n / 7 * 7, (shared[] char *)source + n / 7 * 7, n % 7);
        break;
    case 11:
        near = upc_cast(target);
        if (near)
            upc_memget(near, source, n);
        else
            upc_memcpy(target, source, n);
        break;
    case 12: upc_memset(target, c->value, n); break;
    case 13: finish(upc_memset_nb(target, c->value, n), c->value / 3); break;
    default:
        upc_memset_nbi(target, c->value, n);
        upc_synci();
    }
}

static void model_copy(int to, const struct copy *c) {
    for (int k = 0; k < c->n; k++)
        model[to][c->to_thread][c->to_at + k] = c->how < 4    ? (unsigned char)(c->value + k)
                                                : c->how < 12 ? model[c->from][c->from_thread][c->from_at + k]
                                                              : (unsigned char)c->value;
}

static void copies(void) {
    struct copy all[MOST];
    int to = draw(ARRAYS), shift = draw(THREADS);
    doing = "copies";
    for (int t = 0; t < THREADS; t++) {
        int at = draw(PART), from = draw(PART), most = PART - (at > from ? at : from);
        all[t] = (struct copy){.how = draw(15),
                               .from = (to + 1 + draw(ARRAYS - 1)) % ARRAYS,
                               .from_thread = draw(THREADS),
                               .from_at = from,
                               .to_thread = (t + shift) % THREADS,
                               .to_at = at,
                               .n = draw(3) ? draw(most + 1) : draw(most < 9 ? most + 1 : 9),
                               .value = draw(256)};
    }
    copy(to, &all[MYTHREAD]);
    upc_notify;
    for (int t = 0; t < THREADS; t++)
        model_copy(to, &all[t]);
    upc_wait;
    compare(to, draw(THREADS), 0, PART);
}

/* ---- collectives that move ---- */

static void moves(void) {
    static const upc_flag_t in[] = {UPC_IN_ALLSYNC, UPC_IN_MYSYNC, UPC_IN_NOSYNC};
    static const upc_flag_t out[] = {UPC_OUT_ALLSYNC, UPC_OUT_MYSYNC, UPC_OUT_NOSYNC};
    int T = THREADS, how = draw(6), i = draw(3), o = draw(3);
    int to = draw(ARRAYS), from = (to + 1 + draw(ARRAYS - 1)) % ARRAYS, thread = draw(T);
    int n = how == 0 || how == 5 ? 1 + draw(PART) : 1 + draw(PART / T);
    int places = how == 0 || how == 5 ? PART - n : PART - n * T;
    int at = draw(places + 1), from_at = draw(places + 1), step = 1 + draw(T);
    upc_flag_t flags = in[i] | out[o];
    shared void *target = place(to, 0, at), *source = place(from, 0, from_at);
    doing = "a collective";
    switch (how) {
    case 0: upc_all_broadcast(target, place(from, thread, from_at), (size_t)n, flags); break;
    case 1: upc_all_scatter(target, place(from, thread, from_at), (size_t)n, flags); break;
    case 2: upc_all_gather(place(to, thread, at), source, (size_t)n, flags); break;
    case 3: upc_all_gather_all(target, source, (size_t)n, flags); break;
    case 4: upc_all_exchange(target, source, (size_t)n, flags); break;
    default:
        perm[MYTHREAD] = (T - 1 - MYTHREAD + step) % T;
        upc_barrier;
        upc_all_permute(target, source, perm, (size_t)n, flags);
    }
    for (int t = 0; t < T; t++)
        for (int k = 0; k < n; k++)
            switch (how) {
            case 0: model[to][t][at + k] = model[from][thread][from_at + k]; break;
            case 1: model[to][t][at + k] = model[from][thread][from_at + t * n + k]; break;
            case 2: model[to][thread][at + t * n + k] = model[from][t][from_at + k]; break;
            case 3:
                for (int s = 0; s < T; s++)
                    model[to][t][at + s * n + k] = model[from][s][from_at + k];
                break;
            case 4:
                for (int s = 0; s < T; s++)
                    model[to][t][at + s * n + k] = model[from][s][from_at + t * n + k];
                break;
            default: model[to][(T - 1 - t + step) % T][at + k] = model[from][t][from_at + k];
            }
    /* Without a promise of the call, a thread waits at a barrier, or checks its own part. */
    if (o == 0) {
        compare(to, draw(T), 0, PART);
    } else if (o == 1) {
        compare(to, MYTHREAD, 0, PART);
        upc_barrier;
    } else {
        barrier();
        compare(to, draw(T), 0, PART);
    }
}

/* ---- reductions ---- */

static long first_of(long a, long b) { return b == a ? b : a; }
static long combine(long a, long b) { return a > b ? a : b; }

static long apply(upc_op_t op, long a, long b) {
    switch (op) {
    case UPC_ADD: return (long)((unsigned long)a + (unsigned long)b);
    case UPC_MULT: return (long)((unsigned long)a * (unsigned long)b);
    case UPC_AND: return a & b;
    case UPC_OR: return a | b;
    case UPC_XOR: return a ^ b;
    case UPC_LOGAND: return a && b;
    case UPC_LOGOR: return a || b;
    case UPC_MIN: return a < b ? a : b;
    case UPC_MAX: return a > b ? a : b;
    case UPC_FUNC: return combine(a, b);
    default: return first_of(a, b);
    }
}

static void reductions(void) {
    static const upc_op_t ops[] = {UPC_ADD,   UPC_MULT, UPC_AND, UPC_OR,   UPC_XOR,         UPC_LOGAND,
                                   UPC_LOGOR, UPC_MIN,  UPC_MAX, UPC_FUNC, UPC_NONCOMM_FUNC};
    static long words[WORDS * MOST];
    upc_op_t op = ops[draw(11)];
    int n = 1 + draw(WORDS * THREADS), cyclic_ones = draw(2), at = draw(THREADS);
    int start = draw(cyclic_ones ? THREADS : 8);
    long (*function)(long, long) = op == UPC_FUNC ? combine : op == UPC_NONCOMM_FUNC ? first_of : NULL;
    doing = "a reduction";
    for (int i = 0; i < WORDS * THREADS; i++) {
        words[i] = draw(4) ? draw(2000) - 1000 : 0;
        int owner = cyclic_ones ? i % THREADS : i / 8 % THREADS;
        if (owner == MYTHREAD && cyclic_ones)
            c_words[i] = words[i];
        else if (owner == MYTHREAD)
            b_words[i] = words[i];
    }
    start = start < WORDS * THREADS - n ? start : 0;
    const upc_flag_t flags = UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC;
    if (cyclic_ones)
        upc_all_reduceL(&result[at], &c_words[start], op, (size_t)n, 1, function, flags);
    else
        upc_all_reduceL(&result[at], &b_words[start], op, (size_t)n, 8, function, flags);
    long wanted = words[start];
    for (int i = 1; i < n; i++)
        wanted = apply(op, wanted, words[start + i]);
    if (n == 1 && (op == UPC_LOGAND || op == UPC_LOGOR))
        wanted = result[at]; /* one value is not combined with anything */
    SAME(result[at], wanted);
    if (op == UPC_LOGAND || op == UPC_LOGOR) {
        upc_barrier;
        return;
    }
    if (cyclic_ones)
        upc_all_prefix_reduceL(&c_sums[start], &c_words[start], op, (size_t)n, 1, function, flags);
    else
        upc_all_prefix_reduceL(&b_sums[start], &b_words[start], op, (size_t)n, 8, function, flags);
    long so_far = words[start];
    for (int i = 0; i < n; i++) {
        so_far = i ? apply(op, so_far, words[start + i]) : so_far;
        SAME(cyclic_ones ? c_sums[start + i] : b_sums[start + i], so_far);
    }
    upc_barrier;
}

/* ---- atomics and locks ---- */

static void atomics(void) {
    int family = draw(5), count = 1 + draw(6);
    doing = "atomics";
    for (int t = 0; t < THREADS; t++)
        for (int k = 0; k < count; k++) {
            int which = draw(CELLS * THREADS), how = draw(4), strictly = draw(3) == 0;
            long value = draw(100) - 50, fetched, was, sum;
            long *m = &cell_model[which];
            shared long *cell = &cells[which];
            int mine = t == MYTHREAD;
            upc_op_t op = UPC_XOR;
            switch (family) {
            case 0:
                op = how == 0 ? UPC_ADD : how == 1 ? UPC_SUB : how == 2 ? UPC_INC : UPC_DEC;
                *m += how == 0 ? value : how == 1 ? -value : how == 2 ? 1 : -1;
                break;
            case 1: *m ^= value; break;
            case 2: op = UPC_MAX; *m = value > *m ? value : *m; break;
            case 3: op = UPC_OR; *m |= value; break;
            default:
                *m += value;
                if (mine) { /* an addition by comparing and swapping */
                    upc_atomic_relaxed(domain, &was, UPC_GET, cell, NULL, NULL);
                    for (;;) {
                        sum = was + value;
                        upc_atomic_strict(domain, &fetched, UPC_CSWAP, cell, &was, &sum);
                        if (fetched == was)
                            break;
                        was = fetched;
                    }
                }
                continue;
            }
            const long *operand = op == UPC_INC || op == UPC_DEC ? NULL : &value;
            if (mine && strictly)
                upc_atomic_strict(domain, how % 2 ? &fetched : NULL, op, cell, operand, NULL);
            else if (mine)
                upc_atomic_relaxed(domain, how % 2 ? &fetched : NULL, op, cell, operand, NULL);
        }
    barrier();
    for (int i = 0; i < CELLS * THREADS; i++)
        SAME(cells[i], cell_model[i]);
    upc_barrier;
}

static void locked(void) {
    int count = 1 + draw(4);
    doing = "locks";
    for (int t = 0; t < THREADS; t++)
        for (int k = 0; k < count; k++) {
            int which = draw(CELLS), attempt = draw(2), value = draw(50);
            guarded_model[which] += value;
            if (t != MYTHREAD)
                continue;
            if (attempt)
                while (!upc_lock_attempt(locks[which]))
                    ;
            else
                upc_lock(locks[which]);
            guarded[which] += value;
            upc_unlock(locks[which]);
        }
    barrier();
    for (int i = 0; i < CELLS; i++)
        SAME(guarded[i], guarded_model[i]);
    upc_barrier;
}

int main(int argc, char **argv) {
    seed = argc > 1 ? atoi(argv[1]) : 1;
    int rounds = argc > 2 ? atoi(argv[2]) : 60;
    CHECK(THREADS <= MOST);
    state = (unsigned long)seed * 0x9e3779b97f4a7c15ul + 12345;
    domain = upc_all_atomicdomain_alloc(UPC_LONG,
                                        UPC_ADD | UPC_SUB | UPC_INC | UPC_DEC | UPC_XOR | UPC_OR | UPC_MAX |
                                            UPC_GET | UPC_CSWAP,
                                        0);
    for (int i = 0; i < CELLS; i++)
        locks[i] = upc_all_lock_alloc();
    upc_barrier;
    for (round_number = 0; round_number < rounds; round_number++) {
        switch (draw(8)) {
        case 0: reductions(); break;
        case 1: atomics(); break;
        case 2: locked(); break;
        case 3:
        case 4: moves(); break;
        default: copies();
        }
        if (draw(8) == 0)
            upc_fence;
        barrier();
    }
    doing = "the end";
    for (int array = 0; array < ARRAYS; array++)
        for (int t = 0; t < THREADS; t++)
            compare(array, t, 0, PART);
    upc_barrier;
    upc_all_atomicdomain_free(domain);
    for (int i = 0; i < CELLS; i++)
        upc_all_lock_free(locks[i]);
    return 0;
}
