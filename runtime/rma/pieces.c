/* See pieces.h.
 *
 * Words of a message name the places of its pieces.  A word has an address at the owner in its lowest 48
 * bits, then 15 bits of length - 1, then a bit that says that another word follows.  That one has the
 * distance of the pieces of a run (48 bits) and how many follow the first.  The payload of a get is these
 * words, and its answer has the bytes in the order of the places.  The payload of a put is the bytes, and the
 * words after them.
 *
 * The local places, to which the bytes of a get go, stay here in a list that the answer names.
 *
 * Longer pieces are not copied: a message of up to MER_AM_PARTS of them is sent from where they lie, as a put
 * with the places before the bytes or as the answer to a get.  The receiver knows the places when the first
 * bytes of the message have come, so the transport lets the others land there (mer_handler_places).
 */
#include "rma/pieces.h"

#include "am/am.h"
#include "am/handlers.h"
#include "rma/fence.h"
#include "transport/transport.h"
#include "host/job.h"
#include "base/fatal.h"

#include <stdlib.h>
#include <string.h>

/* Most bytes of a message, and of a piece in it.  With its heads such a message is a packet of the usual
 * length, so that the receiver works on one while the next is being filled. */
#define MOST (MER_TRANSPORT_LONG - 256)
static_assert(MOST <= 1U << 15, "the length of a piece has 15 bits");
static_assert(MOST < MER_TRANSPORT_LONG,
              "the transport looks for the place of a long payload in the first word");
#define MOST_RUN 65536U /* pieces at equal distances in one entry */
#define MOST_PIECE (1U << 15)
#define GATHERED 2048U  /* so long pieces are not copied, except some among shorter ones */
#define WORDS_OF_PART 4 /* most words that name a part: a run, and the rest of it */
#define LEAST 256U      /* no piece is cut for less room */
#define FOLLOWS (1ULL << 63)

/* Pieces at equal distances.  If count is 1, the distance has no meaning. */
struct run {
    mer_u64 at, distance;
    uint32_t length, count;
};

struct runs {
    struct run *list;
    size_t count, capacity;
    size_t words; /* that name them in a message */
};

/* A message that is being put together. */
struct mer_pieces_batch {
    int owner;
    bool put, gathered;
    size_t most;  /* longest payload */
    size_t bytes; /* of the pieces */
    struct runs there, here;
    int nparts;                              /* gathered: parts, the first for the places, */
    struct iovec parts[MER_AM_PARTS];        /* and for a put the others for its pieces */
    _Alignas(8) unsigned char payload[MOST]; /* gathered: places alone */
};
static_assert((MER_AM_PARTS + 1) * WORDS_OF_PART * sizeof(mer_u64) <= MOST, "the places of all parts fit");

/* A get that is under way. */
struct get {
    int *counter;
    struct runs here;
};

/* ---- lists of places ----------------------------------------------------------------------------------- */

static void append(struct runs *runs, mer_u64 at, size_t n) {
    if (runs->count == runs->capacity) {
        runs->capacity = runs->capacity ? 2 * runs->capacity : 32;
        runs->list = realloc(runs->list, runs->capacity * sizeof *runs->list);
        if (!runs->list)
            mer_fatal("no memory for a list of %zu pieces of memory", runs->capacity);
    }
    runs->list[runs->count++] = (struct run){.at = at, .length = (uint32_t)n, .count = 1};
    runs->words++;
}

/* Extends the last run by a piece that follows it directly or at its distance.  Returns false if it does
 * neither. */
static bool goes_on(struct runs *runs, struct run *last, mer_u64 at, size_t n) {
    if (last->count == 1 && at == last->at + last->length && last->length + n <= MOST) {
        last->length += (uint32_t)n;
        return true;
    }
    if (last->length != n || last->count == MOST_RUN)
        return false;
    if (last->count == 1) {
        last->distance = at - last->at;
        runs->words++;
    } else if (at != last->at + last->count * last->distance) {
        return false;
    }
    last->count++;
    return true;
}

static void add_place(struct runs *runs, mer_u64 at, size_t n) {
    if (!runs->count || !goes_on(runs, &runs->list[runs->count - 1], at, n))
        append(runs, at, n);
}

