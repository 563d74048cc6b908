/* Locks (UPC 7.2.4).  The null strict accesses after upc_lock and before upc_unlock are the sequentially
 * consistent exchanges on the mutex. */
#include "dialect/upc/upc.h"

#include "core/job.h"
#include "sync/barrier.h"
#include "sync/lock.h"

mer_ptr upc_global_lock_alloc(void) { return mer_lock_new("upc_global_lock_alloc"); }

mer_ptr upc_all_lock_alloc(void) {
    mer_u64 mine = mer_job.mythread == 0 ? mer_lock_new("upc_all_lock_alloc").bits : 0;
    mer_barrier_exchange("upc_all_lock_alloc", mine);
    return mer_mk(mer_barrier_payload(0));
}

void upc_lock_free(mer_ptr lock) { mer_lock_delete(lock, "upc_lock_free"); }

void upc_all_lock_free(mer_ptr lock) {
    mer_barrier_collective("upc_all_lock_free");
    if (mer_job.mythread == 0)
        mer_lock_delete(lock, "upc_all_lock_free");
}

void upc_lock(mer_ptr lock) { mer_lock_take(lock, "upc_lock"); }

int upc_lock_attempt(mer_ptr lock) { return mer_lock_attempt(lock, "upc_lock_attempt"); }

void upc_unlock(mer_ptr lock) { mer_lock_release(lock, "upc_unlock"); }
