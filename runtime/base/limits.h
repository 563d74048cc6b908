/* The limits of the system that a job meets: their names, and how to raise them. */
#ifndef MER_BASE_LIMITS_H
#define MER_BASE_LIMITS_H

#include <stdbool.h>

/* The error in words and, if a limit is the cause, which one it is and how to raise it.  Valid until the next
 * call. */
const char *mer_limit_text(int error);

/* Can this process make n more descriptors, 16 at most? */
bool mer_descriptors_left(int n);

/* Does this process run under valgrind? */
bool mer_under_valgrind(void);

/* Allow this process as many descriptors as it may have, for a socket a peer. */
void mer_raise_descriptors(void);

#endif
