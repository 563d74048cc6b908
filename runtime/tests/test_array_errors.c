/* The messages about calls of distributed arrays that cannot be right. */
#include "job.h"

#include "host/job.h"
#include "sync/barrier.h"

#include <meridian/array.h>

#define ME mer_job.mythread

static mer_array *make(const char *name, enum mer_type type, long rows, long columns) {
    return mer_array_create(
        &(struct mer_array_spec){.name = name, .type = type, .rank = 2, .extent = {rows, columns}});
}

static int shape_differs(void) {
    mer_cshift(make("u", MER_FLOAT64, 8, 8), make("v", MER_FLOAT64, 8, 9), 1, 0);
    return 0;
}
static int type_differs(void) {
    mer_cshift(make("u", MER_FLOAT64, 8, 8), make("v", MER_FLOAT32, 8, 8), 1, 0);
    return 0;
}
static int axis_out_of_range(void) {
    mer_array *u = make("u", MER_FLOAT64, 8, 8);
    mer_cshift(u, u, 1, 2);
    return 0;
}
static int boundary_rank(void) {
    mer_array *u = make("u", MER_FLOAT64, 8, 8);
    mer_eoshift(u, u, 1, MER_EOSHIFT_ARRAY, (union mer_boundary){.array = u}, 0);
    return 0;
}
static int freed_id(void) {
    mer_array *u = make("u", MER_FLOAT64, 8, 8);
    int id = mer_pshift_setup(u, 1, &(struct mer_shift){.kind = MER_CSHIFT, .distance = 1});
    mer_pshift_free(id);
    mer_pshift(id, &u, (const mer_array *const *)&u, NULL);
    return 0;
}
static int calls_differ(void) {
    mer_array *u = make("u", MER_FLOAT64, 8, 8), *v = make("v", MER_FLOAT64, 8, 8);
    int id = mer_pshift_setup(u, 1, &(struct mer_shift){.kind = MER_CSHIFT, .distance = 1});
    if (ME == 0)
        mer_cshift(u, v, 1, 0);
    else
        mer_pshift(id, &u, (const mer_array *const *)&v, NULL);
    return 0;
}
static int arguments_differ(void) {
    mer_array *u = make("u", MER_FLOAT64, 8, 8), *v = make("v", MER_FLOAT64, 8, 8);
    int id = mer_pshift_setup(u, 1, &(struct mer_shift){.kind = MER_CSHIFT, .distance = 1});
    mer_pshift(id, ME ? &u : &v, (const mer_array *const *)&v, NULL);
    return 0;
}
static int barrier_instead(void) {
    mer_array *u = make("u", MER_FLOAT64, 8, 8), *v = make("v", MER_FLOAT64, 8, 8);
    mer_cshift(u, v, 1, 0);
    if (ME == 0)
        mer_barrier(0, 0, "a.c:1");
    mer_cshift(u, v, 1, 0);
    return 0;
}
static int end_instead(void) {
    mer_array *u = make("u", MER_FLOAT64, 8, 8), *v = make("v", MER_FLOAT64, 8, 8);
    mer_cshift(u, v, 1, 0);
    if (ME)
        mer_cshift(u, v, 1, 0);
    return 0;
}
static int no_memory(void) {
    make("huge", MER_COMPLEX256, 1L << 21, 1L << 21);
    return 0;
}
/* A set-up remembers the arrays of the run before; another one may be where a freed one was. */
static int freed_array(void) {
    mer_array *u = make("u", MER_FLOAT64, 8, 8), *more[12], *w = NULL;
    int id = mer_pshift_setup(u, 1, &(struct mer_shift){.kind = MER_CSHIFT, .distance = 1});
    for (int i = 0; i < 12; i++)
        more[i] = make("v", MER_FLOAT64, 8, 8);
    for (int i = 0; i < 2; i++)
        mer_pshift(id, &more[11], (const mer_array *const *)&u, NULL);
    for (int i = 0; i < 12; i++)
        mer_array_free(more[i]);
    for (int i = 0; i < 30 && w != more[11]; i++)
        w = make("w", MER_FLOAT64, 9, 9);
    mer_pshift(id, &w, (const mer_array *const *)&u, NULL);
    return 0;
}
static int not_finished(void) {
    mer_array *u = make("u", MER_FLOAT64, 8, 8), *v = make("v", MER_FLOAT64, 8, 8);
    int id = mer_pshift_setup(u, 1, &(struct mer_shift){.kind = MER_CSHIFT, .distance = 1});
    mer_pshift_start(id, &u, (const mer_array *const *)&v, NULL);
    mer_pshift_start(id, &u, (const mer_array *const *)&v, NULL);
    return 0;
}

static const struct job_body bodies[] = {{"shape_differs", shape_differs},
                                         {"type_differs", type_differs},
                                         {"axis_out_of_range", axis_out_of_range},
                                         {"boundary_rank", boundary_rank},
                                         {"freed_id", freed_id},
                                         {"calls_differ", calls_differ},
                                         {"arguments_differ", arguments_differ},
                                         {"barrier_instead", barrier_instead},
                                         {"end_instead", end_instead},
                                         {"no_memory", no_memory},
                                         {"freed_array", freed_array},
                                         {"not_finished", not_finished},
                                         {0}};

static void checks(void) {
    job_expect_message("shape_differs", 2,
                       "mer_cshift of `u' and `v': the arrays differ in shape: `u' is float64 8 x 8");
    job_expect_message("type_differs", 2, "the arrays differ in element type");
    job_expect_message("axis_out_of_range", 2, "shift 0 is along axis 2, but the array has the axes 0 to 1");
    job_expect_message("boundary_rank", 2, "the boundary `u' of shift 0 has rank 2, but it has to be 1");
    job_expect_message("freed_id", 2, "set-up 1 has been freed");
    job_expect_message("calls_differ", 2, "mer_cshift of `u' and `v'");
    job_expect_message("arguments_differ", 2, "Every thread has to make the same calls of arrays");
    job_expect_message("barrier_instead", 2, "which is in a barrier or at the end of the program");
    job_expect_message("end_instead", 2, "which is in a barrier or at the end of the program");
    job_expect_message("no_memory", 2, "mer_array_create of `huge': no memory");
    job_expect_message("freed_array", 2, "`w', the result of shift 0, has not the shape");
    job_expect_message("not_finished", 2, "set-up 1 has been started, and not finished");
}

int main(int argc, char **argv) { return job_main(argc, argv, bodies, checks); }
