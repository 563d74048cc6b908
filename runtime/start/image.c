/* Static shared objects and the records of compiled files (abi.h).
 *
 * The linker bounds each section by __start_ and __stop_ symbols; they are weak here, since a program may
 * have no such records.
 */
#include "start/image.h"

#include "host/memory.h"
#include "start/everything.h"
#include "host/job.h"
#include "base/fatal.h"

#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SECTION(type, name)                                                                                  \
    extern type __start_##name[] __attribute__((weak, visibility("hidden")));                                \
    extern type __stop_##name[] __attribute__((weak, visibility("hidden")))

/* The linker's bounds of the program's statics. */
extern char mer_image_data_[] __asm__("__data_start") __attribute__((weak));
extern char mer_image_end_[] __asm__("_end") __attribute__((weak));
extern char __bss_start[] __attribute__((weak));

SECTION(char, mer_shared);
SECTION(const struct mer_unit, mer_unit);
SECTION(const struct mer_init_ptr, mer_init_ptr);
SECTION(const struct mer_init_data, mer_init_data);
SECTION(struct mer_big, mer_big);
SECTION(const struct mer_sized, mer_sized);

/* The section begins and ends with a page of its own, so that private objects beside it do not move into
 * shared memory along with it, where a child that user code forks would not have them for itself. */
#if defined(__aarch64__)
#define SECTION_ALIGN "65536"
#else
#define SECTION_ALIGN "4096"
#endif
__asm__(".pushsection mer_shared, \"aw\", %nobits\n\t.balign " SECTION_ALIGN "\n\t.popsection");

#define BIG_ALIGN 65536ULL

static uint64_t round_up(uint64_t n, uint64_t unit) { return (n + unit - 1) / unit * unit; }

int mer_image_static_threads(const char **file) {
    const struct mer_unit *first = NULL;
    for (const struct mer_unit *u = __start_mer_unit; u < __stop_mer_unit; u++) {
        if (u->abi != MER_ABI)
            mer_fatal_job("%s was compiled for version %u of the runtime's interface, but this program is "
                          "linked with version %u; compile it again",
                          u->file, u->abi, (unsigned)MER_ABI);
        if (!first)
            first = u;
        if (u->static_threads != first->static_threads) {
            const struct mer_unit *fixed = u->static_threads ? u : first,
                                  *other = u->static_threads ? first : u;
            if (other->static_threads)
                mer_fatal_job("%s was compiled for THREADS = %d, but %s for THREADS = %d; compile all files "
                              "with the same -fupc-threads-N",
                              fixed->file, fixed->static_threads, other->file, other->static_threads);
            mer_fatal_job(
                "%s was compiled for THREADS = %d, but %s for a number chosen at start; compile all "
                "files with -fupc-threads-%d, or none",
                fixed->file, fixed->static_threads, other->file, fixed->static_threads);
        }
    }
    *file = first ? first->file : "";
    return first ? first->static_threads : 0;
}

/* Copy private bytes [from, to) of this process into the file behind its own part.  By the bare system call:
 * to the C library's functions an address sanitizer would object, since the bytes include what lies between
 * objects. */
static void keep(uint64_t from, uint64_t to) {
    off_t at = (off_t)((uint64_t)mer_job.mythread * mer_job.span + from);
    if (syscall(SYS_pwrite64, mer_here.memory_fd, from, to - from, at) != (long)(to - from))
        mer_fatal_job("cannot write to the job's memory: %s", strerror(errno));
}

/* Copy [from, to) likewise but for pages of zeros, which the file has already: a large array without an
 * initial value costs no memory before it is touched.  The reads are the program's own bytes between its
 * objects. */
__attribute__((no_sanitize("address"))) static void keep_touched(uint64_t from, uint64_t to, uint64_t page) {
    while (from < to) {
        uint64_t end = (from / page + 1) * page;
        end = end < to ? end : to;
        const volatile char *byte = (const volatile char *)from;
        uint64_t words = 0;
        for (; (uint64_t)(uintptr_t)byte % sizeof words && (uint64_t)(uintptr_t)byte < end; byte++)
            words |= (unsigned char)*byte;
        for (; (uint64_t)(uintptr_t)byte + sizeof words <= end; byte += sizeof words)
            words |= *(const volatile uint64_t *)byte;
        for (; (uint64_t)(uintptr_t)byte < end; byte++)
            words |= (unsigned char)*byte;
        if (words)
            keep(from, end);
        from = end;
    }
}

static void check_low(uint64_t start, uint64_t stop) {
    if (stop > MER_HEAP_OFFSET)
        mer_fatal_job("static shared objects lie at 0x%llx, above 2 GB: the program was linked as a "
                      "position-independent executable. Link it with -no-pie (meridian cc does)",
                      (unsigned long long)start);
}

/* What of the image is read alone, string literals and const objects, below `first': the views get copies.
 * For dl_iterate_phdr, whose first object is the program. */
