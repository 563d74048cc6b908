/* The messages about wrong calls of distributed arrays. */
#include "job.h"

#include "host/job.h"
#include "sync/barrier.h"

#include <limits.h>
#include <math.h>
#include <meridian/array.h>
#include <meridian/stencil.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

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
/* Names are cut to 31 bytes, between characters; extents may have any length. */
static int long_names(void) {
    struct mer_array_spec spec = {.name = "01234567890123456789012345678901234",
                                  .type = MER_COMPLEX_LONG_DOUBLE};
    spec.rank = MER_ARRAY_RANK;
    for (int k = 0; k < spec.rank; k++)
        spec.extent[k] = 1;
    mer_array *u = mer_array_create(&spec);
    spec.name = "012345678901234567890123456789\u00e4\u00e4";
    spec.extent[6] = 2;
    mer_cshift(u, mer_array_create(&spec), 1, 0);
    return 0;
}
static mer_array *axis_0(const char *name, struct mer_axis axis) {
    return mer_array_create(&(struct mer_array_spec){
        .name = name, .type = MER_FLOAT64, .rank = 2, .extent = {8, 8}, .axis = {axis, {.serial = 1}}});
}
static int halo_differs(void) {
    mer_cshift(axis_0("u", (struct mer_axis){.halo = 2}), axis_0("v", (struct mer_axis){.halo = 0}), 1, 0);
    return 0;
}
static int blocks_differ(void) {
    mer_cshift(axis_0("u", (struct mer_axis){.block = 4}), axis_0("v", (struct mer_axis){.block = 5}), 1, 0);
    return 0;
}
static int order_differs(void) {
    mer_cshift(axis_0("u", (struct mer_axis){.order = MER_SEND}), axis_0("v", (struct mer_axis){.block = 4}),
               1, 0);
    return 0;
}
static int paths_differ(void) {
    mer_array_save(make("u", MER_FLOAT64, 8, 8), ME ? "/dev/null/a" : "/dev/null/b");
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
/* Calls that send nothing, as shifts along an axis that is not divided: the next that sends finds them. */
static int extra_call(void) {
    mer_array *u = make("u", MER_FLOAT64, 8, 8), *v = make("v", MER_FLOAT64, 8, 8);
    mer_cshift(u, v, 1, 0);
    if (ME == 0)
        mer_array_fill(v, &(double){1});
    mer_cshift(u, v, 1, 0);
    return 0;
}
static int earlier_arguments(void) {
    mer_array *u = make("u", MER_FLOAT64, 8, 8), *v = make("v", MER_FLOAT64, 8, 8);
    for (int i = 0; i < 2; i++)
        for (int distance = 1; distance < 3; distance++)
            mer_cshift(u, v, distance, i);
    mer_cshift(u, v, 1 + ME, 1);
    mer_cshift(u, v, 1, 0);
    return 0;
}
static int no_memory(void) {
    make("huge", MER_COMPLEX256, 1L << 21, 1L << 21);
    return 0;
}
/* A set-up remembers the arrays of the previous run; another array may be at a freed one's address. */
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
static int freed_between(void) {
    mer_array *u = make("u", MER_FLOAT64, 8, 8), *v = make("v", MER_FLOAT64, 8, 8);
    int id = mer_pshift_setup(u, 1, &(struct mer_shift){.kind = MER_CSHIFT, .distance = 1});
    mer_pshift_start(id, &u, (const mer_array *const *)&v, NULL);
    mer_array_free(v);
    mer_pshift_finish(id);
    return 0;
}
/* An array that only thread 0 has made is not there on thread 1. */
static int made_alone(void) {
    mer_array *u = make("u", MER_FLOAT64, 8, 8);
    if (ME == 0)
        mer_array_like(u, "v");
    else
        mer_array_fill(u, &(double){1});
    mer_cshift(u, u, 1, 0);
    return 0;
}

/* ---- freed things, nulls and numbers out of range ------------------------------------------------------ */

static mer_array *gone(void) {
    mer_array *v = make("v", MER_FLOAT64, 8, 8);
    mer_array_free(v);
    return v;
}
static int freed_twice(void) {
    mer_array_free(gone());
    return 0;
}
static int freed_source(void) {
    mer_cshift(make("u", MER_FLOAT64, 8, 8), gone(), 1, 0);
    return 0;
}
static int freed_element(void) {
    mer_array_get(gone(), (long[]){0, 0}, &(double){0});
    return 0;
}
static int freed_align(void) {
    struct mer_array_spec spec = {.name = "w", .type = MER_INT8, .rank = 1, .extent = {8}, .align = gone()};
    mer_array_create(&spec);
    return 0;
}
static int freed_of_setup(void) {
    mer_array *u = make("u", MER_FLOAT64, 8, 8), *v = make("v", MER_FLOAT64, 8, 8);
    int id = mer_pshift_setup(u, 1, &(struct mer_shift){.kind = MER_CSHIFT, .distance = 1});
    mer_pshift(id, &v, (const mer_array *const *)&u, NULL);
    mer_array_free(u);
    mer_pshift(id, &v, (const mer_array *const *)&u, NULL);
    return 0;
}
static int freed_boundary(void) {
    mer_array *u = make("u", MER_FLOAT64, 8, 8);
    mer_array *b = mer_array_create(
        &(struct mer_array_spec){.name = "b", .type = MER_FLOAT64, .rank = 1, .extent = {8}});
    mer_array_free(b);
    mer_eoshift(u, u, 1, MER_EOSHIFT_ARRAY, (union mer_boundary){.array = b}, 0);
    return 0;
}

static mer_stencil *copying(mer_array *u, double coefficient) {
    struct mer_term term = {.coefficient = coefficient};
    return mer_stencil_create(u, &(struct mer_stencil_spec){.terms = 1, .term = &term});
}
static int freed_stencil(void) {
    mer_array *u = make("u", MER_FLOAT64, 8, 8);
    mer_stencil *s = copying(u, 1);
    mer_stencil_free(s);
    mer_stencil_run(s, u, mer_array_like(u, "v"), 1);
    return 0;
}
static int freed_stencil_twice(void) {
    mer_stencil *s = copying(make("u", MER_FLOAT64, 8, 8), 1);
    mer_stencil_free(s);
    mer_stencil_free(s);
    return 0;
}
static int fetched_twice(void) {
    mer_array *u = make("u", MER_FLOAT64, 8, 8);
    mer_stencil *s = copying(u, 1);
    mer_stencil_fetch_start(s, u);
    mer_stencil_run(s, u, mer_array_like(u, "v"), 1);
    return 0;
}
static int fetched_freed(void) {
    mer_array *u = make("u", MER_FLOAT64, 8, 8);
    mer_stencil *s = copying(u, 1);
    mer_stencil_fetch_start(s, u);
    mer_stencil_free(s);
    return 0;
}
static int fetched_not(void) {
    mer_stencil_fetch_finish(copying(make("u", MER_FLOAT64, 8, 8), 1));
    return 0;
}
static int coefficients_differ(void) {
    mer_array *u = make("u", MER_FLOAT64, 8, 8);
    mer_stencil_run(copying(u, ME), u, mer_array_like(u, "v"), 1);
    return 0;
}
static int faces_differ(void) {
    mer_array *u = make("u", MER_FLOAT64, 8, 8);
    struct mer_term term = {.coefficient = 1};
    struct mer_stencil_spec spec = {.terms = 1, .term = &term};
    for (int side = 0; side < 2; side++)
        spec.face[0][side] = (struct mer_face){MER_VALUE, ME};
    mer_stencil_run(mer_stencil_create(u, &spec), u, mer_array_like(u, "v"), 1);
    return 0;
}
static void offset(int axis, int by) {
    struct mer_term term = {.coefficient = 1};
    term.offset[axis] = by;
    mer_stencil_create(make("u", MER_FLOAT64, 8, 8), &(struct mer_stencil_spec){.terms = 1, .term = &term});
}
/* Kernels of another reach: the threads would plan other halos. */
MER_STENCIL_FUNCTION(near_kernel, double, .rank = 2, .radius = {1, 0}) { return MER_AT2(-1, 0); }
MER_STENCIL_FUNCTION(far_kernel, double, .rank = 2, .radius = {2, 0}) { return MER_AT2(-2, 0); }
static int radii_differ(void) {
    mer_array *u = axis_0("u", (struct mer_axis){.halo = 2});
    mer_stencil_create(u, &(struct mer_stencil_spec){.kernel = ME ? &near_kernel : &far_kernel});
    mer_stencil_run(mer_stencil_create(u, &(struct mer_stencil_spec){.kernel = &far_kernel}), u,
                    mer_array_like(u, "v"), 1);
    return 0;
}
static int offset_axis(void) {
    offset(2, 1);
    return 0;
}
static int offset_least(void) {
    offset(0, INT_MIN);
    return 0;
}

/* ---- lists that are shorter than their counts --------------------------------------------------------- */

/* Returns n bytes directly before memory that cannot be read. */
static void *at_the_end(size_t n) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *two = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (two == MAP_FAILED || mprotect(two + page, page, PROT_NONE) != 0)
        return NULL;
    return two + page - n;
}
static int short_list(void) {
    struct mer_shift *list = at_the_end(3 * sizeof *list);
    for (int i = 0; i < 3; i++)
        list[i] = (struct mer_shift){.kind = MER_CSHIFT, .distance = 1};
    mer_pshift_setup(make("u", MER_FLOAT64, 8, 8), 1000000, list);
    return 0;
}
static int garbage_in_list(void) {
    struct mer_shift *list = at_the_end(3 * sizeof *list);
    memset(list, 0xff, 3 * sizeof *list);
    list[0] = (struct mer_shift){.kind = MER_CSHIFT, .distance = 1};
    mer_pshift_setup(make("u", MER_FLOAT64, 8, 8), INT_MAX, list);
    return 0;
}
static int count_negative(void) {
    struct mer_shift one = {.kind = MER_CSHIFT, .distance = 1};
    mer_pshift_setup(make("u", MER_FLOAT64, 8, 8), -1, &one);
    return 0;
}
static int null_list(void) {
    mer_pshift_setup(make("u", MER_FLOAT64, 8, 8), 2, NULL);
    return 0;
}
static int garbage_boundary(void) {
    struct mer_shift one = {.kind = MER_EOSHIFT_ARRAY, .distance = 1};
    memset(&one.boundary, 0x5a, sizeof one.boundary);
    mer_pshift_setup(make("u", MER_FLOAT64, 8, 8), 1, &one);
    return 0;
}
/* The lists of arrays have one, the set-up has two shifts. */
static void short_arrays(bool results) {
    mer_array *u = make("u", MER_FLOAT64, 8, 8), *v = make("v", MER_FLOAT64, 8, 8);
    mer_array *to[2] = {v, v}, *from[2] = {u, u};
    struct mer_shift two[2] = {{.kind = MER_CSHIFT, .distance = 1}, {.kind = MER_CSHIFT, .distance = -1}};
    int id = mer_pshift_setup(u, 2, two);
    memset(results ? &to[1] : &from[1], 0x5a, sizeof *to);
    mer_pshift(id, to, (const mer_array *const *)from, NULL);
}
static int short_results(void) {
    short_arrays(true);
    return 0;
}
static int short_sources(void) {
    short_arrays(false);
    return 0;
}
static int short_terms(void) {
    struct mer_term *term = at_the_end(sizeof *term);
    *term = (struct mer_term){.coefficient = 1};
    mer_stencil_create(make("u", MER_FLOAT64, 8, 8),
                       &(struct mer_stencil_spec){.terms = 100000, .term = term});
    return 0;
}

