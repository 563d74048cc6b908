/* A program of static THREADS, compiled for 4, for test_static. With DISAGREE it contains the record of a
 * second file, compiled for that many threads (0: chosen at start). */
#define MER_STATIC_THREADS 4
#include <meridian/abi/abi.h>

#include "host/job.h"

MER_UNIT("four.upc");
#ifdef DISAGREE
static const struct mer_unit other MER_RECORD("mer_unit") = {MER_CONTRACT, DISAGREE, "other.upc"};
#endif

int main(void) {
    mer_barrier(0, 0, "x");
    return MER_THREADS == mer_job.threads && MER_SPAN == mer_job.span ? 0 : 1;
}
