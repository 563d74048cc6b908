/* Records of calls, see call.h. */
#include "array/layout/call.h"

#include "array/layout/runtime.h"
#include "start/start.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A record lies in symmetric memory, at one native address on all threads.  The number is written last: a
 * reader that reads the same number twice has read one record. */
struct record {
    uint64_t number; /* of the call, from 1 on */
    uint64_t digest; /* of the call */
    uint64_t all;    /* of this call and all before it */
    uint64_t call, first, second, unused[2];
};

/* Links start-up into every program that has arrays, even without -u mer_start_linked, so that the program is
 * a thread of a job. */
static const char *const start_linked __attribute__((used)) = &mer_start_linked;

static struct record mine;     /* private copy of this thread's record */
static uint64_t records;       /* native address; 0 if there are none yet */
static struct record *visible; /* this thread's, in shared memory */

static const char *const texts[] = {
#define TEXT(id, name) [MER_CALL_##id] = name,
    MER_CALLS(TEXT)
#undef TEXT
};
const char *mer_call_text(enum mer_call call) { return texts[call]; }

/* ---- arrays -------------------------------------------------------------------------------------------- */

static char **names;
static uint64_t last;

/* Returns how many bytes of a name are kept, at most NAME_BYTES: whole characters of UTF-8. */
#define NAME_BYTES 31
static size_t kept_bytes(const char *name) {
    size_t n = strnlen(name, NAME_BYTES + 1);
    if (n > NAME_BYTES)
        for (n = NAME_BYTES; n > 0 && ((unsigned char)name[n] & 0xc0) == 0x80;)
            n--;
    return n;
}

uint64_t mer_call_register(const char *name) {
    char **more = realloc(names, (last + 2) * sizeof *names);
    char *copy = name ? strndup(name, kept_bytes(name)) : malloc(NAME_BYTES + 1);
    if (!more || !copy)
        mer_call_fatal("no memory for the array's descriptor");
    names = more;
    last++;
    if (!name)
        snprintf(copy, NAME_BYTES + 1, "array %llu", (unsigned long long)last);
    names[last] = copy;
    return last;
}

void mer_call_forget(uint64_t number) {
    free(names[number]);
    names[number] = NULL;
}

const char *mer_call_array(uint64_t number) {
    if (number > last) /* created by a thread that is further on */
        return "a new array";
    return number >= 1 && names[number] ? names[number] : "a freed array";
}

/* ---- the record ---------------------------------------------------------------------------------------- */

/* Allocates the records, in the first collective call of the library. */
static void make_records(void) {
    const char *name = mer_call_text((enum mer_call)mine.call);
    uint64_t n = sizeof(struct record);
    mer_barrier_exchange(name, ME == 0 ? mer_heap_symmetric(n, n * (uint64_t)THREADS, name) : 0);
    records = mer_barrier_payload(0);
    if (!records)
        mer_call_fatal("no memory for the record of calls");
    visible = mer_view(ME, records);
    memset(visible, 0, sizeof *visible);
    mer_barrier_collective(name);
}

uint64_t mer_call_digest_of(enum mer_call call, uint64_t first, uint64_t second, uint64_t detail) {
    return mer_call_digest(mer_call_digest(call, first), mer_call_digest(second, detail));
}

uint64_t mer_call_begin(enum mer_call call, uint64_t first, uint64_t second, uint64_t detail) {
    uint64_t digest = THREADS == 1 ? 0
                                   : mer_call_digest_of(call, first, second, detail); /* nobody compares */
    return mer_call_begin_known(call, first, second, digest);
}

uint64_t mer_call_begin_known(enum mer_call call, uint64_t first, uint64_t second, uint64_t digest) {
    mine.number++;
    mine.call = call;
    mine.first = first;
    mine.second = second;
    if (THREADS == 1)
        return 0;
    mine.digest = digest;
    mine.all = mer_call_digest(mine.all, mine.digest);
    if (__builtin_expect(!records, 0))
        make_records();
    /* Release, partner: the acquire in read_record, or the message that brings it. */
    __atomic_store_n(&visible->number, 0, __ATOMIC_RELEASE);
    visible->digest = mine.digest;
    visible->all = mine.all;
    visible->call = call;
    visible->first = first;
    visible->second = second;
    __atomic_store_n(&visible->number, mine.number, __ATOMIC_RELEASE);
    return mine.all;
}

/* Returns a consistent copy of thread t's record. */
static struct record read_record(int t) {
    struct record one, two;
    mer_u64 bits = mer_bits((mer_u64)t, records);
    do {
        mer_rma_get(&one, bits, sizeof one, "the record of calls");
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        mer_rma_get(&two, bits, sizeof two, "the record of calls");
    } while (one.number == 0 || memcmp(&one, &two, sizeof one));
    return one;
}

/* ---- messages ------------------------------------------------------------------------------------------ */

static char *describe(char text[200], const struct record *r) {
    int n = snprintf(text, 200, "%s", mer_call_text((enum mer_call)r->call));
    if (r->first)
        n += snprintf(text + n, 200 - (size_t)n, " of `%s'", mer_call_array(r->first));
    if (r->second)
        snprintf(text + n, 200 - (size_t)n, " and `%s'", mer_call_array(r->second));
    return text;
}

void mer_call_fatal(const char *format, ...) {
    char text[1024], own[200];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    mer_fatal("%s: %s", describe(own, &mine), text);
}

void mer_array_refuse(const char *call, const char *what) { mer_fatal("%s: %s", call, what); }

#define ALIKE                                                                                                \
    "Every thread has to make the same calls of arrays, in the same order and with the same arguments"

void mer_call_differs(int other) {
    char own[200], others[200];
    struct record r = read_record(other);
    bool same = r.first == mine.first && r.second == mine.second && r.call == mine.call;
    if (r.number == mine.number && r.digest == mine.digest)
        mer_call_fatal("thread %d has made other calls before this one. " ALIKE, other);
    if (r.number != mine.number)
        mer_call_fatal("thread %d made a different call. " ALIKE, other);
    if (same)
        mer_call_fatal("thread %d passed different arguments. " ALIKE, other);
    mer_fatal("thread %d called %s, while thread %d called %s. " ALIKE, ME, describe(own, &mine), other,
              describe(others, &r));
}

void mer_call_stalled(int other) {
    char own[200], others[200];
    static int ahead; /* consecutive looks of one wait that found the other thread further on */
    static uint64_t call;
    struct record r = read_record(other);
    if (r.number == mine.number && r.all != mine.all)
        mer_call_differs(other);
    if (r.number < mine.number && mer_barrier_entered(other))
        mer_call_fatal(
            "thread %d waits for thread %d, which is in a barrier or at the end of the program. " ALIKE, ME,
            other);
    /* If the other thread is on this host, messages that it sent before its current call would be here. */
    ahead = r.number > mine.number && call == mine.number ? ahead + 1 : 0;
    call = mine.number;
    if (ahead > (mer_on_host(other) ? 1 : 50))
        mer_fatal("thread %d is in %s, and waits for thread %d, which has gone on to %s. " ALIKE, ME,
                  describe(own, &mine), other, describe(others, &r));
}

static void compare(void) {
    for (int t = 0; t < THREADS; t++)
        if (mer_barrier_payload(t) != mine.all)
            mer_call_differs(t);
}

void mer_call_barrier(void) {
    mer_barrier_compared();
    mer_barrier_exchange(mer_call_text((enum mer_call)mine.call), mine.all);
    compare();
}

void mer_call_share(uint64_t value) {
    mer_call_barrier();
    mer_barrier_exchange(mer_call_text((enum mer_call)mine.call), value);
}
