/* The end of a thread and of the job. */
#ifndef MER_CORE_FINISH_H
#define MER_CORE_FINISH_H

/* Start-up: have the termination barrier run at exit, after the user's own atexit functions (registered
 * later, run earlier). */
void mer_finish_register(void);

/* upc_global_exit: flush the user's output and end all threads with `status' (7.2.1).  The launcher ends the
 * others; without one this is the only thread. */
_Noreturn void mer_finish_all(int status);

#endif
