/* Irregular loops over cyclic shared arrays in their simplest form: single accesses to local and remote
 * elements. With BULK by hand: items for a thread are gathered in a buffer for it, and all threads exchange
 * the buffers when one is full. With UNOPTIMISED one round is enough, because it takes long. LOOP selects the
 * loop: gather, rows, scatter, update, histogram, permute or sparse. */
#include "../../examples/nas/nas.h"
#include "irregular.h"

#include <bupc_extensions.h>
#include <upc_atomic.h>

#define EACH(i) upc_forall (long i = 0; i < PART * THREADS; i++; i)

static shared long result[PART * THREADS], table[PART * THREADS], from[PART * THREADS];
static shared long inverse[PART * THREADS];
static shared long place[PART * THREADS]; /* the index that an element reads or writes */
static upc_atomicdomain_t *domain;

/* This thread's rows of elements: their beginnings, and the indices that they read, in private memory. */
static long starts[LINES + 1], columns[PART];

/* The sparse matrix by columns, each of which is on one thread. */
static shared [PLACES] long rows_in[LINES * THREADS][PLACES], values_in[LINES * THREADS][PLACES];
static shared long filled[LINES * THREADS];
/* By thread and column: the number of its elements in the column, and then the place of its next one. */
static shared [] long *shared counts[THREADS];

/* This thread's elements. */
#define OWN(array) ((long *)&array[MYTHREAD])
#define OWN_LINE(array, c) ((long *)array[(c) * THREADS + MYTHREAD])

static void fill(void) {
    counts[MYTHREAD] = (shared [] long *)need_shared(LINES * THREADS * sizeof(long));
    domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD | UPC_INC, 0);
    EACH(i) {
        place[i] = PLACE(LOOP)(i, THREADS);
        table[i] = value_of(i);
    }
    for (long l = 0; l <= LINES; l++)
        starts[l] = row_start(l);
    for (long k = 0; k < PART; k++)
        columns[k] = PLACE(LOOP)(k * THREADS + MYTHREAD, THREADS);
    upc_barrier;
    EACH(i)
        from[i] = value_of(KIND(LOOP) == KIND_scatter ? place[i] : i);
    upc_barrier;
}

#ifndef BULK
static inline void gather(void) {
    EACH(i)
        result[i] = table[place[i]];
    upc_barrier;
}

static inline void rows(void) {
    upc_forall (long r = 0; r < LINES * THREADS; r++; r) {
        long l = r / THREADS, sum = 0;
        for (long k = starts[l]; k < starts[l + 1]; k++)
            sum += table[columns[k]];
        result[r] = sum;
    }
    upc_barrier;
}

static inline void scatter(void) {
    EACH(i)
        result[place[i]] = from[i];
    upc_barrier;
}

static inline void update(void) {
    EACH(i)
        result[place[i]] += from[i];
    upc_barrier;
}

static inline void histogram(void) {
    EACH(i)
        upc_atomic_relaxed(domain, NULL, UPC_INC, &result[place[i]], NULL, NULL);
    upc_barrier;
}

static inline void permute(void) {
    EACH(i)
        inverse[place[i]] = i;
    upc_barrier;
    EACH(i)
        result[i] = table[inverse[i]];
    upc_barrier;
}

static inline void sparse(void) {
    long *mine = (long *)counts[MYTHREAD];
    memset(mine, 0, LINES * THREADS * sizeof *mine);
    EACH(e)
        mine[place[e]]++;
    upc_barrier;
    upc_forall (long c = 0; c < LINES * THREADS; c++; c) {
        long before = 0;
        for (int t = 0; t < THREADS; t++) {
            long more = counts[t][c];
            counts[t][c] = before;
            before += more;
        }
        filled[c] = before;
    }
    upc_barrier;
    EACH(e) {
        long c = place[e], at = mine[c]++;
        rows_in[c][at] = e / DEGREE;
        values_in[c][at] = from[e];
    }
    upc_barrier;
}
#else
#include "buffers.inc"

static inline int owner(long i) { return (int)(OWN(place)[i] % THREADS); }
static inline long line(long i) { return OWN(place)[i] / THREADS; }

static inline void gather(void) { look_up(OWN(result), OWN(table), OWN(place)); }

