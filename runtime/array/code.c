/* Machine code for plans, see code.h.
 *
 * A plan is gone through for every few vectors of every row, and the branches from operation to operation
 * take as long as the operations do.  As code there are no branches.  Measured, 27 points of 64^3: 0.77 of
 * the time.
 *
 * Registers: the sums are zmm0 ... 15, row by row; a vector is loaded into zmm16, products are made in zmm17;
 * zmm18 ... 31 hold the first 14 factors.  Further ones are read where they stand, behind the code.
 * rdi: the argument.  rsi, rcx: u and the level before.  rdx: out, r8: bytes to its next row, r9: thrice
 * that.  r10: how many times are left.  r11, rax: what is fetched. */
#include "array/code.h"

#include "array/cache.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#if defined(__x86_64__)

#define MOST_BYTES (1L << 20)
#define VECTORS MER_CODE_VECTORS
#define LOADED 16
#define PRODUCT 17
#define FACTORS 18 /* the first register of a factor */
#define KEPT (32 - FACTORS)

enum { AX, CX, DX, SI = 6, DI, R8, R9, R10, R11 };
enum { LOAD = 0x10, STORE = 0x11, MOVE = 0x28, STREAM = 0x2b, ADD = 0x58, MULTIPLY = 0x59 };

struct mer_codes {
    char *memory;
    size_t bytes;
    mer_code *code[MER_PLAN_ROWS][MER_CODE_FETCHES];
};

/* While code is made.  What does not fit is counted, not written: the length is found by a first try. */
struct maker {
    unsigned char *memory;
    long at, most;
    bool wide; /* elements of 8 bytes */
    ptrdiff_t next;
    int factors;
    double *factor; /* all that there are */
};

/* ---- instructions -------------------------------------------------------------------------------------- */

static void put(struct maker *m, const void *bytes, long n) {
    if (m->at + n <= m->most)
        memcpy(m->memory + m->at, bytes, (size_t)n);
    m->at += n;
}

static void put_byte(struct maker *m, int byte) { put(m, &(unsigned char){(unsigned char)byte}, 1); }
static void put_word(struct maker *m, long word) { put(m, &(int32_t){(int32_t)word}, 4); }

/* The prefix EVEX.512 of an instruction of map 1 or 2: registers by their five bits; base: whether `rm' is a
 * base of an address. */
static void prefix(struct maker *m, int map, int reg, int first, int rm, bool base, bool broadcast) {
    int not_x = base ? 1 : !(rm >> 4 & 1);
    put_byte(m, 0x62);
    put_byte(m, !(reg >> 3 & 1) << 7 | not_x << 6 | !(rm >> 3 & 1) << 5 | !(reg >> 4 & 1) << 4 | map);
    put_byte(m, m->wide << 7 | (~first & 15) << 3 | 4 | (m->wide || map == 2 ? 1 : 0));
    put_byte(m, 2 << 5 | broadcast << 4 | !(first >> 4 & 1) << 3);
}

/* reg = first OP rm, of registers; MOVE has no first. */
static void of_registers(struct maker *m, int op, int reg, int first, int rm) {
    prefix(m, 1, reg, first, rm, false, false);
    put_byte(m, op);
    put_byte(m, 0xc0 | (reg & 7) << 3 | (rm & 7));
}

/* The same with memory at base + offset. */
static void of_memory(struct maker *m, int op, int reg, int first, int base, ptrdiff_t offset) {
    prefix(m, 1, reg, first, base, true, false);
    put_byte(m, op);
    put_byte(m, 0x80 | (reg & 7) << 3 | (base & 7));
    put_word(m, offset);
}

/* The same with a factor where it stands: at the beginning of the memory.  VBROADCASTSD and VBROADCASTSS are
 * of map 2. */
static void of_factor(struct maker *m, int map, int op, int reg, int first, int factor) {
    prefix(m, map, reg, first, 5, true, map == 1);
    put_byte(m, op);
    put_byte(m, 5 | (reg & 7) << 3);
    put_word(m, factor * (m->wide ? 8 : 4) - (m->at + 4));
}

/* 64 bits: the register from base + offset. */
static void load(struct maker *m, int reg, int base, int offset) {
    put_byte(m, 0x48 | (reg >> 3) << 2 | base >> 3);
    put_byte(m, 0x8b);
    put_byte(m, 0x80 | (reg & 7) << 3 | (base & 7));
    put_word(m, offset);
}

static void add_constant(struct maker *m, int reg, long constant) {
    put_byte(m, 0x48 | reg >> 3);
    put_byte(m, 0x81);
    put_byte(m, 0xc0 | (reg & 7));
    put_word(m, constant);
}

