/* <bupc_extensions.h>: transfers of scattered data.
 *
 * A side of such a transfer is a stream of pieces: from a list of addresses with a length each (vlist) or one
 * for all (ilist), or at equal distances (fstrided).  Two streams are traversed side by side, and their
 * pieces may have any lengths.  Boxes of several dimensions (strided) have the same shape on both sides, and
 * are traversed by an odometer.  Addresses are bits of pointers-to-shared, private ones marked as the own
 * thread's.
 *
 * Local pieces are copied at once.  Remote ones travel together (rma/pieces.h), those between two remote
 * threads through a buffer here.
 */
#include "dialect/upc/bupc.h"

#include "am/am.h"
#include "rma/pieces.h"
#include "host/job.h"
#include "base/fatal.h"
#include "rma/copy.h"

#include <stdlib.h>
#include <string.h>

#define BUFFER (64UL << 10) /* bytes that are under way at a time between remote threads, */
#define BUFFERED 1024       /* and pieces */

/* Pieces on their way from one remote thread to another, one after the other in `bytes'. */
struct relay {
    struct mer_pieces pieces;
    int counter;
    size_t used, count;
    struct {
        mer_u64 to;
        size_t n;
    } list[BUFFERED];
    char bytes[BUFFER];
};

/* A transfer in the making. */
struct making {
    const char *name;
    struct mer_pieces pieces;
    struct relay *relay; /* null if not needed so far */
};

struct stream {
    enum { SHARED_LIST, PRIVATE_LIST, SHARED_INDEX, PRIVATE_INDEX, STRIDED } form;
    const void *list; /* of bupc_smemvec, bupc_pmemvec, mer_pptr, void * */
    mer_u64 base;     /* STRIDED */
    size_t stride;
    size_t length; /* of each piece, if all have the same */
    size_t count;
    size_t next; /* number of the piece to come */
    mer_u64 at;  /* the piece in hand, */
    size_t left; /* and its remaining bytes */
};

static mer_u64 shared_at(mer_pptr p, const char *name) {
    if (!p.bits)
        mer_fatal("%s: a pointer-to-shared is null", name);
    return p.bits;
}

static size_t length_of(const struct stream *s, size_t i) {
    switch (s->form) {
    case SHARED_LIST:
        return ((const struct bupc_smemvec *)s->list)[i].len;
    case PRIVATE_LIST:
        return ((const struct bupc_pmemvec *)s->list)[i].len;
    default:
        return s->length;
    }
}

static mer_u64 start_of(const struct stream *s, size_t i, const char *name) {
    switch (s->form) {
    case SHARED_LIST:
        return shared_at(((const struct bupc_smemvec *)s->list)[i].addr, name);
    case PRIVATE_LIST:
        return mer_rma_private(((const struct bupc_pmemvec *)s->list)[i].addr);
    case SHARED_INDEX:
        return shared_at(((const mer_pptr *)s->list)[i], name);
    case PRIVATE_INDEX:
        return mer_rma_private(((void *const *)s->list)[i]);
    default:
        return s->base + i * s->stride;
    }
}

static size_t total(const struct stream *s) {
    if (s->form != SHARED_LIST && s->form != PRIVATE_LIST)
        return s->count * s->length;
    size_t sum = 0;
    for (size_t i = 0; i < s->count; i++)
        sum += length_of(s, i);
    return sum;
}

/* Takes a piece in hand that is not empty; the stream is known to hold one. */
static void refill(struct stream *s, const char *name) {
    while (s->left == 0) {
        s->left = length_of(s, s->next);
        if (s->left)
            s->at = start_of(s, s->next, name);
        s->next++;
    }
}

/* ---- pieces -------------------------------------------------------------------------------------------- */

