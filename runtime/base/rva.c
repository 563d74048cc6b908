/* Images by the dynamic linker's list, and their identities; see rva.h.
 *
 * The images are kept in a table, which is made anew when the list has changed: the dynamic linker counts the
 * images that it has added and removed.  The order of the list may differ among processes, for instance if
 * one preloads a library; so an image is found by its identity.
 */
#include "base/rva.h"

#include "base/fatal.h"

#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define HALF 32
#define OFFSET_MASK 0xffffffffULL

struct mer_rva_image mer_rva_own;

struct image {
    uint32_t number; /* 0: the runtime's */
    struct mer_rva_image at;
};

/* All images of the process, under the lock. */
static struct {
    pthread_mutex_t lock;
    struct image *images;
    size_t count;
    unsigned long long added, removed;
} table = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* FNV-1a.  Exempt from AddressSanitizer: the bytes include the redzones around the program's objects. */
__attribute__((no_sanitize("address"))) static uint64_t digest(uint64_t hash, const volatile char *bytes,
                                                               uint64_t n) {
    for (uint64_t i = 0; i < n; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3ULL;
    return hash;
}

/* Adds the linker's build-id in a segment of notes to the hash.  Returns false if the segment has none. */
static bool build_id(const char *notes, uint64_t size, uint64_t *hash) {
    ElfW(Nhdr) note;
    for (uint64_t at = 0; at + sizeof note <= size;) {
        memcpy(&note, notes + at, sizeof note);
        uint64_t name = at + sizeof note, value = name + ((note.n_namesz + 3UL) & ~3UL);
        if (value + note.n_descsz > size)
            return false;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(notes + name, "GNU", 4) == 0) {
            *hash = digest(*hash, notes + value, note.n_descsz);
            return true;
        }
        at = value + ((note.n_descsz + 3UL) & ~3UL);
    }
    return false;
}

static const char *mapped(const struct dl_phdr_info *info, const ElfW(Phdr) * segment) {
    return (const char *)(uintptr_t)(info->dlpi_addr + segment->p_vaddr);
}

/* Returns a hash of the build-id or, if the linker was told to write none, of the code. */
static uint64_t identity(const struct dl_phdr_info *info) {
    uint64_t hash = 0xcbf29ce484222325ULL;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type == PT_NOTE && build_id(mapped(info, segment), segment->p_memsz, &hash))
            return hash;
    }
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X) && (segment->p_flags & PF_R))
            hash = digest(hash, mapped(info, segment), segment->p_filesz);
    }
    return hash;
}

static uint64_t cut(uint64_t size) { return size < OFFSET_MASK ? size : OFFSET_MASK; }

static struct mer_rva_image bounds(const struct dl_phdr_info *info) {
    uint64_t begin = UINT64_MAX, end = 0, code = UINT64_MAX, code_end = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uint64_t from = info->dlpi_addr + segment->p_vaddr, to = from + segment->p_memsz;
        if (segment->p_type != PT_LOAD)
            continue;
        begin = from < begin ? from : begin;
        end = to > end ? to : end;
        if (segment->p_flags & PF_X) {
            code = from < code ? from : code;
            code_end = to > code_end ? to : code_end;
        }
    }
    if (end == 0)
        return (struct mer_rva_image){0};
    return (struct mer_rva_image){.begin = begin,
                                  .size = cut(end - begin),
                                  .code = code_end ? code - begin : 0,
                                  .code_size = code_end ? cut(code_end - begin) - cut(code - begin) : 0};
}

static bool holds(const struct mer_rva_image *image, uint64_t address) {
    return address - image->begin < image->size;
}

/* The number of an image that is not the runtime's. */
static uint32_t number_of(uint64_t identity) {
    uint32_t number = (uint32_t)(identity ^ identity >> HALF);
    return number ? number : 1;
}

static int find_own(struct dl_phdr_info *info, size_t size, void *unused) {
    struct mer_rva_image image = bounds(info);
    (void)size;
    (void)unused;
    if (!holds(&image, (uint64_t)(uintptr_t)&mer_rva_own))
        return 0;
    mer_rva_own = image;
    return 1;
}

