/* Quanta: the run of the enabled threads of one frame.  A loop that yields while thousands are ready goes to
 * the tail of the queue, so that it does not unfold without bound. */
#ifndef MER_TAM_QUANTUM_H
#define MER_TAM_QUANTUM_H

#include "tam/machine.h"

/* Runs a frame of the ready queue.  If threads are enabled then, it goes into the queue again; else it may
 * end. */
void tam_quantum_run(struct tam_frame *frame);

/* Returns the fuel of C functions: on one processor until they look at the output again, on several until
 * they poll. */
static inline int64_t tam_slice(void) { return tam.processors == 1 ? 1 << 24 : 2048; }

#endif
