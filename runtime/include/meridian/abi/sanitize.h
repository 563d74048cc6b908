/* Included before all else in code that is compiled with -fsanitize=pgas, C or any dialect: calls of the
 * functions below go to functions that observe them (runtime/sanitize), under the name mer_san_NAME.  The
 * linker sees these names alone, so the runtime's own calls are not observed. */
#ifndef MERIDIAN_SANITIZE_H
#define MERIDIAN_SANITIZE_H

#define MER_SANITIZE 1

#define MER_OBSERVED_(text) _Pragma(#text)
#define MER_OBSERVED(name) MER_OBSERVED_(redefine_extname name mer_san_##name)

/* Barriers, locks, semaphores (sanitize/calls.c). */
MER_OBSERVED(mer_notify)
MER_OBSERVED(mer_wait)
MER_OBSERVED(mer_barrier)
MER_OBSERVED(upc_lock)
MER_OBSERVED(upc_lock_attempt)
MER_OBSERVED(upc_unlock)
MER_OBSERVED(upc_lock_free)
MER_OBSERVED(bupc_sem_post)
MER_OBSERVED(bupc_sem_postN)
MER_OBSERVED(bupc_sem_wait)
MER_OBSERVED(bupc_sem_waitN)
MER_OBSERVED(bupc_sem_try)
MER_OBSERVED(bupc_sem_tryN)
MER_OBSERVED(bupc_memput_signal)
MER_OBSERVED(bupc_memput_signal_async)

/* The heap (sanitize/heap.c). */
MER_OBSERVED(upc_global_alloc)
MER_OBSERVED(upc_all_alloc)
MER_OBSERVED(upc_alloc)
MER_OBSERVED(upc_local_alloc)
MER_OBSERVED(upc_free)
MER_OBSERVED(upc_all_free)

MER_OBSERVED(mer_barrier_all)
MER_OBSERVED(mer_shared_alloc)
MER_OBSERVED(mer_shared_free)

