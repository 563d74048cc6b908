/* Storage for objects: one range of addresses in each process, in blocks of 64 KB (tam.storage).
 *
 * A block is free, holds objects of one size (a bin's), or is part of one large object.  Each 16 bytes of the
 * range have three bits in tables beside it:
 *
 *   marks  a live object begins there (for the collector)
 *   pins   another processor may know the object that begins there
 *   told   another processor has told of this object in the current collection of all (collection.c)
 *
 * Storage is handed out in runs of free objects of a block (tam_registers.runs), so that an object costs a
 * comparison and an addition.  The free objects of a block that holds live ones are found by its marks when
 * the bin needs them, and not touched before. */
#ifndef MER_TAM_STORAGE_H
#define MER_TAM_STORAGE_H

#include "tam/machine.h"

#define TAM_BLOCK_SHIFT 16
#define TAM_BLOCK ((size_t)1 << TAM_BLOCK_SHIFT)
#define TAM_GRAIN 16                                 /* bytes; objects begin at multiples of it */
#define TAM_BLOCK_WORDS (TAM_BLOCK / TAM_GRAIN / 64) /* of the bits of a block */
#define TAM_LARGEST_BIN (32 << 10)                   /* larger objects have blocks of their own */
#define TAM_NO_BLOCK UINT32_MAX

enum tam_block_kind { TAM_FREE, TAM_SMALL_OBJECTS, TAM_LARGE, TAM_LARGE_REST };

struct tam_block {
    uint8_t kind, bin;
    bool marked, pinned; /* an object in it is */
    uint8_t told;        /* likewise, of enum tam_told */
    /* The first block of a large object: the number of its blocks; the rest of a large object: the distance
     * to its first block; small objects: the bin's inverse, which the collector needs for each reference. */
    uint32_t count;
    uint32_t next; /* the bin's next block that has free objects among live ones */
};

enum tam_told { TAM_TOLD_NONE, TAM_TOLD_MARKED, TAM_TOLD_NEW };

/* An object's block, the bit and the address of its beginning, and its bytes. */
struct tam_place {
    struct tam_block *block;
    size_t bit;
    uintptr_t at;
    size_t bytes;
};

/* Finds the object that a word refers to, or into, as a reference of this processor or as an address.
 * Returns false if there is none.  Objects that were never handed out count too. */
static inline bool tam_find(tam_word word, struct tam_place *place) {
    unsigned top = (unsigned)(word >> 48);
    uintptr_t offset = (uintptr_t)(word & MER_ADDR_MASK) - tam.storage.base;
    size_t number = offset >> TAM_BLOCK_SHIFT;
    if ((top != 0 && top != (unsigned)tam.me) || number >= tam.storage.used)
        return false;
    struct tam_block *block = &tam.storage.blocks[number];
    if (block->kind == TAM_SMALL_OBJECTS) {
        uint32_t within = (uint32_t)offset & (uint32_t)(TAM_BLOCK - 1);
        /* within < 2^16, so that the error of the inverse does not reach the quotient. */
        uint32_t slot = (uint32_t)((uint64_t)within * block->count >> 32);
        place->bytes = tam.storage.bin_bytes[block->bin];
        if ((slot + 1) * place->bytes > TAM_BLOCK)
            return false; /* after the last object */
        offset = offset - within + slot * place->bytes;
    } else {
        if (block->kind == TAM_FREE)
            return false;
        if (block->kind == TAM_LARGE_REST)
            block -= block->count;
        offset = (uintptr_t)(block - tam.storage.blocks) << TAM_BLOCK_SHIFT;
        place->bytes = block->count * TAM_BLOCK;
    }
    place->block = block;
    place->bit = offset / TAM_GRAIN;
    place->at = tam.storage.base + offset;
    return true;
}

static inline bool tam_bit(const uint64_t *bits, size_t bit) { return bits[bit / 64] >> bit % 64 & 1; }
static inline void tam_set_bit(uint64_t *bits, size_t bit) { bits[bit / 64] |= (uint64_t)1 << bit % 64; }

/* Reserves the range. */
void tam_storage_start(void);

/* Returns a bin whose objects have at least so many bytes, of which there are TAM_LARGEST_BIN at most. */
unsigned tam_storage_bin(size_t bytes);
/* Make the bin's run, of the next free objects of blocks that hold live ones, or of a block without live
 * objects, which becomes the bin's.  Return false if there are none. */
bool tam_storage_next_run(unsigned bin);
bool tam_storage_fresh_run(unsigned bin);
/* Returns `count' blocks in a row for one object, or null if there are none. */
void *tam_storage_take_large(uint32_t count);

/* For the collector: clears the marks of all blocks; frees the objects without a mark, of which `live' bytes
 * have one. */
void tam_storage_clear_marks(void);
void tam_storage_sweep(size_t live);
/* Pins the objects that others have told of and no others; nothing counts as told any more. */
void tam_storage_pin_told(void);

#endif
