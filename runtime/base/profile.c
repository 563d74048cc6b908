/* The profile: one entry for each place and kind of call, and the longest calls one by one.
 *
 * The entries are few, one for each call in the program's text.  The calls themselves may be any number: when
 * CALLS of them are kept, the shorter half is dropped, and calls as short as these are kept no more.  So the
 * trace of a long run shows where it waited, over its whole time, in bounded memory.
 *
 * The memory comes from mmap, not from malloc: in Split-C and AC malloc is the shared heap, which the profile
 * must not disturb.  The file (crates/profile/src/part reads it) has a head, the modules, the entries, the
 * calls, the attached contents, and the head's mark once more, by which a file that was cut is known. */
#include "base/profile.h"

#include "base/fatal.h"
#include "base/layout_check.h"
#include "base/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { ENTRIES = 16384, INDEX = 2 * ENTRIES, CALLS = 16384 };
#define MARK "meridian-lines\r\n"

/* Numbers are little-endian in the file, as in the processors on which Meridian runs. */
struct entry {
    uint64_t place, bytes, calls, ns, longest;
    uint32_t kind, unused;
};
MER_LAYOUT_CHECK(struct entry, MER_LAYOUT_PROFILE_ENTRY);

struct call {
    uint64_t began, ns, bytes; /* began: since mer_profile_start */
    uint32_t entry, other;
};
MER_LAYOUT_CHECK(struct call, MER_LAYOUT_PROFILE_CALL);

struct head {
    char mark[16];
    uint32_t version, thread, threads, entries, calls, modules;
    uint64_t began, ns, shortest; /* CLOCK_REALTIME; the thread's time; no shorter calls are among `calls' */
    uint64_t attached;            /* bytes */
    char host[64];
};
MER_LAYOUT_CHECK(struct head, MER_LAYOUT_PROFILE_HEAD);

/* A module is followed by its path.  An address of the module's file is one of the process less `base'. */
struct module {
    uint64_t base, from, to;
    uint32_t length, unused;
};
MER_LAYOUT_CHECK(struct module, MER_LAYOUT_PROFILE_MODULE);

static struct {
    pid_t pid;      /* a child that user code forks does not write */
    uint64_t start; /* CLOCK_MONOTONIC */
    uint64_t least; /* calls of fewer nanoseconds are not kept one by one */
    struct entry *entry;
    struct call *call;
    uint32_t *index; /* 0, or an entry's number + 1: open addressing by place and kind */
    struct head head;
    void (*attached)(FILE *to, uint64_t start);
} self;

static int file = -1;

static void *pages(size_t n) {
    void *at = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        mer_fatal("no memory for the profile: %s", strerror(errno));
    return at;
}

bool mer_profile_open(int thread, int threads) {
    const char *path = mer_setting_text(MER_SETTING_PROFILE_LINES);
    char name[PATH_MAX];
    if (!path)
        return false;
    snprintf(name, sizeof name, "%s.%d", path, thread);
    file = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0)
        mer_fatal_job("cannot write the profile to %s: %s. With `meridian run --profile=FILE', name a file "
                      "in a directory that all hosts share",
                      name, strerror(errno));
    unsetenv("MERIDIAN_PROFILE_LINES"); /* a job that the program starts does not belong to this profile */
    self.pid = getpid();
    self.entry = pages(ENTRIES * sizeof *self.entry);
    self.call = pages(CALLS * sizeof *self.call);
    self.index = pages(INDEX * sizeof *self.index);
    self.head = (struct head){
        .version = MER_REVISION_PROFILE, .thread = (uint32_t)thread, .threads = (uint32_t)threads};
    memcpy(self.head.mark, MARK, sizeof self.head.mark);
    gethostname(self.head.host, sizeof self.head.host - 1);
    return true;
}

bool mer_profile_attach(void (*write)(FILE *to, uint64_t start)) {
    if (file < 0)
        return false;
    self.attached = write;
    return true;
}

void mer_profile_start(uint64_t now) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    self.head.began = (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_nsec;
    self.start = now;
}