static int keep_constants(struct dl_phdr_info *image, size_t size, void *first) {
    (void)size;
    for (int i = 0; i < image->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &image->dlpi_phdr[i];
        uint64_t from = image->dlpi_addr + part->p_vaddr, to = from + part->p_filesz,
                 end = *(uint64_t *)first;
        if (part->p_type == PT_LOAD && !(part->p_flags & PF_X) && from < end)
            keep(from, to < end ? to : end);
    }
    return 1;
}

/* All statics: from the first page of .data to the image's end, mer_shared among or behind them. */
static void map_everything(uint64_t page) {
    uint64_t start = (uint64_t)(uintptr_t)__start_mer_shared, stop = (uint64_t)(uintptr_t)__stop_mer_shared;
    uint64_t data = (uint64_t)(uintptr_t)mer_image_data_, end = (uint64_t)(uintptr_t)mer_image_end_;
    check_low(data, end);
    uint64_t bss = (uint64_t)(uintptr_t)__bss_start, first = data & ~(page - 1);
    uint64_t last = round_up(stop > end ? stop : end, page);
    if (bss < first || bss > last)
        bss = last;
    dl_iterate_phdr(keep_constants, &first);
    /* As below: nothing may be written from here to the end of the mapping. */
    if (start == stop)
        start = stop = last;
    keep(first, bss < start ? bss : start);
    if (bss < start)
        keep_touched(bss, start, page);
    keep_touched(stop, last, page);
    mer_smp_map_native(mer_here.memory_fd, (uint64_t)mer_job.mythread * mer_job.span, first, last - first);
}

void mer_image_map(void) {
    uint64_t start = (uint64_t)(uintptr_t)__start_mer_shared, stop = (uint64_t)(uintptr_t)__stop_mer_shared;
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    if (mer_everything_linked()) {
        map_everything(page);
        return;
    }
    if (start == stop)
        return;
    check_low(start, stop);
    uint64_t first = start & ~(page - 1), end = round_up(stop, page);
    /* Should the linker have put private objects on the first or last page after all, they move along.  From
     * here to the end of the mapping nothing may be written that could lie on those pages: no call but these.
     */
    keep(first, start);
    keep(stop, end);
    mer_smp_map_native(mer_here.memory_fd, (uint64_t)mer_job.mythread * mer_job.span, first, end - first);
}

uint64_t mer_image_place_big(void) {
    uint64_t at = MER_HEAP_OFFSET;
    for (const struct mer_sized *s = __start_mer_sized; s < __stop_mer_sized; s++)
        s->object->size = s->bytes();
    for (struct mer_big *big = __start_mer_big; big < __stop_mer_big; big++) {
        if (big->size > mer_job.span - at) {
            char want[32], have[32];
            mer_fatal_job(
                "a static shared array needs %s on each thread, but with %d threads a thread has %s of "
                "address space, of which the objects before it leave less; use fewer threads",
                mer_bytes_text(want, big->size), mer_job.threads, mer_bytes_text(have, mer_job.span));
        }
        big->native = at;
        at = round_up(at + big->size, BIG_ALIGN);
    }
    return at;
}

/* A record's base is the object itself, or the mer_big record of an object that is not in the image. */
static uint64_t native_base(const void *base) {
    const struct mer_big *big = base;
    return big >= __start_mer_big && big < __stop_mer_big ? big->native : (uint64_t)(uintptr_t)base;
}

static void store_pointer(const struct mer_init_ptr *r) {
    uint64_t base = native_base(r->base), phase = 0;
    mer_ptr p;
    if (r->block == 0) {
        p = mer_elem_i(base, r->n, r->size);
    } else if (r->block == 1) {
        p = mer_elem_c(base, r->n, r->size);
    } else {
        mer_pptr wide = mer_elem_b(base, r->n, r->size, r->block);
        p = mer_narrow(wide);
        phase = wide.phase;
    }
    p.bits += r->offset;
    if (r->wide)
        *(mer_pptr *)r->where = mer_mkp(p.bits, r->wide == 1 ? phase : 0);
    else
        *(mer_ptr *)r->where = p;
}

/* Blocks t, t + THREADS, ... of the image are thread t's, one behind the other; with an indefinite block size
 * all of it is thread 0's. */
static void scatter(const struct mer_init_data *r) {
    uint64_t base = native_base(r->base), total = r->n * r->size, me = (uint64_t)mer_job.mythread;
    if (r->block == 0) {
        if (me == 0)
            memcpy(mer_view(0, base), r->image, total);
        return;
    }
    uint64_t bytes = r->block * r->size, row = 0;
    for (uint64_t from = me * bytes; from < total; from += bytes * (uint64_t)mer_job.threads, row++)
        memcpy((char *)mer_view(mer_job.mythread, base) + row * bytes, (const char *)r->image + from,
               total - from < bytes ? total - from : bytes);
}

void mer_image_initialise(void) {
    for (const struct mer_init_ptr *r = __start_mer_init_ptr; r < __stop_mer_init_ptr; r++)
        store_pointer(r);
    for (const struct mer_init_data *r = __start_mer_init_data; r < __stop_mer_init_data; r++)
        scatter(r);
}
