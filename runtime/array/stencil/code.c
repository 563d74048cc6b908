/* Machine code for plans, see code.h.
 *
 * An interpreted plan branches from operation to operation for every few vectors of every row, and the
 * branches take as long as the operations.  Machine code has no such branches: 27 points of 64^3 elements
 * take 0.77 of the time.
 *
 * Vector registers: first the sums, row by row; then one for a loaded vector and one for products; the others
 * hold the first factors.  Further factors are read from memory, where they lie before the code.
 * rdi: the argument.  rsi, rcx: u and the level before.  rdx: out, r8: bytes to its next row, r9: thrice
 * that.  r10: the times that are left.  r11, rax: places to prefetch. */
#include "array/stencil/code.h"

#include "array/layout/cache.h"
#include "array/stencil/encode.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#if defined(__x86_64__)

#define MOST_BYTES (1L << 20)

struct mer_codes {
    char *memory;
    size_t bytes;
    long columns;
    mer_code *code[MER_PLAN_ROWS][MER_CODE_FETCHES];
};

/* The size of vectors, and the use of their registers. */
struct registers {
    int bytes;   /* of a vector */
    int vectors; /* of a row at a time */
    int loaded, product, factors, end;
};
static const struct registers avx2 = {32, 2, 8, 9, 10, 16}, avx512 = {64, 4, 16, 17, 18, 32};

/* The state while code is made. */
struct maker {
    struct mer_encoder e;
    const struct registers *use;
    ptrdiff_t next;
    int factors;
    double *factor; /* all different factors of the plans */
};

/* ---- a plan -------------------------------------------------------------------------------------------- */

static int number_of(const struct maker *m, double factor) {
    int f = 0;
    while (f < m->factors && memcmp(&m->factor[f], &factor, sizeof factor) != 0)
        f++;
    return f;
}

static bool is_kept(const struct maker *m, int factor) { return m->use->factors + factor < m->use->end; }

/* Returns the place of a factor in memory: an element each with AVX-512, else a vector. */
static long place_of(const struct maker *m, int factor) {
    return (long)factor * (!m->e.evex ? m->use->bytes : m->e.wide ? 8 : 4);
}

static void multiply(struct maker *m, int reg, int vector, int factor) {
    if (is_kept(m, factor))
        mer_encode_registers(&m->e, MER_MULTIPLY, reg, m->use->factors + factor, vector);
    else
        mer_encode_constant(&m->e, MER_MULTIPLY, reg, vector, place_of(m, factor));
}

static int sum_of(const struct maker *m, int row, int k) { return row * m->use->vectors + k; }

/* Adds vector k of an operation.  begun: the rows that have a first term already. */
static void add_vector(struct maker *m, const struct mer_operation *o, int k, const bool *begun) {
    int base = o->old ? MER_CX : MER_SI;
    bool done[MER_PLAN_ROWS] = {false};
    mer_encode_memory(&m->e, MER_LOAD, m->use->loaded, 0, base, o->at + k * m->use->bytes);
    for (int r = o->first; r < o->end; r++) {
        int sharers = 0, f = number_of(m, o->factor[r]);
        for (int s = r; s < o->end && !done[r]; s++)
            sharers += number_of(m, o->factor[s]) == f;
        if (done[r])
            continue;
        bool direct = sharers == 1 && !begun[r];
        multiply(m, direct ? sum_of(m, r, k) : m->use->product, m->use->loaded, f);
        for (int s = r; s < o->end && !direct; s++) {
            int sum = sum_of(m, s, k);
            if (number_of(m, o->factor[s]) != f)
                continue;
            done[s] = true;
            if (begun[s])
                mer_encode_registers(&m->e, MER_ADD, sum, sum, m->use->product);
            else
                mer_encode_registers(&m->e, MER_MOVE, sum, 0, m->use->product);
        }
    }
}

/* Returns the bytes of a row at a time, which are whole lines. */
static int columns_of(const struct maker *m) { return m->use->vectors * m->use->bytes; }

