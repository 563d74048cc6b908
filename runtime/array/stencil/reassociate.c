/* Sums in an order of their own, see reassociate.h.
 *
 * Let row d be the row of elements at an offset d across the rows.  Rows whose coefficients are the same for
 * each offset x along the row form a class c, with the sum S_c(i) over its rows of u(i + d).  Then
 *
 *     new(i) = sum over x of V_x(i + x),    V_x(i) = sum over c of coefficient(c, x) S_c(i)
 *
 * and offsets x with the same coefficients share one V, which is computed once for each element of the row
 * and kept in the first-level cache.  The 27 points of a multigrid cycle have three classes (the row itself,
 * four that share a face with it, four that share an edge) and two V: 6 additions for the S, 6 fused
 * multiplications for the V and 2 more additions, instead of 27 multiplications and 26 additions.
 *
 * At the ends of a row, V are also computed of elements that no term names; these are not used.  A
 * coefficient 0 is left out, so that no infinity or NaN comes into a sum in which the terms have none. */
#include "array/stencil/reassociate.h"

#include "array/layout/cache.h"
#include "array/layout/processor.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SUMS 4   /* most V */
#define REACH 16 /* most offset along the row that this order of sums allows */

/* Elements that are added, then multiplied by a factor for each sum V whose bit is set. */
struct class {
    int first, count; /* of the offsets */
    bool old;
    unsigned mask;
    double factor[SUMS];
};

/* Sum V number `sum', so many elements further on. */
struct part {
    int sum, offset;
};

struct mer_reassociated {
    const struct kind *kinds; /* the loops for its type and these vectors */
    ptrdiff_t next;
    int sums, reach, classes, parts, cost;
    struct class *class;
    struct part *part;
    ptrdiff_t offset[]; /* bytes */
};

/* ---- plans --------------------------------------------------------------------------------------------- */

/* Coefficients by row and offset along the row, while a plan is made. */
struct table {
    int rows, width, reach;
    ptrdiff_t *row; /* bytes */
    bool has_old;
    double *coefficient; /* rows x width */
};

