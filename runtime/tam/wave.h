/* Waves: questions of processor 0 to all, whether they have come to some state and no message is under way.
 *
 * Each processor answers how many messages it has sent and received, and whether it is busy.  If none is busy
 * and as many messages were received as sent, twice in a row with the same counts, nothing is under way: a
 * message that arrived between the two waves would have been counted, and one that did not arrive would be
 * missing (Mattern's four counters; runtime/tests/model/tam_end.pml).  The question says which messages are
 * counted, and the meaning of busy.
 *
 * A handler answers, inside any poll, and one poll handles all messages that come while it runs: several
 * questions may be answered while the processor waits for one condition.  So a question names the collection
 * that it is about, and a processor that takes no part in this collection, or not yet, is busy. */
#ifndef MER_TAM_WAVE_H
#define MER_TAM_WAVE_H

#include "tam/machine.h"

/* A question: the number of its handler, which calls tam_wave_reply with the answer of the same function. */
struct tam_question {
    int handler;
    struct tam_counts (*answer)(unsigned state, uint64_t collection);
    unsigned state;      /* for the function, on each processor */
    uint64_t collection; /* likewise */
};

void tam_wave_register(void);
/* Returns the sums of all counts, and busy if any processor is. */
struct tam_counts tam_wave_ask(struct tam_question question);
/* Returns whether nobody is busy and nothing is under way; `after' gets the counts. */
bool tam_wave_quiet(struct tam_question question, struct tam_counts *after);
/* Answers a question, whose arguments are the state and the collection. */
void tam_wave_reply(struct mer_am_message *question, struct tam_counts mine);

#endif
