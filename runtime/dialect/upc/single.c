/* Single-valued arguments, compared through the payload of a barrier. */
#include "dialect/upc/single.h"

#include "host/job.h"
#include "base/fatal.h"
#include "base/settings.h"
#include "sync/barrier.h"

void mer_check_single_valued(const char *name, uint64_t arguments) {
    if (!mer_setting(CHECK))
        return;
    mer_barrier_exchange(name, arguments);
    for (int t = 0; t < mer_job.threads; t++)
        if (mer_barrier_payload(t) != arguments)
            mer_fatal("%s: the arguments have to be the same on all threads, but threads %d and %d passed "
                      "different arguments",
                      name, mer_job.mythread, t);
}