static void write_words(mer_u64 *words, const struct runs *runs) {
    for (const struct run *r = runs->list, *end = r + runs->count; r < end; r++) {
        *words++ = r->at | (mer_u64)(r->length - 1) << 48 | (r->count > 1 ? FOLLOWS : 0);
        if (r->count > 1)
            *words++ = (r->distance & MER_ADDR_MASK) | (mer_u64)(r->count - 1) << 48;
    }
}

/* Reads the next run of a message's words.  Returns the words after it. */
static const mer_u64 *read_words(const mer_u64 *words, struct run *r) {
    mer_u64 first = *words++;
    *r = (struct run){
        .at = first & MER_ADDR_MASK, .length = (uint32_t)(first >> 48 & 0x7fff) + 1, .count = 1};
    if (first & FOLLOWS) {
        r->distance = (mer_u64)((mer_i64)(*words << 16) >> 16);
        r->count += (uint32_t)(*words++ >> 48);
    }
    return words;
}

/* ---- copying ------------------------------------------------------------------------------------------- */

static inline void copy(bool out, unsigned char *place, unsigned char *packed, size_t n) {
    if (out)
        memcpy(packed, place, n);
    else
        memcpy(place, packed, n);
}

static size_t padded(size_t bytes) { return (bytes + 7) & ~(size_t)7; }

static inline size_t run_bytes(const struct run *r) { return (size_t)r->length * r->count; }

/* Returns true if the next word is the last of the list, but says that another one follows. */
static inline bool cut_off(const mer_u64 *words, const mer_u64 *end) {
    return (*words & FOLLOWS) && words + 1 == end;
}

/* Refuses a message unless the pieces that `count' words of it name have so many bytes, or have so many when
 * filled up to whole words. */
static void check_words(const struct mer_am_message *m, const mer_u64 *words, size_t count, size_t bytes) {
    const mer_u64 *end = words + count;
    size_t sum = 0;
    for (struct run r; words < end && !cut_off(words, end) && sum <= bytes; sum += run_bytes(&r))
        words = read_words(words, &r);
    if (words < end || (sum != bytes && padded(sum) != bytes))
        mer_message_garbled(m->source,
                            "the lengths of the pieces do not add up to the length of the payload");
}

/* Copies between the pieces of a run and contiguous bytes, and returns the end of these.  The lengths of
 * usual elements are constants, so that such copies are single instructions. */
static unsigned char *copy_run(bool out, const struct run *r, unsigned char *packed) {
#define EACH(n)                                                                                              \
    for (uint32_t i = 0; i < r->count; i++, place += r->distance, packed += (n))                             \
        copy(out, place, packed, (n));                                                                       \
    break
    unsigned char *place = (unsigned char *)(uintptr_t)r->at;
    switch (r->length) {
    case 4:
        EACH(4);
    case 8:
        EACH(8);
    case 16:
        EACH(16);
    default:
        EACH(r->length);
    }
    return packed;
#undef EACH
}

static void copy_words(bool out, const mer_u64 *words, size_t count, unsigned char *packed) {
    struct run r;
    for (const mer_u64 *end = words + count; words < end;) {
        words = read_words(words, &r);
        packed = copy_run(out, &r, packed);
    }
}

/* ---- parts --------------------------------------------------------------------------------------------- */

/* A list of parts of memory, in which adjacent parts are one.  count < 0: there are too many. */
struct parts {
    struct iovec *list;
    int count;
    size_t bytes;
};

static void add_run(struct parts *parts, const struct run *r) {
    unsigned char *place = (unsigned char *)(uintptr_t)r->at;
    for (uint32_t i = 0; i < r->count && parts->count >= 0; i++, place += r->distance) {
        struct iovec *last = parts->count ? &parts->list[parts->count - 1] : NULL;
        parts->bytes += r->length;
        if (last && (unsigned char *)last->iov_base + last->iov_len == place)
            last->iov_len += r->length;
        else if (parts->count < MER_AM_PARTS)
            parts->list[parts->count++] = (struct iovec){place, r->length};
        else
            parts->count = -1;
    }
}

static struct parts parts_of_words(const mer_u64 *words, size_t count, struct iovec *list) {
    struct parts parts = {.list = list};
    struct run r;
    for (const mer_u64 *end = words + count; words < end && parts.count >= 0;) {
        if (cut_off(words, end)) {
            parts.count = -1;
            break;
        }
        words = read_words(words, &r);
        add_run(&parts, &r);
    }
    return parts;
}

static struct parts parts_of_runs(const struct runs *runs, struct iovec *list) {
    struct parts parts = {.list = list};
    for (size_t i = 0; i < runs->count && parts.count >= 0; i++)
        add_run(&parts, &runs->list[i]);
    return parts;
}

