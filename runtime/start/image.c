/* Static shared objects and the records of compiled files (abi.h).
 *
 * Compiled code accesses a static shared object through the view, at the owner's part plus the object's
 * place. In a program for a fixed address the place is the native address.  A position-independent program,
 * and each library, has a bias: the native address less the place.  Nothing but debuggers uses a library's
 * native addresses, so they are not mapped.
 *
 * The linker bounds each section by __start_ and __stop_ symbols; they are weak here, since a program may
 * have no such records.
 */
#include "start/image.h"

#include "host/memory.h"
#include "start/everything.h"
#include "host/job.h"
#include "host/layout.h"
#include "base/fatal.h"

#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The linker's bounds of the program's statics. */
extern char mer_image_data_[] __asm__("__data_start") __attribute__((weak));
extern char mer_image_end_[] __asm__("_end") __attribute__((weak));
extern char mer_image_begin_[] __asm__("__executable_start") __attribute__((weak));
extern char __bss_start[] __attribute__((weak));

MER_IMAGE_SECTIONS;

/* The program's own image, the first in the list; then the libraries, in the order in which they were loaded,
 * which is the same in all threads. */
static struct mer_image own = MER_IMAGE_BOUNDS;
static struct mer_image *last = &own;

/* The space for libraries that are opened while the program runs: the next free place, the end, and the size;
 * 0 before start-up is over. */
static uint64_t later_next, later_end, later_most;

/* The section begins and ends with a page of its own, so that private objects beside it do not move into
 * shared memory along with it: a child that user code forks would not have them for itself there. */
#if defined(__aarch64__)
#define SECTION_ALIGN "65536"
#else
#define SECTION_ALIGN "4096"
#endif
__asm__(".pushsection mer_shared, \"aw\", %nobits\n\t.balign " SECTION_ALIGN "\n\t.popsection");

#define BIG_ALIGN 65536ULL
/* The least page size of any system: a library lies at another page in each thread, but at the same offset in
 * the page. */
#define PLACE_ALIGN 4096ULL
/* Bytes a thread for libraries that are opened while the program runs, at most, and the part of these that
 * `agree' uses. */
#define LATER_MOST (1ULL << 30)
#define LATER_HEAD 4096ULL
/* Where programs for a fixed address begin. */
#define FIXED_BEGIN 0x400000ULL

static uint64_t round_up(uint64_t n, uint64_t unit) { return (n + unit - 1) / unit * unit; }

/* The image that holds an address, by the dynamic linker's list. */
struct holder {
    uint64_t address;
    const char *path;
};

static int find_holder(struct dl_phdr_info *info, size_t size, void *result) {
    struct holder *holder = result;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD &&
            holder->address - (info->dlpi_addr + segment->p_vaddr) < segment->p_memsz) {
            holder->path = info->dlpi_name;
            return 1;
        }
    }
    return 0;
}

/* Refuses a unit that was compiled for another version of the contract.  Another version may have other
 * fields: only the first four bytes are read. */
static void check_contract(const struct mer_image *image) {
    const struct mer_unit *u = image->unit;
    struct holder holder = {(uint64_t)(uintptr_t)u, ""};
    while (u < image->unit_end && u->contract == MER_CONTRACT_SYMBOL)
        u++;
    if (u == image->unit_end)
        return;
    dl_iterate_phdr(find_holder, &holder);
    if (image == &own)
        mer_fatal_job(
            "%s was compiled for version %08x of Meridian's contract, but this program is linked with "
            "version %08x: compile it again",
            u->file, u->contract, MER_CONTRACT_SYMBOL);
    mer_fatal_job("the library %s was compiled for version %08x of Meridian's contract, but this program is "
                  "linked with version %08x: compile the library again",
                  holder.path, u->contract, MER_CONTRACT_SYMBOL);
}

