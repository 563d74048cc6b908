/* Everything addressable and Split-C's library, through a host's memory and by active messages alone. */
#include "job.h"

#include <libgen.h>
#include <limits.h>
#include <unistd.h>

static const char *const by_message[] = {"MERIDIAN_REFERENCE=1", NULL};

static void expect_good(const char *body, int threads, const char *const *settings) {
    const struct job_result *r = job_run(body, threads, settings);
    if (r->thread < 0 && !r->timed_out)
        return;
    fprintf(stderr, "%s with %d processors%s: processor %d, code %d, signal %d%s:\n%s\n", body, threads,
            settings ? ", by message" : "", r->thread, r->code, r->signal,
            r->timed_out ? ", out of time" : "", r->text);
    exit(1);
}

int main(int argc, char **argv) {
    static char program[PATH_MAX];
    static const char *const good[] = {"places",      "conversions", "heap",   "bulk",
                                       "stores",      "counters",    "spread", "loops",
                                       "collectives", "atomics",     "queues"};
    static const int counts[] = {1, 2, 3, 4, 8};
    char own[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
    CHECK(n > 0);
    own[n] = 0;
    snprintf(program, sizeof program, "%s/split_c_body%s", dirname(own), JOB_SANITIZED ? "_asan" : "");
    job_program = program;
    if (argc > 1) { /* by hand: test_split_c BODY PROCESSORS [SETTING] */
        expect_good(argv[1], argc > 2 ? atoi(argv[2]) : 2,
                    argc > 3 ? (const char *const[]){argv[3], NULL} : NULL);
        return 0;
    }
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++)
        for (unsigned b = 0; b < sizeof good / sizeof *good; b++) {
            expect_good(good[b], counts[i], NULL);
            expect_good(good[b], counts[i], by_message);
        }
    for (int i = 0; i < 3; i++)
        expect_good("wide_threads", counts[i], NULL);
    for (int i = 0; !JOB_SANITIZED && i < 3; i++) { /* the sanitizer keeps the C library's fork */
        expect_good("forked", counts[i], NULL);
        expect_good("forked", counts[i], by_message);
    }
    if (!JOB_SANITIZED) {
        /* By message a null read is an error of the runtime's, else a fault. */
        job_expect_message("null_read", 2,
                           getenv("MERIDIAN_REFERENCE") ? "a read through a null global pointer"
                                                        : "the address is a null pointer");
        job_expect_message("missing_read", 2,
                           "a read through a global pointer to processor 2, but there are 2");
        job_expect_message("missing_private", 2, "a read through a global pointer to processor -3");
        job_expect_message("stack_full", 2, "the stack is full: 64 MB, which MERIDIAN_STACK changes");
    }
    return 0;
}
