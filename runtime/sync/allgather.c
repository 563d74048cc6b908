/* See allgather.h: blocks in the scratch memory of the host's first thread, by the phase's parity. */
#include "sync/allgather.h"

#include "host/hosts.h"
#include "host/job.h"
#include "host/layout.h"

#include <assert.h>

#define AREA (6ULL << 20) /* bytes for the blocks of all threads in a phase */
static_assert(MER_SCRATCH_ALLGATHER + 2 * AREA <= MER_SCRATCH_SIZE, "the blocks fit");

size_t mer_allgather_most(void) {
    size_t each = (size_t)(AREA / (mer_u64)mer_job.threads) / 64 * 64;
    return each < MER_ALLGATHER_MOST ? each : MER_ALLGATHER_MOST;
}

void *mer_allgather_block(int t, uint32_t number) {
    char *area = (char *)mer_scratch(mer_hosts.first[mer_hosts.mine]) + MER_SCRATCH_ALLGATHER +
                 (number & 1) * AREA;
    return area + (size_t)t * mer_allgather_most();
}
