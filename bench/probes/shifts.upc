/* Tables 1 to 4 of TR-18-93: shifts by +1 and -1 along every axis of subgrids of rank 1 to 4, all at once by
 * mer_pshift, and one at a time by mer_cshift.  A point is one call for all of them.
 */
#include "../measure.h"

#include <meridian/array.h>

/* The factor of the time of a sample: shifts take microseconds, but with more threads than cores the kernel's
 * switches determine the time. */
#define LONGER 10

enum { MOST_LENGTHS = 7, MOST_RANK = 4 };

static const long lengths[MOST_RANK][MOST_LENGTHS + 1] = {
    {4, 16, 64, 256, 1024, 4096, 16384, 0}, {2, 4, 8, 16, 32, 64, 128, 0}, {2, 4, 8, 16, 32, 0}, {2, 4, 8, 0}};

struct shifts {
    int rank, id;
    mer_array *from, *to[2 * MOST_RANK];
    const mer_array *sources[2 * MOST_RANK];
};

static struct shifts all[MOST_RANK * MOST_LENGTHS];

/* The points are those of the first shifts, by cshift and by pshift, then those of the second, and so on. */
static struct shifts *shifts_now(void) { return &all[(probe_now - probe_points) / 2]; }

static void by_cshift(long turns) {
    struct shifts *s = shifts_now();
    for (long t = 0; t < turns; t++)
        for (int i = 0; i < 2 * s->rank; i++)
            mer_cshift(s->to[i], s->from, i % 2 ? -1 : 1, i / 2);
    upc_barrier;
}

static void by_pshift(long turns) {
    struct shifts *s = shifts_now();
    for (long t = 0; t < turns; t++)
        mer_pshift(s->id, s->to, s->sources, NULL);
    upc_barrier;
}

/* Uses two processes an axis, as far as there are enough, and the rest along the last one. */
static void make(struct shifts *s, int rank, long length) {
    struct mer_shift shift[2 * MOST_RANK];
    struct mer_array_spec spec = {.type = MER_FLOAT64, .rank = rank};
    int threads = THREADS;
    double one = 1;
    for (int k = 0; k < rank; k++) {
        int along = k + 1 < rank && threads % 2 == 0 ? 2 : k + 1 < rank ? 1 : threads;
        spec.axis[k].processes = along;
        spec.extent[k] = length * along;
        threads /= along;
    }
    s->rank = rank;
    s->from = mer_array_create(&spec);
    mer_array_fill(s->from, &one);
    for (int i = 0; i < 2 * rank; i++) {
        s->to[i] = mer_array_like(s->from, NULL);
        s->sources[i] = s->from;
        shift[i] = (struct mer_shift){.kind = MER_CSHIFT, .axis = i / 2, .distance = i % 2 ? -1 : 1};
    }
    s->id = mer_pshift_setup(s->from, 2 * rank, shift);
}

static void add_shifts(void) {
    static const char *const series[] = {"shifts of rank 1", "shifts of rank 2", "shifts of rank 3",
                                         "shifts of rank 4"};
    struct shifts *s = all;
    for (int rank = 1; rank <= MOST_RANK; rank++)
        for (int i = 0; lengths[rank - 1][i]; i++) {
            if (probe_quick && i % 2)
                continue;
            long length = lengths[rank - 1][i];
            make(s++, rank, length);
            const struct series ways[] = {{series[rank - 1], by_cshift}, {series[rank - 1], by_pshift}};
            for (int w = 0; w < 2; w++) {
                struct point *point = probe_at("shifts", ways[w], "length", length, 1);
                point->what = w ? "pshift" : "cshift";
                point->axis[1] = "processes", point->at[1] = THREADS;
            }
        }
    probe_longer = LONGER;
}

int main(int argc, char **argv) {
    static const struct part parts[] = {{"shifts", add_shifts}};
    return PROBE_MAIN(argc, argv, parts);
}
