/* What conduits need of the runtime below them, for a test that takes them alone: the thread sanitizer has
 * its own memory where start-up maps a job's. */
#include "base/fatal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

_Noreturn void mer_fatal_job(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}
