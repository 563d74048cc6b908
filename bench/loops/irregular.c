/* The loops of irregular.upc over arrays of one process, with OpenMP: as many elements for each of its
 * threads, dealt out cyclically. */
#include "../c/parallel.h"
#include "irregular.h"

#define EACH(i) for (long i = 0; i < elements; i++)

static long *result, *table, *from, *inverse, *place;
static long (*rows_in)[PLACES], (*values_in)[PLACES], *filled;
static long elements, threads;
/* The beginnings of the rows of elements, LINES for each thread's PART. */
static long *starts;

static long *new_array(long n) { return need(calloc((size_t)n, sizeof(long))); }

static void fill(void) {
#pragma omp parallel for
    EACH(i) {
        place[i] = PLACE(LOOP)(i, threads);
        table[i] = value_of(i);
        from[i] = value_of(KIND(LOOP) == KIND_scatter ? place[i] : i);
    }
    for (long r = 0; r <= LINES * threads; r++)
        starts[r] = r / LINES * PART + row_start(r % LINES);
}

static inline void gather(void) {
#pragma omp parallel for
    EACH(i)
    result[i] = table[place[i]];
}

static inline void rows(void) {
#pragma omp parallel for
    for (long r = 0; r < LINES * threads; r++) {
        long sum = 0;
        for (long k = starts[r]; k < starts[r + 1]; k++)
            sum += table[place[k]];
        result[r] = sum;
    }
}

static inline void scatter(void) {
#pragma omp parallel for
    EACH(i) {
#pragma omp atomic write
        result[place[i]] = from[i];
    }
}

/* No two threads update the same element. */
static inline void update(void) {
#pragma omp parallel for schedule(static, 1)
    EACH(i)
    result[place[i]] += from[i];
}

static inline void histogram(void) {
#pragma omp parallel for
    EACH(i) {
#pragma omp atomic
        result[place[i]]++;
    }
}

static inline void permute(void) {
#pragma omp parallel for
    EACH(i)
    inverse[place[i]] = i;
#pragma omp parallel for
    EACH(i)
    result[i] = table[inverse[i]];
}

static inline void sparse(void) {
    memset(filled, 0, (size_t)(LINES * threads) * sizeof *filled);
#pragma omp parallel for
    EACH(e) {
        long c = place[e], at;
#pragma omp atomic capture
        at = filled[c]++;
        rows_in[c][at] = e / DEGREE;
        values_in[c][at] = from[e];
    }
}

static long wrong_elements(int kind, long times) {
    long *right = new_array(elements), wrong = 0;
    EACH(i)
    expect(kind, right, i, PLACE(LOOP)(i, threads), 0, 1, times);
    EACH(i)
    wrong += result[i] != right[i];
    return wrong;
}

static long wrong_rows(void) {
    long wrong = 0;
    for (long r = 0; r < LINES * threads; r++) {
        long right = 0;
        for (long k = starts[r]; k < starts[r + 1]; k++)
            right += value_of(PLACE(LOOP)(k, threads));
        wrong += result[r] != right;
    }
    return wrong;
}

static long wrong_columns(void) {
    struct column *right = need(calloc((size_t)(LINES * threads), sizeof *right));
    long wrong = 0;
    EACH(e)
    add_element(&right[PLACE(LOOP)(e, threads)], e / DEGREE, value_of(e));
    for (long c = 0; c < LINES * threads; c++) {
        struct column is = {0};
        for (long k = 0; k < filled[c]; k++)
            add_element(&is, rows_in[c][k], values_in[c][k]);
        wrong += !same_column(is, right[c]);
    }
    return wrong;
}

int main(int argc, char **argv) {
    int class = parallel_begin(argc, argv, "SWA");
    threads = threads_of_process();
    elements = PART * threads;
    result = new_array(elements);
    table = new_array(elements);
    from = new_array(elements);
    inverse = new_array(elements);
    place = new_array(elements);
    filled = new_array(LINES * threads);
    starts = new_array(LINES * threads + 1);
    rows_in = need(calloc((size_t)(LINES * threads), sizeof *rows_in));
    values_in = need(calloc((size_t)(LINES * threads), sizeof *values_in));
    fill();
    LOOP();
    int times = rounds[class] * TIMES(LOOP);
    double begin = seconds();
    for (int round = 0; round < times; round++)
        LOOP();
    double took = seconds() - begin;
    long wrong = KIND(LOOP) == KIND_sparse ? wrong_columns()
                 : KIND(LOOP) == KIND_rows ? wrong_rows()
                                           : wrong_elements(KIND(LOOP), times + 1);
    bool good = agrees("the number of wrong elements", (double)wrong, 0, 0);
    return verdict(NAME(LOOP), good, took, (double)elements * times);
}
