/* Which function, file and line addresses of this process lie in, said on standard error by a child,
 * `meridian locate', which reads the program's debug information. */
#ifndef MER_START_LOCATE_H
#define MER_START_LOCATE_H

#include <stdbool.h>
#include <stdint.h>

#define MER_LOCATE_MOST 64

/* A line for each address; whether the child has said anything.  For signal handlers: it calls nothing but
 * vfork, execve, waitpid and kill. */
bool mer_locate(const uint64_t *addresses, int count);

/* One line for the innermost of the calls from the instruction `pc' outwards that has a line of the program,
 * or for `pc' itself if none has; with `all' a line for each of them.  Returns whether the child has said
 * anything.  For handlers of signals that interrupted `pc'. */
bool mer_locate_fault(uint64_t pc, bool all);

/* One line for the innermost of the calls that is the program's and not the runtime's, if its line is
 * known. */
void mer_locate_caller(const uint64_t *addresses, int count);

#endif
