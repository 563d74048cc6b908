/* Arrays in HDF5 files: random types, shapes and layouts, in both orders, written by one layout and read by
 * another; and wrong files. */
#include "job.h"

#include "host/job.h"
#include "sync/barrier.h"

#include <errno.h>
#include <fcntl.h>
#include <meridian/array.h>
#include <unistd.h>

#define ME mer_job.mythread
#define THREADS mer_job.threads
#define RANK MER_ARRAY_RANK

static unsigned state; /* of the random numbers, the same on all threads */
static unsigned below(unsigned n) { return job_random(&state) % n; }

/* A small number that belongs to the element, as bytes: right for every type, and never a padding byte of a
 * long double. */
static void element(const struct mer_array_info *info, const long *index, unsigned seed, void *bytes) {
    unsigned h = seed;
    for (int k = 0; k < info->rank; k++)
        h = h * 31 + (unsigned)index[k];
    memset(bytes, 0, info->size);
    if (info->type == MER_LONG_DOUBLE)
        *(long double *)bytes = h;
    else if (info->type == MER_COMPLEX_LONG_DOUBLE)
        ((long double *)bytes)[0] = h, ((long double *)bytes)[1] = -(long double)h;
    else
        for (size_t i = 0; i < info->size; i++)
            ((unsigned char *)bytes)[i] = (unsigned char)(h >> i % 4 * 8 & (i % 8 == 7 ? 63 : 255));
}

/* Sets the elements of this thread's part (set), or compares them. */
static void each(mer_array *a, unsigned seed, bool set) {
    struct mer_array_info info;
    long index[RANK];
    _Alignas(16) unsigned char want[32];
    mer_array_describe(a, ME, &info);
    for (int k = 0; k < info.rank; k++) {
        index[k] = info.first[k];
        if (info.count[k] == 0)
            return;
    }
    for (int k = 0; k < info.rank;) {
        char *at = info.local;
        for (int d = 0; d < info.rank; d++)
            at += (index[d] - info.first[d]) * info.stride[d];
        element(&info, index, seed, set ? (void *)at : want);
        bool wide = info.type == MER_LONG_DOUBLE; /* ten bytes hold the number */
        if (!set && info.type != MER_COMPLEX_LONG_DOUBLE)
            CHECK(memcmp(at, want, wide ? 10 : info.size) == 0);
        for (k = 0; k < info.rank && ++index[k] == info.first[k] + info.count[k]; k++)
            index[k] = info.first[k];
    }
}

static struct mer_array_spec random_spec(void) {
    static const int most[RANK] = {90, 12, 9, 6, 4, 3, 3};
    struct mer_array_spec spec = {.name = "u", .rank = 1 + (int)below(RANK)};
    spec.type = (enum mer_type)(MER_INT8 + below(MER_COMPLEX256));
    for (int k = 0; k < spec.rank; k++)
        spec.extent[k] = 1 + below((unsigned)most[spec.rank - 1]);
    return spec;
}

static void random_layout(struct mer_array_spec *spec) {
    spec->order = below(2) ? MER_COLUMN_MAJOR : MER_ROW_MAJOR;
    for (int k = 0; k < spec->rank; k++) {
        spec->axis[k].serial = below(6) == 0;
        spec->axis[k].order = below(2) ? MER_SEND : MER_NEWS;
        spec->axis[k].halo = (int)below(3);
    }
}

static const char *path_of(const char *name) {
    static char path[128];
    snprintf(path, sizeof path, "/tmp/test_hdf5.%ld.%d.%s", (long)mer_here.launcher, THREADS, name);
    return path;
}

/* Removes the file when all threads have finished with it. */
static void drop(const char *path) {
    mer_barrier(0, 0, "hdf5.c:1");
    if (ME == 0)
        unlink(path);
    mer_barrier(0, 0, "hdf5.c:2");
}

