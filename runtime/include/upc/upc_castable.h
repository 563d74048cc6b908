/* <upc_castable.h>: pointers-to-local to other threads' shared memory (UPC 1.3, 7.7). */
#ifndef MERIDIAN_UPC_CASTABLE_H
#define MERIDIAN_UPC_CASTABLE_H

#include <stddef.h>

/* Kinds of shared memory by how it was allocated, one bit each. */
#define UPC_CASTABLE_ALL_ALLOC 1
#define UPC_CASTABLE_GLOBAL_ALLOC 2
#define UPC_CASTABLE_ALLOC 4
#define UPC_CASTABLE_STATIC 8
#define UPC_CASTABLE_ALL 15

typedef struct upc_thread_info {
    int guaranteedCastable; /* all pointers into this memory are castable */
    int probablyCastable;
} upc_thread_info_t;

/* Returns the kinds of thread threadId's memory that this thread can access by pointers-to-local. */
upc_thread_info_t upc_thread_info(size_t threadId);

#ifdef __UPC__
/* Returns the address at which this thread sees *ptr, valid as long as the object lives.  Returns null if ptr
 * is null or there is no such address. */
void *upc_cast(const shared void *ptr);
#endif

#endif
