/* Exchanges, see exchange.h. */
#include "array/move/exchange.h"

#include "rma/write.h"
#include "array/layout/runtime.h"
#include "array/layout/cache.h"
#include "array/layout/call.h"
#include "array/layout/processor.h"
#include "array/move/copy_table.h"

#include <stdlib.h>
#include <string.h>

#define LOOK_NS 100000000ULL /* time to sleep before a check whether a thread will ever send */
#define TOGETHER (8L << 10)  /* bytes of a source that several local moves read from the first-level cache */
#define MOST_PARTS 1024      /* of one local move */
#define NEXT_BYTES 1024      /* of a message, whose lines are fetched in advance */

/* A copy from memory[from_slot] + from to memory[to_slot] + to.  For a piece in a message, that side is the
 * piece's place in the message. */
struct move {
    struct mer_copy copy;
    ptrdiff_t to, from;
    int to_slot, from_slot;
    long turn; /* of a local move: the moves of one turn read the same part of a source */
    bool late; /* likewise: comes after the moves of its turn that may go beyond their pieces */
};

struct moves {
    struct move *item;
    int count, capacity;
};

/* Another thread, and the message to it or from it. */
struct peer {
    int thread;
    bool mutual;
    size_t bytes; /* of a message, with its head */
    size_t place; /* of the two buffers in the receiver's area */
    int answer;   /* which of the sender's answer events the receiver posts */
    char *packed; /* to another host: memory in which the message is packed; else null */
    struct moves moves;
};

struct peers {
    struct peer *item;
    int count, capacity;
};

/* A buffer's head; the message follows it.  The event is posted with the number of the run. */
struct head {
    struct mer_event here;
    uint32_t unused;
    uint64_t digest;
};

struct mer_exchange {
    struct moves local;
    struct mer_copy_table *brief; /* replaces local if the moves are short; or null */
    bool streams;                 /* local moves store past the caches */
    struct peers out, in;
    uint64_t area;  /* native address in symmetric memory; 0 if no thread sends anything */
    size_t answers; /* bytes of answer events before the buffers */
    uint32_t run;
    bool remote; /* some message goes to another host */
};

/* Bytes for an answer's event: a cache line each. */
#define ANSWER_BYTES 64

/* ---- making -------------------------------------------------------------------------------------------- */

static void *grow(void *items, int count, int *capacity, size_t size) {
    if (count < *capacity)
        return items;
    *capacity = *capacity ? 2 * *capacity : 4;
    void *more = realloc(items, (size_t)*capacity * size);
    if (!more)
        mer_call_fatal("no memory for its plan of %d moves", count);
    return more;
}

static struct move *add_move(struct moves *m) {
    m->item = grow(m->item, m->count, &m->capacity, sizeof *m->item);
    return &m->item[m->count++];
}

/* The state of the walk through the pattern, for one receiver at a time. */
struct survey {
    struct mer_exchange *x;
    struct peers from; /* for each thread that sends to the receiver: bytes, and this thread's moves */
    int to_slot;       /* of a local move; -1 if there is none yet */
    bool shared;       /* local moves go to several slots, and may come from one source */
    bool through;      /* local moves may go beyond their pieces */
    size_t bytes;      /* of the local moves */
    size_t *area;      /* most bytes of buffers that a thread needs */
    int *sends;        /* by thread: the number of threads to which it sends */
};

static struct peer *peer_of(struct peers *p, int thread) {
    for (int i = 0; i < p->count; i++)
        if (p->item[i].thread == thread)
            return &p->item[i];
    p->item = grow(p->item, p->count, &p->capacity, sizeof *p->item);
    p->item[p->count] = (struct peer){.thread = thread, .bytes = sizeof(struct head)};
    return &p->item[p->count++];
}

static long largest(long a, long b) { return a > b ? a : b; }
static size_t round_up(size_t n, size_t to) { return (n + to - 1) / to * to; }

/* Sets the distances of a piece's elements in a message, and returns its bytes there.  Elements that are the
 * same along an axis are sent once. */
