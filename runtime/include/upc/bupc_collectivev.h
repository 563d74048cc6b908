/* <bupc_collectivev.h>: collectives of one value a thread, by value.  This is UPC source.
 *
 * All are collective; TYPE and rootthread are the same on all threads, and TYPE is an arithmetic type for
 * reductions, else any type of a size known when compiling.  op is one of <upc_types.h>'s: UPC_ADD, UPC_MULT,
 * UPC_AND, UPC_OR, UPC_XOR, UPC_LOGAND, UPC_LOGOR, UPC_MIN, UPC_MAX.
 *
 *   TYPE  bupc_allv_reduce(TYPE, value, rootthread, op)      the result on the root; elsewhere undefined
 *   TYPE  bupc_allv_reduce_all(TYPE, value, op)
 *   TYPE  bupc_allv_prefix_reduce(TYPE, value, op)           over threads 0 ... MYTHREAD
 *   TYPE  bupc_allv_broadcast(TYPE, value, rootthread)
 *   TYPE  bupc_allv_scatter(TYPE, rootthread, rootsrcarray)  element MYTHREAD of the root's array
 *   TYPE *bupc_allv_gather(TYPE, value, rootthread, rootdestarray)   fills the root's array, and returns it
 *   TYPE *bupc_allv_gather_all(TYPE, value, destarray)
 *   TYPE  bupc_allv_permute(TYPE, value, tothreadid)         sends value there, returns the one sent here
 */
#ifndef MERIDIAN_BUPC_COLLECTIVEV_H
#define MERIDIAN_BUPC_COLLECTIVEV_H

#ifndef __UPC__
#error "<bupc_collectivev.h> is for UPC programs: compile them with `meridian cc' (.upc files, or -x upc)"
#endif

#include <stddef.h>
#include <upc_types.h>

/* The macros call these functions.  kind tells arithmetic types apart: 0 signed, 1 unsigned, 2 floating. */
#define BUPC_ALLV_KIND_(TYPE) ((TYPE)0.5 != (TYPE)0 ? 2 : (TYPE)-1 < (TYPE)0 ? 0 : 1)
#define BUPC_ALLV_REDUCE_ROOT_ 0
#define BUPC_ALLV_REDUCE_ALL_ 1
#define BUPC_ALLV_REDUCE_PREFIX_ 2
void mer_allv_reduce(void *value, size_t size, int kind, upc_op_t op, int form, int rootthread);
void mer_allv_broadcast(void *value, size_t size, int rootthread);
void mer_allv_scatter(void *value, size_t size, int rootthread, const void *rootsrcarray);
void *mer_allv_gather(const void *value, size_t size, int rootthread, void *rootdestarray);
void *mer_allv_gather_all(const void *value, size_t size, void *destarray);
void mer_allv_permute(void *value, size_t size, int tothread);

/* Each macro ends in an assignment: clang warns of unused values, but not of assigned ones. */
#define BUPC_ALLV_VALUE_(TYPE, value, call)                                                                  \
    __extension__({                                                                                          \
        TYPE bupc_allv_value_ = (value);                                                                     \
        TYPE bupc_allv_result_ __attribute__((unused));                                                      \
        call;                                                                                                \
        bupc_allv_result_ = bupc_allv_value_;                                                                \
    })
#define BUPC_ALLV_REDUCE_(TYPE, value, op, form, rootthread)                                                 \
    BUPC_ALLV_VALUE_(                                                                                        \
        TYPE, value,                                                                                         \
        mer_allv_reduce(&bupc_allv_value_, sizeof(TYPE), BUPC_ALLV_KIND_(TYPE), op, form, rootthread))

#define bupc_allv_reduce(TYPE, value, rootthread, op)                                                        \
    BUPC_ALLV_REDUCE_(TYPE, value, op, BUPC_ALLV_REDUCE_ROOT_, rootthread)
#define bupc_allv_reduce_all(TYPE, value, op) BUPC_ALLV_REDUCE_(TYPE, value, op, BUPC_ALLV_REDUCE_ALL_, 0)
#define bupc_allv_prefix_reduce(TYPE, value, op)                                                             \
    BUPC_ALLV_REDUCE_(TYPE, value, op, BUPC_ALLV_REDUCE_PREFIX_, 0)
#define bupc_allv_broadcast(TYPE, value, rootthread)                                                         \
    BUPC_ALLV_VALUE_(TYPE, value, mer_allv_broadcast(&bupc_allv_value_, sizeof(TYPE), rootthread))
#define bupc_allv_permute(TYPE, value, tothreadid)                                                           \
    BUPC_ALLV_VALUE_(TYPE, value, mer_allv_permute(&bupc_allv_value_, sizeof(TYPE), tothreadid))
#define bupc_allv_scatter(TYPE, rootthread, rootsrcarray)                                                    \
    __extension__({                                                                                          \
        TYPE bupc_allv_value_;                                                                               \
        TYPE bupc_allv_result_ __attribute__((unused));                                                      \
        mer_allv_scatter(&bupc_allv_value_, sizeof(TYPE), rootthread, rootsrcarray);                         \
        bupc_allv_result_ = bupc_allv_value_;                                                                \
    })
#define bupc_allv_gather(TYPE, value, rootthread, rootdestarray)                                             \
    __extension__({                                                                                          \
        TYPE bupc_allv_value_ = (value);                                                                     \
        TYPE *bupc_allv_result_ __attribute__((unused));                                                     \
        bupc_allv_result_ = mer_allv_gather(&bupc_allv_value_, sizeof(TYPE), rootthread, rootdestarray);     \
    })
#define bupc_allv_gather_all(TYPE, value, destarray)                                                         \
    __extension__({                                                                                          \
        TYPE bupc_allv_value_ = (value);                                                                     \
        TYPE *bupc_allv_result_ __attribute__((unused));                                                     \
        bupc_allv_result_ = mer_allv_gather_all(&bupc_allv_value_, sizeof(TYPE), destarray);                 \
    })

#endif
