/* What clangd reads before a source in a dialect (`meridian clangd'): C for those of its words that are names
 * there.  Statements are names of objects: `upc_barrier;' and `upc_barrier, e;' are expressions.  THREADS and
 * PROCS are constants, so that arrays have sizes; where a command fixes them they are macros.  No program
 * includes this file. */
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
