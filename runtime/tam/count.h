/* Counting for `meridian run --profile` (tam/count.c).  Without a profile a place that counts costs a load
 * and a predicted branch; none of them is in compiled code. */
#ifndef MER_TAM_COUNT_H
#define MER_TAM_COUNT_H

#include "tam/machine.h"

#include <meridian/abi/tam_counts.h>

static inline void tam_note_many(enum tam_counter counter, unsigned long long n) {
    if (__builtin_expect(tam.count.on, 0))
        tam_registers.counts[counter] += n;
}
#define TAM_NOTE(counter) tam_note_many(TAM_N_##counter, 1)

/* Start-up, after tam.program is known. */
void tam_count_start(void);
/* Counts the posts of an arrival, before they are done. */
void tam_count_post(const struct tam_frame *frame, const struct tam_inlet *inlet);
/* Counts an activation that has begun. */
void tam_count_activation(const struct tam_codeblock *codeblock);
/* The beginning of a quantum, returned by tam_count_quantum for tam_count_quantum_end. */
struct tam_quantum_start {
    uint64_t began, threads;
};
struct tam_quantum_start tam_count_quantum(void);
void tam_count_quantum_end(const struct tam_codeblock *codeblock, struct tam_quantum_start start);

#endif
