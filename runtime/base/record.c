/* The recording: records are collected, and appended to the file in blocks.
 *
 * The file (crates/sim/src/trace.rs reads it) has a head and blocks, each of one thread.  It is open for
 * appending, and a block is one write, which the kernel does not mix with those of other threads.  A last
 * block without records says that the thread's part is whole, which tells a complete trace from that of a
 * program that died.  File systems that hosts share do not keep appended blocks apart, so in a job on several
 * hosts each thread has a file of its own, FILE.THREAD; the launcher puts them together
 * (crates/launch/src/record.rs). */
#include "base/record.h"

#include "base/clock.h"
#include "base/fatal.h"
#include "base/layout_check.h"
#include "base/profile.h"
#include "base/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RECORDS 2048U

/* Numbers are little-endian in the file, as in the processors on which Meridian runs. */
struct record {
    uint32_t kind, other;
    uint64_t bytes, compute, spent; /* compute, spent: in nanoseconds */
};
MER_LAYOUT_CHECK(struct record, MER_LAYOUT_TRACE_RECORD);

struct head {
    char magic[16];
    uint32_t version, threads;
};
MER_LAYOUT_CHECK(struct head, MER_LAYOUT_TRACE_HEAD);

bool mer_recording;

/* A block as it stands in the file. */
struct block {
    uint32_t thread, count;
    struct record record[RECORDS];
};
MER_LAYOUT_CHECK_FIELDS(struct block, MER_LAYOUT_TRACE_BLOCK);

static struct {
    pid_t pid;            /* a child that user code forks does not write */
    unsigned depth;       /* nesting of calls */
    uint64_t entered;     /* when the outermost call began */
    uint64_t left;        /* when the last recorded one ended */
    const void *place;    /* of the outermost call */
    uint32_t kind, other; /* of the last call within it */
    uint64_t bytes;
    struct block block;
} self;

static int file = -1; /* outside of `self', which therefore takes no bytes in a program's file */
static bool profiling;

static void give_up(void) {
    mer_warn("cannot write the recording: %s. The rest of the run is not recorded", strerror(errno));
    mer_recording = false;
}

static void write_block(void) {
    size_t n = offsetof(struct block, record) + self.block.count * sizeof(struct record);
    if (getpid() != self.pid) {
        mer_recording = false;
        return;
    }
    errno = ENOSPC; /* the cause of a write that is cut short */
    if (write(file, &self.block, n) != (ssize_t)n)
        give_up();
    self.block.count = 0;
}

/* Makes the file of this thread's part; returns its descriptor, or -1. */
static int open_part(const char *path, int thread) {
    char *name = NULL;
    int opened = -1;
    if (asprintf(&name, "%s.%d", path, thread) >= 0)
        opened = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    free(name);
    return opened;
}

void mer_record_open(int thread, int threads, bool several) {
    const char *path = mer_setting_text(MER_SETTING_RECORD);
    profiling = mer_profile_open(thread, threads);
    self.block.thread = (uint32_t)thread;
    if (!path)
        return;
    file = several ? open_part(path, thread) : open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (file < 0)
        mer_fatal_job("cannot record to %s: %s. `meridian run --record FILE' creates the file%s", path,
                      strerror(errno), several ? ", in a directory that all hosts share" : "");
    self.pid = getpid();
    unsetenv("MERIDIAN_RECORD"); /* a job that the program starts does not belong to this trace */
    const struct head head = {"meridian-trace\r\n", MER_REVISION_TRACE, (uint32_t)threads};
    if (thread == 0 && write(file, &head, sizeof head) != (ssize_t)sizeof head)
        mer_fatal_job("cannot record to %s: %s", path, strerror(errno));
}

void mer_record_start(void) {
    mer_recording = file >= 0 || profiling;
    self.left = mer_clock_ns();
    if (profiling)
        mer_profile_start(self.left);
}

void mer_record_enter(const void *place) {
    if (self.depth++ > 0)
        return;
    self.place = place;
    self.kind = MER_RECORD_NOTHING;
    self.entered = mer_clock_ns();
}

/* Appends a record, by the kinds of a trace. */
static void append(enum mer_record_kind kind, int other, uint64_t bytes, uint64_t end) {
    uint32_t known = kind == MER_RECORD_ATOMIC ? MER_RECORD_REQUEST
                     : kind == MER_RECORD_END  ? MER_RECORD_BARRIER
                                               : kind;
    self.block.record[self.block.count++] = (struct record){known, (uint32_t)other, bytes,
                                                            self.entered - self.left, end - self.entered};
    self.left = end;
    if (self.block.count == RECORDS)
        write_block();
}

void mer_record_leave(enum mer_record_kind kind, int other, uint64_t bytes) {
    if (--self.depth > 0) {
        if (kind != MER_RECORD_NOTHING && kind != MER_RECORD_INNER) {
            self.kind = kind;
            self.other = (uint32_t)other;
            self.bytes = bytes;
        }
        return;
    }
    if (kind == MER_RECORD_INNER) {
        kind = self.kind;
        other = (int)self.other;
        bytes = self.bytes;
    }
    if (kind == MER_RECORD_NOTHING)
        return;
    bool access = kind >= MER_RECORD_PUT && kind <= MER_RECORD_GET_BEGIN;
    if (access && (uint32_t)other == self.block.thread)
        return;
    uint64_t end = mer_clock_ns();
    bool lock = kind == MER_RECORD_LOCK || kind == MER_RECORD_UNLOCK; /* its number is no count of bytes */
    if (profiling)
        mer_profile_add(self.place, kind, other, lock ? 0 : bytes, self.entered, end);
    if (file >= 0)
        append(kind, other, bytes, end);
}

void mer_record_abandon(void) {
    if (profiling)
        mer_profile_finish(mer_clock_ns());
    profiling = mer_recording = false;
}

void mer_record_finish(void) {
    bool traces = mer_recording && file >= 0;
    mer_record_abandon();
    if (!traces)
        return;
    mer_recording = true; /* until a write fails */
    if (self.block.count > 0)
        write_block();
    if (mer_recording)
        write_block(); /* without records: the end */
    mer_recording = false;
    close(file);
}
