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
 * SIGABRT if MERIDIAN_ABORT=1).  The launcher then ends the other threads.  Does not run atexit handlers,
 * since the program's state may be wrong. */
_Noreturn void mer_fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* As mer_fatal, for a message that names the program's lines itself.  After other messages mer_fatal prints
 * the line from which the program has called the runtime, if it is known. */
_Noreturn void mer_fatal_placed(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* As mer_fatal, but the message does not name thread and host: for errors of the job as a whole, which every
 * thread finds alike. */
_Noreturn void mer_fatal_job(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The job's part in messages (start/report.c).  If null, as before start-up, a message concerns this process
 * alone, which ends by itself. */
struct mer_fatal_callbacks {
    /* Writes "thread 2 of 4 on host X: ", or nothing in a job of one thread; returns the length. */
    int (*name)(char *text, size_t size);
    /* Is this thread the one that prints the job's fatal message? */
    bool (*claim)(void);
    /* Prints the line of the program that has called the runtime, if it is known. */
    void (*say_where)(void);
    /* Declares the claimed message complete or, if not claimed, waits for the thread that prints one.  With
     * `end', has the launcher end the job; may return, and the process then ends. */
    void (*done)(bool claimed, bool end);
};
extern const struct mer_fatal_callbacks *mer_fatal_callbacks;

/* Writes a number of bytes for people, "512 bytes", "1.5 MB", "24.0 GB", to text (size 32); returns text. */
char *mer_bytes_text(char text[32], unsigned long long bytes);

#endif