static _Noreturn void refuse_threads(const struct mer_unit *a, const struct mer_unit *b) {
    const struct mer_unit *fixed = a->static_threads ? a : b, *other = a->static_threads ? b : a;
    if (other->static_threads)
        mer_fatal_job("%s was compiled for %s = %d, but %s for %s = %d; compile all files with the same %sN",
                      fixed->file, mer_threads_word(), fixed->static_threads, other->file, mer_threads_word(),
                      other->static_threads, mer_fixed_option());
    mer_fatal_job("%s was compiled for %s = %d, but %s for a number chosen at start; compile all files with "
                  "%s%d, or none",
                  fixed->file, mer_threads_word(), fixed->static_threads, other->file, mer_fixed_option(),
                  fixed->static_threads);
}

/* Checks the units of an image against `first' or, if that is null, the image's first unit that is not for
 * all numbers of threads.  Returns the unit compared with. */
static const struct mer_unit *check_units(const struct mer_image *image, const struct mer_unit *first) {
    check_contract(image);
    for (const struct mer_unit *u = image->unit; u < image->unit_end; u++) {
        if (u->static_threads == MER_ANY_THREADS)
            continue;
        if (!first)
            first = u;
        if (u->static_threads != first->static_threads)
            refuse_threads(u, first);
    }
    return first;
}

int mer_image_static_threads(const char **file) {
    const struct mer_unit *first = NULL;
    for (const struct mer_image *image = &own; image; image = image->next)
        first = check_units(image, first);
    *file = first ? first->file : "";
    return first ? first->static_threads : 0;
}

/* Copies private bytes [from, to) of this process into the memory file, in its own part.  Uses the bare
 * system call: an address sanitizer would object to the C library's functions, since the bytes include those
 * between objects. */
static void keep(uint64_t from, uint64_t to) {
    off_t at = (off_t)((uint64_t)mer_job.mythread * mer_job.span + from - own.bias);
    if (syscall(SYS_pwrite64, mer_here.memory_fd, from, to - from, at) != (long)(to - from))
        mer_fatal_job("cannot write to the job's memory: %s", strerror(errno));
}

/* Copies [from, to) likewise, except pages of zeros, which the file has already: a large array without an
 * initial value costs no memory before it is touched.  The bytes between objects are read too. */
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

/* In Split-C and AC a static has one address in all threads. */
static void check_low(uint64_t start, uint64_t stop) {
    if (stop > MER_HEAP_OFFSET)
        mer_fatal_job("statics of Split-C or AC are at 0x%llx, above 2 GB: the program was linked as a "
                      "position-independent executable. Link the program with -no-pie, as meridian cc does",
                      (unsigned long long)start);
}

/* Copies the read-only parts of the image below `first', string literals and const objects, into the views.
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

/* Maps all statics: from the first page of .data to the image's end, mer_shared among or after them. */
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
    mer_memory_map_native(mer_here.memory_fd, (uint64_t)mer_job.mythread * mer_job.span, first, last - first);
}

uint64_t mer_image_low(void) {
    uint64_t start = (uint64_t)(uintptr_t)__start_mer_shared, stop = (uint64_t)(uintptr_t)__stop_mer_shared;
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), end = (uint64_t)(uintptr_t)mer_image_end_;
    if (start == stop && !mer_everything_linked())
        return 0;
    end = round_up(stop > end ? stop : end, page);
    if (end > MER_HEAP_OFFSET)
        end -= ((uint64_t)(uintptr_t)mer_image_begin_ & ~(page - 1)) - FIXED_BEGIN;
    return end;
}

void mer_image_map(void) {
    uint64_t start = (uint64_t)(uintptr_t)__start_mer_shared, stop = (uint64_t)(uintptr_t)__stop_mer_shared;
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    if (mer_everything_linked()) {
        map_everything(page);
        return;
    }
    uint64_t begin = (uint64_t)(uintptr_t)mer_image_begin_;
    /* A position-independent program counts as if it began where others do. */
    if ((uint64_t)(uintptr_t)mer_image_end_ > MER_HEAP_OFFSET)
        own.bias = (begin & ~(page - 1)) - FIXED_BEGIN;
    if (start == stop)
        return;
    uint64_t first = start & ~(page - 1), end = round_up(stop, page);
    /* If the linker has put private objects on the first or last page after all, they move along.  From
     * here to the end of the mapping nothing may be written that could lie on those pages: no call but these.
     */
    keep(first, start);
    keep(stop, end);
    mer_memory_map_native(mer_here.memory_fd, (uint64_t)mer_job.mythread * mer_job.span - own.bias, first,
                          end - first);
}

