/* Tests whether local pointers of loops that are read ahead lead to memory (meridian/abi/early.h): the case
 * of pointers that do not lead to this thread's own. */
#include <meridian/abi/abi.h>

int mer_there_here(mer_u64 at, mer_size n) {
    mer_u64 t = at / MER_SPAN;
    return t - (mer_u64)mer_job.here_first < (mer_u64)mer_job.here && mer_is_memory(at % MER_SPAN, n);
}
