/* Messages between hosts whose words, lengths and counts do not fit each other: each ends the job with a
 * message before anything outside of it is read or written.  Handlers are called as the transport does. */
#include "job.h"

#include "am/am.h"
#include "am/handlers.h"
#include "am/state.h"
#include "host/job.h"
#include "sync/allgather.h"
#include "sync/barrier.h"

#define ME mer_job.mythread
#define THREADS mer_job.threads
#define FOLLOWS (1ULL << 63) /* rma/pieces.c */

static mer_u64 place; /* the target of writes and reads */

static mer_u64 at(void) { return (mer_u64)(uintptr_t)&place; }

/* Runs the handler on thread 0 with these words, and a payload of exactly `length' bytes. */
static int handle(enum mer_am_number handler, const mer_u64 *args, int nargs, const void *payload,
                  size_t length) {
    mer_u64 words[MER_AM_ARGS] = {0};
    struct mer_am_message m = {.source = 1, .nargs = nargs, .args = words, .length = length, .request = true};
    memcpy(words, args, (size_t)nargs * sizeof *words);
    if (payload) {
        m.payload = malloc(length);
        CHECK(m.payload);
        memcpy(m.payload, payload, length);
    }
    if (ME == 0) {
        CHECK(mer_am.handlers.at[handler].run);
        mer_am.handlers.at[handler].run(&m);
    }
    mer_barrier(0, 0, "a.upc:1");
    return 0;
}

#define WORDS(...) (const mer_u64[]){__VA_ARGS__}, (int)(sizeof((mer_u64[]){__VA_ARGS__}) / sizeof(mer_u64))
#define PAYLOAD(...) (const mer_u64[]){__VA_ARGS__}, sizeof((mer_u64[]){__VA_ARGS__})

static int gets_too_many(void) {
    static mer_u64 sources[MER_TRANSPORT_LONG / sizeof(mer_u64) + 1];
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        sources[i] = mer_am_tagged(at(), 8);
    return handle(MER_AM_GETS, WORDS(0, 0, 0, sizeof sources), sources, sizeof sources);
}
static int gets_wide(void) { return handle(MER_AM_GETS, WORDS(0, 0, 0, 8), PAYLOAD(mer_am_tagged(at(), 9))); }
static int gots_few(void) {
    static int waiting = 2;
    struct mer_asked *asked = malloc(sizeof *asked + 2 * sizeof *asked->first);
    CHECK(asked);
    *asked = (struct mer_asked){.counter = &waiting, .count = 2};
    asked->first[0] = asked->first[1] = mer_am_tagged(at(), 8);
    return handle(MER_AM_GOTS, WORDS((mer_u64)(uintptr_t)asked), PAYLOAD(1));
}
static int writes_wide(void) {
    return handle(MER_AM_WRITES, WORDS(0), PAYLOAD(mer_am_tagged(at(), 2000), 1));
}
static int write_wide(void) { return handle(MER_AM_WRITE, WORDS(at(), 1, 2000), NULL, 0); }
static int put_wide(void) { return handle(MER_AM_PUT, WORDS(at(), at(), 2000, 1), NULL, 0); }
static int got_wide(void) { return handle(MER_AM_GOT, WORDS(at(), at(), 2000, 1), NULL, 0); }
static int store_wide(void) { return handle(MER_AM_STORE, WORDS(at(), 0, 2000, 1), NULL, 0); }
static int entries_beyond(void) {
    return handle(MER_AM_ENTRIES, WORDS(5 | 2ULL << 32, (mer_u64)THREADS - 1, 0, 0, 0), NULL, 0);
}
static int entries_cut(void) { return handle(MER_AM_ENTRIES, WORDS(5 | 2ULL << 32, 0), PAYLOAD(1, 2, 3)); }
static int block_long(void) {
    static unsigned char block[MER_ALLGATHER_MOST + 1];
    return handle(MER_AM_BLOCK, WORDS(5, 1), block, sizeof block);
}
static int block_nobodys(void) { return handle(MER_AM_BLOCK, WORDS(5, 1ULL << 40), PAYLOAD(1)); }
static int pieces_get_more(void) {
    return handle(MER_AM_PIECES_GET, WORDS(0, 0, 0, 4), PAYLOAD(at() | 7ULL << 48));
}
static int pieces_get_cut(void) {
    return handle(MER_AM_PIECES_GET, WORDS(0, 0, 0, 8), PAYLOAD(at() | 7ULL << 48 | FOLLOWS));
}
static int pieces_put_places(void) {
    return handle(MER_AM_PIECES_PUT, WORDS(at(), 1ULL << 61), PAYLOAD(1, at() | 7ULL << 48));
}
static int pieces_put_more(void) {
    return handle(MER_AM_PIECES_PUT, WORDS(at(), 1), PAYLOAD(1, at() | 0x7fffULL << 48));
}
static int pieces_put_long_more(void) {
    return handle(MER_AM_PIECES_PUT_LONG, WORDS(at(), 1), PAYLOAD(at() | 0x7fffULL << 48, 1));
}

static const struct job_body bodies[] = {
    {"gets_too_many", gets_too_many},
    {"gets_wide", gets_wide},
    {"gots_few", gots_few},
    {"writes_wide", writes_wide},
    {"write_wide", write_wide},
    {"put_wide", put_wide},
    {"got_wide", got_wide},
    {"store_wide", store_wide},
    {"entries_beyond", entries_beyond},
    {"entries_cut", entries_cut},
    {"block_long", block_long},
    {"block_nobodys", block_nobodys},
    {"pieces_get_more", pieces_get_more},
    {"pieces_get_cut", pieces_get_cut},
    {"pieces_put_places", pieces_put_places},
    {"pieces_put_more", pieces_put_more},
    {"pieces_put_long_more", pieces_put_long_more},
    {0},
};

static void checks(void) {
    job_hosts = 2;
    for (const struct job_body *b = bodies; b->name; b++) {
        const char *message = "has sent a malformed packet";
        const struct job_result *r = job_run(b->name, 2, NULL);
        if (!r->timed_out && r->thread >= 0 && r->signal == 0 && strstr(r->text, message))
            continue;
        fprintf(stderr, "%s should have said: %s\n  code %d, signal %d; it said:\n%s\n", b->name, message,
                r->code, r->signal, r->text);
        exit(1);
    }
}

int main(int argc, char **argv) { return job_main(argc, argv, bodies, checks); }
