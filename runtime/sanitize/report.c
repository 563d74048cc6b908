/* See report.h.  A finding is a few lines of text, which `meridian finding' reads from its standard input:
 *
 *     kind race|freed
 *     object OWNER NATIVE-ADDRESS BYTES THREADS
 *     block NATIVE-ADDRESS BYTES FRAME ...          of memory from the heap: its allocation
 *     access THREAD [transfer-]read|write|atomic-read|atomic-write FRAME ...
 *     access ...                                    the earlier access, or THREAD free FRAME ...
 *
 * Addresses are hexadecimal; frames are return addresses in this process, the innermost first.  This thread
 * waits for the child, so that its memory map stays as it is. */
#include "sanitize/report.h"

#include "base/fatal.h"
#include "base/rva.h"
#include "base/settings.h"
#include "host/job.h"
#include "sanitize/block.h"
#include "sanitize/region.h"
#include "sanitize/shadow.h"
#include "start/locate.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TOLD 4096U
#define MOST 100U /* findings of a host that are told */

struct mer_findings {
    struct mer_region_lock lock;
    uint32_t count;
    uint64_t told[TOLD]; /* names: even ones of pairs of sites, odd ones of messages; 0: none */
};

static bool halts;

void mer_report_new(void) { mer_region->findings = mer_region_take(sizeof(struct mer_findings)); }

void mer_report_start_findings(void) {
    const char *options = mer_setting_text(MER_SETTING_SANITIZE);
    halts = options && strstr(options, "halt");
}

unsigned mer_report_count(void) { return __atomic_load_n(&mer_region->findings->count, __ATOMIC_ACQUIRE); }

/* Returns true if nothing of this name has been told yet, and notes that it has; false if there is no
 * room. */
static bool is_new(uint64_t name) {
    struct mer_findings *all = mer_region->findings;
    unsigned i = (unsigned)((name * 0x9e3779b97f4a7c15ULL) >> 52) % TOLD;
    for (unsigned n = 0; n < 16; n++, i = (i + 1) % TOLD) {
        uint64_t found = 0;
        if (__atomic_compare_exchange_n(&all->told[i], &found, name, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            return true;
        if (found == name)
            return false;
    }
    return false;
}

/* The name of two call sites, in any order. */
static uint64_t pair(uint64_t one, uint64_t two) {
    one = mer_cell_site(one);
    two = mer_cell_site(two);
    return (one < two ? one << 32 | two : two << 32 | one) << 1;
}

/* The text of a finding, as far as it has been written. */
struct text {
    size_t n;
    char at[4000]; /* a pipe holds more */
};

__attribute__((format(printf, 2, 3))) static void add(struct text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    size_t room = sizeof text->at - text->n;
    int n = vsnprintf(text->at + text->n, room, format, arguments);
    va_end(arguments);
    if (n > 0)
        text->n += (size_t)n < room ? (size_t)n : room - 1;
}

static void add_site(struct text *text, uint32_t number) {
    const struct mer_site *site = mer_site(number);
    for (uint32_t i = 0; number && i < site->frames; i++)
        add(text, " %llx", (unsigned long long)(uintptr_t)mer_rva_text(site->frame[i]));
    add(text, "\n");
}

static void add_access(struct text *text, const char *kind, uint64_t cell) {
    unsigned thread = mer_cell_thread(cell), threads = (unsigned)mer_job.threads;
    add(text, "access %u %s%s", thread % threads, thread < threads ? "" : "transfer-", kind);
    add_site(text, mer_cell_site(cell));
}

static const char *kind_of(uint64_t cell) {
    static const char *const kinds[] = {"read", "write", "atomic-read", "atomic-write"};
    return kinds[cell >> 8 & 3];
}

static void add_object(struct text *text, uint64_t at, uint64_t bytes) {
    uint64_t offset = (at & ~7ULL) + (uint64_t)__builtin_ctzll(bytes) - MER_VIEW_BASE,
             owner = offset / mer_job.span, native = offset % mer_job.span;
    add(text, "object %llu %llx %d %d\n", (unsigned long long)owner, (unsigned long long)native,
        __builtin_popcountll(bytes), mer_job.threads);
    struct mer_block block = mer_block_at(native, (uint32_t)owner);
    if (!block.start)
        return;
    add(text, "block %llx %llu", (unsigned long long)block.start, (unsigned long long)block.bytes);
    add_site(text, block.site);
}

/* Writes the message, in one piece if the system does so. */
static void print(const char *text, size_t n) {
    fflush(stdout);
    while (n > 0) {
        ssize_t written = write(STDERR_FILENO, text, n);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return;
        text += written;
        n -= (size_t)written;
    }
}

/* Puts the finding into words and prints them, unless a finding at the same lines has been told.  Returns
 * whether it is a new one. */
static bool print_new(const struct text *text) {
    static char told[16384];
    size_t n = mer_locate_finding(text->at, text->n, told, sizeof told);
    char *end = memchr(told, '\n', n);
    if (!end) {
        mer_warn("-fsanitize=pgas: an error is found, but `meridian finding' could not be run to name it");
        return true;
    }
    uint64_t name = 1;
    for (const char *at = told; at < end; at++)
        name = (name ^ (unsigned char)*at) * 0x9e3779b97f4a7c15ULL;
    if (!is_new(name | 1))
        return false;
    print(end + 1, n - (size_t)(end + 1 - told));
    return true;
}

/* Tells and counts a finding. */
static void tell(const struct text *text) {
    struct mer_findings *all = mer_region->findings;
    mer_region_lock(&all->lock);
    uint32_t count = all->count;
    bool new = count >= MOST || print_new(text);
    if (count == MOST)
        mer_warn("-fsanitize=pgas: %u findings have been told; more are counted, not told", MOST);
    /* Release, partner: mer_report_count. */
    if (new)
        __atomic_store_n(&all->count, count + 1, __ATOMIC_RELEASE);
    mer_region_unlock(&all->lock);
    if (halts) {
        fflush(NULL);
        exit(MER_FINDINGS_CODE);
    }
}

void mer_report_race(uint64_t at, uint64_t mine, uint64_t other, bool mine_frees) {
    if (!is_new(pair(mine, other)))
        return;
    struct text text = {0};
    add(&text, "kind race\n");
    add_object(&text, at, mine & other & MER_CELL_MASK);
    add_access(&text, mine_frees ? "free" : kind_of(mine), mine);
    add_access(&text, kind_of(other), other);
    tell(&text);
}

void mer_report_freed(uint64_t at, uint64_t mine, uint64_t other) {
    if (!is_new(pair(mine, other)))
        return;
    struct text text = {0};
    add(&text, "kind freed\n");
    add_object(&text, at, mine & MER_CELL_MASK);
    add_access(&text, kind_of(mine), mine);
    add_access(&text, "free", other);
    tell(&text);
}
