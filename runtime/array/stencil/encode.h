/* Instructions of x86-64 as bytes: vector instructions, with the prefixes of AVX-512 (EVEX) or of AVX2 (VEX),
 * and the few others that code for plans needs (code.c). */
#ifndef MER_ARRAY_ENCODE_H
#define MER_ARRAY_ENCODE_H

#include <stdbool.h>
#include <stddef.h>

enum { MER_AX, MER_CX, MER_DX, MER_SI = 6, MER_DI, MER_R8, MER_R9, MER_R10, MER_R11 };
enum { MER_LOAD = 0x10, MER_STORE, MER_MOVE = 0x28, MER_STREAM = 0x2b, MER_ADD = 0x58, MER_MULTIPLY };

/* Bytes that do not fit are counted, not written: a first try finds the length. */
struct mer_encoder {
    unsigned char *memory;
    long at, most; /* bytes: the place of the next instruction, and the size of the memory */
    bool wide;     /* elements of 8 bytes, not of 4 */
    bool evex;     /* vectors of 64 bytes, registers 0 ... 31; else of 32, 0 ... 15 */
};

void mer_encode(struct mer_encoder *e, const void *bytes, long n);
void mer_encode_byte(struct mer_encoder *e, int byte);
void mer_encode_word(struct mer_encoder *e, long word); /* 4 bytes */

/* Pad to the next multiple of so many bytes, by instructions that do nothing. */
void mer_encode_align(struct mer_encoder *e, long bytes);

/* reg = first OP rm, of vector registers; first is 0 for MER_MOVE, which has none. */
void mer_encode_registers(struct mer_encoder *e, int op, int reg, int first, int rm);

/* reg = first OP memory at base + offset; MER_LOAD has no first. */
void mer_encode_memory(struct mer_encoder *e, int op, int reg, int first, int base, ptrdiff_t offset);

/* reg = first OP the constant at byte `place' of the memory: with EVEX an element, broadcast to the whole
 * vector; with VEX a vector. */
void mer_encode_constant(struct mer_encoder *e, int op, int reg, int first, long place);

/* reg = that constant, broadcast likewise. */
void mer_encode_load_constant(struct mer_encoder *e, int reg, long place);

/* Store reg at `offset' in row r; the rows begin at rdx, rdx + r8, rdx + 2 r8 and rdx + r9. */
void mer_encode_store(struct mer_encoder *e, int op, int reg, int r, ptrdiff_t offset);

/* For 64-bit registers: load from base + offset; add a constant. */
void mer_encode_load(struct mer_encoder *e, int reg, int base, int offset);
void mer_encode_add_constant(struct mer_encoder *e, int reg, long constant);

void mer_encode_prefetch(struct mer_encoder *e, int base, ptrdiff_t offset);

/* Set the distance of the jump whose last four bytes end at `from'. */
void mer_encode_jump_to(struct mer_encoder *e, long from, long to);

#endif