static int null_index(void) {
    mer_array_get(make("u", MER_FLOAT64, 8, 8), NULL, &(double){0});
    return 0;
}
static int null_value(void) {
    mer_array_put(make("u", MER_FLOAT64, 8, 8), (long[]){0, 0}, NULL);
    return 0;
}
static int null_mask(void) {
    mer_array_mask(make("u", MER_FLOAT64, 8, 8), NULL);
    return 0;
}
static int null_file(void) {
    mer_array_svg(make("u", MER_FLOAT64, 8, 8), NULL);
    return 0;
}
static int null_description(void) {
    mer_npy_describe("u.npy", NULL);
    return 0;
}
static int null_path(void) {
    mer_array_save(make("u", MER_FLOAT64, 8, 8), NULL);
    return 0;
}
static void axis(struct mer_axis axis) {
    mer_array_create(&(struct mer_array_spec){
        .name = "u", .type = MER_FLOAT64, .rank = 2, .extent = {8, 8}, .axis[1] = axis});
}
static int weight_nan(void) {
    axis((struct mer_axis){.weight = NAN});
    return 0;
}
static int weight_infinite(void) {
    axis((struct mer_axis){.weight = INFINITY});
    return 0;
}
static int block_too_long(void) {
    axis((struct mer_axis){.block = LONG_MAX, .halo = 1});
    return 0;
}

