/* Printing of the function, file and line of addresses of this process on standard error, by a child,
 * `meridian locate', which reads the program's debug information. */
#ifndef MER_START_LOCATE_H
#define MER_START_LOCATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MER_LOCATE_MOST 64

/* Prints a line for each address.  Returns whether the child has printed anything.  For signal handlers:
 * makes the child by vfork, and neither allocates nor locks. */
bool mer_locate(const uint64_t *addresses, int count);

/* Prints a line for the innermost of the calls from the instruction `pc' outwards that has a line of the
 * program, or for `pc' itself if none has; with `all' a line for each of the calls.  Returns whether the
 * child has printed anything.  For handlers of signals that interrupted `pc'. */
bool mer_locate_fault(uint64_t pc, bool all);

/* Prints a line for the innermost of the calls that is the program's and not the runtime's, if its line is
 * known. */
void mer_locate_caller(const uint64_t *addresses, int count);

/* Has a finding of -fsanitize=pgas put into words by a child, `meridian finding', which reads its text of n
 * bytes, at most what a pipe holds.  Stores the words, a line that is the same for the same finding and then
 * the message, and returns their length; 0 if the child could not be run. */
size_t mer_locate_finding(const char *text, size_t n, char *told, size_t room);

#endif
