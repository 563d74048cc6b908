/* Packets and frames that are cut, lengthened and changed at random: the code that takes them apart touches
 * nothing outside of them, with any lengths, counts and numbers. The address sanitizer watches. A fatal
 * message ends a packet here, not the process. Built without the rest of the library. */
#include "job.h"

#include "base/fatal.h"
#include "conduit/frames.h"
#include "host/hosts.h"
#include "host/job.h"
#include "transport/end.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PROGRAMS = 3, MEMORY = MER_AM_HANDLERS + 1, ASKS, SPREADS };
#define AREA ((size_t)MER_LINK_PACKET)
#define CASES 6000

static struct mer_transport *end;
static struct mer_handlers handlers;
static _Alignas(64) unsigned char area[AREA]; /* where payloads land */
static const unsigned char *first, *behind;   /* the packet that is being delivered */
static unsigned long ran, refused, landed;
static uint64_t read_so_far; /* so that the compiler keeps the reads */

/* ---- in place of the runtime's: the next packet ------------------------------------------------------- */

static jmp_buf next_case;
static bool counts_refusals;

void mer_fatal(const char *format, ...) {
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    CHECK(strstr(text, "has sent a malformed packet") || strstr(text, "names handler"));
    CHECK(counts_refusals);
    refused++;
    longjmp(next_case, 1);
}

void mer_fatal_job(const char *format, ...) {
    fprintf(stderr, "%s\n", format);
    exit(99);
}

void mer_warn(const char *format, ...) { fprintf(stderr, "%s\n", format); }

char *mer_bytes_text(char text[32], unsigned long long bytes) {
    sprintf(text, "%llu", bytes);
    return text;
}

/* Gives something to the receiver, which may refuse it. */
static void attempt(void (*give)(void *), void *what) {
    if (setjmp(next_case) == 0)
        give(what);
}

const char *mer_host_name(int thread) {
    (void)thread;
    return "other";
}

/* ---- the receiver ------------------------------------------------------------------------------------- */

static struct mer_conduit_endpoint endpoint;
static const struct mer_conduit conduit;

static struct mer_conduit_endpoint *open_endpoint(const struct mer_conduit_client *client,
                                                  struct mer_conduit_address *own) {
    endpoint = (struct mer_conduit_endpoint){
        .conduit = &conduit, .client = client, .packet_most = MER_LINK_PACKET};
    own->length = 0;
    return &endpoint;
}

static const struct mer_conduit conduit = {.abi = MER_CONDUIT_ABI, .name = "none", .open = open_endpoint};

/* Reads all words that a message may have, and its payload if the packet contains it. */
static void reads_all(struct mer_am_message *m) {
    const unsigned char *payload = m->payload;
    ran++;
    for (int i = 0; i < MER_AM_ARGS; i++)
        read_so_far += m->args[i];
    if (!payload || payload < first || payload > behind)
        return;
    CHECK(m->length <= (size_t)(behind - payload));
    for (size_t i = 0; i < m->length; i++)
        read_so_far += payload[i];
}

/* words: anything, how many parts, bytes of each; the first 8 bytes of the payload stay with the message */
static int spread(const mer_u64 *args, const void *payload, size_t have, size_t length, size_t *kept,
                  struct iovec *parts) {
    (void)length;
    *kept = 8;
    if (have < 8 || args[1] == 0 || args[1] > MER_AM_PARTS || args[2] > AREA / MER_AM_PARTS)
        return 0;
    read_so_far += *(const unsigned char *)payload;
    for (mer_u64 i = 0; i < args[1]; i++)
        parts[i] = (struct iovec){area + i * args[2], args[2]};
    return (int)args[1];
}

static void open_end(void) {
    struct mer_conduit_address own;
    struct mer_transport_config config = {
        .thread = 1, .threads = 2, .here_first = 1, .here = 1, .conduit = &conduit, .handlers = &handlers};
    handlers.at[PROGRAMS].run = reads_all;
    handlers.at[MEMORY] = (struct mer_handler){reads_all, MER_HANDLER_MEMORY, NULL};
    handlers.at[ASKS] = (struct mer_handler){
        reads_all, MER_HANDLER_MEMORY | MER_HANDLER_READS | MER_HANDLER_LENGTH_WORD, NULL};
    handlers.at[SPREADS] = (struct mer_handler){reads_all, MER_HANDLER_MEMORY, spread};
    end = mer_transport_open(&config, &own);
}