static const struct job_body bodies[] = {{"freed_twice", freed_twice},
                                         {"freed_source", freed_source},
                                         {"freed_element", freed_element},
                                         {"freed_align", freed_align},
                                         {"freed_of_setup", freed_of_setup},
                                         {"freed_boundary", freed_boundary},
                                         {"freed_stencil", freed_stencil},
                                         {"freed_stencil_twice", freed_stencil_twice},
                                         {"coefficients_differ", coefficients_differ},
                                         {"faces_differ", faces_differ},
                                         {"long_names", long_names},
                                         {"radii_differ", radii_differ},
                                         {"fetched_twice", fetched_twice},
                                         {"fetched_freed", fetched_freed},
                                         {"fetched_not", fetched_not},
                                         {"offset_axis", offset_axis},
                                         {"offset_least", offset_least},
                                         {"short_list", short_list},
                                         {"garbage_in_list", garbage_in_list},
                                         {"count_negative", count_negative},
                                         {"null_list", null_list},
                                         {"garbage_boundary", garbage_boundary},
                                         {"short_results", short_results},
                                         {"short_sources", short_sources},
                                         {"short_terms", short_terms},
                                         {"null_index", null_index},
                                         {"null_value", null_value},
                                         {"null_mask", null_mask},
                                         {"null_file", null_file},
                                         {"null_path", null_path},
                                         {"null_description", null_description},
                                         {"weight_nan", weight_nan},
                                         {"weight_infinite", weight_infinite},
                                         {"block_too_long", block_too_long},
                                         {"shape_differs", shape_differs},
                                         {"type_differs", type_differs},
                                         {"halo_differs", halo_differs},
                                         {"blocks_differ", blocks_differ},
                                         {"order_differs", order_differs},
                                         {"paths_differ", paths_differ},
                                         {"axis_out_of_range", axis_out_of_range},
                                         {"boundary_rank", boundary_rank},
                                         {"freed_id", freed_id},
                                         {"calls_differ", calls_differ},
                                         {"arguments_differ", arguments_differ},
                                         {"barrier_instead", barrier_instead},
                                         {"end_instead", end_instead},
                                         {"extra_call", extra_call},
                                         {"earlier_arguments", earlier_arguments},
                                         {"no_memory", no_memory},
                                         {"freed_array", freed_array},
                                         {"not_finished", not_finished},
                                         {"freed_between", freed_between},
                                         {"made_alone", made_alone},
                                         {0}};