/* Waits for the pieces in the relay's buffer, and brings them to their destinations. */
static void pass_on(struct relay *r) {
    mer_pieces_send(&r->pieces);
    mer_am_wait_counter(&r->counter);
    for (size_t i = 0, at = 0; i < r->count; at += r->list[i++].n)
        mer_pieces_put(&r->pieces, r->list[i].to, r->bytes + at, r->list[i].n);
    mer_pieces_send(&r->pieces);
    mer_am_wait_counter(&r->counter);
    r->used = r->count = 0;
}

static void relay(struct making *m, mer_u64 to, mer_u64 from, size_t n) {
    if (n > BUFFER) {
        mer_rma_copy(to, from, n, m->name);
        return;
    }
    struct relay *r = m->relay;
    if (!r) {
        r = m->relay = malloc(sizeof *r);
        if (!r)
            mer_fatal("%s: no memory for a buffer of %zu bytes", m->name, sizeof *r);
        r->pieces = (struct mer_pieces){.counter = &r->counter};
        r->counter = 0;
        r->used = r->count = 0;
    }
    if (r->count == BUFFERED || r->used + n > BUFFER)
        pass_on(r);
    mer_pieces_get(&r->pieces, r->bytes + r->used, from, n);
    r->list[r->count].to = to;
    r->list[r->count++].n = n;
    r->used += n;
}

static void piece(struct making *m, mer_u64 to, mer_u64 from, size_t n) {
    if (n == 0)
        return;
    if (mer_is_local(to) && mer_is_local(from))
        memmove(mer_at(to), mer_at(from), n);
    else if (mer_is_local(to))
        mer_pieces_get(&m->pieces, mer_at(to), from, n);
    else if (mer_is_local(from))
        mer_pieces_put(&m->pieces, to, mer_at(from), n);
    else
        relay(m, to, from, n);
}

/* Has all pieces under way, and those between two remote threads at their destinations. */
static void made(struct making *m) {
    mer_pieces_send(&m->pieces);
    if (m->relay) {
        pass_on(m->relay);
        free(m->relay);
    }
}

/* ---- transfers ----------------------------------------------------------------------------------------- */

static void transfer(int *counter, struct stream to, struct stream from, const char *name) {
    struct making m = {name, {.counter = counter}, NULL};
    size_t n = total(&to);
    if (n != total(&from))
        mer_fatal("%s: the destination has %zu bytes, but the source %zu", name, n, total(&from));
    while (n) {
        refill(&to, name);
        refill(&from, name);
        size_t step = to.left < from.left ? to.left : from.left;
        piece(&m, to.at, from.at, step);
        to.at += step, to.left -= step;
        from.at += step, from.left -= step;
        n -= step;
    }
    made(&m);
}

static void walk_box(struct making *m, mer_u64 to, const size_t *to_strides, mer_u64 from,
                     const size_t *from_strides, const size_t *count, size_t levels) {
    if (levels == 0) {
        piece(m, to, from, count[0]);
        return;
    }
    for (size_t i = 0; i < count[levels]; i++)
        walk_box(m, to + i * to_strides[levels - 1], to_strides, from + i * from_strides[levels - 1],
                 from_strides, count, levels - 1);
}

static void box(int *counter, mer_u64 to, const size_t *to_strides, mer_u64 from, const size_t *from_strides,
                const size_t *count, size_t levels, const char *name) {
    struct making m = {name, {.counter = counter}, NULL};
    walk_box(&m, to, to_strides, from, from_strides, count, levels);
    made(&m);
}

/* The function, and its two non-blocking variants. */
#define TRANSFER(name, parameters, body)                                                                     \
    void name parameters;                                                                                    \
    upc_handle_t name##_async parameters;                                                                    \
    void name##_asynci parameters;                                                                           \
    void name parameters {                                                                                   \
        int waiting = 0, *counter = &waiting;                                                                \
        body;                                                                                                \
        mer_am_wait_counter(counter);                                                                        \
    }                                                                                                        \
    upc_handle_t name##_async parameters {                                                                   \
        int *counter = mer_nb_counter(#name "_async");                                                       \
        body;                                                                                                \
        return mer_nb_handle();                                                                              \
    }                                                                                                        \
    void name##_asynci parameters {                                                                          \
        int *counter = mer_nb_implicit();                                                                    \
        body;                                                                                                \
    }