static void prefetch(struct maker *m, int base, ptrdiff_t offset) {
    if (base >> 3)
        put_byte(m, 0x41);
    put(m, (unsigned char[]){0x0f, 0x18, (unsigned char)(0x88 | (base & 7))}, 3);
    put_word(m, offset);
}

/* A vector of row r of out, whose rows are rdx, rdx + r8, rdx + 2 r8 and rdx + r9. */
static void store(struct maker *m, int op, int reg, int r, int offset) {
    static const unsigned char sib[] = {0x22, 0x02, 0x42, 0x0a};
    bool indexed = r > 0;
    put_byte(m, 0x62);
    put_byte(m, !(reg >> 3 & 1) << 7 | !indexed << 6 | 1 << 5 | !(reg >> 4 & 1) << 4 | 1);
    put_byte(m, m->wide << 7 | 15 << 3 | 4 | (m->wide ? 1 : 0));
    put_byte(m, 2 << 5 | 1 << 3);
    put_byte(m, op);
    put_byte(m, 0x84 | (reg & 7) << 3);
    put_byte(m, sib[r]);
    put_word(m, offset);
}

/* ---- a plan -------------------------------------------------------------------------------------------- */

static int number_of(const struct maker *m, double factor) {
    int f = 0;
    while (f < m->factors && memcmp(&m->factor[f], &factor, sizeof factor) != 0)
        f++;
    return f;
}

static void multiply(struct maker *m, int reg, int vector, int factor) {
    if (factor < KEPT)
        of_registers(m, MULTIPLY, reg, FACTORS + factor, vector);
    else
        of_factor(m, 1, MULTIPLY, reg, vector, factor);
}

/* What is made already: which rows have a first term. */
static void add_vector(struct maker *m, const struct mer_operation *o, int k, const bool *begun) {
    int base = o->old ? CX : SI;
    bool done[MER_PLAN_ROWS] = {false};
    of_memory(m, LOAD, LOADED, 0, base, o->at + k * MER_LINE);
    for (int r = o->first; r < o->end; r++) {
        int sharers = 0, f = number_of(m, o->factor[r]);
        for (int s = r; s < o->end && !done[r]; s++)
            sharers += number_of(m, o->factor[s]) == f;
        if (done[r])
            continue;
        bool direct = sharers == 1 && !begun[r];
        multiply(m, direct ? r * VECTORS + k : PRODUCT, LOADED, f);
        for (int s = r; s < o->end && !direct; s++) {
            int sum = s * VECTORS + k;
            if (number_of(m, o->factor[s]) != f)
                continue;
            done[s] = true;
            if (begun[s])
                of_registers(m, ADD, sum, sum, PRODUCT);
            else
                of_registers(m, MOVE, sum, 0, PRODUCT);
        }
    }
}

/* The i-th of the lines that are fetched: of the first row, then of the others, and then what is made. */
static void fetch(struct maker *m, int i, int rows) {
    int base = i < rows * VECTORS ? R11 : AX, row = i % (rows * VECTORS) / VECTORS;
    prefetch(m, base, row * m->next + i % VECTORS * MER_LINE);
}

static void add_all(struct maker *m, const struct mer_plan *plan, int rows, int fetches) {
    bool begun[MER_PLAN_ROWS] = {false};
    int lines = fetches * rows * VECTORS, fetched = 0;
    for (int i = 0; i < plan->count; i++) {
        const struct mer_operation *o = &plan->operation[i];
        for (int k = 0; k < VECTORS; k++) {
            for (; fetched * plan->count * VECTORS < lines * (i * VECTORS + k + 1); fetched++)
                fetch(m, fetched, rows);
            add_vector(m, o, k, begun);
        }
        for (int r = o->first; r < o->end; r++)
            begun[r] = true;
    }
}

static void store_all(struct maker *m, int op, int rows) {
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < VECTORS; k++)
            store(m, op, r * VECTORS + k, r, k * MER_LINE);
}

/* Sets the distance of a jump whose last four bytes end at `from'. */
static void jump_to(struct maker *m, long from, long to) {
    long at = m->at;
    m->at = from - 4;
    put_word(m, to - from);
    m->at = at;
}

#define FIELD(name) (int)offsetof(struct mer_code_at, name)

static void begin(struct maker *m) {
    put(m, (unsigned char[]){0xf3, 0x0f, 0x1e, 0xfa}, 4); /* endbr64 */
    load(m, SI, DI, FIELD(u));
    load(m, CX, DI, FIELD(old));
    load(m, DX, DI, FIELD(out));
    load(m, R8, DI, FIELD(out_next));
    load(m, R10, DI, FIELD(times));
    load(m, R11, DI, FIELD(ahead));
    load(m, AX, DI, FIELD(made));
    put(m, (unsigned char[]){0x4f, 0x8d, 0x0c, 0x40}, 4); /* lea r9, [r8 + 2 r8] */
    for (int f = 0; f < m->factors && f < KEPT; f++)
        of_factor(m, 2, m->wide ? 0x19 : 0x18, FACTORS + f, 0, f);
}

