/* AM and AM_reply (split-c/am.h). */
#include "am/am.h"

#include <split-c/am.h>
#include <stdarg.h>

/* The function's address, and its words behind it; how many. */
static int collect(mer_u64 *words, splitc_function *function, int nwords, va_list list) {
    words[0] = (mer_u64)(uintptr_t)function;
    for (int i = 1; i <= nwords; i++)
        words[i] = va_arg(list, mer_u64);
    return 1 + nwords;
}

void mer_splitc_am(int proc, splitc_function *function, int nwords, ...) {
    mer_u64 words[MER_AM_ARGS];
    va_list list;
    va_start(list, nwords);
    int n = collect(words, function, nwords, list);
    va_end(list);
    mer_am_function(proc, words, n);
}

void mer_splitc_am_reply(int proc, splitc_function *function, int nwords, ...) {
    mer_u64 words[MER_AM_ARGS];
    va_list list;
    va_start(list, nwords);
    int n = collect(words, function, nwords, list);
    va_end(list);
    mer_am_function_reply(proc, words, n);
}

void AM_poll(void) { mer_am_poll(); }