/* Copies (sanitize/transfer.c; access.h has those of code without optimisation). */
#define MER_OBSERVED_COPIES(begin, end)                                                                      \
    MER_OBSERVED(begin##memcpy##end)                                                                         \
    MER_OBSERVED(begin##memget##end) MER_OBSERVED(begin##memput##end) MER_OBSERVED(begin##memset##end)
MER_OBSERVED_COPIES(upc_, )
MER_OBSERVED_COPIES(upc_, _nb)
MER_OBSERVED_COPIES(upc_, _nbi)
MER_OBSERVED_COPIES(bupc_, _async)
MER_OBSERVED_COPIES(bupc_, _asynci)
MER_OBSERVED(upc_sync)
MER_OBSERVED(upc_sync_attempt)
MER_OBSERVED(upc_synci)
MER_OBSERVED(upc_synci_attempt)

/* Atomic operations (sanitize/atomic.c). */
MER_OBSERVED(mer_atomic_relaxed_call)
MER_OBSERVED(mer_atomic_strict_call)
#define MER_OBSERVED_ATOMIC(name)                                                                            \
    MER_OBSERVED(name##_relaxed)                                                                             \
    MER_OBSERVED(name##_strict)
#define MER_OBSERVED_MOVES(type)                                                                             \
    MER_OBSERVED_ATOMIC(type##_read)                                                                         \
    MER_OBSERVED_ATOMIC(type##_set)                                                                          \
    MER_OBSERVED_ATOMIC(type##_swap)                                                                         \
    MER_OBSERVED_ATOMIC(type##_cswap)
#define MER_OBSERVED_BITS(type)                                                                              \
    MER_OBSERVED_MOVES(type)                                                                                 \
    MER_OBSERVED_ATOMIC(type##_fetchadd)                                                                     \
    MER_OBSERVED_ATOMIC(type##_fetchand)                                                                     \
    MER_OBSERVED_ATOMIC(type##_fetchor)                                                                      \
    MER_OBSERVED_ATOMIC(type##_fetchxor)                                                                     \
    MER_OBSERVED_ATOMIC(type##_fetchnot)                                                                     \
    MER_OBSERVED_ATOMIC(type##_mswap)
MER_OBSERVED_BITS(bupc_atomicI)
MER_OBSERVED_BITS(bupc_atomicU)
MER_OBSERVED_BITS(bupc_atomicUI)
MER_OBSERVED_BITS(bupc_atomicL)
MER_OBSERVED_BITS(bupc_atomicUL)
MER_OBSERVED_BITS(bupc_atomicI32)
MER_OBSERVED_BITS(bupc_atomicU32)
MER_OBSERVED_BITS(bupc_atomicI64)
MER_OBSERVED_BITS(bupc_atomicU64)
MER_OBSERVED_MOVES(bupc_atomicF)
MER_OBSERVED_MOVES(bupc_atomicD)

/* Collectives (sanitize/collective.c). */
MER_OBSERVED(upc_all_broadcast)
MER_OBSERVED(upc_all_scatter)
MER_OBSERVED(upc_all_gather)
MER_OBSERVED(upc_all_gather_all)
MER_OBSERVED(upc_all_exchange)
MER_OBSERVED(upc_all_permute)
MER_OBSERVED(upc_all_sort)
#define MER_OBSERVED_REDUCTIONS(type)                                                                        \
    MER_OBSERVED(upc_all_reduce##type)                                                                       \
    MER_OBSERVED(upc_all_prefix_reduce##type)
MER_OBSERVED_REDUCTIONS(C)
MER_OBSERVED_REDUCTIONS(UC)
MER_OBSERVED_REDUCTIONS(S)
MER_OBSERVED_REDUCTIONS(US)
MER_OBSERVED_REDUCTIONS(I)
MER_OBSERVED_REDUCTIONS(UI)
MER_OBSERVED_REDUCTIONS(L)
MER_OBSERVED_REDUCTIONS(UL)
MER_OBSERVED_REDUCTIONS(F)
MER_OBSERVED_REDUCTIONS(D)
MER_OBSERVED_REDUCTIONS(LD)
MER_OBSERVED(mer_allv_reduce)
MER_OBSERVED(mer_allv_broadcast)
MER_OBSERVED(mer_allv_scatter)
MER_OBSERVED(mer_allv_permute)
MER_OBSERVED(mer_allv_gather)
MER_OBSERVED(mer_allv_gather_all)

/* Files (sanitize/io.c). */
#define MER_OBSERVED_FILES(name)                                                                             \
    MER_OBSERVED(name)                                                                                       \
    MER_OBSERVED(name##_async)
MER_OBSERVED_FILES(upc_all_fread_local)
MER_OBSERVED_FILES(upc_all_fread_shared)
MER_OBSERVED_FILES(upc_all_fwrite_local)
MER_OBSERVED_FILES(upc_all_fwrite_shared)
MER_OBSERVED_FILES(upc_all_fread_list_local)
MER_OBSERVED_FILES(upc_all_fread_list_shared)
MER_OBSERVED_FILES(upc_all_fwrite_list_local)
MER_OBSERVED_FILES(upc_all_fwrite_list_shared)
MER_OBSERVED(upc_all_fwait_async)
MER_OBSERVED(upc_all_ftest_async)

/* The C library's functions on memory that may be shared (sanitize/bytes.c). */
MER_OBSERVED(memcpy)
MER_OBSERVED(memmove)
MER_OBSERVED(memset)
MER_OBSERVED(memcmp)
MER_OBSERVED(strlen)
MER_OBSERVED(strcpy)
MER_OBSERVED(strncpy)
MER_OBSERVED(strcat)
MER_OBSERVED(strcmp)
MER_OBSERVED(strncmp)

/* The copies that access.h and bytes.h do in line. */
void *mer_san_memcpy(void *to, const void *from, __SIZE_TYPE__ n);
void *mer_san_memmove(void *to, const void *from, __SIZE_TYPE__ n);
void *mer_san_memset(void *to, int c, __SIZE_TYPE__ n);

/* Writes.  gcc does not instrument a store behind a load through the same pointer, so an object is written
 * through another one; its value is MER_WRITTEN's. */
#define MER_WRITTEN(at)                                                                                      \
    __extension__({                                                                                          \
        __auto_type mer_written_ = (at);                                                                     \
        __asm__("" : "+r"(mer_written_));                                                                    \
        mer_written_;                                                                                        \
    })
/* target = value; target sign= value; and steps, whose result is mer_old_ or mer_new_.  The effects of the
 * value on the target come first. */
#define MER_OBSERVED_SET(target, ...) (*MER_WRITTEN(&(target)) = (__VA_ARGS__))
#define MER_OBSERVED_CHANGE(target, sign, ...)                                                               \
    __extension__({                                                                                          \
        __auto_type mer_value_ = +(__VA_ARGS__);                                                             \
        __auto_type mer_target_ = &(target);                                                                 \
        *MER_WRITTEN(mer_target_) = *mer_target_ sign mer_value_;                                            \
    })
#define MER_OBSERVED_STEP(target, sign, result)                                                              \
    __extension__({                                                                                          \
        __auto_type mer_target_ = &(target);                                                                 \
        __typeof__(*mer_target_) mer_old_ = *mer_target_, mer_new_ = mer_old_ sign 1;                        \
        *MER_WRITTEN(mer_target_) = mer_new_;                                                                \
        result;                                                                                              \
    })

/* Atomic operations of C, on shared memory that the program reaches by private pointers: sequentially
 * consistent, whichever order they are given.  (The name of a macro is not expanded within itself.) */
#define MER_OBSERVED_VALUE(...)                                                                              \
    __extension__({                                                                                          \
        mer_san_atomic_begin();                                                                              \
        __auto_type mer_value_ = (__VA_ARGS__);                                                              \
        mer_san_atomic_end();                                                                                \
        mer_value_;                                                                                          \
    })
#define MER_OBSERVED_VOID(...)                                                                               \
    __extension__({                                                                                          \
        mer_san_atomic_begin();                                                                              \
        __VA_ARGS__;                                                                                         \
        mer_san_atomic_end();                                                                                \
    })
void mer_san_atomic_begin(void);
void mer_san_atomic_end(void);
#define __atomic_load_n(...) MER_OBSERVED_VALUE(__atomic_load_n(__VA_ARGS__))
#define __atomic_load(...) MER_OBSERVED_VOID(__atomic_load(__VA_ARGS__))
#define __atomic_store_n(...) MER_OBSERVED_VOID(__atomic_store_n(__VA_ARGS__))
#define __atomic_store(...) MER_OBSERVED_VOID(__atomic_store(__VA_ARGS__))
#define __atomic_exchange_n(...) MER_OBSERVED_VALUE(__atomic_exchange_n(__VA_ARGS__))
#define __atomic_exchange(...) MER_OBSERVED_VOID(__atomic_exchange(__VA_ARGS__))
#define __atomic_compare_exchange_n(...) MER_OBSERVED_VALUE(__atomic_compare_exchange_n(__VA_ARGS__))
#define __atomic_compare_exchange(...) MER_OBSERVED_VALUE(__atomic_compare_exchange(__VA_ARGS__))
#define __atomic_test_and_set(...) MER_OBSERVED_VALUE(__atomic_test_and_set(__VA_ARGS__))
#define __atomic_clear(...) MER_OBSERVED_VOID(__atomic_clear(__VA_ARGS__))
#define __atomic_fetch_add(...) MER_OBSERVED_VALUE(__atomic_fetch_add(__VA_ARGS__))
#define __atomic_fetch_sub(...) MER_OBSERVED_VALUE(__atomic_fetch_sub(__VA_ARGS__))
#define __atomic_fetch_and(...) MER_OBSERVED_VALUE(__atomic_fetch_and(__VA_ARGS__))
#define __atomic_fetch_or(...) MER_OBSERVED_VALUE(__atomic_fetch_or(__VA_ARGS__))
#define __atomic_fetch_xor(...) MER_OBSERVED_VALUE(__atomic_fetch_xor(__VA_ARGS__))
#define __atomic_fetch_nand(...) MER_OBSERVED_VALUE(__atomic_fetch_nand(__VA_ARGS__))
#define __atomic_add_fetch(...) MER_OBSERVED_VALUE(__atomic_add_fetch(__VA_ARGS__))
#define __atomic_sub_fetch(...) MER_OBSERVED_VALUE(__atomic_sub_fetch(__VA_ARGS__))
#define __atomic_and_fetch(...) MER_OBSERVED_VALUE(__atomic_and_fetch(__VA_ARGS__))
#define __atomic_or_fetch(...) MER_OBSERVED_VALUE(__atomic_or_fetch(__VA_ARGS__))
#define __atomic_xor_fetch(...) MER_OBSERVED_VALUE(__atomic_xor_fetch(__VA_ARGS__))
#define __atomic_nand_fetch(...) MER_OBSERVED_VALUE(__atomic_nand_fetch(__VA_ARGS__))
#define __sync_fetch_and_add(...) MER_OBSERVED_VALUE(__sync_fetch_and_add(__VA_ARGS__))
#define __sync_fetch_and_sub(...) MER_OBSERVED_VALUE(__sync_fetch_and_sub(__VA_ARGS__))
#define __sync_fetch_and_and(...) MER_OBSERVED_VALUE(__sync_fetch_and_and(__VA_ARGS__))
#define __sync_fetch_and_or(...) MER_OBSERVED_VALUE(__sync_fetch_and_or(__VA_ARGS__))
#define __sync_fetch_and_xor(...) MER_OBSERVED_VALUE(__sync_fetch_and_xor(__VA_ARGS__))
#define __sync_fetch_and_nand(...) MER_OBSERVED_VALUE(__sync_fetch_and_nand(__VA_ARGS__))
#define __sync_add_and_fetch(...) MER_OBSERVED_VALUE(__sync_add_and_fetch(__VA_ARGS__))
#define __sync_sub_and_fetch(...) MER_OBSERVED_VALUE(__sync_sub_and_fetch(__VA_ARGS__))
#define __sync_and_and_fetch(...) MER_OBSERVED_VALUE(__sync_and_and_fetch(__VA_ARGS__))
#define __sync_or_and_fetch(...) MER_OBSERVED_VALUE(__sync_or_and_fetch(__VA_ARGS__))
#define __sync_xor_and_fetch(...) MER_OBSERVED_VALUE(__sync_xor_and_fetch(__VA_ARGS__))
#define __sync_nand_and_fetch(...) MER_OBSERVED_VALUE(__sync_nand_and_fetch(__VA_ARGS__))
#define __sync_bool_compare_and_swap(...) MER_OBSERVED_VALUE(__sync_bool_compare_and_swap(__VA_ARGS__))
#define __sync_val_compare_and_swap(...) MER_OBSERVED_VALUE(__sync_val_compare_and_swap(__VA_ARGS__))
#define __sync_lock_test_and_set(...) MER_OBSERVED_VALUE(__sync_lock_test_and_set(__VA_ARGS__))
#define __sync_lock_release(...) MER_OBSERVED_VOID(__sync_lock_release(__VA_ARGS__))

/* A fence.  Accesses by the code between begin and end are strict: mer_san_strict_end learns what the objects
 * read there have released. */
void mer_san_fence(void);
void mer_san_strict_begin(void);
void mer_san_strict_end(void);

#endif
