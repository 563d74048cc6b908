/* Plans as machine code: all operations of a plan one after the other, with their offsets as constants of the
 * instructions.  For x86-64 with AVX2 or AVX-512. */
#ifndef MER_ARRAY_CODE_H
#define MER_ARRAY_CODE_H

#include "array/stencil/plan.h"
#include "array/layout/processor.h"

#include <meridian/array.h>

/* Rows of u from which as many rows of out are computed: `times' times mer_codes_columns bytes of each. */
struct mer_code_at {
    const char *u, *old;
    char *out;
    ptrdiff_t out_next;       /* bytes from a row of out to the next */
    long times;               /* at least 1 */
    const char *ahead, *made; /* first bytes to prefetch, by code that fetches */
    long stream;              /* not 0: store past the caches; rows begin with cache lines then */
};
typedef void mer_code(const struct mer_code_at *at);

enum mer_code_fetches { MER_CODE_NOTHING, MER_CODE_AHEAD, MER_CODE_AHEAD_AND_MADE, MER_CODE_FETCHES };

/* Compiles plans of 1 ... MER_PLAN_ROWS rows, whose rows are `next' bytes apart.  Every sum adds its terms in
 * the plan's order, without fusing.  Returns null if there is no code for these vectors, the system gives no
 * memory for it, or it would be too long. */
struct mer_codes *mer_codes_new(enum mer_vectors vectors, enum mer_type type, const struct mer_plan *plan,
                                ptrdiff_t next);
long mer_codes_columns(const struct mer_codes *codes); /* bytes of a row, at once */
mer_code *mer_codes_of(const struct mer_codes *codes, int rows, enum mer_code_fetches fetches);
void mer_codes_free(struct mer_codes *codes);

#endif
