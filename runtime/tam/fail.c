#include "tam/fail.h"

#include "start/finish.h"

#include <stdarg.h>
#include <stdio.h>

_Noreturn void tam_fail_stop(int status) { mer_finish_all(status); }

_Noreturn void tam_fail(uint32_t site, const char *format, ...) {
    va_list args;
    char text[1024];
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fflush(stdout);
    if (tam.program && site)
        fprintf(stderr, "%s:%u: error: %s\n", tam.program->sites[site].file, tam.program->sites[site].line,
                text);
    else
        fprintf(stderr, "error: %s\n", text);
    tam_fail_stop(1);
}
