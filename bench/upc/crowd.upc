/* More threads than cores: work cut by barriers, against the same work without them.  A thread works some
 * 20 microseconds between two barriers; `work_alone' has one barrier at its end. */
#include "../measure.h"

static unsigned long work(unsigned long r) {
    for (int i = 0; i < 16000; i++)
        r = r * 6364136223846793005u + 1442695040888963407u;
    return r;
}

static void work_alone(long turns) {
    unsigned long r = 1;
    while (turns--)
        r = work(r);
    measure_sink = (double)r;
    upc_barrier;
}
KERNEL_OF("work_alone", work_alone, 1)

static void work_barriers(long turns) {
    unsigned long r = 1;
    while (turns--) {
        r = work(r);
        upc_barrier;
    }
    measure_sink = (double)r;
}
KERNEL_OF("work_barriers", work_barriers, 1)

int main(int argc, char **argv) { return MEASURE_MAIN(argc, argv); }
