/* Collectives over active messages, in a binomial tree. */
#ifndef MER_COLL_TREE_H
#define MER_COLL_TREE_H

#include <stdbool.h>
#include <stddef.h>

void mer_tree_handlers(void);

/* Sets *into to the combination of *into, on the left, and *value. */
typedef void mer_combine(void *into, const void *value, const void *context);

/* Combine the values of all threads in the order of their numbers; the result replaces *value on thread 0,
 * and if `all` on every thread.  n <= MER_TREE_MOST bytes.  Collective. */
#define MER_TREE_MOST 4096
void mer_tree_reduce(void *value, size_t n, mer_combine *combine, const void *context, bool all);
/* Replace *value by the values of threads 0 ... MYTHREAD combined.  n <= MER_TREE_MOST bytes.  Collective. */
void mer_tree_scan(void *value, size_t n, mer_combine *combine, const void *context);
/* Copy the root's value to every thread.  Collective; any n. */
void mer_tree_broadcast(void *value, size_t n, int root);

#endif