/* ---- handlers ------------------------------------------------------------------------------------------ */

/* words: struct get, nothing, nothing, bytes (where transport.c looks for them, as in other gets); payload:
 * places */
static void on_get(struct mer_am_message *m) {
    _Alignas(8) unsigned char packed[MOST];
    struct iovec list[MER_AM_PARTS];
    check_words(m, m->payload, m->length / sizeof(mer_u64), m->args[3]);
    if (m->args[3] > MOST) {
        struct parts parts = parts_of_words(m->payload, m->length / sizeof(mer_u64), list);
        if (parts.count < 0)
            mer_message_garbled(m->source, "a get asks for more pieces than a reply can hold");
        mer_am_reply_parts(m, MER_AM_PIECES_GOT, list, parts.count, parts.bytes, m->args, 1);
        return;
    }
    copy_words(true, m->payload, m->length / sizeof(mer_u64), packed);
    mer_am_reply_medium(m, MER_AM_PIECES_GOT, packed, m->args[3], m->args, 1);
}

static void on_got(struct mer_am_message *m) {
    struct get *get = (struct get *)(uintptr_t)m->args[0];
    unsigned char *packed = m->payload;
    size_t bytes = 0;
    for (size_t i = 0; m->length && i < get->here.count; i++)
        bytes += run_bytes(&get->here.list[i]);
    if (bytes != m->length)
        mer_message_garbled(m->source, "a reply has another number of bytes than its get asked for");
    for (size_t i = 0; m->length && i < get->here.count; i++) /* 0: all of them have landed */
        packed = copy_run(false, &get->here.list[i], packed);
    --*get->counter;
    free(get->here.list);
    free(get);
}

static int places_got(const mer_u64 *args, const void *payload, size_t have, size_t length, size_t *kept,
                      struct iovec *list) {
    struct parts parts = parts_of_runs(&((struct get *)(uintptr_t)args[0])->here, list);
    (void)payload;
    (void)have;
    *kept = 0;
    return parts.bytes == length && parts.count > 0 ? parts.count : 0;
}

/* Returns the bytes of a put's payload without the words that name the places. */
static size_t bytes_besides(const struct mer_am_message *m) {
    if (m->args[1] > m->length / sizeof(mer_u64))
        mer_message_garbled(m->source, "a put names more addresses than its payload holds");
    return m->length - m->args[1] * sizeof(mer_u64);
}

/* words: counter, how many words name the places; payload: bytes, places */
static void on_put(struct mer_am_message *m) {
    unsigned char *packed = m->payload;
    size_t bytes = bytes_besides(m);
    const mer_u64 *places = (const void *)(packed + bytes);
    if (bytes % sizeof *places)
        mer_message_garbled(m->source, "the pieces of a put are not padded to whole words");
    check_words(m, places, m->args[1], bytes);
    copy_words(false, places, m->args[1], packed);
    mer_am_reply(m, MER_AM_ACK, m->args, 1);
}

/* words: counter, how many words name the places; payload: places, bytes */
static void on_put_long(struct mer_am_message *m) {
    mer_u64 *places = m->payload;
    size_t bytes = bytes_besides(m);
    if (bytes) /* else all of them have landed */
        check_words(m, places, m->args[1], bytes);
    if (bytes)
        copy_words(false, places, m->args[1], (unsigned char *)(places + m->args[1]));
    mer_am_reply(m, MER_AM_ACK, m->args, 1);
}

static int places_put(const mer_u64 *args, const void *payload, size_t have, size_t length, size_t *kept,
                      struct iovec *list) {
    *kept = args[1] * sizeof(mer_u64);
    if (args[1] > have / sizeof(mer_u64))
        return 0;
    struct parts parts = parts_of_words(payload, args[1], list);
    return parts.bytes == length - *kept && parts.count > 0 ? parts.count : 0;
}

void mer_pieces_handlers(void) {
    mer_am_set_handler(MER_AM_PIECES_GET, on_get,
                       MER_HANDLER_MEMORY | MER_HANDLER_READS | MER_HANDLER_LENGTH_WORD);
    mer_am_set_handler(MER_AM_PIECES_GOT, on_got, MER_HANDLER_READS);
    mer_am_set_handler(MER_AM_PIECES_PUT, on_put, MER_HANDLER_MEMORY);
    mer_am_set_handler(MER_AM_PIECES_PUT_LONG, on_put_long, MER_HANDLER_MEMORY);
    mer_am_set_places(MER_AM_PIECES_GOT, places_got);
    mer_am_set_places(MER_AM_PIECES_PUT_LONG, places_put);
}

