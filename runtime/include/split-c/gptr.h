/* Split-C: the library under its names in von Eicken's figures 6-6, 6-7 and 6-8, for ints.
 *
 * A program that defines these functions itself, as the figures do, does not include this header.
 */
#ifndef SPLIT_C_GPTR_H
#define SPLIT_C_GPTR_H

#include <split-c/counter.h>
#include <split-c/split-c.h>

#define MER_SPLITC_INLINE static __inline__ __attribute__((unused))

/* Figure 6-6: the object at the local address addr of processor proc; the parts of a global pointer. */
#if defined(__SPLITC__)
typedef void *global gptr;
#elif defined(__AC__)
typedef dist void *gptr;
#else
typedef mer_ptr gptr;
#endif
MER_SPLITC_INLINE gptr toGlobal(int proc, void *addr) { return toglobal(proc, addr); }
MER_SPLITC_INLINE int toProc(gptr g) { return toproc(g); }
MER_SPLITC_INLINE void *toLocal(gptr g) { return tolocal(g); }

/* Figure 6-7: begin to get or to put an int; wait until all transfers with this counter are complete. */
MER_SPLITC_INLINE void getCtr(gptr g, int *l, Ctr *ctr) { get_ctr(l, g, sizeof(int), ctr); }
MER_SPLITC_INLINE void putCtr(gptr g, int val, Ctr *ctr) { put_ctr(g, &val, sizeof(int), ctr); }
MER_SPLITC_INLINE void syncCtr(Ctr *ctr) { sync_ctr(ctr); }

/* Figure 6-8: store an int; wait until num bytes have come, or until all stores of all processors have. */
MER_SPLITC_INLINE void storeCtr(gptr g, int val, StCtr *ctr) { store_ctr(g, &val, sizeof(int), ctr); }
MER_SPLITC_INLINE void store_syncCtr(StCtr *ctr, int num) { store_sync_ctr(ctr, (size_t)num); }
MER_SPLITC_INLINE void all_store_syncCtr(StCtr *ctr) { all_store_sync_ctr(ctr); }

#endif