/* Places a library's part of each thread's memory at `at' or a little later; returns the first address after
 * the part. */
static uint64_t place_library(struct mer_image *image, uint64_t at) {
    uint64_t start = (uint64_t)(uintptr_t)image->parts, size = (uint64_t)(image->parts_end - image->parts);
    if (size == 0)
        return at;
    /* Alignments up to a page hold. */
    at = round_up(at, PLACE_ALIGN) + start % PLACE_ALIGN;
    image->bias = start - at;
    return round_up(at + size, PLACE_ALIGN);
}

static uint64_t place_big(struct mer_image *image, uint64_t at) {
    for (const struct mer_sized *s = image->sized; s < image->sized_end; s++)
        s->object->size = s->bytes();
    for (struct mer_big *big = image->big; big < image->big_end; big++) {
        if (at > mer_layout.mapped || big->size > mer_layout.mapped - at) {
            char want[32], have[32];
            if (mer_memory_limit())
                mer_fatal_job("a static shared array needs %s on each thread, but because of %s a thread has "
                              "%s of address space for shared memory",
                              mer_bytes_text(want, big->size), mer_memory_limit(),
                              mer_bytes_text(have, mer_layout.mapped - MER_HEAP_OFFSET));
            mer_fatal_job(
                "a static shared array needs %s on each thread, but with %d threads a thread has %s of "
                "address space, and earlier objects take a part of this space; use fewer threads",
                mer_bytes_text(want, big->size), mer_job.threads, mer_bytes_text(have, mer_job.span));
        }
        big->native = at;
        at = round_up(at + big->size, BIG_ALIGN);
    }
    return at;
}

/* Returns where a static shared object of any image lies in each thread's part. */
static uint64_t place_of(uint64_t native) {
    for (const struct mer_image *image = own.next; image; image = image->next) {
        uint64_t start = (uint64_t)(uintptr_t)image->parts;
        if (native - start < (uint64_t)(uintptr_t)image->parts_end - start)
            return native - image->bias;
    }
    /* The program's own, or a library's that the linker has given a place in the program. */
    return native - own.bias;
}

static void resolve(const struct mer_image *image) {
    for (uint64_t *word = image->sym; word < image->sym_end; word++)
        *word = place_of(*word);
}

uint64_t mer_image_place(void) {
    uint64_t at = MER_HEAP_OFFSET;
    for (struct mer_image *image = &own; image; image = image->next)
        at = place_big(image, image == &own ? at : place_library(image, at));
    for (const struct mer_image *image = &own; image; image = image->next)
        resolve(image);
    uint64_t most = (mer_layout.mapped - MER_HEAP_OFFSET) / 64 / PLACE_ALIGN * PLACE_ALIGN;
    most = most < LATER_HEAD ? LATER_HEAD : most < LATER_MOST ? most : LATER_MOST;
    later_next = round_up(at, BIG_ALIGN);
    later_end = later_next + most;
    later_most = most;
    return later_end;
}

/* A record's base is the object itself, or the mer_big record of an object that is not in the image. */
static uint64_t native_base(const void *base) {
    const struct mer_big *big = base;
    for (const struct mer_image *image = &own; image; image = image->next)
        if (big >= image->big && big < image->big_end)
            return big->native;
    return place_of((uint64_t)(uintptr_t)base);
}

static void store_pointer(const struct mer_init_ptr *r) {
    uint64_t base = native_base(r->base), phase = 0;
    mer_i64 n = r->n + r->each * mer_job.threads;
    mer_ptr p;
    if (r->block == 0) {
        p = mer_elem_i(base, n, r->size);
    } else if (r->block == 1) {
        p = mer_elem_c(base, n, r->size);
    } else {
        mer_pptr wide = mer_elem_b(base, n, r->size, r->block);
        p = mer_narrow(wide);
        phase = wide.phase;
    }
    p.bits += r->offset;
    if (r->wide)
        *(mer_pptr *)r->where = mer_mkp(p.bits, r->wide == 1 ? phase : 0);
    else
        *(mer_ptr *)r->where = p;
}