static int round_trip(void) {
    state = 7 + (unsigned)THREADS;
    const char *path = path_of("h5");
    for (unsigned c = 0; c < 12; c++) {
        struct mer_array_spec spec = random_spec(), found;
        enum mer_memory_order order = below(2) ? MER_COLUMN_MAJOR : MER_ROW_MAJOR;
        unsigned char none[32] = {0};
        random_layout(&spec);
        mer_array *a = mer_array_create(&spec);
        random_layout(&spec);
        mer_array *b = mer_array_create(&spec);
        each(a, c + 1, true);
        CHECK(mer_array_save_hdf5(a, path, "some/group/u", order) == 0);
        each(a, c, true); /* overwrites the dataset, and adds another one */
        CHECK(mer_array_save_hdf5(a, path, "some/group/u", order) == 0);
        CHECK(mer_array_save_hdf5(b, path, "v", order) == 0);
        CHECK(mer_hdf5_describe(path, "some/group/u", order, &found) == 0);
        CHECK(found.type == spec.type && found.rank == spec.rank && found.order == order);
        CHECK(memcmp(found.extent, spec.extent, sizeof found.extent) == 0);
        mer_array_fill(b, none);
        CHECK(mer_array_load_hdf5(b, path, "some/group/u", order) == 0);
        each(b, c, false);
        mer_array_free(a);
        mer_array_free(b);
        if (c % 3 == 2) /* otherwise a dataset of another shape may exist already */
            drop(path);
    }
    drop(path);
    return 0;
}

/* ---- errors -------------------------------------------------------------------------------------------- */

static mer_array *make(enum mer_type type, long rows) {
    return mer_array_create(
        &(struct mer_array_spec){.name = "u", .type = type, .rank = 2, .extent = {rows, 4}});
}

/* Writes a good file of `u', 64 x 4 of float64, and returns its path. */
static const char *good_file(mer_array **u, const char *name) {
    const char *path = path_of(name);
    *u = make(MER_FLOAT64, 64);
    each(*u, 1, true);
    CHECK(mer_array_save_hdf5(*u, path, "u", MER_ROW_MAJOR) == 0);
    return path;
}

/* Ends a body: drops the file, and frees the arrays. */
static int end(const char *path, mer_array *a, mer_array *b, int good) {
    drop(path);
    mer_array_free(a);
    mer_array_free(b);
    CHECK(good);
    return 0;
}

static int cut_off(void) {
    mer_array *u;
    const char *path = good_file(&u, "cut");
    CHECK(ME != 0 || truncate(path, 700) == 0);
    mer_barrier(0, 0, "hdf5.c:3");
    return end(path, u, NULL, mer_array_load_hdf5(u, path, "u", MER_ROW_MAJOR) == EINVAL);
}
static int wrong_type(void) {
    mer_array *u;
    const char *path = good_file(&u, "type");
    mer_array *v = make(MER_INT64, 64);
    return end(path, u, v, mer_array_load_hdf5(v, path, "u", MER_ROW_MAJOR) == EINVAL);
}
static int wrong_rank(void) {
    mer_array *u;
    const char *path = good_file(&u, "rank");
    mer_array *v = mer_array_create(
        &(struct mer_array_spec){.name = "v", .type = MER_FLOAT64, .rank = 1, .extent = {256}});
    return end(path, u, v, mer_array_load_hdf5(v, path, "u", MER_ROW_MAJOR) == EINVAL);
}
static int other_order(void) {
    mer_array *u;
    const char *path = good_file(&u, "order");
    return end(path, u, NULL, mer_array_load_hdf5(u, path, "u", MER_COLUMN_MAJOR) == EINVAL);
}
static int no_dataset(void) {
    mer_array *u;
    const char *path = good_file(&u, "name");
    return end(path, u, NULL, mer_array_load_hdf5(u, path, "w", MER_ROW_MAJOR) == EINVAL);
}
static int group_in_the_way(void) {
    mer_array *u;
    const char *path = good_file(&u, "group");
    CHECK(mer_array_save_hdf5(u, path, "g/u", MER_ROW_MAJOR) == 0);
    CHECK(mer_array_save_hdf5(u, path, "g", MER_ROW_MAJOR) == EINVAL);
    return end(path, u, NULL, mer_array_load_hdf5(u, path, "g/u", MER_ROW_MAJOR) == 0);
}
/* A file of another format is left unchanged. */
static int other_file(void) {
    const char *path = path_of("text"), text[] = "precious";
    char back[sizeof text] = "";
    mer_array *u = make(MER_FLOAT64, 3);
    int fd = -1;
    if (ME == 0) {
        fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
        CHECK(write(fd, text, sizeof text) == (ssize_t)sizeof text);
    }
    CHECK(mer_array_save_hdf5(u, path, "u", MER_ROW_MAJOR) == EINVAL);
    if (ME == 0) {
        CHECK(pread(fd, back, sizeof text, 0) == (ssize_t)sizeof text && strcmp(text, back) == 0);
        close(fd);
    }
    return end(path, u, NULL, 1);
}
static int dataset_in_the_way(void) {
    mer_array *u;
    const char *path = good_file(&u, "way");
    return end(path, u, NULL,
               mer_array_save_hdf5(u, path, "u/v", MER_ROW_MAJOR) == EINVAL &&
                   mer_array_load_hdf5(u, path, "u", MER_ROW_MAJOR) == 0);
}
static int no_file(void) {
    mer_array *u = make(MER_FLOAT64, 3);
    CHECK(mer_array_load_hdf5(u, "/nowhere/u.h5", "u", MER_ROW_MAJOR) == ENOENT);
    CHECK(mer_array_save_hdf5(u, "/nowhere/u.h5", "u", MER_ROW_MAJOR) == ENOENT);
    mer_array_free(u);
    return 0;
}
static int no_module(void) {
    mer_array *u = make(MER_FLOAT64, 3);
    const char *path = path_of("none");
    CHECK(mer_array_save_hdf5(u, path, "u", MER_ROW_MAJOR) == ENOTSUP);
    CHECK(access(path, F_OK) != 0);
    mer_array_free(u);
    return 0;
}