static inline void rows(void) {
    static long values[PART];
    look_up(values, OWN(table), columns);
    for (long l = 0; l < LINES; l++) {
        long sum = 0;
        for (long k = starts[l]; k < starts[l + 1]; k++)
            sum += values[k];
        OWN(result)[l] = sum;
    }
    upc_barrier;
}

static inline void pair(long i, long *to) {
    to[0] = line(i);
    to[1] = OWN(from)[i];
}
static inline void assign(const long *item) { OWN(result)[item[0]] = item[1]; }
static inline void scatter(void) { send_all(2, owner, pair, assign); }

static inline void add(const long *item) { OWN(result)[item[0]] += item[1]; }
static inline void update(void) { send_all(2, owner, pair, add); }

static inline void single(long i, long *to) { to[0] = line(i); }
static inline void count(const long *item) { OWN(result)[item[0]]++; }
static inline void histogram(void) { send_all(1, owner, single, count); }

static inline void number(long i, long *to) {
    to[0] = line(i);
    to[1] = i * THREADS + MYTHREAD;
}
static inline void invert(const long *item) { OWN(inverse)[item[0]] = item[1]; }
static inline void permute(void) {
    send_all(2, owner, number, invert);
    look_up(OWN(result), OWN(table), OWN(inverse));
}

static inline void element(long i, long *to) {
    to[0] = line(i);
    to[1] = (i * THREADS + MYTHREAD) / DEGREE;
    to[2] = OWN(from)[i];
}
static inline void append(const long *item) {
    long at = OWN(filled)[item[0]]++;
    OWN_LINE(rows_in, item[0])[at] = item[1];
    OWN_LINE(values_in, item[0])[at] = item[2];
}
static inline void sparse(void) {
    memset(OWN(filled), 0, LINES * sizeof(long));
    upc_barrier;
    send_all(3, owner, element, append);
}
#endif

/* Returns the number of this thread's elements that are wrong after `times' runs of the loop. */
static long wrong_elements(int kind, long times) {
    long *right = need(calloc(PART, sizeof *right)), wrong = 0;
    for (long i = 0; i < PART * THREADS; i++)
        expect(kind, right, i, PLACE(LOOP)(i, THREADS), MYTHREAD, THREADS, times);
    for (long i = 0; i < PART; i++)
        wrong += OWN(result)[i] != right[i];
    free(right);
    return wrong;
}

/* Returns the number of its rows that are wrong. */
static long wrong_rows(void) {
    long wrong = 0;
    for (long l = 0; l < LINES; l++) {
        long right = 0;
        for (long k = row_start(l); k < row_start(l + 1); k++)
            right += value_of(PLACE(LOOP)(k * THREADS + MYTHREAD, THREADS));
        wrong += OWN(result)[l] != right;
    }
    return wrong;
}

/* Returns the number of its columns that are wrong; elements have no order in them. */
static long wrong_columns(void) {
    struct column *right = need(calloc(LINES, sizeof *right));
    long wrong = 0;
    for (long e = 0; e < PART * THREADS; e++) {
        long c = PLACE(LOOP)(e, THREADS);
        if (c % THREADS == MYTHREAD)
            add_element(&right[c / THREADS], e / DEGREE, value_of(e));
    }
    for (long c = 0; c < LINES; c++) {
        struct column is = {0};
        for (long k = 0; k < OWN(filled)[c]; k++)
            add_element(&is, OWN_LINE(rows_in, c)[k], OWN_LINE(values_in, c)[k]);
        wrong += !same_column(is, right[c]);
    }
    free(right);
    return wrong;
}

int main(int argc, char **argv) {
    int class = read_class(argc, argv);
    fill();
    int times = rounds[class] * TIMES(LOOP), runs = times;
#ifdef UNOPTIMISED
    runs = 1;
#endif
    LOOP();
    double begin = seconds();
    for (int round = 0; round < runs; round++)
        LOOP();
    double took = (seconds() - begin) * times / runs;
    long wrong = KIND(LOOP) == KIND_sparse ? wrong_columns()
                 : KIND(LOOP) == KIND_rows ? wrong_rows()
                                           : wrong_elements(KIND(LOOP), runs + 1);
    bool good = agrees("the number of wrong elements", all_sum((double)wrong), 0, 0);
    return verdict(NAME(LOOP), class, good, took, (double)PART * THREADS * times);
}
