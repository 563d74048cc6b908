/* Split-C: active messages as the library under the language uses them (von Eicken, figures 6-7 and 6-8).
 *
 * AM(proc, function, words...) has processor `proc' run function(words...) when it next polls or waits.  Such
 * a function may reply once, with AM_reply(p, function, words...), in which p is the processor that sent the
 * request; p runs the reply's function in the same way.  Functions may not wait, and may send nothing else.
 * A message has up to seven words, integers or pointers.  Messages from one processor to another arrive in
 * the order in which they are sent.  meridian/am.h has messages with data.
 */
#ifndef SPLIT_C_AM_H
#define SPLIT_C_AM_H

#include <split-c/split-c.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AM(proc, function, ...)                                                                              \
    mer_splitc_am((proc), (splitc_function *)(function), MER_SPLITC_WORDS_(0, ##__VA_ARGS__), ##__VA_ARGS__)
#define AM_reply(proc, function, ...)                                                                        \
    mer_splitc_am_reply((proc), (splitc_function *)(function), MER_SPLITC_WORDS_(0, ##__VA_ARGS__),          \
                        ##__VA_ARGS__)
#define MER_SPLITC_WORDS_(...) MER_SPLITC_COUNT_(__VA_ARGS__, 7, 6, 5, 4, 3, 2, 1, 0, 0)
#define MER_SPLITC_COUNT_(zero, a, b, c, d, e, f, g, n, ...) (n)
void mer_splitc_am(int proc, splitc_function *function, int nwords, ...);
void mer_splitc_am_reply(int proc, splitc_function *function, int nwords, ...);

/* Runs the functions of the messages that have come.  Loops that wait for memory, as `while (*ctr) ;', need
 * no call: they poll by themselves. */
void AM_poll(void) MER_SPLITC(am_poll);

#ifdef __cplusplus
}
#endif

#endif