/* Prefetches line i of the lines of the first row, then of the other rows, and then of out. */
static void fetch(struct maker *m, int i, int rows) {
    int lines = columns_of(m) / MER_LINE;
    int base = i < rows * lines ? MER_R11 : MER_AX, row = i % (rows * lines) / lines;
    mer_encode_prefetch(&m->e, base, row * m->next + i % lines * MER_LINE);
}

static void add_all(struct maker *m, const struct mer_plan *plan, int rows, int fetches) {
    bool begun[MER_PLAN_ROWS] = {false};
    int vectors = m->use->vectors, lines = fetches * rows * columns_of(m) / MER_LINE, fetched = 0;
    for (int i = 0; i < plan->count; i++) {
        const struct mer_operation *o = &plan->operation[i];
        for (int k = 0; k < vectors; k++) {
            for (; fetched * plan->count * vectors < lines * (i * vectors + k + 1); fetched++)
                fetch(m, fetched, rows);
            add_vector(m, o, k, begun);
        }
        for (int r = o->first; r < o->end; r++)
            begun[r] = true;
    }
}

static void store_all(struct maker *m, int op, int rows) {
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < m->use->vectors; k++)
            mer_encode_store(&m->e, op, sum_of(m, r, k), r, k * m->use->bytes);
}

#define FIELD(name) (int)offsetof(struct mer_code_at, name)

static void begin(struct maker *m) {
    mer_encode(&m->e, (unsigned char[]){0xf3, 0x0f, 0x1e, 0xfa}, 4); /* endbr64 */
    mer_encode_load(&m->e, MER_SI, MER_DI, FIELD(u));
    mer_encode_load(&m->e, MER_CX, MER_DI, FIELD(old));
    mer_encode_load(&m->e, MER_DX, MER_DI, FIELD(out));
    mer_encode_load(&m->e, MER_R8, MER_DI, FIELD(out_next));
    mer_encode_load(&m->e, MER_R10, MER_DI, FIELD(times));
    mer_encode_load(&m->e, MER_R11, MER_DI, FIELD(ahead));
    mer_encode_load(&m->e, MER_AX, MER_DI, FIELD(made));
    mer_encode(&m->e, (unsigned char[]){0x4f, 0x8d, 0x0c, 0x40}, 4); /* lea r9, [r8 + 2 r8] */
    for (int f = 0; f < m->factors && is_kept(m, f); f++)
        mer_encode_load_constant(&m->e, m->use->factors + f, place_of(m, f));
}

static void make(struct maker *m, const struct mer_plan *plan, int rows, int fetches) {
    static const int moving[] = {MER_SI, MER_CX, MER_DX, MER_R11, MER_AX};
    struct mer_encoder *e = &m->e;
    begin(m);
    mer_encode_align(e, MER_LINE);
    long top = e->at;
    add_all(m, plan, rows, fetches);
    mer_encode(e, (unsigned char[]){0x48, 0x83, 0xbf}, 3); /* cmp qword [rdi + stream], 0 */
    mer_encode_word(e, FIELD(stream));
    mer_encode_byte(e, 0);
    mer_encode(e, (unsigned char[]){0x0f, 0x85, 0, 0, 0, 0}, 6); /* jne */
    long streams = e->at;
    store_all(m, MER_STORE, rows);
    mer_encode(e, (unsigned char[]){0xe9, 0, 0, 0, 0}, 5); /* jmp */
    long stored = e->at;
    mer_encode_jump_to(e, streams, e->at);
    store_all(m, MER_STREAM, rows);
    mer_encode_jump_to(e, stored, e->at);
    for (int i = 0; i < 5; i++)
        mer_encode_add_constant(e, moving[i], columns_of(m));
    mer_encode(e, (unsigned char[]){0x49, 0xff, 0xca, 0x0f, 0x85, 0, 0, 0, 0}, 9); /* dec r10; jnz */
    mer_encode_jump_to(e, e->at, top);
    mer_encode(e, (unsigned char[]){0xc5, 0xf8, 0x77, 0xc3}, 4); /* vzeroupper; ret */
}

