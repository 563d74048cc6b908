/* The header that clangd reads before a source in a dialect (`meridian clangd'): C declarations of the
 * dialect's words that are names.  Statements are names of objects: `upc_barrier;' and `upc_barrier, e;' are
 * expressions.  THREADS and PROCS are constants, so that arrays have sizes; if a command fixes them they are
 * macros.  No program includes this file. */
#ifndef MERIDIAN_CLANGD_H
#define MERIDIAN_CLANGD_H

#ifdef __UPC__
#ifndef THREADS
enum { THREADS = 4 };
#endif
extern const int MYTHREAD;
extern int upc_barrier, upc_notify, upc_wait, upc_fence;
#endif

#if defined(__SPLITC__) || defined(__AC__)
#ifndef PROCS
enum { PROCS = 4 };
#endif
extern const int MYPROC;
#endif

#ifdef __SPLITC__
void *toglobal(int processor, const void *local);
int toproc(const void *object);
void *tolocal(const void *object);
#endif

#endif
