/* The head of the program whose compile time is measured (followed by repetitions of mixed.inc): in UPC, and
 * in C, in which shared objects are ordinary ones. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 100, COLUMNS = 64 };

#ifdef __UPC__
#include <upc.h>
#define SHARED(block) shared[block]
#define SHARED_TO(T) shared[] T *
#define NEW(T) (shared[] T *)upc_alloc(sizeof(T))
#define FORALL(i, lo, hi, affinity) upc_forall(int i = lo; i < hi; i++; affinity)
#define BARRIER upc_barrier
#define GET(to, from, n) upc_memget(to, from, n)
#else
enum { THREADS = 4 };
extern int mythread;
void barrier(void);
#define MYTHREAD mythread
#define SHARED(block)
#define SHARED_TO(T) T *
#define NEW(T) (T *)malloc(sizeof(T))
#define FORALL(i, lo, hi, affinity) for (int i = lo; i < hi; i++)
#define BARRIER barrier()
#define GET(to, from, n) memcpy(to, from, n)
#endif