/* ---- all plans ----------------------------------------------------------------------------------------- */

static void find_factors(struct maker *m, const struct mer_plan *plan) {
    for (int i = 0; i < plan->count; i++) {
        const struct mer_operation *o = &plan->operation[i];
        for (int r = o->first; r < o->end; r++)
            if (number_of(m, o->factor[r]) == m->factors)
                m->factor[m->factors++] = o->factor[r];
    }
}

static void put_factors(struct maker *m) {
    for (int f = 0; f < m->factors; f++) {
        float narrow = (float)m->factor[f];
        do
            mer_encode(&m->e, m->e.wide ? (void *)&m->factor[f] : (void *)&narrow, m->e.wide ? 8 : 4);
        while (m->e.at < place_of(m, f + 1));
    }
}

static void make_all(struct maker *m, const struct mer_plan *plan, struct mer_codes *codes) {
    m->e.at = 0;
    put_factors(m);
    for (int rows = 1; rows <= MER_PLAN_ROWS; rows++)
        for (int fetches = 0; fetches < MER_CODE_FETCHES; fetches++) {
            mer_encode_align(&m->e, MER_LINE);
            char *code = codes->memory ? codes->memory + m->e.at : NULL;
            memcpy(&codes->code[rows - 1][fetches], &code, sizeof code);
            make(m, &plan[rows - 1], rows, fetches);
        }
}

struct mer_codes *mer_codes_new(enum mer_vectors vectors, enum mer_type type, const struct mer_plan *plan,
                                ptrdiff_t next) {
    struct maker m = {.e = {.wide = type == MER_FLOAT64, .evex = vectors == MER_VECTORS_AVX512},
                      .use = vectors == MER_VECTORS_AVX512 ? &avx512 : &avx2,
                      .next = next};
    struct mer_codes *codes = vectors == MER_VECTORS_BASE ? NULL : calloc(1, sizeof *codes);
    m.factor = calloc((size_t)plan[0].count, sizeof *m.factor);
    if (codes && m.factor) {
        codes->columns = columns_of(&m);
        find_factors(&m, plan);
        make_all(&m, plan, codes);
    }
    long bytes = m.e.at;
    void *memory = MAP_FAILED;
    if (bytes && bytes <= MOST_BYTES)
        memory = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED) {
        codes->memory = memory;
        codes->bytes = (size_t)bytes;
        m.e.memory = memory;
        m.e.most = bytes;
        make_all(&m, plan, codes);
    }
    free(m.factor);
    /* A system may refuse to execute memory that has been written. */
    if (memory != MAP_FAILED && mprotect(memory, (size_t)bytes, PROT_READ | PROT_EXEC) == 0)
        return codes;
    mer_codes_free(codes);
    return NULL;
}

long mer_codes_columns(const struct mer_codes *codes) { return codes->columns; }

mer_code *mer_codes_of(const struct mer_codes *codes, int rows, enum mer_code_fetches fetches) {
    return codes->code[rows - 1][fetches];
}

void mer_codes_free(struct mer_codes *codes) {
    if (codes && codes->memory)
        munmap(codes->memory, codes->bytes);
    free(codes);
}
#else
struct mer_codes *mer_codes_new(enum mer_vectors vectors, enum mer_type type, const struct mer_plan *plan,
                                ptrdiff_t next) {
    (void)vectors, (void)type, (void)plan, (void)next;
    return NULL;
}
long mer_codes_columns(const struct mer_codes *codes) {
    (void)codes;
    return 1;
}
mer_code *mer_codes_of(const struct mer_codes *codes, int rows, enum mer_code_fetches fetches) {
    (void)codes, (void)rows, (void)fetches;
    return NULL;
}
void mer_codes_free(struct mer_codes *codes) { (void)codes; }
#endif
