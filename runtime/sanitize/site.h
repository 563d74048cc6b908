/* Call sites: the instruction of an access and the calls around it, as numbers that fit into a cell. */
#ifndef MER_SANITIZE_SITE_H
#define MER_SANITIZE_SITE_H

#include <stdint.h>

#define MER_SITE_FRAMES 8

/* A place in the program: the return address of the access's call, and of the calls around it. */
struct mer_site {
    uint32_t next; /* of the same hash */
    uint32_t frames;
    uint64_t frame[MER_SITE_FRAMES]; /* RVAs (base/rva.h), or 0 */
};

/* The caller's instruction, and the frame pointer there. */
struct mer_caller {
    const void *pc;
    const void *const *frame;
};
#define MER_CALLER                                                                                           \
    ((struct mer_caller){__builtin_return_address(0),                                                        \
                         *(const void *const *const *)__builtin_frame_address(0)})

/* Start-up, by the first thread of the host. */
void mer_site_new(void);

/* Returns the number of the caller's site; 0 if there are too many.  The caller was compiled with frame
 * pointers.  Cost: a look into a table of recent sites. */
uint32_t mer_site_of(struct mer_caller caller);
const struct mer_site *mer_site(uint32_t number);

#endif