/* Returns the entry of a place and kind.  If there are too many, an entry without a place has the rest. */
static struct entry *entry_of(uint64_t place, uint32_t kind) {
    uint64_t hash = (place ^ (uint64_t)kind << 56) * 0x9e3779b97f4a7c15U;
    for (uint32_t i = (uint32_t)(hash >> 40);; i++) {
        uint32_t *slot = &self.index[i % INDEX];
        struct entry *e = &self.entry[*slot - 1];
        if (*slot && e->place == place && e->kind == kind)
            return e;
        if (*slot)
            continue;
        if (self.head.entries >= ENTRIES - 64 && place)
            return entry_of(0, kind); /* there are fewer than 64 kinds */
        *slot = ++self.head.entries;
        e = &self.entry[*slot - 1];
        *e = (struct entry){.place = place, .kind = kind};
        return e;
    }
}

/* Drops the shortest calls, by a limit that doubles, until half of the memory is free. */
static void thin_out(void) {
    while (self.head.calls > CALLS / 2) {
        uint32_t kept = 0;
        self.least = self.least ? self.least * 2 : 128;
        for (uint32_t i = 0; i < self.head.calls; i++)
            if (self.call[i].ns >= self.least)
                self.call[kept++] = self.call[i];
        self.head.calls = kept;
    }
}

void mer_profile_add(const void *place, uint32_t kind, int other, uint64_t bytes, uint64_t began,
                     uint64_t ended) {
    struct entry *e = entry_of((uint64_t)(uintptr_t)place, kind);
    uint64_t ns = ended - began;
    e->calls++;
    e->bytes += bytes;
    e->ns += ns;
    e->longest = ns > e->longest ? ns : e->longest;
    if (ns < self.least)
        return;
    self.call[self.head.calls++] = (struct call){began - self.start, ns, bytes, (uint32_t)(e - self.entry),
                                                 (uint32_t)other};
    if (self.head.calls == CALLS)
        thin_out();
}

/* ---- the file ------------------------------------------------------------------------------------------ */

static void put(FILE *to, const void *from, size_t n) { fwrite(from, 1, n, to); }

/* Writes a module if it holds places; called for each. */
static int write_module(struct dl_phdr_info *info, size_t size, void *to) {
    struct module m = {.base = info->dlpi_addr, .from = UINT64_MAX};
    char own[PATH_MAX];
    const char *path = info->dlpi_name;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type != PT_LOAD || !(p->p_flags & PF_X))
            continue;
        uint64_t from = info->dlpi_addr + p->p_vaddr;
        m.from = from < m.from ? from : m.from;
        m.to = from + p->p_memsz > m.to ? from + p->p_memsz : m.to;
    }
    bool holds = false;
    for (uint32_t i = 0; i < self.head.entries && !holds; i++)
        holds = self.entry[i].place >= m.from && self.entry[i].place < m.to;
    if (!holds)
        return 0;
    if (!*path) { /* the program itself */
        ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
        own[n > 0 ? n : 0] = 0;
        path = own;
    }
    m.length = (uint32_t)strlen(path);
    put(to, &m, sizeof m);
    put(to, path, m.length);
    self.head.modules++;
    return 0;
}

void mer_profile_finish(uint64_t now) {
    if (file < 0 || getpid() != self.pid)
        return;
    FILE *to = fdopen(file, "w");
    if (!to) {
        mer_warn("cannot write the profile: %s", strerror(errno));
        return;
    }
    self.head.ns = now - self.start;
    self.head.shortest = self.least;
    put(to, &self.head, sizeof self.head);
    dl_iterate_phdr(write_module, to);
    put(to, self.entry, self.head.entries * sizeof *self.entry);
    put(to, self.call, self.head.calls * sizeof *self.call);
    long before = ftell(to);
    if (self.attached)
        self.attached(to, self.start);
    self.head.attached = (uint64_t)(ftell(to) - before);
    put(to, MARK, sizeof self.head.mark);
    fseek(to, 0, SEEK_SET); /* the numbers of modules and of attached bytes are known now */
    put(to, &self.head, sizeof self.head);
    bool failed = ferror(to) != 0;
    if (fclose(to) != 0 || failed)
        mer_warn("cannot write the profile: %s", strerror(errno));
    file = -1;
}