static void begin_case(void) {
    end->peers[0] = (struct mer_peer){.credit = MER_TRANSPORT_WINDOW};
    end->busy_count = 0;
    handlers.running = false;
}

/* ---- packets ------------------------------------------------------------------------------------------ */

struct packet {
    size_t length, have; /* have: bytes that have come when its landing is asked for */
    _Alignas(8) unsigned char bytes[AREA];
};
static struct packet made;

static void add_message(struct packet *p, unsigned *seed, bool is_long) {
    static const uint16_t numbers[] = {PROGRAMS, MEMORY, ASKS, SPREADS};
    unsigned size = is_long ? MER_AM_IS_MEDIUM : job_random(seed) % 3;
    struct mer_message_head head = {.handler = numbers[job_random(seed) % 4],
                                    .kind = (uint8_t)(size | (job_random(seed) % 2 ? MER_REQUEST_BIT : 0)),
                                    .nargs = (uint8_t)(1 + job_random(seed) % MER_AM_ARGS)};
    mer_u64 parts = 1 + job_random(seed) % 8, each = 2048 + 8 * (job_random(seed) % 200);
    mer_u64 words[MER_AM_ARGS] = {(mer_u64)(uintptr_t)area, parts, each, job_random(seed) % 4000};
    if (is_long) {
        head.handler = numbers[1 + job_random(seed) % 3];
        head.nargs = head.handler == SPREADS && head.nargs < 3 ? 3 : head.nargs;
        head.length = MER_TRANSPORT_LONG + job_random(seed) % 20000;
        if (head.handler == SPREADS)
            head.length = (uint32_t)(8 + parts * each);
    } else if (size == MER_AM_IS_MEDIUM) {
        head.length = job_random(seed) % 300;
    }
    CHECK(p->length + mer_bytes_of(&head) <= AREA);
    memcpy(p->bytes + p->length, &head, sizeof head);
    memcpy(p->bytes + p->length + sizeof head, words, head.nargs * sizeof *words);
    p->length += mer_bytes_of(&head);
}

static void make_packet(struct packet *p, unsigned *seed, uint32_t number) {
    struct mer_packet_head head = {.number = number};
    memset(p->bytes, 0, 4096);
    memcpy(p->bytes, &head, sizeof head);
    p->length = sizeof head;
    bool is_long = job_random(seed) % 2;
    for (unsigned i = 0, n = is_long ? 1 : 1 + job_random(seed) % 6; i < n; i++)
        add_message(p, seed, is_long);
}

/* Changes anything except the first message's first word, which is an address. */
static void change(struct packet *p, unsigned *seed) {
    static const mer_u64 values[] = {0,    1,    2,          3,          7,          8,    0x7f,
                                     0x80, 0xff, 0x7fffffff, 0xffffffff, 1ULL << 61, ~0ULL};
    size_t at = job_random(seed) % 200;
    size_t address = sizeof(struct mer_packet_head) + sizeof(struct mer_message_head);
    switch (job_random(seed) % 4) {
    case 0:
        p->length = job_random(seed) % (p->length + 1); /* cut */
        return;
    case 1:
        p->length += job_random(seed) % 64; /* lengthened */
        return;
    case 2:
        at = sizeof(struct mer_packet_head) + job_random(seed) % sizeof(struct mer_message_head);
    }
    mer_u64 value = values[job_random(seed) % (sizeof values / sizeof *values)];
    size_t bytes = (size_t)1 << job_random(seed) % 4;
    for (size_t i = at; i < at + bytes && i < p->length; i++)
        if (i < address || i >= address + sizeof(mer_u64))
            p->bytes[i] = (unsigned char)(value >> 8 * (i - at));
}

/* ---- to the transport, as a conduit gives them --------------------------------------------------------- */

static unsigned char *copy_of(const unsigned char *bytes, size_t n) {
    unsigned char *copy = aligned_alloc(8, (n + 7) / 8 * 8 + 8);
    CHECK(copy);
    free(copy);
    copy = malloc(n ? n : 1); /* of exactly that length */
    CHECK(copy);
    memcpy(copy, bytes, n);
    return copy;
}

static void deliver(const unsigned char *bytes, size_t length) {
    first = bytes;
    behind = bytes + length;
    mer_transport_deliver(end, 0, bytes, length);
}

