/* <bupc_extensions.h> and <bupc_collectivev.h> as the C compiler sees them; the typed atomic operations are
 * declared where they are defined, by macros, in bupc_atomic.c. */
#ifndef MER_DIALECT_UPC_BUPC_H
#define MER_DIALECT_UPC_BUPC_H

#include <meridian/abi/abi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <upc/upc_types.h>

#include "dialect/upc/nb.h"

double bupc_tick_granularity(void);
double bupc_tick_overhead(void);

mer_pptr bupc_ptradd(mer_pptr p, size_t blockelems, size_t elemsz, ptrdiff_t elemincr);
int bupc_castable(mer_pptr ptr);
int bupc_thread_castable(unsigned thread);
void *bupc_cast(mer_pptr ptr);
mer_pptr bupc_inverse_cast(void *ptr);
mer_pptr bupc_local_to_shared(void *ptr, int thread, int phase);
#define BUPC_DUMP_MIN_LENGTH 100
int bupc_dump_shared(mer_pptr ptr, char *buf, int maxlen);
enum { BUPC_THREADS_SAME = 0, BUPC_THREADS_VERYNEAR = 10, BUPC_THREADS_VERYFAR = 40 };
int bupc_thread_distance(int x, int y);
void bupc_poll(void);

void bupc_trace_setmask(const char *mask);
void bupc_stats_setmask(const char *mask);
const char *bupc_trace_getmask(void);
const char *bupc_stats_getmask(void);
void bupc_trace_settracelocal(int on);
int bupc_trace_gettracelocal(void);

void bupc_waitsync(upc_handle_t handle);
int bupc_trysync(upc_handle_t handle);
void bupc_waitsync_all(upc_handle_t *handles, size_t n);
void bupc_waitsync_some(upc_handle_t *handles, size_t n);
int bupc_trysync_all(upc_handle_t *handles, size_t n);
int bupc_trysync_some(upc_handle_t *handles, size_t n);
void bupc_waitsynci(void);
int bupc_trysynci(void);
void bupc_begin_accessregion(void);
upc_handle_t bupc_end_accessregion(void);

upc_handle_t bupc_memcpy_async(mer_pptr dst, mer_pptr src, size_t n);
upc_handle_t bupc_memget_async(void *dst, mer_pptr src, size_t n);
upc_handle_t bupc_memput_async(mer_pptr dst, const void *src, size_t n);
upc_handle_t bupc_memset_async(mer_pptr dst, int c, size_t n);
void bupc_memcpy_asynci(mer_pptr dst, mer_pptr src, size_t n);
void bupc_memget_asynci(void *dst, mer_pptr src, size_t n);
void bupc_memput_asynci(mer_pptr dst, const void *src, size_t n);
void bupc_memset_asynci(mer_pptr dst, int c, size_t n);

struct bupc_smemvec {
    mer_pptr addr;
    size_t len;
};
struct bupc_pmemvec {
    void *addr;
    size_t len;
};

enum { BUPC_SEM_BOOLEAN = 1 };
#define BUPC_SEM_MAXVALUE 0x7fffffffU
mer_ptr bupc_sem_alloc(int flags);
void bupc_sem_free(mer_ptr s);
void bupc_sem_post(mer_ptr s);
void bupc_sem_postN(mer_ptr s, size_t n);
void bupc_sem_wait(mer_ptr s);
void bupc_sem_waitN(mer_ptr s, size_t n);
int bupc_sem_try(mer_ptr s);
int bupc_sem_tryN(mer_ptr s, size_t n);
void bupc_memput_signal(mer_pptr dst, const void *src, size_t nbytes, mer_ptr s, size_t n);
void bupc_memput_signal_async(mer_pptr dst, const void *src, size_t nbytes, mer_ptr s, size_t n);

void mer_allv_reduce(void *value, size_t size, int kind, upc_op_t op, int form, int root);
void mer_allv_broadcast(void *value, size_t size, int root);
void mer_allv_scatter(void *value, size_t size, int root, const void *source);
void *mer_allv_gather(const void *value, size_t size, int root, void *destination);
void *mer_allv_gather_all(const void *value, size_t size, void *destination);
void mer_allv_permute(void *value, size_t size, int to);

#endif