static size_t packed_strides(const struct mer_piece *p, ptrdiff_t stride[RANK], long count[RANK]) {
    size_t bytes = p->size;
    int order[RANK];
    for (int k = 0; k < p->rank; k++) {
        int i = k;
        for (; i > 0 && p->to_stride[order[i - 1]] > p->to_stride[k]; i--)
            order[i] = order[i - 1];
        order[i] = k;
    }
    for (int i = 0; i < p->rank; i++) {
        int k = order[i];
        bool once = p->from_stride[k] == 0;
        stride[k] = once ? 0 : (ptrdiff_t)bytes;
        count[k] = once ? 1 : p->count[k];
        bytes *= (size_t)count[k];
    }
    return round_up(bytes, 16);
}

static void count_slots(void *context, const struct mer_piece *p) {
    struct survey *s = context;
    if (p->from_thread != ME || p->to_thread != ME)
        return;
    s->shared = s->shared || (s->to_slot >= 0 && s->to_slot != p->to_slot);
    s->to_slot = p->to_slot;
    size_t bytes = p->size;
    for (int k = 0; k < p->rank; k++)
        bytes *= (size_t)p->count[k];
    s->bytes += bytes;
}

/* Returns the bytes of a result in one turn, if moves may go beyond their pieces.  Processors with AVX-512
 * write the target of a long contiguous run without reading it, so that the source may come from the second
 * level.  With AVX2, parts of 8 KB take 0.78 of the time of parts of 32 KB (64 x 64 and 8^4 doubles). */
static long through_bytes(const struct survey *s) {
    return largest(mer_vectors() == MER_VECTORS_AVX512 ? 32L << 10 : TOGETHER, (long)s->bytes / MOST_PARTS);
}

/* Several moves of one source take turns: each is cut along its slowest axis into parts that read the same
 * layers of the source as the parts of the other moves.
 *
 * Going beyond pieces.  A shift along another axis than the slowest one moves a run in each of many rows; the
 * rest of a row, which is short, comes from elsewhere.  One copy of all rows, rests included, takes a
 * fraction of the time of a copy for each row.  The moves that bring the rests overwrite these later.  If
 * such moves are local, they come later in the same turn, since parts are then cut by layers of the target.
 * If they are messages, they come later because messages are unpacked after all local moves.  No piece that
 * is copied so lies in the rests of another one: each such piece has two thirds of a row. */
static void add_local(struct mer_exchange *x, const struct mer_piece *p, const struct survey *s) {
    int slow = 0;
    for (int k = 0; k < p->rank; k++)
        if (p->to_stride[k] > p->to_stride[slow])
            slow = k;
    long count = p->count[slow], stride = p->from_stride[slow], to_stride = p->to_stride[slow];
    bool cut = s->shared && (s->through || (stride > 0 && p->from >= 0));
    long first = !cut ? 0 : s->through ? p->to / to_stride : p->from / stride;
    long layers = s->through ? largest(through_bytes(s) / to_stride, 1) /* alike for all pieces */
                  : cut      ? largest(TOGETHER / stride, count / MOST_PARTS + 1)
                             : 1;
    for (long i = 0; i < count;) {
        struct mer_piece part = *p;
        long left = cut ? layers - (first + i) % layers : count;
        part.count[slow] = left < count - i ? left : count - i;
        struct move *m = add_move(&x->local);
        mer_copy_prepare(&m->copy, p->size, p->rank, part.count, p->to_stride, p->from_stride);
        m->to = p->to + i * to_stride;
        m->from = p->from + i * stride;
        m->to_slot = p->to_slot;
        m->from_slot = p->from_slot;
        m->turn = cut ? (first + i) / layers : 0;
        m->late = !s->through || !mer_copy_through(&m->copy);
        i += part.count[slow];
    }
}

