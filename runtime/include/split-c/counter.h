/* Split-C: gets, puts and stores with the program's own counters, as the library under the language has them
 * (von Eicken, figures 6-7 and 6-8), so that a program can wait for one of several groups of transfers. */
#ifndef SPLIT_C_COUNTER_H
#define SPLIT_C_COUNTER_H

#include <split-c/split-c.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The number of outstanding gets and puts; 0 at first. */
typedef int Ctr;

/* Begin to copy nbytes bytes; the copy is complete once the counter is 0 again.  Until then a get forbids
 * accesses to both sides, a put only to dst. */
void get_ctr(void *dst, MER_GLOBAL_VOID src, size_t nbytes, Ctr *counter) MER_SPLITC(get_ctr);
void put_ctr(MER_GLOBAL_VOID dst, const void *src, size_t nbytes, Ctr *counter) MER_SPLITC(put_ctr);
/* sync_ctr waits until the counter is 0; is_sync_ctr returns whether it is. */
void sync_ctr(Ctr *counter) MER_SPLITC(sync_ctr);
int is_sync_ctr(Ctr *counter) MER_SPLITC(is_sync_ctr);

/* Bytes stored with this counter, and bytes that have come for it; both 0 at first.  The counter lies at the
 * same local address on every processor: it is a static, or at the same offset of spread memory. */
typedef struct {
    long send, recv;
} StCtr;

/* Stores nbytes bytes; the counter at the same local address on dst's processor counts them when they have
 * come. */
void store_ctr(MER_GLOBAL_VOID dst, const void *src, size_t nbytes, StCtr *counter) MER_SPLITC(store_ctr);
/* Like store_sync, reset_store_sync and all_store_sync (collective), for one counter. */
void store_sync_ctr(StCtr *counter, size_t nbytes) MER_SPLITC(store_sync_ctr);
void reset_store_ctr(StCtr *counter) MER_SPLITC(reset_store_ctr);
void all_store_sync_ctr(StCtr *counter) MER_SPLITC(all_store_sync_ctr);

#ifdef __cplusplus
}
#endif

#endif