static const struct job_body bodies[] = {{"round_trip", round_trip},
                                         {"cut_off", cut_off},
                                         {"wrong_type", wrong_type},
                                         {"wrong_rank", wrong_rank},
                                         {"other_order", other_order},
                                         {"no_dataset", no_dataset},
                                         {"group_in_the_way", group_in_the_way},
                                         {"other_file", other_file},
                                         {"dataset_in_the_way", dataset_in_the_way},
                                         {"no_file", no_file},
                                         {"no_module", no_module},
                                         {0}};

/* Checks that a job ends well, and prints these words once. */
static void expect_words(const char *body, const char *words, const char *const *settings) {
    const struct job_result *r = job_run(body, 3, settings);
    const char *at = strstr(r->text, words);
    if (r->code || r->signal || r->timed_out || !at || strstr(at + 1, words)) {
        fprintf(stderr, "%s: code %d, signal %d; it said:\n%s\nbut should have said once: %s\n", body,
                r->code, r->signal, r->text, words);
        exit(1);
    }
}

static void checks(void) {
    static const int counts[] = {1, 2, 3, 4, 8, 16};
    for (int i = 0; i < (JOB_SANITIZED || job_hosts > 1 ? 4 : 6); i++)
        job_expect_good("round_trip", counts[i]);
    job_expect_good("no_file", 3);
    expect_words("cut_off", "mer_array_load_hdf5 of `u': /tmp/test_hdf5.", NULL);
    expect_words("wrong_type", "the dataset is float64 64 x 4, but the array is int64 64 x 4", NULL);
    expect_words("wrong_rank", "the dataset is float64 64 x 4, but the array is float64 256", NULL);
    expect_words("other_order", "the dataset is float64 4 x 64, but the array is float64 64 x 4", NULL);
    expect_words("no_dataset", "dataset w: HDF5 says: ", NULL);
    expect_words("group_in_the_way",
                 "dataset g: in this file the name belongs to an object that is not a dataset", NULL);
    expect_words("dataset_in_the_way", "dataset u/v: in this file u is not a group", NULL);
    expect_words("other_file", "dataset u: HDF5 says: ", NULL);
    expect_words("no_module", "Meridian has been built without HDF5",
                 (const char *const[]){"MERIDIAN_MODULES=/nowhere", NULL});
    setenv("MERIDIAN_REMOTE", "1", 1);
    for (int n = 2; n <= 3 && job_hosts == 1; n++)
        job_expect_good("round_trip", n);
}

int main(int argc, char **argv) { return job_main(argc, argv, bodies, checks); }
