/* Split-C: gets, puts and stores with counters of the program's own, as the library under the language has
 * them (von Eicken, figures 6-7 and 6-8), so that several groups of transfers can be told apart. */
#ifndef SPLIT_C_COUNTER_H
#define SPLIT_C_COUNTER_H

#include <split-c/split-c.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How many gets and puts are outstanding; starts as 0. */
typedef int Ctr;

/* Begin to copy nbytes bytes; complete once the counter is 0 again.  get: neither side may be touched before;
 * put: src may. */
void get_ctr(void *dst, MER_GLOBAL_VOID src, size_t nbytes, Ctr *counter) MER_SPLITC(get_ctr);
void put_ctr(MER_GLOBAL_VOID dst, const void *src, size_t nbytes, Ctr *counter) MER_SPLITC(put_ctr);
/* Wait until it is 0; is it? */
void sync_ctr(Ctr *counter) MER_SPLITC(sync_ctr);
int is_sync_ctr(Ctr *counter) MER_SPLITC(is_sync_ctr);

/* Bytes stored with this counter, and bytes that have come for it; starts as zeros, and lies at the same
 * local address on every processor: a static, or at the same place of spread memory. */
typedef struct {
    long send, recv;
} StCtr;

/* Store; the counter at the same local address on dst's processor counts the bytes when they have come. */
void store_ctr(MER_GLOBAL_VOID dst, const void *src, size_t nbytes, StCtr *counter) MER_SPLITC(store_ctr);
/* As store_sync, reset_store_sync and all_store_sync (collective), for one counter. */
void store_sync_ctr(StCtr *counter, size_t nbytes) MER_SPLITC(store_sync_ctr);
void reset_store_ctr(StCtr *counter) MER_SPLITC(reset_store_ctr);
void all_store_sync_ctr(StCtr *counter) MER_SPLITC(all_store_sync_ctr);

#ifdef __cplusplus
}
#endif

#endif
