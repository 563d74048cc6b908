/* Many copies at once by a table, of an exchange whose blocks are a few elements: there the calls and loops
 * of copy.h cost more than the bytes.  For long copies the table is smaller than what copy.h has of each. */
#ifndef MER_ARRAY_SHORT_H
#define MER_ARRAY_SHORT_H

#include "array/copy.h"

#define MER_SHORT_BYTES (1 << 20) /* together, at most */

/* From memory[from_slot] + from to memory[to_slot] + to. */
struct mer_short_move {
    const struct mer_copy *copy;
    ptrdiff_t to, from;
    int to_slot, from_slot;
    bool late; /* it may write what one that is not late has written */
};

/* A plan of these moves, in their order; those that follow each other with the same slots, late or not, do
 * not overlap.  Freed by free.  Null: the copies themselves are faster. */
struct mer_short;
struct mer_short *mer_short_new(const struct mer_short_move *move, int n);
void mer_short_run(const struct mer_short *plan, char *const *memory);

#endif
