/* Relative virtual addresses: how a function or a string constant is named to another process.
 *
 * A program, and each library, may be loaded at another address in each process, if it is
 * position-independent, as Python's libraries are, and the system randomises addresses.  So no message and
 * no word that processes share holds an address of code or constants.  They hold an RVA.  Its low half is the
 * address less that of the image (a program or a library) in which it lies.  Its high half is a number that
 * identifies the image, by the build-id that the linker has given it.  The image of the runtime has number 0,
 * and start-up compares its identity among the hosts (host/hosts.c).  For this image, which holds the program
 * too as a rule, an RVA costs a subtraction and a comparison, and an addition more when it is followed.
 *
 * Whoever follows an RVA checks it: a called address lies in the code of an image that this process has.
 */
#ifndef MER_BASE_RVA_H
#define MER_BASE_RVA_H

#include <stdint.h>

typedef uint64_t mer_rva; /* 0: the null pointer */

/* The image of the runtime; constant after mer_rva_start.  Sizes are cut at 4 GB: only data lie beyond. */
struct mer_rva_image {
    uint64_t begin, size;
    uint64_t code, code_size; /* code: the RVA of its first byte */
};
extern struct mer_rva_image mer_rva_own;

/* Find the runtime's image.  Called before all functions below. */
void mer_rva_start(void);
/* Returns a hash that identifies the build of the runtime's image. */
uint64_t mer_rva_identity(void);

/* Does the work of mer_rva_of for addresses outside of the runtime's image. */
mer_rva mer_rva_elsewhere(uint64_t address);

/* The RVA of a constant; 0 if it lies in no image. */
static inline mer_rva mer_rva_of(const void *constant) {
    uint64_t address = (uint64_t)(uintptr_t)constant, offset = address - mer_rva_own.begin;
    return __builtin_expect(offset < mer_rva_own.size, 1) ? offset : mer_rva_elsewhere(address);
}

typedef void mer_rva_code(void);

/* The RVA of a function.  Fatal message if it lies in no image: gcc makes such code for nested functions. */
mer_rva mer_rva_code_elsewhere(uint64_t address);
static inline mer_rva mer_rva_of_code(mer_rva_code *function) {
    uint64_t address = (uint64_t)(uintptr_t)function, offset = address - mer_rva_own.begin;
    return __builtin_expect(offset - mer_rva_own.code < mer_rva_own.code_size, 1)
               ? offset
               : mer_rva_code_elsewhere(address);
}

/* The function of an RVA that thread `from' has sent.  Fatal message if this process has no such code. */
mer_rva_code *mer_rva_find_code(mer_rva rva, int from);
static inline mer_rva_code *mer_rva_to_code(mer_rva rva, int from) {
    return __builtin_expect(rva - mer_rva_own.code < mer_rva_own.code_size, 1)
               ? (mer_rva_code *)(uintptr_t)(mer_rva_own.begin + rva)
               : mer_rva_find_code(rva, from);
}

/* The string constant of an RVA; null if this process has no such image. */
const char *mer_rva_text(mer_rva rva);
/* Returns the string constant of an RVA for a message, or words for an unknown place; never null. */
const char *mer_where_text(mer_rva where);

#endif
