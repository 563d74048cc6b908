/* The synchronisation of the program, under the names of sanitize.h.  Each function tells the clocks the
 * order that it makes, and calls the runtime. */
#include "dialect/upc/bupc.h"
#include "dialect/upc/upc.h"
#include "sanitize/access.h"
#include "sanitize/clock.h"

void mer_san_mer_notify(int has_value, int value, const char *where);
void mer_san_mer_wait(int has_value, int value, const char *where);
void mer_san_mer_barrier(int has_value, int value, const char *where);
void mer_san_upc_lock(mer_ptr lock);
int mer_san_upc_lock_attempt(mer_ptr lock);
void mer_san_upc_unlock(mer_ptr lock);
void mer_san_upc_lock_free(mer_ptr lock);
void mer_san_bupc_sem_post(mer_ptr s);
void mer_san_bupc_sem_postN(mer_ptr s, size_t n);
void mer_san_bupc_sem_wait(mer_ptr s);
void mer_san_bupc_sem_waitN(mer_ptr s, size_t n);
int mer_san_bupc_sem_try(mer_ptr s);
int mer_san_bupc_sem_tryN(mer_ptr s, size_t n);
void mer_san_bupc_memput_signal(mer_pptr dst, const void *src, size_t n, mer_ptr s, size_t count);
void mer_san_bupc_memput_signal_async(mer_pptr dst, const void *src, size_t n, mer_ptr s, size_t count);

/* ---- barriers ------------------------------------------------------------------------------------------ */

void mer_san_mer_notify(int has_value, int value, const char *where) {
    mer_clock_notify();
    mer_notify(has_value, value, where);
}

void mer_san_mer_wait(int has_value, int value, const char *where) {
    mer_wait(has_value, value, where);
    mer_clock_wait();
}

void mer_san_mer_barrier(int has_value, int value, const char *where) {
    mer_clock_notify();
    mer_barrier(has_value, value, where);
    mer_clock_wait();
}

/* ---- locks, semaphores: sync objects with the names of their addresses --------------------------------- */

static void release(mer_ptr object) {
    mer_clock_fence();
    mer_clock_release(object.bits);
}

static void acquire(mer_ptr object) {
    mer_clock_fence();
    mer_clock_acquire(object.bits);
}

static int acquire_if(int got, mer_ptr object) {
    if (got)
        acquire(object);
    return got;
}

void mer_san_upc_lock(mer_ptr lock) {
    upc_lock(lock);
    acquire(lock);
}

int mer_san_upc_lock_attempt(mer_ptr lock) { return acquire_if(upc_lock_attempt(lock), lock); }

void mer_san_upc_unlock(mer_ptr lock) {
    release(lock);
    upc_unlock(lock);
}

void mer_san_upc_lock_free(mer_ptr lock) {
    mer_clock_forget(lock.bits);
    upc_lock_free(lock);
}

void mer_san_bupc_sem_post(mer_ptr s) {
    release(s);
    bupc_sem_post(s);
}

void mer_san_bupc_sem_postN(mer_ptr s, size_t n) {
    release(s);
    bupc_sem_postN(s, n);
}

void mer_san_bupc_sem_wait(mer_ptr s) {
    bupc_sem_wait(s);
    acquire(s);
}

void mer_san_bupc_sem_waitN(mer_ptr s, size_t n) {
    bupc_sem_waitN(s, n);
    acquire(s);
}

int mer_san_bupc_sem_try(mer_ptr s) { return acquire_if(bupc_sem_try(s), s); }
int mer_san_bupc_sem_tryN(mer_ptr s, size_t n) { return acquire_if(bupc_sem_tryN(s, n), s); }

/* The bytes are written before the signal. */
void mer_san_bupc_memput_signal(mer_pptr dst, const void *src, size_t n, mer_ptr s, size_t count) {
    mer_sanitize_read(src, n, MER_CALLER);
    mer_sanitize_write(mer_at(dst.bits), n, MER_CALLER);
    release(s);
    bupc_memput_signal(dst, src, n, s, count);
}

void mer_san_bupc_memput_signal_async(mer_pptr dst, const void *src, size_t n, mer_ptr s, size_t count) {
    mer_sanitize_read(src, n, MER_CALLER);
    mer_sanitize_write(mer_at(dst.bits), n, MER_CALLER);
    release(s);
    bupc_memput_signal_async(dst, src, n, s, count);
}
