/* Activations: their beginning, arrivals at inlets, posts, their end, and the joins that count them.
 *
 * A post enables a thread of a frame that is idle, ready or running (table 6-3): it pushes the thread onto
 * the frame's remote continuation vector, and an idle frame goes into the ready queue.  A frame is freed when
 * its last value has arrived and no thread of it is enabled: threads that have not run by then belong to arms
 * that were not chosen.  Its join may then send a value to another frame, which may end too.
 *
 * tam_send, tam_take and the functions of joins are in meridian/abi/tam.h. */
#ifndef MER_TAM_ACTIVATION_H
#define MER_TAM_ACTIVATION_H

#include "tam/machine.h"

/* Begins an activation on this processor.  A late parameter's word is the cell from which the parameter
 * comes, or 0 if it is sent. */
struct tam_frame *tam_activation_begin(struct tam_join *join, const struct tam_codeblock *codeblock,
                                       const tam_word *args, tam_word ret, unsigned inlet);
/* Ends an activation of which nothing runs, and at which nothing will arrive; or one that has nothing to
 * do. */
void tam_activation_end(struct tam_frame *frame);
void tam_activation_end_if_empty(struct tam_frame *frame);
/* Takes a value that arrives at an inlet of a frame of this processor. */
void tam_arrive(struct tam_frame *frame, unsigned inlet, tam_word value);

#endif