/* ---- sending ------------------------------------------------------------------------------------------- */

static void clear(struct runs *runs) { runs->count = runs->words = 0; }

static void send_put(struct mer_pieces *p, struct mer_pieces_batch *b) {
    size_t at = padded(b->bytes);
    mer_u64 words[2] = {(mer_u64)(uintptr_t)p->counter, b->there.words};
    write_words((mer_u64 *)(void *)(b->payload + at), &b->there);
    mer_am_request_medium(b->owner, MER_AM_PIECES_PUT, b->payload, at + b->there.words * sizeof(mer_u64),
                          words, 2);
}

/* The places go before the pieces, as the first part. */
static void send_put_long(struct mer_pieces *p, struct mer_pieces_batch *b) {
    size_t places = b->there.words * sizeof(mer_u64);
    mer_u64 words[2] = {(mer_u64)(uintptr_t)p->counter, b->there.words};
    write_words((mer_u64 *)(void *)b->payload, &b->there);
    b->parts[0] = (struct iovec){b->payload, places};
    mer_am_request_parts(b->owner, MER_AM_PIECES_PUT_LONG, b->parts, b->nparts, places + b->bytes, words, 2);
}

static void send_get(struct mer_pieces *p, struct mer_pieces_batch *b) {
    struct get *get = malloc(sizeof *get);
    if (!get)
        mer_fatal("no memory for a read of %zu pieces of memory", b->here.count);
    *get = (struct get){p->counter, b->here};
    b->here = (struct runs){0};
    write_words((mer_u64 *)(void *)b->payload, &b->there);
    mer_u64 words[4] = {(mer_u64)(uintptr_t)get, 0, 0, b->bytes};
    mer_am_request_medium(b->owner, MER_AM_PIECES_GET, b->payload, b->there.words * sizeof(mer_u64), words,
                          4);
}

static void send(struct mer_pieces *p, struct mer_pieces_batch *b) {
    if (!b->bytes)
        return;
    ++*p->counter;
    if (b->put && b->gathered)
        send_put_long(p, b);
    else if (b->put)
        send_put(p, b);
    else
        send_get(p, b);
    clear(&b->there);
    b->bytes = 0;
}

/* Tells the transport that more messages to this thread follow soon. */
static void others_follow(struct mer_pieces *p, int owner) {
    struct mer_transport *end = mer_transport_to(owner);
    if (p->more || !end)
        return;
    p->more = true;
    mer_transport_more(end, true);
}

int mer_pieces_owners(void) { return mer_job.threads < MER_PIECES_MOST ? mer_job.threads : MER_PIECES_MOST; }

/* Returns the message to a thread that is being built, for a piece of n bytes.  The first piece decides
 * whether pieces are copied; a long piece is not added to a message of copies. */
static struct mer_pieces_batch *batch_for(struct mer_pieces *p, int owner, bool put, size_t n) {
    if (!p->open && !(p->open = calloc((size_t)mer_pieces_owners(), sizeof(struct mer_pieces_batch *))))
        mer_fatal("no memory for messages to %d threads", mer_pieces_owners());
    struct mer_pieces_batch **place = &p->open[owner % mer_pieces_owners()], *b = *place;
    if (b && (b->owner != owner || b->put != put || (!b->gathered && n >= MER_TRANSPORT_LONG)))
        send(p, b);
    if (!b) {
        b = *place = malloc(sizeof *b);
        if (!b)
            mer_fatal("no memory for a message");
        b->there = b->here = (struct runs){0};
        b->bytes = 0;
    }
    if (b->bytes)
        return b;
    size_t most = mer_transport_medium(mer_transport_to(owner));
    b->owner = owner;
    b->put = put;
    b->gathered = n >= GATHERED && most > MOST && mer_transport_to(owner);
    b->most = b->gathered || most < MOST ? most : MOST;
    b->nparts = 1;
    return b;
}

