/* Many copies at once by a table, for an exchange whose blocks have a few elements: there the calls and loops
 * of copy.h cost more than the bytes.  For long copies the table is smaller than their struct mer_copy. */
#ifndef MER_ARRAY_COPY_TABLE_H
#define MER_ARRAY_COPY_TABLE_H

#include "array/move/copy.h"

#define MER_COPY_TABLE_BYTES (1 << 20) /* together, at most */

/* A copy from memory[from_slot] + from to memory[to_slot] + to. */
struct mer_table_move {
    const struct mer_copy *copy;
    ptrdiff_t to, from;
    int to_slot, from_slot;
    bool late; /* it may overwrite bytes that a move that is not late has written */
};

/* Makes a plan of these moves, in their order; consecutive moves of the same slots, and all late or all not,
 * must not overlap.  Returns null if the copies themselves are faster.  The caller frees the plan by free. */
struct mer_copy_table;
struct mer_copy_table *mer_copy_table_new(const struct mer_table_move *move, int n);
void mer_copy_table_run(const struct mer_copy_table *plan, char *const *memory);

#endif
