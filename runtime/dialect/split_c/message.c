/* AM and AM_reply (split-c/am.h). */
#include "am/am.h"
#include "am/function.h"

#include <split-c/am.h>
#include <stdarg.h>

/* Collects the words, no more than there is room for; the callee reports a number of words beyond it. */
static void collect(mer_u64 words[MER_AM_FUNCTION_WORDS], int nwords, va_list list) {
    for (int i = 0; i < nwords && i < MER_AM_FUNCTION_WORDS; i++)
        words[i] = va_arg(list, mer_u64);
}

void mer_splitc_am(int proc, splitc_function *function, int nwords, ...) {
    mer_u64 words[MER_AM_FUNCTION_WORDS];
    va_list list;
    va_start(list, nwords);
    collect(words, nwords, list);
    va_end(list);
    mer_am_function(proc, (mer_rva_code *)function, words, nwords);
}

void mer_splitc_am_reply(int proc, splitc_function *function, int nwords, ...) {
    mer_u64 words[MER_AM_FUNCTION_WORDS];
    va_list list;
    va_start(list, nwords);
    collect(words, nwords, list);
    va_end(list);
    mer_am_function_reply(proc, (mer_rva_code *)function, words, nwords);
}

void AM_poll(void) { mer_am_poll(); }
