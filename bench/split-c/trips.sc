/* Round trips of pairs of processors: active messages compared with the least that memory or kernel allow.
 * Two processors on two cores spin on cache lines; with OVERSUBSCRIBED pairs on fewer cores sleep on
 * futexes. */
#include "../measure.h"

#include "../c/messages.h"

static struct { _Alignas(256) unsigned word; } lines[2];
static unsigned *mine[2], *theirs[2];

/* Returns the address in this process of any processor's memory (c/view.c). */
void *bench_view(void *global);

static void message_trip(long turns) { round_trips(MYPROC ^ 1, MYPROC % 2 == 0, turns); }
KERNEL_OF("message_trip", message_trip, 1)
#ifdef OVERSUBSCRIBED
static void futex_trip(long turns) { futex_trips(mine[1], theirs[1], MYPROC % 2 == 0, turns); }
KERNEL_OF("futex_trip", futex_trip, 1)
#else
static void line_trip(long turns) { line_trips(mine[0], theirs[0], MYPROC % 2 == 0, turns); }
KERNEL_OF("line_trip", line_trip, 1)
#endif

int splitc_main(int argc, char **argv) {
    raw_start();
    for (int i = 0; i < 2; i++) {
        mine[i] = bench_view(toglobal(MYPROC, &lines[i].word));
        theirs[i] = bench_view(toglobal(MYPROC ^ 1, &lines[i].word));
    }
    barrier();
    return MEASURE_MAIN(argc, argv);
}
