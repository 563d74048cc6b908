/* Elements of an array in a file, see file.h.  A thread writes or reads the runs that are contiguous in the
 * file; for a file of the other order than the array's it uses a buffer of one such run. */
#include "array/file/file.h"

#include "array/move/copy.h"
#include "array/layout/pieces.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct passage {
    int fd, error;
    bool save;
    off_t data;                      /* the place of this thread's first element in the file */
    char *memory;                    /* the same element in memory */
    char *buffer;                    /* for one run of the file that is no run in memory; else null */
    struct mer_copy gather, scatter; /* between such a run's elements and the buffer */
    size_t run;                      /* bytes of a run of the file */
};

/* Writes or reads a whole run.  Returns 0 or an errno, EINVAL if the file ends early. */
static int pass_bytes(const struct passage *p, char *at, off_t place) {
    for (size_t done = 0; done < p->run;) {
        ssize_t n = p->save ? pwrite(p->fd, at + done, p->run - done, place + (off_t)done)
                            : pread(p->fd, at + done, p->run - done, place + (off_t)done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 ? errno : EINVAL;
        done += (size_t)n;
    }
    return 0;
}

static void pass_run(void *context, ptrdiff_t to, ptrdiff_t from) {
    struct passage *p = context;
    char *at = p->memory + from;
    if (p->error)
        return;
    if (!p->buffer) {
        p->error = pass_bytes(p, at, p->data + to);
        return;
    }
    if (p->save)
        mer_copy_run(&p->gather, p->buffer, at);
    p->error = pass_bytes(p, p->buffer, p->data + to);
    if (!p->save && !p->error)
        mer_copy_run(&p->scatter, at, p->buffer);
}

/* Uses the buffer if the elements of a run of the file lie apart in memory: dimension 0 becomes a run. */
static void use_buffer(struct passage *p, struct mer_copy *c, size_t size) {
    ptrdiff_t dense = (ptrdiff_t)size;
    if (c->dims == 0 || c->run != size || c->to[0] != dense || c->n[0] < 2)
        return;
    p->run = size * (size_t)c->n[0];
    p->buffer = malloc(p->run);
    if (!p->buffer) {
        p->error = ENOMEM;
        return;
    }
    mer_copy_prepare(&p->gather, size, 1, &c->n[0], &dense, &c->from[0]);
    mer_copy_prepare(&p->scatter, size, 1, &c->n[0], &c->from[0], &dense);
    for (int d = 1; d < c->dims; d++)
        c->n[d - 1] = c->n[d], c->to[d - 1] = c->to[d], c->from[d - 1] = c->from[d];
    c->dims--;
}

int mer_file_pass(const mer_array *array, int fd, off_t data, enum mer_memory_order order, bool save) {
    const struct mer_geometry *g = array->g;
    struct passage p = {.fd = fd, .save = save, .data = data, .memory = array->local};
    struct mer_region r;
    if (!mer_region_of_block(&r, g, g, ME))
        return 0;
    long count[RANK];
    ptrdiff_t place[RANK], bytes = (ptrdiff_t)g->size;
    for (int i = 0; i < g->rank; i++) {
        int k = order == MER_ROW_MAJOR ? g->rank - 1 - i : i;
        place[k] = bytes;
        count[k] = r.high[k] - r.low[k];
        p.data += r.low[k] * bytes;
        bytes *= g->extent[k];
    }
    struct mer_copy c;
    mer_copy_prepare(&c, g->size, g->rank, count, place, g->stride);
    p.run = c.run;
    use_buffer(&p, &c, g->size);
    if (!p.error)
        mer_copy_each(&c, pass_run, &p);
    free(p.buffer);
    return p.error;
}

bool mer_file_fits(const struct mer_geometry *g, const struct mer_array_spec *spec) {
    if (g->type != spec->type || g->rank != spec->rank)
        return false;
    for (int k = 0; k < g->rank; k++)
        if (g->extent[k] != spec->extent[k])
            return false;
    return true;
}

void mer_file_wants(const struct mer_geometry *g, struct mer_array_spec *spec) {
    *spec = (struct mer_array_spec){.type = g->type, .rank = g->rank};
    memcpy(spec->extent, g->extent, sizeof spec->extent);
}

const char *mer_file_holds(const struct mer_array_spec *spec, char text[MER_FILE_TEXT]) {
    int n = snprintf(text, MER_FILE_TEXT, "%s",
                     spec->type ? mer_type_name(spec->type) : "a type that arrays do not have,");
    for (int k = 0; k < spec->rank; k++)
        n += snprintf(text + n, MER_FILE_TEXT - (size_t)n, "%s%ld", k ? " x " : " ", spec->extent[k]);
    return text;
}

int mer_file_agree(int error) {
    mer_call_share((uint64_t)error);
    for (int t = 0; t < THREADS; t++)
        if (mer_barrier_payload(t))
            return (int)mer_barrier_payload(t);
    return 0;
}