static void take_piece(void *context, const struct mer_piece *p) {
    struct survey *s = context;
    if (p->from_thread == p->to_thread) {
        if (p->to_thread == ME)
            add_local(s->x, p, s);
        return;
    }
    ptrdiff_t stride[RANK];
    long count[RANK];
    size_t bytes = packed_strides(p, stride, count);
    struct peer *peer = peer_of(&s->from, p->from_thread);
    if (p->to_thread == ME) {
        struct move *m = add_move(&peer->moves);
        mer_copy_prepare(&m->copy, p->size, p->rank, p->count, p->to_stride, stride);
        *m = (struct move){m->copy, p->to, (ptrdiff_t)peer->bytes, p->to_slot, 0, 0, false};
    } else if (p->from_thread == ME) {
        struct move *m = add_move(&peer->moves);
        mer_copy_prepare(&m->copy, p->size, p->rank, count, stride, p->from_stride);
        *m = (struct move){m->copy, (ptrdiff_t)peer->bytes, p->from, 0, p->from_slot, 0, false};
    }
    peer->bytes += bytes;
}

/* Places the messages to thread r in its area, once all are known, and keeps this thread's messages. */
static void place_buffers(struct survey *s, int r) {
    size_t place = 0;
    for (int i = 0; i < s->from.count; i++) {
        struct peer *p = &s->from.item[i];
        int sender = p->thread;
        p->place = place;
        p->answer = s->sends[sender]++;
        place += 2 * round_up(p->bytes, 64);
        if (r == ME || sender == ME) {
            struct peers *to = r == ME ? &s->x->in : &s->x->out;
            to->item = grow(to->item, to->count, &to->capacity, sizeof *to->item);
            to->item[to->count] = *p;
            to->item[to->count++].thread = r == ME ? sender : r;
        }
    }
    *s->area = place > *s->area ? place : *s->area;
    s->from.count = 0;
}

static void find_mutual(struct mer_exchange *x) {
    for (int i = 0; i < x->out.count; i++)
        for (int j = 0; j < x->in.count; j++)
            if (x->out.item[i].thread == x->in.item[j].thread)
                x->out.item[i].mutual = x->in.item[j].mutual = true;
}

/* Orders moves by turn, then by result, then late moves after the others: the result is then in the
 * first-level cache when late moves write to it.  With 8^4 doubles and AVX2 that takes 0.89 of the time of
 * all late moves at the end. */
static int by_turn(const void *a, const void *b) {
    const struct move *m = a, *n = b;
    if (m->turn != n->turn)
        return (m->turn > n->turn) - (m->turn < n->turn);
    if (m->to_slot != n->to_slot)
        return (m->to_slot > n->to_slot) - (m->to_slot < n->to_slot);
    if (m->late != n->late)
        return m->late - n->late;
    return (m->to > n->to) - (m->to < n->to);
}

/* Chooses the fastest way for the local moves. */
static void plan_local(struct mer_exchange *x) {
    size_t bytes = 0;
    int n = x->local.count;
    if (n <= 0)
        return;
    qsort(x->local.item, (size_t)n, sizeof *x->local.item, by_turn);
    for (int i = 0; i < n; i++)
        bytes += mer_copy_bytes(&x->local.item[i].copy);
    x->streams = mer_stream_pays(bytes);
    for (int i = 0; i < n && x->streams; i++)
        mer_copy_stream(&x->local.item[i].copy);
    if (x->streams || bytes > MER_COPY_TABLE_BYTES)
        return;
    struct mer_table_move *move = calloc((size_t)n, sizeof *move);
    if (!move)
        mer_call_fatal("no memory for its plan of %d moves", n);
    for (int i = 0; i < n; i++) {
        const struct move *m = &x->local.item[i];
        move[i] = (struct mer_table_move){&m->copy, m->to, m->from, m->to_slot, m->from_slot, m->late};
    }
    x->brief = mer_copy_table_new(move, n);
    free(move);
}

/* Return the bits of a message's buffer in run m, in the area of thread `owner', and of an answer's event. */
static mer_u64 buffer_of(const struct mer_exchange *x, const struct peer *p, int owner, uint32_t m) {
    return mer_bits((mer_u64)owner, x->area + x->answers + p->place + (m & 1) * round_up(p->bytes, 64));
}
static mer_u64 answer_of(const struct mer_exchange *x, const struct peer *p, int owner) {
    return mer_bits((mer_u64)owner, x->area + (size_t)p->answer * ANSWER_BYTES);
}