static void give_packet(void *packet) {
    const struct packet *p = packet;
    size_t have = p->have < p->length ? p->have : p->length;
    struct iovec parts[MER_CONDUIT_PARTS];
    size_t at = 0, length = p->length;
    unsigned char *begun = copy_of(p->bytes, have);
    int nparts = length >= MER_LINK_LANDS ? mer_transport_land(end, 0, begun, have, length, &at, parts) : 0;
    size_t rest = at;
    for (int i = 0; i < nparts; i++) {
        CHECK(rest + parts[i].iov_len <= length);
        memcpy(parts[i].iov_base, p->bytes + rest, parts[i].iov_len);
        rest += parts[i].iov_len;
    }
    landed += nparts > 0;
    CHECK(!nparts || (at <= have && rest == length));
    free(begun);
    unsigned char *whole = copy_of(p->bytes, nparts ? at : length);
    deliver(whole, nparts ? at : length);
    free(whole);
}

static void packets(void) {
    unsigned seed = 11;
    for (int i = 0; i < CASES; i++) {
        begin_case();
        make_packet(&made, &seed, 0);
        counts_refusals = i % 4 != 0; /* each fourth one is right */
        for (unsigned n = counts_refusals ? 1 + job_random(&seed) % 3 : 0; n; n--)
            change(&made, &seed);
        made.have = job_random(&seed) % 2 ? 2040 : job_random(&seed) % 2100;
        attempt(give_packet, &made);
    }
    CHECK(ran > CASES / 2 && refused > CASES / 8 && landed > CASES / 8);
}

/* ---- frames -------------------------------------------------------------------------------------------- */

static bool take_frame(struct mer_link *link, enum mer_link_frame kind, const void *bytes, size_t n) {
    (void)link;
    if (kind == MER_FRAME_PACKET)
        deliver(bytes, n);
    return true;
}

static int land_frame(struct mer_link *link, const void *packet, size_t have, size_t length, size_t *at,
                      struct iovec *parts) {
    (void)link;
    return mer_transport_land(end, 0, packet, have, length, at, parts);
}

static size_t add_frame(unsigned char *stream, size_t at, const struct packet *p, unsigned *seed,
                        bool right) {
    uint32_t header[2] = {MER_FRAME_PACKET, (uint32_t)p->length};
    if (!right && job_random(seed) % 8 == 0)
        header[job_random(seed) % 2] ^= 1U << job_random(seed) % 32;
    memcpy(stream + at, header, sizeof header);
    memcpy(stream + at + sizeof header, p->bytes, p->length);
    return at + sizeof header + (p->length + 7) / 8 * 8;
}

/* A few frames by a socket, in pieces of any length. */
struct stream {
    struct mer_link link;
    int to;
    size_t length;
    unsigned seed;
    unsigned char bytes[AREA / 4];
};

static void give_stream(void *what) {
    static struct mer_link_buffer buffer;
    struct stream *s = what;
    for (size_t sent = 0; sent < s->length;) {
        size_t part = 1 + job_random(&s->seed) % (job_random(&s->seed) % 2 ? 60000 : 50);
        ssize_t n = write(s->to, s->bytes + sent, part < s->length - sent ? part : s->length - sent);
        sent += n > 0 ? (size_t)n : 0;
        for (int i = 0; i < 3; i++)
            if (!mer_link_receive(&s->link, &buffer, take_frame, land_frame))
                return;
    }
    for (errno = 0; errno != EAGAIN;)
        if (!mer_link_receive(&s->link, &buffer, take_frame, land_frame))
            return;
}

static void streams(void) {
    static struct stream s;
    unsigned seed = 23;
    unsigned long before = ran;
    for (int i = 0; i < CASES / 4; i++) {
        int pair[2];
        CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) == 0);
        s.link = (struct mer_link){.fd = pair[1], .open = true};
        s.to = pair[0];
        s.seed = seed;
        s.length = 0;
        begin_case();
        counts_refusals = i % 4 != 0;
        for (uint32_t n = 0; n < 4; n++) {
            make_packet(&made, &seed, n);
            if (counts_refusals && job_random(&seed) % 2)
                change(&made, &seed);
            CHECK(s.length + made.length + 16 <= sizeof s.bytes);
            s.length = add_frame(s.bytes, s.length, &made, &seed, !counts_refusals);
        }
        attempt(give_stream, &s);
        mer_link_forget(&s.link);
        close(pair[0]);
        close(pair[1]);
    }
    CHECK(ran - before > CASES / 2);
}

int main(void) {
    open_end();
    packets();
    streams();
    return 0;
}

/* Memory that a fatal message leaves allocated is no leak here. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0"; }
