/* Messages of the runtime to the user, on standard error.  Each is one write(2), so that lines of several
 * threads do not mix.
 *
 * A fatal error is printed once for the job, by the first thread that meets it.  The others print nothing and
 * wait until the text is out before they die, because the launcher ends all threads as soon as one has died.
 */
#ifndef MER_BASE_FATAL_H
#define MER_BASE_FATAL_H

#include <stdbool.h>
#include <stddef.h>

/* Print "meridian: thread 2 of 4 on host X: ..." and go on.  No newline at the format's end. */
void mer_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Print likewise, once for the job, flush the user's output, and end this process with exit code 1 (with
 * SIGABRT where MERIDIAN_ABORT=1).  The launcher then ends the other threads.  Does not run atexit handlers,
 * since the program's state may be wrong. */
_Noreturn void mer_fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* As mer_fatal, of a message that names the program's lines itself.  Behind that of mer_fatal, the line from
 * which the program has called the runtime is said, where it is known. */
_Noreturn void mer_fatal_placed(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* As mer_fatal, but without thread and host in front: for errors of the job as a whole, which every thread
 * finds alike. */
_Noreturn void mer_fatal_job(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What a message has to do with the job that this process is a part of (start/report.c).  Null, as before
 * start-up: a message is of this process alone, which ends by itself. */
struct mer_fatal_callbacks {
    /* The thread in words, "thread 2 of 4 on host X: ", or nothing in a job of one; the length. */
    int (*name)(char *text, size_t size);
    /* Is this thread the one that prints the job's fatal message? */
    bool (*claim)(void);
    /* Print the line of the program's that has called the runtime, if it is known. */
    void (*say_where)(void);
    /* The message has been printed, or, if not claimed, somebody else prints one, which is waited for.  end:
     * have the launcher end the job; may return, and the process then ends. */
    void (*done)(bool claimed, bool end);
};
extern const struct mer_fatal_callbacks *mer_fatal_callbacks;

/* A number of bytes for people: "512 bytes", "1.5 MB", "24.0 GB".  Writes to and gives text (size 32). */
char *mer_bytes_text(char text[32], unsigned long long bytes);

#endif
