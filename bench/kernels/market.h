/* market: a sparse matrix from a file in the coordinate form of Matrix Market (Boisvert, Pozo and Remington,
 * The Matrix Market exchange formats, NIST report 5935, 1996), as in collections of matrices. Every thread
 * reads the whole file.
 *
 * The elements are divided by the largest sum of a row's magnitudes, so that repeated products stay bounded.
 * An error in the file is reported with its line, and ends the program.
 *
 * To be included after the definitions of `part', the number of the thread or process, of all_wait, which is
 * a barrier, and of need. */
#ifndef KERNELS_MARKET_H
#define KERNELS_MARKET_H

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The elements, in the order of the file; for a symmetric matrix both elements of a pair. */
struct market {
    long n; /* rows, and columns */
    long many;
    int *row, *column; /* from 0 */
    double *value;
};

/* How the elements that the file omits follow from those that it contains. */
enum market_symmetry { MARKET_GENERAL, MARKET_SYMMETRIC, MARKET_SKEW };

struct market_file {
    const char *path;
    FILE *file;
    long line;
    char text[1100]; /* lines have at most 1,024 characters */
};

/* Ends the program with a message: all threads find the same error, and one prints it. */
__attribute__((noreturn, format(printf, 2, 3))) static void market_wrong(const struct market_file *f,
                                                                         const char *what, ...) {
    va_list args;
    va_start(args, what);
    if (part == 0) {
        fprintf(stderr, f->line ? "%s:%ld: " : "%s: ", f->path, f->line);
        vfprintf(stderr, what, args);
        fprintf(stderr, "\n");
    }
    va_end(args);
    all_wait();
    exit(1);
}

/* Reads the next line that is neither empty nor a comment. */
static void market_line(struct market_file *f) {
    do {
        f->line++;
        if (!fgets(f->text, sizeof f->text, f->file))
            market_wrong(f, "the file ends here, before all of its elements");
    } while (f->text[0] == '%' || f->text[strspn(f->text, " \t\r\n")] == 0);
}

/* Reads the next whole number of a line, from 1 to most. */
static long market_number(const struct market_file *f, char **at, long most, const char *what) {
    char *end;
    errno = 0;
    long number = strtol(*at, &end, 10);
    if (end == *at || errno || number < 1 || number > most)
        market_wrong(f, "the %s must be a whole number from 1 to %ld", what, most);
    *at = end;
    return number;
}

/* Reads the first line, which has the kind of the matrix. */
static enum market_symmetry market_head(struct market_file *f, bool *pattern) {
    static const char *const symmetries[] = {"general", "symmetric", "skew-symmetric"};
    char object[16], form[16], field[16], symmetry[16];
    f->line = 1;
    if (!fgets(f->text, sizeof f->text, f->file) ||
        sscanf(f->text, "%%%%MatrixMarket %15s %15s %15s %15s", object, form, field, symmetry) != 4)
        market_wrong(f, "this is no file of Matrix Market, which begins with `%%%%MatrixMarket matrix'");
    if (strcasecmp(object, "matrix") != 0 || strcasecmp(form, "coordinate") != 0)
        market_wrong(f, "a sparse matrix is wanted (`matrix coordinate'), not `%s %s'", object, form);
    *pattern = strcasecmp(field, "pattern") == 0;
    if (!*pattern && strcasecmp(field, "real") != 0 && strcasecmp(field, "integer") != 0)
        market_wrong(f, "elements must be `real', `integer' or `pattern', not `%s'", field);
    for (int i = 0; i < 3; i++)
        if (strcasecmp(symmetry, symmetries[i]) == 0)
            return (enum market_symmetry)i;
    market_wrong(f, "the matrix must be `general', `symmetric' or `skew-symmetric', not `%s'", symmetry);
}

static void market_add(struct market *m, long row, long column, double value) {
    m->row[m->many] = (int)row;
    m->column[m->many] = (int)column;
    m->value[m->many++] = value;
}

static void market_elements(struct market_file *f, struct market *m, long listed, bool pattern,
                            enum market_symmetry symmetry) {
    for (long k = 0; k < listed; k++) {
        market_line(f);
        char *at = f->text, *end;
        long row = market_number(f, &at, m->n, "row") - 1, column = market_number(f, &at, m->n, "column") - 1;
        double value = 1;
        if (!pattern) {
            value = strtod(at, &end);
            if (end == at || !isfinite(value))
                market_wrong(f, "the element's value is missing or no finite number");
        }
        market_add(m, row, column, value);
        if (symmetry != MARKET_GENERAL && row != column)
            market_add(m, column, row, symmetry == MARKET_SKEW ? -value : value);
    }
}

/* Divides the elements by the largest sum of a row's magnitudes. */
static void market_scale(struct market *m) {
    double *sum = need(calloc((size_t)m->n, sizeof *sum)), largest = 0;
    for (long k = 0; k < m->many; k++) {
        sum[m->row[k]] += fabs(m->value[k]);
        largest = fmax(largest, sum[m->row[k]]);
    }
    for (long k = 0; k < m->many && largest > 0; k++)
        m->value[k] /= largest;
    free(sum);
}

static struct market market_read(const char *path) {
    struct market_file f = {.path = path, .file = fopen(path, "r")};
    struct market m = {0};
    bool pattern;
    if (!f.file)
        market_wrong(&f, "%s", strerror(errno));
    enum market_symmetry symmetry = market_head(&f, &pattern);
    market_line(&f);
    char *at = f.text;
    m.n = market_number(&f, &at, 0x7fffffff, "number of rows");
    if (market_number(&f, &at, 0x7fffffff, "number of columns") != m.n)
        market_wrong(&f, "the matrix must have as many columns as rows");
    long listed = market_number(&f, &at, 1L << 40, "number of elements");
    size_t most = (size_t)listed * (symmetry == MARKET_GENERAL ? 1 : 2);
    m.row = need(malloc(most * sizeof *m.row));
    m.column = need(malloc(most * sizeof *m.column));
    m.value = need(malloc(most * sizeof *m.value));
    market_elements(&f, &m, listed, pattern, symmetry);
    fclose(f.file);
    market_scale(&m);
    return m;
}

#endif
