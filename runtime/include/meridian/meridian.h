/* The runtime as plain C sees it: a C library that is linked into a UPC program, or a C program that runs as
 * the threads of a job by itself (cc prog.c -lmeridian, meridian run -n 4 ./a.out).
 *
 * A thread here is UPC's: a process of the job.  The functions may be called from main on, by the process's
 * first POSIX thread only.
 */
#ifndef MERIDIAN_MERIDIAN_H
#define MERIDIAN_MERIDIAN_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* UPC's THREADS and MYTHREAD. */
int mer_threads(void);
int mer_mythread(void);

/* Waits for all threads, as upc_barrier does.  Every thread has to call it. */
void mer_barrier_all(void);

/* Ends the job with `status`; does not return. */
__attribute__((__noreturn__)) void mer_global_exit(int status);

/* Allocates memory in this thread's part of the shared heap, aligned to 64 bytes, not cleared; every thread
 * of the job may use the address as it is.  Returns NULL, with a message on standard error, if there is no
 * memory.  Any thread may free the memory. */
void *mer_shared_alloc(size_t bytes);
void mer_shared_free(void *at);

/* Returns the thread to whose shared memory an address belongs, or -1 if the address is private. */
int mer_shared_thread(const void *at);

#ifdef __cplusplus
}
#endif

#endif