/* As part_of, for pieces that are not copied: a piece is cut only if no message could hold it. */
static size_t part_of_long(struct mer_pieces *p, struct mer_pieces_batch *b, size_t n) {
    for (;;) {
        size_t places = (b->there.words + WORDS_OF_PART) * sizeof(mer_u64);
        size_t left = b->nparts < MER_AM_PARTS ? b->most - places - b->bytes : 0;
        if (n <= left)
            return n;
        if (!b->bytes)
            return left / 64 * 64;
        others_follow(p, b->owner);
        send(p, b);
        b->nparts = 1;
    }
}

static void add_long(struct mer_pieces *p, struct mer_pieces_batch *b, char *here, mer_u64 there, size_t n) {
    for (size_t done = 0, part; done < n; done += part) {
        part = part_of_long(p, b, n - done);
        for (size_t at = done, piece; at < done + part; at += piece) {
            piece = done + part - at < MOST_PIECE ? done + part - at : MOST_PIECE;
            add_place(&b->there, (there & MER_ADDR_MASK) + at, piece);
            if (!b->put)
                add_place(&b->here, (mer_u64)(uintptr_t)here + at, piece);
        }
        b->parts[b->nparts++] = (struct iovec){here + done, part};
        b->bytes += part;
    }
}

/* Returns how many of n bytes go into the message, which is sent first if too few fit into it.  Leaves room
 * for two more words of places. */
static size_t part_of(struct mer_pieces *p, struct mer_pieces_batch *b, size_t n) {
    for (;;) {
        size_t places = (b->there.words + 2) * sizeof(mer_u64), used = padded(b->bytes) + 8;
        if (b->put)
            used += places;
        size_t left = used < b->most && places <= b->most ? b->most - used : 0;
        if (n <= left)
            return n;
        if (left >= LEAST)
            return left;
        others_follow(p, b->owner);
        send(p, b);
    }
}

static bool begin_rma(struct mer_pieces *p, bool put, void *here, mer_u64 there, size_t n) {
    struct mer_transport *end = mer_transport_to((int)mer_procof(there));
    return put ? mer_transport_put(end, there, here, n, p->counter)
               : mer_transport_get(end, here, there, n, p->counter);
}

/* Begins a transfer by the conduit's get or put.  Returns false if there is none for this memory or for so
 * few bytes.  The conduit's operations keep no order with messages, so earlier writes are waited for.  Pieces
 * that follow may share operations of the network.  Once the conduit has taken a piece of this transfer, a
 * refusal only means that too many are under way. */
static bool by_rma(struct mer_pieces *p, bool put, void *here, mer_u64 there, size_t n) {
    if (!mer_transport_has_rma(mer_transport_to((int)mer_procof(there)), put, n))
        return false;
    mer_rma_complete();
    others_follow(p, (int)mer_procof(there));
    while (!begin_rma(p, put, here, there, n)) {
        if (!p->rma || !*(const volatile int *)p->counter)
            return false;
        mer_am_poll();
    }
    return p->rma = true;
}

/* Adds a piece of n bytes, at `here' and `there'. */
static void add(struct mer_pieces *p, bool put, char *here, mer_u64 there, size_t n) {
    if (n >= MER_TRANSPORT_LONG && by_rma(p, put, here, there, n))
        return;
    struct mer_pieces_batch *b = batch_for(p, (int)mer_procof(there), put, n);
    if (b->gathered) {
        add_long(p, b, here, there, n);
        return;
    }
    for (size_t done = 0, part; done < n; done += part) {
        part = part_of(p, b, n - done);
        add_place(&b->there, (there & MER_ADDR_MASK) + done, part);
        if (put)
            memcpy(b->payload + b->bytes, here + done, part);
        else
            add_place(&b->here, (mer_u64)(uintptr_t)here + done, part);
        b->bytes += part;
    }
}

void mer_pieces_get(struct mer_pieces *p, void *to, mer_u64 from, size_t n) { add(p, false, to, from, n); }

void mer_pieces_put(struct mer_pieces *p, mer_u64 to, const void *from, size_t n) {
    add(p, true, (char *)(uintptr_t)from, to, n);
}

void mer_pieces_send(struct mer_pieces *p) {
    bool held = p->more;
    if (held)
        mer_transport_more(mer_transport, p->more = false);
    for (int i = 0; p->open && i < mer_pieces_owners(); i++) {
        struct mer_pieces_batch *b = p->open[i];
        if (!b)
            continue;
        send(p, b);
        free(b->there.list);
        free(b->here.list);
        free(b);
    }
    free(p->open);
    p->open = NULL;
    if (held)
        mer_am_poll();
}
