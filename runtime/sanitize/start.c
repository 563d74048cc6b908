/* See start.h.  Three steps:
 *
 *   before all constructors   the table of the instrumentation (access.c) is mapped: 0 for all memory.  It is
 *                             address space alone, 16 TB, where the address sanitizer has its own; reading it
 *                             maps one page of zeros over and over.
 *   after the job's start     the table is made not 0 for the views of this host, by a piece of memory that
 *                             is mapped again and again.
 *   at the end                a job with findings ends with MER_FINDINGS_CODE.
 */
#include "sanitize/start.h"

#include "base/fatal.h"
#include "host/job.h"
#include "host/layout.h"
#include "sanitize/block.h"
#include "sanitize/clock.h"
#include "sanitize/region.h"
#include "sanitize/report.h"
#include "sanitize/shadow.h"
#include "sanitize/site.h"
#include "sync/barrier.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const char mer_sanitize_linked = 1;

#define TABLE 0x7fff8000ULL /* -fasan-shadow-offset (crates/driver/src/sanitize.rs) */
#define TABLE_SIZE (1ULL << 44)
#define TABLE_LOG 3

/* Shared memory of each thread that a program with -fsanitize=pgas has at most, in MB, unless the user says
 * otherwise: it bounds the number of mappings below. */
#define RESERVE "8192"

static void end(int status, void *unused) {
    (void)unused;
    if (mer_is_thread() && status == 0 && mer_here.started && mer_report_count() > 0) {
        fflush(NULL);
        _exit(MER_FINDINGS_CODE);
    }
}

/* The first constructor, before that of start-up, which reads the settings (start/start.c). */
static void set_reserve(void) { setenv("MERIDIAN_RESERVE", RESERVE, 0); }
__attribute__((section(".init_array.00100"), used)) static void (*const first)(void) = set_reserve;

static void before(int argc, char **argv, char **envp) {
    (void)argc, (void)argv, (void)envp;
    void *at = mmap((void *)TABLE, TABLE_SIZE, PROT_READ,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (at != (void *)TABLE) {
        static const char text[] =
            "meridian: -fsanitize=pgas needs 16 TB of address space at 0x7fff8000, which a limit "
            "(ulimit -v) or another sanitizer takes\n";
        if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
            _exit(EXIT_FAILURE);
        _exit(EXIT_FAILURE);
    }
    madvise(at, TABLE_SIZE, MADV_DONTDUMP);
    on_exit(end, NULL); /* before start-up registers its own: runs after that */
}
__attribute__((section(".preinit_array"), used)) static void (*const before_all)(int, char **,
                                                                                 char **) = before;

/* The bytes with which the table is made not 0, mapped again and again. */
#define MARKS (32ULL << 20)

static void marks_new(void) {
    uint64_t at = (uint64_t)(uintptr_t)mer_region_take(MARKS + 4096);
    mer_region->marks = (unsigned char *)((at + 4095) & -4096ULL);
    memset(mer_region->marks, 0xff, MARKS);
}

/* Makes the table not 0 for n bytes of the views. */
static void mark(uint64_t from, uint64_t n) {
    uint64_t begin = (TABLE + (from >> TABLE_LOG)) & -4096ULL,
             stop = (TABLE + ((from + n) >> TABLE_LOG) + 4095) & -4096ULL;
    for (uint64_t at = begin; at < stop; at += MARKS)
        mer_region_again(mer_region->marks, stop - at < MARKS ? stop - at : MARKS, at);
}

static void mark_views(void) {
    for (int t = mer_job.here_first; t < mer_job.here_first + mer_job.here; t++) {
        uint64_t span = MER_VIEW_BASE + (uint64_t)t * mer_job.span;
        mark(span, mer_layout.low);
        mark(span + MER_HEAP_OFFSET, mer_layout.mapped - MER_HEAP_OFFSET);
    }
    mer_region_close();
}

/* After start-up's constructor, and before those of the program. */
__attribute__((constructor(102))) static void start(void) {
    if (mer_job.threads > MER_CELL_THREAD_MOST / 2)
        mer_fatal("-fsanitize=pgas is for up to %d threads", MER_CELL_THREAD_MOST / 2);
    if (mer_job.has_remote)
        mer_fatal("-fsanitize=pgas is for jobs on one host, whose threads access memory without messages: "
                  "start the job without -H, MERIDIAN_REFERENCE and MERIDIAN_REMOTE");
    mer_region_open();
    if (mer_job.mythread == mer_job.here_first) {
        mer_shadow_new();
        mer_clock_new();
        mer_site_new();
        mer_block_new();
        mer_report_new();
        marks_new();
    }
    mer_barrier_collective("the start of -fsanitize=pgas");
    mer_clock_start();
    mer_report_start_findings();
    mark_views();
}
