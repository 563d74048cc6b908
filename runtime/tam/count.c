/* The machine's part of `meridian run --profile`: counters, the costs of each code-block, and the longest
 * quanta one by one.
 *
 * The quanta may be any number.  When KEPT of them are held the shorter half is dropped, and quanta as short
 * as these are kept no more, as with calls (base/profile.c): so the time line covers the whole run.
 *
 * The processor's part of the profile gets, after its calls, in little-endian words:
 *   the numbers of counters, of code-blocks and of quanta, and how many quanta there were (4 times 64 bits);
 *   each counter: its value, and 48 bytes of its name;
 *   each code-block: activations, quanta, nanoseconds, threads (64 bits each), line, the lengths of its name
 *     and its file (32 bits each), and 32 unused bits; then the name, then the file;
 *   each quantum: see struct tam_quantum_record. */
#include "tam/count.h"

#include "base/clock.h"
#include "base/fatal.h"
#include "base/layout_check.h"
#include "base/profile.h"

#include <stdio.h>
#include <stdlib.h>

enum { KEPT = 16384, OWN = 8 }; /* OWN: code-blocks of the machine itself, of which there are fewer */

struct tam_quantum_record {
    uint64_t began, ns;
    uint32_t codeblock, threads, frames, ready; /* frames, ready: live and ready at its end */
};
MER_LAYOUT_CHECK(struct tam_quantum_record, MER_LAYOUT_TAM_QUANTUM);

struct tam_codeblock_costs {
    const struct tam_codeblock *codeblock;
    uint64_t activations, quanta, ns, threads;
};

static void write_all(FILE *to, uint64_t start);

void tam_count_start(void) {
    if (!mer_profile_attach(write_all))
        return;
    tam.count.codeblocks = tam.program->count;
    tam.count.codeblock = calloc(tam.count.codeblocks + OWN, sizeof *tam.count.codeblock);
    tam.count.quantum = malloc(KEPT * sizeof *tam.count.quantum);
    if (!tam.count.codeblock || !tam.count.quantum)
        mer_fatal("no memory for the profile");
    for (unsigned n = 0; n < tam.count.codeblocks; n++)
        tam.count.codeblock[n].codeblock = tam.program->codeblocks[n];
    tam.count.on = true;
}

static struct tam_codeblock_costs *block_of(const struct tam_codeblock *codeblock) {
    unsigned n = codeblock->number;
    if (n < tam.program->count && tam.program->codeblocks[n] == codeblock)
        return &tam.count.codeblock[n];
    for (n = tam.program->count; n < tam.count.codeblocks; n++)
        if (tam.count.codeblock[n].codeblock == codeblock)
            return &tam.count.codeblock[n];
    tam.count.codeblock[tam.count.codeblocks].codeblock = codeblock;
    return &tam.count.codeblock[tam.count.codeblocks++];
}

void tam_count_activation(const struct tam_codeblock *codeblock) {
    tam_registers.counts[TAM_N_ACTIVATIONS]++;
    block_of(codeblock)->activations++;
}

void tam_count_post(const struct tam_frame *frame, const struct tam_inlet *inlet) {
    enum tam_counter first = frame->state == TAM_IDLE    ? TAM_N_POST_IDLE
                             : frame->state == TAM_READY ? TAM_N_POST_READY
                                                         : TAM_N_POST_RUNNING;
    const struct tam_target *target = frame->codeblock->targets + inlet->first;
    for (unsigned n = 0; n < inlet->count; n++, target++)
        tam_registers.counts[first + (target->counter == TAM_NONE      ? 0
                                      : frame->c[target->counter] == 1 ? 1
                                                                       : 2)]++;
}

/* ---- quanta -------------------------------------------------------------------------------------------- */

struct tam_quantum_start tam_count_quantum(void) {
    tam_registers.counts[TAM_N_QUANTA]++;
    return (struct tam_quantum_start){mer_clock_ns(), tam_registers.counts[TAM_N_THREADS]};
}

/* Drops the shortest quanta, by a limit that doubles, until half of the memory is free. */
static void thin_out(void) {
    while (tam.count.quanta > KEPT / 2) {
        unsigned kept = 0;
        tam.count.least = tam.count.least ? tam.count.least * 2 : 128;
        for (unsigned n = 0; n < tam.count.quanta; n++)
            if (tam.count.quantum[n].ns >= tam.count.least)
                tam.count.quantum[kept++] = tam.count.quantum[n];
        tam.count.quanta = kept;
    }
}

void tam_count_quantum_end(const struct tam_codeblock *codeblock, struct tam_quantum_start start) {
    uint64_t ns = mer_clock_ns() - start.began, threads = tam_registers.counts[TAM_N_THREADS] - start.threads;
    struct tam_codeblock_costs *block = block_of(codeblock);
    block->quanta++;
    block->ns += ns;
    block->threads += threads;
    if (ns < tam.count.least)
        return;
    tam.count.quantum[tam.count.quanta++] = (struct tam_quantum_record){
        start.began,
        ns,
        (uint32_t)(block - tam.count.codeblock),
        (uint32_t)threads,
        (uint32_t)tam.frames.live,
        tam.queue.ready};
    if (tam.count.quanta == KEPT)
        thin_out();
}

/* ---- the file ------------------------------------------------------------------------------------------ */

static void put(FILE *to, const void *from, size_t n) { fwrite(from, 1, n, to); }

static void write_block(FILE *to, const struct tam_codeblock_costs *block) {
    const struct tam_codeblock *codeblock = block->codeblock;
    const struct tam_site *site = &tam.program->sites[codeblock->site];
    const char *file = site->line ? site->file : "";
    const uint64_t costs[] = {block->activations, block->quanta, block->ns, block->threads};
    const uint32_t about[] = {site->line, (uint32_t)strlen(codeblock->name), (uint32_t)strlen(file), 0};
    put(to, costs, sizeof costs);
    put(to, about, sizeof about);
    put(to, codeblock->name, about[1]);
    put(to, file, about[2]);
}

static void write_all(FILE *to, uint64_t start) {
    static const char names[TAM_COUNTER_COUNT][48] = {
#define NAME(name, text) [TAM_N_##name] = text,
        MER_TAM_COUNTERS(NAME)
#undef NAME
    };
    const uint64_t head[] = {TAM_COUNTER_COUNT, tam.count.codeblocks, tam.count.quanta,
                             tam_registers.counts[TAM_N_QUANTA]};
    put(to, head, sizeof head);
    for (unsigned n = 0; n < TAM_COUNTER_COUNT; n++) {
        const uint64_t value = tam_registers.counts[n];
        put(to, &value, sizeof value);
        put(to, names[n], sizeof names[n]);
    }
    for (unsigned n = 0; n < tam.count.codeblocks; n++)
        write_block(to, &tam.count.codeblock[n]);
    for (unsigned n = 0; n < tam.count.quanta; n++) {
        struct tam_quantum_record quantum = tam.count.quantum[n];
        quantum.began -= start;
        put(to, &quantum, sizeof quantum);
    }
}