static void checks(void) {
    job_expect_message("shape_differs", 2,
                       "mer_cshift of `u' and `v': the arrays differ in shape: `u' is float64 8 x 8");
    job_expect_message("type_differs", 2, "the arrays differ in element type");
    job_expect_message("halo_differs", 2,
                       "the arrays differ in halo (2 and 0 elements along axis 0): `u' is");
    job_expect_message("blocks_differ", 2,
                       "differ in layout (blocks of 4 and 5 elements along axis 0): `u' is");
    job_expect_message("order_differs", 2,
                       "differ in layout (axis 0 is in NEWS order in one array, in SEND order in the other)");
    job_expect_message("paths_differ", 2, "mer_array_save of `u': thread ");
    job_expect_message("axis_out_of_range", 2, "shift 0 is along axis 2, but the array has the axes 0 to 1");
    job_expect_message("boundary_rank", 2, "the boundary `u' of shift 0 has rank 2, but it has to be 1");
    job_expect_message("freed_id", 2, "set-up 1 has been freed");
    job_expect_message("calls_differ", 2, "mer_cshift of `u' and `v'");
    job_expect_message("arguments_differ", 2, "Every thread has to make the same calls of arrays");
    job_expect_message("barrier_instead", 2, "which is in a barrier or at the end of the program");
    job_expect_message("end_instead", 2, "which is in a barrier or at the end of the program");
    job_expect_message("extra_call", 2, "Every thread has to make the same calls of arrays");
    job_expect_message("earlier_arguments", 2, "has made other calls before this one");
    job_expect_message("no_memory", 2, "mer_array_create of `huge': no memory");
    job_expect_message(
        "freed_array", 2,
        "`w', the result of shift 0, differs from set-up 1's prototype in shape: the array is float64 9 x 9 "
        "over");
    job_expect_message(
        "long_names", 2,
        "mer_cshift of `0123456789012345678901234567890' and `012345678901234567890123456789': the "
        "arrays differ in shape: ");
    job_expect_message("fetched_twice", 2,
                       "mer_stencil_run of `u' and `v': the halo of `u' is being fetched");
    job_expect_message("fetched_freed", 2, "mer_stencil_free: the halo of `u' is being fetched");
    job_expect_message("fetched_not", 2, "mer_stencil_fetch_finish: no halo is being fetched");
    job_expect_message("radii_differ", 2, "mer_stencil_create of `u': thread ");
    job_expect_message("not_finished", 2, "set-up 1 has been started; call mer_pshift_finish first");
    job_expect_message("freed_between", 2,
                       "mer_pshift_finish: the source of shift 0 has been freed since mer_pshift_start");
    job_expect_message("made_alone", 2, "Every thread has to make the same calls of arrays");
    job_expect_message("freed_twice", 2, "mer_array_free: the array `v' has been freed");
    job_expect_message("freed_source", 2, "mer_cshift: the array `v' has been freed");
    job_expect_message("freed_element", 2, "mer_array_get: the array `v' has been freed");
    job_expect_message("freed_align", 2, "mer_array_create: the array `v' has been freed");
    job_expect_message("freed_of_setup", 2,
                       "mer_pshift of `v' and `u': `u', the source of shift 0, has been");
    job_expect_message("freed_boundary", 2, "the boundary `b' of shift 0 has been freed");
    job_expect_message("freed_stencil", 2, "mer_stencil_run: the stencil has been freed");
    job_expect_message("freed_stencil_twice", 2, "mer_stencil_free: the stencil has been freed");
    job_expect_message("coefficients_differ", 2, "Every thread has to make the same calls of arrays");
    job_expect_message("faces_differ", 2, "Every thread has to make the same calls of arrays");
    job_expect_message("offset_axis", 2,
                       "term 0 has an offset along axis 2, but the array has the axes 0 to 1");
    job_expect_message("offset_least", 2, "term 0 has the offset -2147483648 along axis 0");
    job_expect_message("short_list", 2, "mer_pshift_setup of `u': shift 3 of 1000000 lies at ");
    job_expect_message("garbage_in_list", 2, "mer_pshift_setup of `u': shift 1 is along axis -1");
    job_expect_message("count_negative", 2, "mer_pshift_setup of `u': the number of shifts is -1");
    job_expect_message("null_list", 2, "mer_pshift_setup of `u': the list of 2 shifts is a null pointer");
    job_expect_message("garbage_boundary", 2,
                       "the boundary of shift 0, 0x5a5a5a5a5a5a5a5a, does not point to an array");
    job_expect_message("short_results", 2, "mer_pshift of `v' and `u': the result of shift 1, 0x5a5a");
    job_expect_message("short_sources", 2, "mer_pshift of `v' and `u': the source of shift 1, 0x5a5a");
    job_expect_message("short_terms", 2, "mer_stencil_create of `u': term 1 of 100000 lies at ");
    job_expect_message("null_index", 2, "mer_array_get of `u': the index is a null pointer");
    job_expect_message("null_value", 2, "mer_array_put of `u': the value is a null pointer");
    job_expect_message("null_mask", 2, "mer_array_mask of `u': the mask is a null pointer");
    job_expect_message("null_file", 2, "mer_array_svg of `u': the file is a null pointer");
    job_expect_message("null_description", 2, "mer_npy_describe: the description is a null pointer");
    job_expect_message("null_path", 2, "mer_array_save of `u': the path is a null pointer");
    job_expect_message("weight_nan", 2, "axis 1 has the weight nan, but weights are positive numbers");
    job_expect_message("weight_infinite", 2, "axis 1 has the weight inf, but weights are positive numbers");
    job_expect_message("block_too_long", 2, "axis 1 has blocks of 9223372036854775807 elements");
}

int main(int argc, char **argv) { return job_main(argc, argv, bodies, checks); }
