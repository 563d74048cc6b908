/* A harness for tests of the runtime: a test program starts itself as the threads of a job, as the launcher
 * does, and examines the end and the output of the job.
 *
 * A test program has a table of bodies, which run as threads of a job, and a main that calls job_main with
 * it. Its checks call job_run with a body's name.  Everything is bounded in time; a job ends its own
 * processes.
 */
#ifndef MER_TESTS_JOB_H
#define MER_TESTS_JOB_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fails the thread or the test with a place; usable in bodies and in checks. */
#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                          \
            exit(99);                                                                                        \
        }                                                                                                    \
    } while (0)

/* Under the address sanitizer, which has its own handlers of deadly signals, and shadow memory to pay for. */
#if defined(__SANITIZE_ADDRESS__)
#define JOB_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define JOB_SANITIZED 1
#endif
#endif
#ifndef JOB_SANITIZED
#define JOB_SANITIZED 0
#endif

struct job_body {
    const char *name;
    int (*run)(void); /* the result is the thread's exit code */
};

struct job_result {
    int code;   /* exit code of the thread that ended the job, or 0 if all ended well */
    int signal; /* or the signal that killed it */
    int thread; /* the number of that thread; -1 if there is none */
    bool timed_out;
    char text[65536]; /* the threads' standard error */
    char out[65536];  /* and standard output */
};

/* The program that jobs run; at first the test itself. */
extern const char *job_program;
/* Address space that a job's processes may have (ulimit -v); 0: no limit. */
extern unsigned long job_address_limit;

/* The number of hosts of a job, each with memory of its own, that talk by the loopback interface: JOB_HOSTS
 * of the test's environment, or 1. A job of fewer threads runs on one host. */
extern int job_hosts;

/* Runs a body as `threads` threads. settings: "NAME=value" strings for the environment, ended by NULL; may be
 * NULL. The result is valid until the next call. */
const struct job_result *job_run(const char *body, int threads, const char *const *settings);

/* Runs a body as a bare program, without a launcher's environment. */
const struct job_result *job_run_bare(const char *body, const char *const *settings);

/* Runs a body as a job that must end well; otherwise prints the job's output and fails the test. */
void job_expect_good(const char *body, int threads);
void job_expect_good_with(const char *body, int threads, const char *const *settings);
/* Runs a body as a job that must fail with this message, printed once. */
void job_expect_message(const char *body, int threads, const char *message);

/* The program's main: runs a body if the arguments say so, else `checks`. */
int job_main(int argc, char **argv, const struct job_body *bodies, void (*checks)(void));

/* For bodies: pseudo-random numbers, and delays of up to `most` turns of a loop, now and then a sleep. */
unsigned job_random(unsigned *state);
void job_delay(unsigned *state, unsigned most);

#endif
