#include "tam/memory.h"

#include "host/job.h"
#include "host/resources.h"

#include <stdlib.h>

#define LOOK_AFTER ((size_t)16 << 20) /* bytes taken between looks at the memory left */

bool tam_memory_grant(size_t bytes) {
    int limited;
    if (tam.memory.unseen + bytes >= LOOK_AFTER) {
        uint64_t available = mer_memory_available(&limited);
        uint64_t kept = LOOK_AFTER * (unsigned)(mer_job.here + 1) + tam.memory.taken / 64;
        if (available < kept + bytes)
            return false;
        tam.memory.unseen = 0;
    }
    tam.memory.unseen += bytes;
    tam.memory.taken += bytes;
    return true;
}

void *tam_memory_allocate(size_t bytes, uint32_t site) {
    void *at = tam_memory_grant(bytes) ? malloc(bytes) : NULL;
    if (!at)
        tam_fail(site, "memory is exhausted on processor %d", tam.me);
    return at;
}
