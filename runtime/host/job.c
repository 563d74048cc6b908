/* The job's description: the constants that start-up fills in, and values derived from them. */
#include "host/job.h"

#include <unistd.h>

struct mer_job mer_job = {.mythread = 0, .threads = 1, .here = 1};
struct mer_here mer_here = {.memory_fd = -1, .cores = 1};
int mer_forall_depth;
mer_u64 mer_local_limit = MER_PRIVATE;
unsigned mer_prefetch_depth = 1; /* until the settings are read */
struct mer_memory mer_memory;
const mer_u64 mer_view_base = MER_VIEW_BASE;

bool mer_is_thread(void) { return mer_here.pid == getpid(); }

void mer_state_set(enum mer_state state) {
    if (mer_here.control)
        __atomic_store_n(&mer_here.control->state[mer_job.mythread], state, __ATOMIC_RELEASE);
}
