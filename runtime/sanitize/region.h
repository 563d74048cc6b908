/* The memory of -fsanitize=pgas that the processes of a host share: one memory file, at the same address in
 * each of them, above the views.  Everything that one thread records for the others is here: the shadow of
 * the shared memory, clocks, call sites and the list of findings.  Memory is taken from front to back, is
 * zero, never given back, and committed when it is touched. */
#ifndef MER_SANITIZE_REGION_H
#define MER_SANITIZE_REGION_H

#include <stddef.h>
#include <stdint.h>

#define MER_REGION_BASE 0x520000000000ULL /* above the views, below images and the C library's memory */
#define MER_REGION_SIZE (1ULL << 41)

/* Makes the region and maps it, in all threads of the host.  Collective among them; start-up. */
void mer_region_open(void);

/* Maps n bytes of the region, both multiples of the page size, at another address, read-only.  Start-up,
 * until mer_region_close. */
void mer_region_again(const void *from, size_t n, uint64_t to);
void mer_region_close(void);

/* Returns n fresh bytes, aligned to 64.  Ends the job with a message if the region is used up. */
void *mer_region_take(size_t n);

/* A lock of threads of the host, who yield while they wait.  Its holder waits for nothing else, except for
 * the command that words a finding (report.c). */
struct mer_region_lock {
    uint32_t held;
};
void mer_region_lock(struct mer_region_lock *lock);
void mer_region_unlock(struct mer_region_lock *lock);

/* The parts of the region that are found from its beginning.  Each belongs to the file in brackets. */
struct mer_region {
    uint64_t used;                 /* bytes taken (region.c) */
    struct mer_shadow *shadow;     /* (shadow.c) */
    struct mer_clocks *clocks;     /* (clock.c) */
    struct mer_sites *sites;       /* (site.c) */
    struct mer_blocks *blocks;     /* (block.c) */
    struct mer_findings *findings; /* (report.c) */
    unsigned char *marks;          /* bytes that are not 0 (start.c) */
};
#define mer_region ((struct mer_region *)MER_REGION_BASE)

#endif