/* Sets the events as if the runs before the first one had come, and had been unpacked. */
static void begin_events(struct mer_exchange *x) {
    x->run = mer_wrap_start;
    for (int i = 0; i < x->in.count; i++)
        for (uint32_t m = 0; m < 2; m++)
            mer_event_begin(mer_at(buffer_of(x, &x->in.item[i], ME, m)), x->run);
    for (int i = 0; i < x->out.count; i++)
        mer_event_begin(mer_at(answer_of(x, &x->out.item[i], ME)), x->run);
}

/* Allocates the buffers, and the memory in which messages to other hosts are packed. */
static void get_memory(struct mer_exchange *x, size_t area, int answers) {
    x->answers = (size_t)answers * ANSWER_BYTES;
    if (area) {
        size_t n = x->answers + area;
        mer_call_share(ME == 0 ? mer_heap_symmetric(n, n * (size_t)THREADS, NULL) : 0);
        x->area = mer_barrier_payload(0);
        char text[32];
        if (!x->area)
            mer_call_fatal("no memory for its buffers: %s of shared memory in each thread",
                           mer_bytes_text(text, n));
        memset(mer_view(ME, x->area), 0, n);
        begin_events(x);
    }
    for (int i = 0; i < x->out.count; i++) {
        struct peer *p = &x->out.item[i];
        if (mer_is_local(mer_bits((mer_u64)p->thread, x->area)))
            continue;
        x->remote = true;
        p->packed = calloc(1, p->bytes);
        if (!p->packed)
            mer_call_fatal("no memory for its messages");
    }
    mer_call_barrier(); /* the areas are clear */
}

struct mer_exchange *mer_exchange_new(mer_exchange_pattern *pattern, const void *context, bool fills) {
    struct mer_exchange *x = calloc(1, sizeof *x);
    int *sends = calloc((size_t)THREADS, sizeof *sends), answers = 0;
    size_t area = 0;
    if (!x || !sends)
        mer_call_fatal("no memory for its plan");
    struct survey s = {.x = x, .to_slot = -1, .area = &area, .sends = sends};
    pattern(context, ME, count_slots, &s);
    s.through = fills && !mer_stream_pays(s.bytes);
    for (int r = 0; r < THREADS; r++) {
        pattern(context, r, take_piece, &s);
        place_buffers(&s, r);
    }
    for (int t = 0; t < THREADS; t++)
        answers = sends[t] > answers ? sends[t] : answers;
    free(sends);
    free(s.from.item);
    find_mutual(x);
    plan_local(x);
    if (THREADS > 1)
        get_memory(x, area, answers);
    return x;
}

static void free_peers(struct peers *p) {
    for (int i = 0; i < p->count; i++) {
        free(p->item[i].moves.item);
        free(p->item[i].packed);
    }
    free(p->item);
}

void mer_exchange_free(struct mer_exchange *x) {
    if (x->area && ME == 0)
        mer_heap_free(0, x->area, "mer_pshift_free");
    free_peers(&x->out);
    free_peers(&x->in);
    free(x->local.item);
    free(x->brief);
    free(x);
}

bool mer_exchange_is_local(const struct mer_exchange *x) { return x->out.count == 0 && x->in.count == 0; }

bool mer_exchange_reads_slot(const struct mer_exchange *x, int slot) {
    for (int i = 0; i < x->local.count; i++)
        if (x->local.item[i].from_slot == slot)
            return true;
    return false;
}

/* ---- running ------------------------------------------------------------------------------------------- */

static void await(struct mer_event *event, uint32_t number, int peer) {
    if (mer_event_reached(event, number))
        return;
    while (!mer_event_wait_for(event, number, LOOK_NS))
        if (!mer_event_reached(event, number))
            mer_call_stalled(peer);
}

struct posting {
    mer_u64 event;
    uint32_t number;
};