#define LIST(form, count, items) ((struct stream){form, items, 0, 0, 0, count, 0, 0, 0})
#define INDEX(form, count, items, length) ((struct stream){form, items, 0, 0, length, count, 0, 0, 0})
#define EVENLY(base, stride, length, count)                                                                  \
    ((struct stream){STRIDED, NULL, base, stride, length, count, 0, 0, 0})

#define VLIST(name, To, to_form, From, from_form)                                                            \
    TRANSFER(name, (size_t n, const To *to, size_t m, const From *from),                                     \
             transfer(counter, LIST(to_form, n, to), LIST(from_form, m, from), #name))
VLIST(bupc_memcpy_vlist, struct bupc_smemvec, SHARED_LIST, struct bupc_smemvec, SHARED_LIST)
VLIST(bupc_memput_vlist, struct bupc_smemvec, SHARED_LIST, struct bupc_pmemvec, PRIVATE_LIST)
VLIST(bupc_memget_vlist, struct bupc_pmemvec, PRIVATE_LIST, struct bupc_smemvec, SHARED_LIST)

#define ILIST(name, To, to_form, From, from_form)                                                            \
    TRANSFER(                                                                                                \
        name, (size_t n, To const *to, size_t to_length, size_t m, From const *from, size_t from_length),    \
        transfer(counter, INDEX(to_form, n, to, to_length), INDEX(from_form, m, from, from_length), #name))
ILIST(bupc_memcpy_ilist, mer_pptr, SHARED_INDEX, mer_pptr, SHARED_INDEX)
ILIST(bupc_memput_ilist, mer_pptr, SHARED_INDEX, void *, PRIVATE_INDEX)
ILIST(bupc_memget_ilist, void *, PRIVATE_INDEX, mer_pptr, SHARED_INDEX)

/* The bits of the first byte of a side, shared or private.  An empty side may be null. */
#define SHARED_BASE(p, n, name) ((n) ? shared_at(p, name) : 0)
#define PRIVATE_BASE(p, n, name) mer_rma_private(p)

#define FSTRIDED(name, To, to_base, From, from_base)                                                         \
    TRANSFER(name,                                                                                           \
             (To to, size_t to_length, size_t to_stride, size_t to_count, From from, size_t from_length,     \
              size_t from_stride, size_t from_count),                                                        \
             transfer(counter,                                                                               \
                      EVENLY(to_base(to, to_length &&to_count, #name), to_stride, to_length, to_count),      \
                      EVENLY(from_base(from, from_length &&from_count, #name), from_stride, from_length,     \
                             from_count),                                                                    \
                      #name))
FSTRIDED(bupc_memcpy_fstrided, mer_pptr, SHARED_BASE, mer_pptr, SHARED_BASE)
FSTRIDED(bupc_memput_fstrided, mer_pptr, SHARED_BASE, const void *, PRIVATE_BASE)
FSTRIDED(bupc_memget_fstrided, void *, PRIVATE_BASE, mer_pptr, SHARED_BASE)

#define STRIDED_BOX(name, To, to_base, From, from_base)                                                      \
    TRANSFER(name,                                                                                           \
             (To to, const size_t *to_strides, From from, const size_t *from_strides, const size_t *count,   \
              size_t levels),                                                                                \
             box(counter, to_base(to, 1, #name), to_strides, from_base(from, 1, #name), from_strides, count, \
                 levels, #name))
STRIDED_BOX(bupc_memcpy_strided, mer_pptr, SHARED_BASE, mer_pptr, SHARED_BASE)
STRIDED_BOX(bupc_memput_strided, mer_pptr, SHARED_BASE, const void *, PRIVATE_BASE)
STRIDED_BOX(bupc_memget_strided, void *, PRIVATE_BASE, mer_pptr, SHARED_BASE)