static bool same(const double *a, const double *b, int n) {
    for (int i = 0; i < n; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

static int row_of(struct table *t, ptrdiff_t at, bool old) {
    for (int r = 0; r < t->rows; r++)
        if (t->row[r] == at && (r == 0 && t->has_old) == old)
            return r;
    t->row[t->rows] = at;
    return t->rows++;
}

/* Fills the table.  The level before, if it is read, is row 0. */
static bool tabulate(struct table *t, enum mer_type type, int terms, const struct mer_term *term,
                     const ptrdiff_t *offset, int fast) {
    ptrdiff_t size = type == MER_FLOAT32 ? (ptrdiff_t)sizeof(float) : (ptrdiff_t)sizeof(double);
    for (int i = 0; i < terms; i++) {
        int x = abs(term[i].offset[fast]);
        t->reach = x > t->reach ? x : t->reach;
        t->has_old = t->has_old || term[i].old;
    }
    t->width = 2 * t->reach + 1;
    t->row = calloc((size_t)terms + 1, sizeof *t->row);
    t->coefficient = calloc(((size_t)terms + 1) * (size_t)t->width, sizeof *t->coefficient);
    if (!t->row || !t->coefficient)
        return false;
    t->rows = t->has_old;
    for (int i = 0; i < terms; i++) {
        int x = term[i].offset[fast], r = row_of(t, offset[i] - x * size, term[i].old);
        t->coefficient[r * t->width + x + t->reach] += term[i].coefficient;
    }
    return true;
}

/* Divides the rows into classes of rows with the same coefficients.  Returns the number of classes; class_of:
 * the class of each row. */
static int classify(const struct table *t, int *class_of) {
    int classes = 0;
    for (int r = 0; r < t->rows; r++) {
        int like = (t->has_old && r == 0) ? r : t->has_old;
        while (like < r && !same(t->coefficient + r * t->width, t->coefficient + like * t->width, t->width))
            like++;
        class_of[r] = like < r ? class_of[like] : classes++;
    }
    return classes;
}

/* Stores the classes, those with most rows first and the level before last, and renumbers class_of so. */
static void add_classes(struct mer_reassociated *p, const struct table *t, int *class_of) {
    int n = 0, made = 0;
    for (int count = t->rows; count > 0; count--)
        for (int c = 0; c < p->classes; c++) {
            struct class *to = &p->class[made];
            *to = (struct class){.first = n};
            for (int r = t->has_old; r < t->rows; r++)
                if (class_of[r] == c)
                    p->offset[n++] = t->row[r];
            to->count = n - to->first;
            if (to->count != count) {
                n = to->first;
                continue;
            }
            for (int r = t->has_old; r < t->rows; r++)
                if (class_of[r] == c)
                    class_of[r] = -1 - made;
            made++;
        }
    if (t->has_old) {
        p->class[made] = (struct class){.first = n, .count = 1, .old = true};
        p->offset[n] = t->row[0];
        class_of[0] = -1 - made;
    }
    for (int r = 0; r < t->rows; r++)
        class_of[r] = -1 - class_of[r];
}

/* Returns the sum V whose factors are `column', the classes' coefficients at an offset along the row: an
 * existing or a new one, or -1 if there are too many. */
static int sum_of(struct mer_reassociated *p, const double *column) {
    for (int s = 0; s < p->sums; s++) {
        bool alike = true;
        for (int c = 0; c < p->classes; c++)
            alike = alike && p->class[c].factor[s] == column[c];
        if (alike)
            return s;
    }
    for (int c = 0; c < p->classes && p->sums < SUMS; c++) {
        p->class[c].factor[p->sums] = column[c];
        p->class[c].mask |= (column[c] != 0 ? 1U : 0) << p->sums;
    }
    return p->sums < SUMS ? p->sums++ : -1;
}

/* Returns false if offsets are too long, there are too many sums, or the plan does not pay. */
static bool plan(struct mer_reassociated *p, const struct table *t, int terms, int *class_of,
                 double *column) {
    if (t->reach > REACH)
        return false;
    p->reach = t->reach;
    p->classes = classify(t, class_of);
    add_classes(p, t, class_of);
    for (int x = 0; x < t->width; x++) {
        bool any = false;
        for (int r = 0; r < t->rows; r++) {
            column[class_of[r]] = t->coefficient[r * t->width + x];
            any = any || t->coefficient[r * t->width + x] != 0;
        }
        int sum = any ? sum_of(p, column) : 0;
        if (sum < 0)
            return false;
        if (any)
            p->part[p->parts++] = (struct part){sum, x};
    }
    p->cost = t->rows + p->parts + 2 * p->sums; /* loads; a store counts as two */
    return p->parts > 0 && 3 * p->cost < 2 * terms;
}

int mer_reassociated_terms(const struct mer_reassociated *p) { return p->cost; }

/* ---- running ------------------------------------------------------------------------------------------- */

#if defined(__x86_64__)
/* Bytes of a sum for a row, for its ends and for the elements that a group stores beyond it. */
#define BUFFER (MER_REASSOCIATE_PART + 2 * REACH * 8 + 5 * MER_LINE)
#define WHOLE _Pragma("GCC unroll 8")

/* The V of two rows.  The V of the next row are computed before a row is put together of its own V: a load of
 * V that are still on their way to the cache, and that lie in two of the stored vectors, would wait. */
static _Alignas(MER_LINE) char kept[2][SUMS][BUFFER];

/* The place of a group of columns: of whole vectors, or of the elements of one vector in the mask. */
struct group {
    const char *u, *old;
    char *out;
    char (*kept)[BUFFER];
    unsigned mask;
};

/* Returns the mask of elements first ... end - 1 of a vector, as far as it has them. */
__attribute__((always_inline)) static inline unsigned mask_of(long first, long end) {
    return (end >= 32 ? ~0U : (1U << end) - 1) & ~0U << first;
}

/* A shape of plans that has loops: the rows of each class (0: no such class; all 0: any classes), the most
 * sums, and the parts (0: any number). */
struct shape {
    int count[3], sums, parts;
};

typedef void rows(const struct mer_reassociated *p, const struct mer_unroll_at *at);
struct kind {
    struct shape shape;
    rows *rows;
};

/* Returns the elements, in whole vectors, by which the rows of V begin before the row. */
__attribute__((always_inline)) static inline long lead_of(const struct mer_reassociated *p, long lanes) {
    return (p->reach + lanes - 1) / lanes * lanes;
}

#define LOOPS "array/stencil/reassociate_loops.h"
#define COLUMNS_AVX2 4
#include "array/stencil/vectors.h"

static const struct kind *kinds_of(enum mer_vectors vectors, enum mer_type type) {
    if (vectors == MER_VECTORS_AVX512)
        return type == MER_FLOAT32 ? kinds_float_avx512 : kinds_double_avx512;
    return type == MER_FLOAT32 ? kinds_float_avx2 : kinds_double_avx2;
}

struct mer_reassociated *mer_reassociated_new(enum mer_type type, int terms, const struct mer_term *term,
                                              const ptrdiff_t *offset, int fast, ptrdiff_t next) {
    struct table t = {0};
    size_t n = (size_t)terms + 1;
    struct mer_reassociated *p = NULL;
    enum mer_vectors vectors = mer_vectors();
    if (vectors == MER_VECTORS_BASE)
        return NULL;
    bool made = tabulate(&t, type, terms, term, offset, fast);
    size_t classes = n * (sizeof(struct class) + sizeof(ptrdiff_t)),
           parts = (size_t)t.width * sizeof(struct part);
    int *class_of = calloc(n, sizeof *class_of);
    double *column = calloc(n, sizeof *column);
    if (made && class_of && column)
        p = calloc(1, sizeof *p + classes + parts);
    if (p) {
        p->kinds = kinds_of(vectors, type);
        p->next = next;
        p->class = (struct class *)(void *)(p->offset + n);
        p->part = (struct part *)(void *)(p->class + n);
        if (!plan(p, &t, terms, class_of, column)) {
            free(p);
            p = NULL;
        }
    }
    free(class_of);
    free(column);
    free(t.row);
    free(t.coefficient);
    return p;
}

static bool has_shape(const struct mer_reassociated *p, const struct shape *shape) {
    bool is = p->sums <= shape->sums && (!shape->parts || p->parts == shape->parts);
    for (int c = 0; c < 3 && shape->count[0]; c++)
        is = is && (c < p->classes ? p->class[c].count : 0) == shape->count[c];
    for (int c = 0; c < p->classes && shape->count[0]; c++)
        is = is && c < 3 && !p->class[c].old && p->class[c].mask == (1U << shape->sums) - 1;
    return is;
}

void mer_reassociated_run(const struct mer_reassociated *p, const struct mer_unroll_at *at) {
    const struct kind *kind = p->kinds;
    while (!has_shape(p, &kind->shape))
        kind++;
    kind->rows(p, at);
}
#else
struct mer_reassociated *mer_reassociated_new(enum mer_type type, int terms, const struct mer_term *term,
                                              const ptrdiff_t *offset, int fast, ptrdiff_t next) {
    (void)type, (void)terms, (void)term, (void)offset, (void)fast, (void)next;
    (void)plan, (void)tabulate;
    return NULL;
}
void mer_reassociated_run(const struct mer_reassociated *p, const struct mer_unroll_at *at) {
    (void)p, (void)at;
}
#endif
