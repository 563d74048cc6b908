/* Get, put and store of memory that is remote, by messages or by the conduit's own get and put. */
#ifndef MER_RMA_GET_PUT_H
#define MER_RMA_GET_PUT_H

#include "base/settings.h"

#include <meridian/abi/abi.h>
#include <stdbool.h>
#include <stddef.h>

void mer_get_put_handlers(void);

/* Returns true if this process may access the memory by loads and stores: local memory and, for reads, the
 * program's text and constant data, which all processes have alike. */
bool mer_rma_is_direct(mer_u64 bits, bool write);
/* End the job with a message if bits is null or names no thread.  `what`: the access, such as "a read". */
void mer_rma_check(mer_u64 bits, const char *what);

/* Begin to set n bytes to c; *counter: as for mer_rma_get_remote. */
void mer_rma_fill_remote(mer_u64 bits, int c, size_t n, int *counter);
/* Gets and puts of so many bytes try those of the conduit, which copy nothing. */
#define MER_RMA_BULK ((size_t)mer_setting(BULK))
/* Returns true if a get or a put of n bytes goes by that of the conduit. */
bool mer_rma_by_conduit(mer_u64 bits, bool put, size_t n);
/* Begin to fetch or to write n bytes; *counter is raised by the number of messages and lowered as they are
 * answered.  to: a local address that stays valid until then; from: may be reused at once. */
void mer_rma_get_remote(void *to, mer_u64 bits, size_t n, int *counter);
void mer_rma_put_remote(mer_u64 bits, const void *from, size_t n, int *counter);
/* Send the gets that wait in rows (transport/pairs.h). */
void mer_rma_send_gets(void);

/* Bytes stored by message. */
struct mer_store_totals {
    mer_i64 stored[2]; /* arrived without a counter, by the sender's epoch */
    unsigned epoch;    /* 0 or 1: the epoch of this thread's stores */
    mer_i64 sent;      /* by this thread */
    mer_i64 received;  /* arrived at this thread, with a counter or without */
};
extern struct mer_store_totals mer_store_totals;

/* Store n bytes.  When they arrive, the receiver's counter at the local address `received' is raised by n; if
 * `received' is null, its mer_store_totals.stored of the sender's epoch. */
void mer_rma_store(mer_u64 bits, const void *from, size_t n, mer_i64 *received);

/* Returns the bytes of all mer_rma_store calls of this thread, less those that have come to it; for
 * all_store_sync. */
mer_i64 mer_rma_stores_in_flight(void);

#endif
