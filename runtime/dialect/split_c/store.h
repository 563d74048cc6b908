/* The counts of stores in Split-C: bytes sent to and received by each processor (figure 6-8). */
#ifndef MER_SPLIT_C_STORE_H
#define MER_SPLIT_C_STORE_H

#include <meridian/abi/abi.h>

/* Bytes of this epoch, from one all_store_sync to the next, that store_sync has waited for. */
extern mer_i64 mer_store_used;

#endif
