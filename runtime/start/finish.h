/* The end of a thread and of the job. */
#ifndef MER_START_FINISH_H
#define MER_START_FINISH_H

/* Start-up, before anything is opened: keep standard input, output and error unusable if they are closed. */
void mer_finish_hold_streams(void);

/* Start-up: have the termination barrier run at exit, after the user's own atexit functions (registered
 * later, run earlier). */
void mer_finish_register(void);

/* upc_global_exit: flush the user's output and end all threads with `status' (7.2.1).  The launcher ends the
 * others; without one this is the only thread. */
_Noreturn void mer_finish_all(int status);

/* Flush the user's output.  Fatal message if some of it cannot be written, or could not be earlier. */
void mer_finish_flush(void);

/* Have `hook' run in this thread when it calls mer_finish_all: for a library that has to put things in order
 * even then (open files of <upc_io.h>).  One hook; at a normal end on_exit serves. */
void mer_finish_before(void (*hook)(void));

#endif
