/* Instructions as bytes, see encode.h.
 *
 * EVEX instructions always get offsets of 4 bytes: offsets of one byte count in vectors, and few are so
 * short.  VEX instructions get offsets of one byte if that is enough, and the prefix of two bytes if no
 * register after the eighth addresses memory. */
#include "array/stencil/encode.h"

#include <stdint.h>
#include <string.h>

void mer_encode(struct mer_encoder *e, const void *bytes, long n) {
    if (e->at + n <= e->most)
        memcpy(e->memory + e->at, bytes, (size_t)n);
    e->at += n;
}

void mer_encode_byte(struct mer_encoder *e, int byte) {
    mer_encode(e, &(unsigned char){(unsigned char)byte}, 1);
}
void mer_encode_word(struct mer_encoder *e, long word) { mer_encode(e, &(int32_t){(int32_t)word}, 4); }

void mer_encode_align(struct mer_encoder *e, long bytes) {
    while (e->at % bytes)
        mer_encode_byte(e, 0x90);
}

/* The prefix and the opcode of an instruction of map 1 or 2 (0F, 0F 38).  Registers by their five bits; x:
 * bit 3 of an index, or bit 4 of a register in place of memory; b: bit 3 of the base, or of that register. */
static void begin(struct mer_encoder *e, int map, int op, int reg, int first, int x, int b, bool broadcast) {
    int high = !(reg >> 3 & 1) << 7, prefix = e->wide || map == 2 ? 1 : 0;
    int rest = (~first & 15) << 3 | 4 | prefix;
    if (e->evex) {
        mer_encode_byte(e, 0x62);
        mer_encode_byte(e, high | !x << 6 | !b << 5 | !(reg >> 4 & 1) << 4 | map);
        mer_encode_byte(e, e->wide << 7 | rest);
        mer_encode_byte(e, 2 << 5 | broadcast << 4 | !(first >> 4 & 1) << 3);
    } else if (map == 1 && !x && !b) {
        mer_encode_byte(e, 0xc5);
        mer_encode_byte(e, high | rest);
    } else {
        mer_encode_byte(e, 0xc4);
        mer_encode_byte(e, high | !x << 6 | !b << 5 | map);
        mer_encode_byte(e, rest);
    }
    mer_encode_byte(e, op);
}

/* The operand bytes for memory at base + offset; sib: the byte of a base and an index, or -1. */
static void address(struct mer_encoder *e, int reg, int base, int sib, ptrdiff_t offset) {
    bool is_short = !e->evex && offset >= -128 && offset < 128;
    mer_encode_byte(e, (is_short ? 0x40 : 0x80) | (reg & 7) << 3 | (sib < 0 ? base & 7 : 4));
    if (sib >= 0)
        mer_encode_byte(e, sib);
    if (is_short)
        mer_encode_byte(e, (int)offset);
    else
        mer_encode_word(e, offset);
}

void mer_encode_registers(struct mer_encoder *e, int op, int reg, int first, int rm) {
    begin(e, 1, op, reg, first, rm >> 4 & 1, rm >> 3 & 1, false);
    mer_encode_byte(e, 0xc0 | (reg & 7) << 3 | (rm & 7));
}

void mer_encode_memory(struct mer_encoder *e, int op, int reg, int first, int base, ptrdiff_t offset) {
    begin(e, 1, op, reg, first, 0, base >> 3, false);
    address(e, reg, base, -1, offset);
}

/* The operand bytes for the constant at `place', by its distance from the next instruction. */
static void at_place(struct mer_encoder *e, int reg, long place) {
    mer_encode_byte(e, 5 | (reg & 7) << 3);
    mer_encode_word(e, place - (e->at + 4));
}

void mer_encode_constant(struct mer_encoder *e, int op, int reg, int first, long place) {
    begin(e, 1, op, reg, first, 0, 0, e->evex);
    at_place(e, reg, place);
}

/* VBROADCASTSD and VBROADCASTSS are in map 2. */
void mer_encode_load_constant(struct mer_encoder *e, int reg, long place) {
    if (e->evex)
        begin(e, 2, e->wide ? 0x19 : 0x18, reg, 0, 0, 0, false);
    else
        begin(e, 1, MER_LOAD, reg, 0, 0, 0, false);
    at_place(e, reg, place);
}

void mer_encode_store(struct mer_encoder *e, int op, int reg, int r, ptrdiff_t offset) {
    static const unsigned char sib[] = {0x22, 0x02, 0x42, 0x0a};
    begin(e, 1, op, reg, 0, r > 0, 0, false);
    address(e, reg, 0, sib[r], offset);
}

void mer_encode_load(struct mer_encoder *e, int reg, int base, int offset) {
    mer_encode_byte(e, 0x48 | (reg >> 3) << 2 | base >> 3);
    mer_encode_byte(e, 0x8b);
    mer_encode_byte(e, 0x80 | (reg & 7) << 3 | (base & 7));
    mer_encode_word(e, offset);
}

void mer_encode_add_constant(struct mer_encoder *e, int reg, long constant) {
    mer_encode_byte(e, 0x48 | reg >> 3);
    mer_encode_byte(e, 0x81);
    mer_encode_byte(e, 0xc0 | (reg & 7));
    mer_encode_word(e, constant);
}

void mer_encode_prefetch(struct mer_encoder *e, int base, ptrdiff_t offset) {
    if (base >> 3)
        mer_encode_byte(e, 0x41);
    mer_encode(e, (unsigned char[]){0x0f, 0x18, (unsigned char)(0x88 | (base & 7))}, 3);
    mer_encode_word(e, offset);
}

void mer_encode_jump_to(struct mer_encoder *e, long from, long to) {
    long at = e->at;
    e->at = from - 4;
    mer_encode_word(e, to - from);
    e->at = at;
}