/* Scatters several rows whose length has THREADS as a factor. */
static void scatter_rows(const struct mer_init_data *r, uint64_t base) {
    for (uint64_t i = 0; i < r->n; i++) {
        uint64_t at = i / r->row * r->each * (uint64_t)mer_job.threads + i % r->row;
        mer_ptr p = mer_narrow(mer_elem_b(base, (mer_i64)at, r->size, r->block));
        if (mer_threadof(p.bits) == (mer_u64)mer_job.mythread)
            memcpy(mer_at(p.bits), (const char *)r->image + i * r->size, r->size);
    }
}

/* Blocks t, t + THREADS, ... of the initial values are thread t's, one after the other; with an indefinite
 * block size all are thread 0's. */
static void scatter(const struct mer_init_data *r) {
    uint64_t base = native_base(r->base), total = r->n * r->size, me = (uint64_t)mer_job.mythread;
    if (r->row > r->each * (uint64_t)mer_job.threads)
        mer_fatal_job("`%s` is initialised with %llu elements%s, but with THREADS = %d %s %llu", r->name,
                      (unsigned long long)r->row, r->row < r->n ? " in a row" : "", mer_job.threads,
                      r->row < r->n ? "a row has" : "the array has",
                      (unsigned long long)(r->each * (uint64_t)mer_job.threads));
    if (r->row > 0 && r->row < r->n) {
        scatter_rows(r, base);
        return;
    }
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

static void initialise(const struct mer_image *image) {
    for (const struct mer_init_ptr *r = image->init_ptr; r < image->init_ptr_end; r++)
        store_pointer(r);
    for (const struct mer_init_data *r = image->init_data; r < image->init_data_end; r++)
        scatter(r);
}

void mer_image_initialise(void) {
    for (const struct mer_image *image = &own; image; image = image->next)
        initialise(image);
}

/* Returns a hash that tells one library from another, and is the same in all threads. */
static uint64_t name_of(const struct mer_image *image) {
    uint64_t hash = 0xcbf29ce484222325ULL;
    for (const struct mer_unit *u = image->unit; u < image->unit_end; u++)
        for (const char *c = u->file; *c; c++)
            hash = (hash ^ (unsigned char)*c) * 0x100000001b3ULL;
    return hash | 1;
}

/* The threads of this host have to open libraries in one order, since each places them for itself.  The first
 * to open its nth library leaves the library's name in the last page of the space for later libraries, in the
 * memory of the host's first thread.  The exchange orders nothing else. */
static void agree(const struct mer_image *image) {
    static unsigned count;
    uint64_t mine = name_of(image), before = 0;
    if (count == LATER_HEAD / sizeof mine)
        mer_fatal_job("more than %u libraries with static shared objects have been opened", count);
    uint64_t *names = mer_view(mer_job.here_first, later_end - LATER_HEAD);
    bool first = __atomic_compare_exchange_n(&names[count], &before, mine, false, __ATOMIC_RELAXED,
                                             __ATOMIC_RELAXED);
    if (!first && before != mine)
        mer_fatal_job("thread %d has opened the library of %s, but another thread another library: all "
                      "threads have to open libraries with static shared objects in the same order",
                      mer_job.mythread, image->unit->file);
    count++;
}

/* Places and initialises a library that is opened while the program runs. */
static void admit(struct mer_image *image) {
    check_units(image, check_units(&own, NULL));
    if (image->parts < image->parts_end || image->big < image->big_end) {
        agree(image);
        later_next = place_big(image, place_library(image, later_next));
        if (later_next > later_end - LATER_HEAD)
            mer_fatal_job(
                "the library of %s has too many static shared objects to be opened while the program runs "
                "(all such libraries share %llu MB in each thread); link the program with this library",
                image->unit->file, (unsigned long long)(later_most >> 20));
    }
    resolve(image);
    initialise(image);
}

void mer_image_join(struct mer_image *image) {
    if (image->joined || image->unit == own.unit)
        return;
    image->joined = 1;
    last->next = image;
    last = image;
    if (later_end)
        admit(image);
}
