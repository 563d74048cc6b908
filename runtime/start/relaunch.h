/* A bare `./prog' of several threads starts itself under the launcher. */
#ifndef MER_START_RELAUNCH_H
#define MER_START_RELAUNCH_H

#include <stddef.h>

/* Become `meridian run -n threads' with this program and its arguments from argv[first] on.  If threads is 0,
 * the launcher chooses the number.  Fatal message if there is no launcher. */
_Noreturn void mer_relaunch(int threads, char **argv, size_t first);

/* For a program that nobody launched: if its first arguments are those by which GNU's and Clang's UPC choose
 * the number of threads (-fupc-threads-N, -n N) or the heap (-fupc-heap-N), becomes `meridian run' without
 * them. */
void mer_relaunch_by_arguments(char **argv);

#endif