void mer_rva_start(void) { dl_iterate_phdr(find_own, NULL); }

static int identify_own(struct dl_phdr_info *info, size_t size, void *result) {
    (void)size;
    if (bounds(info).begin != mer_rva_own.begin)
        return 0;
    *(uint64_t *)result = identity(info);
    return 1;
}

uint64_t mer_rva_identity(void) {
    uint64_t result = 0;
    dl_iterate_phdr(identify_own, &result);
    return result;
}

/* ---- the table ----------------------------------------------------------------------------------------- */

/* Makes the table anew.  Stops at the first image unless the list has changed. */
static int renew(struct dl_phdr_info *info, size_t size, void *begun) {
    bool *first = begun;
    (void)size;
    if (*first && table.images && table.added == info->dlpi_adds && table.removed == info->dlpi_subs)
        return 1;
    if (*first)
        table.count = 0;
    *first = false;
    table.added = info->dlpi_adds;
    table.removed = info->dlpi_subs;
    struct image *images = realloc(table.images, (table.count + 1) * sizeof *images);
    if (!images)
        return 1; /* the missing images are not found */
    struct image image = {.at = bounds(info)};
    if (image.at.begin != mer_rva_own.begin)
        image.number = number_of(identity(info));
    table.images = images;
    images[table.count++] = image;
    return 0;
}

static void look_up(void) {
    bool first = true;
    pthread_mutex_lock(&table.lock);
    dl_iterate_phdr(renew, &first);
}

mer_rva mer_rva_elsewhere(uint64_t address) {
    mer_rva found = 0;
    if (!address)
        return 0;
    look_up();
    for (size_t i = 0; i < table.count && !found; i++)
        if (holds(&table.images[i].at, address))
            found = (mer_rva)table.images[i].number << HALF | (address - table.images[i].at.begin);
    pthread_mutex_unlock(&table.lock);
    return found;
}

/* Finds the image of an RVA.  Returns false if this process has none, or several of that number. */
static bool image_of(mer_rva rva, struct mer_rva_image *image) {
    int count = 0;
    look_up();
    for (size_t i = 0; i < table.count; i++)
        if (table.images[i].number == rva >> HALF) {
            *image = table.images[i].at;
            count++;
        }
    pthread_mutex_unlock(&table.lock);
    return count == 1;
}

/* ---- code and constants -------------------------------------------------------------------------------- */

mer_rva mer_rva_code_elsewhere(uint64_t address) {
    mer_rva rva = mer_rva_elsewhere(address);
    if (!rva)
        mer_fatal("the function at 0x%llx cannot be called on another thread: it lies neither in the program "
                  "nor in a library (is it nested in another function?)",
                  (unsigned long long)address);
    return rva;
}

mer_rva_code *mer_rva_find_code(mer_rva rva, int from) {
    struct mer_rva_image image;
    uint64_t offset = rva & OFFSET_MASK;
    if (!image_of(rva, &image) || offset - image.code >= image.code_size)
        mer_fatal("a message from thread %d names a function that this thread does not have (0x%llx of the "
                  "image %08x): have both threads loaded the same program and libraries?",
                  from, (unsigned long long)offset, (unsigned)(rva >> HALF));
    return (mer_rva_code *)(uintptr_t)(image.begin + offset);
}

/* Returns 1 if an address lies in a readable segment of the image. */
static int is_readable(struct dl_phdr_info *info, size_t size, void *address) {
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uint64_t at = (uint64_t)(uintptr_t)address - (info->dlpi_addr + segment->p_vaddr);
        if (segment->p_type == PT_LOAD && (segment->p_flags & PF_R) && at < segment->p_memsz)
            return 1;
    }
    return 0;
}

const char *mer_rva_text(mer_rva rva) {
    struct mer_rva_image image;
    if (!rva || !image_of(rva, &image))
        return NULL;
    char *text = (char *)(uintptr_t)(image.begin + (rva & OFFSET_MASK));
    return dl_iterate_phdr(is_readable, text) ? text : NULL;
}

const char *mer_where_text(mer_rva where) {
    const char *text = mer_rva_text(where);
    return text ? text : "an unknown place";
}
