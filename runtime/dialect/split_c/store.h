/* The counts of stores in Split-C: bytes sent to and received by each processor (figure 6-8). */
#ifndef MER_SPLIT_C_STORE_H
#define MER_SPLIT_C_STORE_H

#include <meridian/abi.h>

/* Bytes that other processors have stored here since the last all_store_sync. */
mer_i64 mer_store_arrived(void);

#endif