static void make(struct maker *m, const struct mer_plan *plan, int rows, int fetches) {
    static const int moving[] = {SI, CX, DX, R11, AX};
    begin(m);
    while (m->at % MER_LINE)
        put_byte(m, 0x90);
    long top = m->at;
    add_all(m, plan, rows, fetches);
    put(m, (unsigned char[]){0x48, 0x83, 0xbf}, 3); /* cmp qword [rdi + stream], 0 */
    put_word(m, FIELD(stream));
    put_byte(m, 0);
    put(m, (unsigned char[]){0x0f, 0x85, 0, 0, 0, 0}, 6); /* jne */
    long streams = m->at;
    store_all(m, STORE, rows);
    put(m, (unsigned char[]){0xe9, 0, 0, 0, 0}, 5); /* jmp */
    long stored = m->at;
    jump_to(m, streams, m->at);
    store_all(m, STREAM, rows);
    jump_to(m, stored, m->at);
    for (int i = 0; i < 5; i++)
        add_constant(m, moving[i], VECTORS * MER_LINE);
    put(m, (unsigned char[]){0x49, 0xff, 0xca, 0x0f, 0x85, 0, 0, 0, 0}, 9); /* dec r10; jnz */
    jump_to(m, m->at, top);
    put(m, (unsigned char[]){0xc5, 0xf8, 0x77, 0xc3}, 4); /* vzeroupper; ret */
}

/* ---- all of them --------------------------------------------------------------------------------------- */

static void find_factors(struct maker *m, const struct mer_plan *plan) {
    for (int i = 0; i < plan->count; i++) {
        const struct mer_operation *o = &plan->operation[i];
        for (int r = o->first; r < o->end; r++)
            if (number_of(m, o->factor[r]) == m->factors)
                m->factor[m->factors++] = o->factor[r];
    }
}

static void make_all(struct maker *m, const struct mer_plan *plan, struct mer_codes *codes) {
    m->at = 0;
    for (int f = 0; f < m->factors; f++) {
        float narrow = (float)m->factor[f];
        put(m, m->wide ? (void *)&m->factor[f] : (void *)&narrow, m->wide ? 8 : 4);
    }
    for (int rows = 1; rows <= MER_PLAN_ROWS; rows++)
        for (int fetches = 0; fetches < MER_CODE_FETCHES; fetches++) {
            while (m->at % MER_LINE)
                put_byte(m, 0x90);
            char *code = codes->memory ? codes->memory + m->at : NULL;
            memcpy(&codes->code[rows - 1][fetches], &code, sizeof code);
            make(m, &plan[rows - 1], rows, fetches);
        }
}

struct mer_codes *mer_codes_new(enum mer_type type, const struct mer_plan *plan, ptrdiff_t next) {
    struct maker m = {.wide = type == MER_FLOAT64, .next = next};
    struct mer_codes *codes = calloc(1, sizeof *codes);
    m.factor = calloc((size_t)plan[0].count, sizeof *m.factor);
    if (codes && m.factor) {
        find_factors(&m, plan);
        make_all(&m, plan, codes);
    }
    long bytes = m.at;
    void *memory = MAP_FAILED;
    if (bytes && bytes <= MOST_BYTES)
        memory = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED) {
        codes->memory = memory;
        codes->bytes = (size_t)bytes;
        m.memory = memory;
        m.most = bytes;
        make_all(&m, plan, codes);
    }
    free(m.factor);
    /* A system may refuse to execute what has been written. */
    if (memory != MAP_FAILED && mprotect(memory, (size_t)bytes, PROT_READ | PROT_EXEC) == 0)
        return codes;
    mer_codes_free(codes);
    return NULL;
}

mer_code *mer_codes_of(const struct mer_codes *codes, int rows, enum mer_code_fetches fetches) {
    return codes->code[rows - 1][fetches];
}

void mer_codes_free(struct mer_codes *codes) {
    if (codes && codes->memory)
        munmap(codes->memory, codes->bytes);
    free(codes);
}
#else
struct mer_codes *mer_codes_new(enum mer_type type, const struct mer_plan *plan, ptrdiff_t next) {
    (void)type, (void)plan, (void)next;
    return NULL;
}
mer_code *mer_codes_of(const struct mer_codes *codes, int rows, enum mer_code_fetches fetches) {
    (void)codes, (void)rows, (void)fetches;
    return NULL;
}
void mer_codes_free(struct mer_codes *codes) { (void)codes; }
#endif
