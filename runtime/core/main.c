/* main for programs that have none of their own: Split-C's splitc_main, and AC's main, which the compiler
 * names mer_user_main so that it can be run on a stack that all processors reach (core/everything.c).
 *
 * Old programs declare splitc_main as void, or leave its type out and return nothing; what it returns is the
 * status only where its unit says, by defining mer_splitc_status, that it is meant.
 */
#include "core/everything.h"
#include "core/message.h"

#include <stdbool.h>

int splitc_main(int argc, char **argv, char **envp) __attribute__((weak));
int mer_user_main(int argc, char **argv, char **envp) __attribute__((weak));
extern const char mer_splitc_status __attribute__((weak));
#pragma weak mer_everything_run

int main(int argc, char **argv, char **envp) {
    bool split_c = splitc_main != NULL;
    int (*entry)(int, char **, char **) = split_c ? splitc_main : mer_user_main;
    if (!entry)
        mer_fatal_job("the program has no entry: define main (UPC, AC, C) or splitc_main (Split-C)");
    int status = mer_everything_run ? mer_everything_run(entry, argc, argv, envp) : entry(argc, argv, envp);
    return split_c && !&mer_splitc_status ? 0 : status;
}