static size_t on_post(int caller, const void *in, void *out) {
    const struct posting *p = in;
    (void)caller;
    (void)out;
    mer_event_post(mer_at(p->event), p->number);
    return 0;
}

/* Post an event of another thread, after all earlier writes to that thread. */
static void post(mer_u64 event, uint32_t number) {
    if (mer_is_local(event)) {
        mer_event_post(mer_at(event), number);
    } else {
        struct posting p = {event, number};
        mer_rma_call_one_way((int)mer_threadof(event), on_post, &p, sizeof p);
    }
}

/* Waits until the receiver has unpacked run m - 2 and all before it; see exchange.h. */
static void await_buffer(const struct mer_exchange *x, const struct peer *p) {
    if (!p->mutual)
        await(mer_at(answer_of(x, p, ME)), x->run - 2, p->thread);
}

static void pack(const struct peer *p, char *message, char *const *memory) {
    for (int i = 0; i < p->moves.count; i++) {
        const struct move *m = &p->moves.item[i];
        mer_copy_run(&m->copy, message + m->to, memory[m->from_slot] + m->from);
    }
}

static void send(const struct mer_exchange *x, const struct peer *p, char *const *memory, uint64_t digest) {
    mer_u64 to = buffer_of(x, p, p->thread, x->run);
    await_buffer(x, p);
    char *message = p->packed ? p->packed : mer_at(to);
    ((struct head *)message)->digest = digest;
    pack(p, message, memory);
    if (p->packed) {
        size_t skip = offsetof(struct head, digest);
        mer_rma_write_post(to + skip, message + skip, p->bytes - skip, to, x->run);
    } else {
        mer_event_post(mer_at(to), x->run);
    }
}

static void receive(const struct mer_exchange *x, const struct peer *p, char *const *memory,
                    uint64_t digest) {
    char *message = mer_at(buffer_of(x, p, ME, x->run));
    struct head *head = (struct head *)message;
    await(&head->here, x->run, p->thread);
    if (__builtin_expect(head->digest != digest, 0))
        mer_call_differs(p->thread);
    for (int i = 0; i < p->moves.count; i++) {
        const struct move *m = &p->moves.item[i];
        mer_copy_run(&m->copy, memory[m->to_slot] + m->to, message + m->from);
    }
    if (!p->mutual)
        post(answer_of(x, p, p->thread), x->run);
}

/* Fetches the lines of the buffer of the next run, whose old message the receiver has unpacked (exchange.h).
 * They come to this core while the receiver unpacks and the program computes, so that the stores of the next
 * run do not wait for them. */
static void fetch_next(const struct mer_exchange *x, const struct peer *p) {
    if (!p->mutual || p->packed)
        return;
    const char *message = mer_at(buffer_of(x, p, p->thread, x->run + 1));
    for (size_t at = 0; at < p->bytes && at < NEXT_BYTES; at += MER_LINE)
        mer_fetch_to_write(message + at);
}

void mer_exchange_send(struct mer_exchange *x, char *const *memory, uint64_t digest) {
    x->run++;
    for (int i = 0; i < x->out.count; i++)
        send(x, &x->out.item[i], memory, digest);
    if (x->remote)
        mer_am_poll(); /* packed messages leave */
}

void mer_exchange_move(const struct mer_exchange *x, char *const *memory) {
    if (x->brief) {
        mer_copy_table_run(x->brief, memory);
        return;
    }
    for (int i = 0; i < x->local.count; i++) {
        const struct move *m = &x->local.item[i];
        mer_copy_run(&m->copy, memory[m->to_slot] + m->to, memory[m->from_slot] + m->from);
    }
    if (x->streams)
        mer_stream_end();
}

void mer_exchange_finish(struct mer_exchange *x, char *const *memory, uint64_t digest) {
    for (int i = 0; i < x->in.count; i++)
        receive(x, &x->in.item[i], memory, digest);
    for (int i = 0; i < x->out.count; i++)
        fetch_next(x, &x->out.item[i]);
}
