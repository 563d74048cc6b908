/* Questions of processor 0 to all: have they come to some state, and is no message under way?
 *
 * Each answers how many messages it has sent and received, and whether it is busy.  If none is busy and as
 * many messages were received as sent, twice in a row with the same counts, nothing is under way: a message
 * that arrived between the two rounds would have been counted, and one that did not arrive would be missing
 * (Mattern's four counters; runtime/tests/model/tam_end.pml).  The round says which messages are counted, and
 * the meaning of busy (enum tam_round).
 *
 * A handler answers, inside any poll, and one poll handles all messages that come while it runs: several
 * questions may be answered while the processor waits for one condition.  So a question names the collection
 * that it is about, and a processor that takes no part in this collection, or not yet, is busy. */
#include "tam/machine.h"

static struct tam_counts sum;
static int answers;
static int h_probe, h_counts;

static struct tam_counts counts_for(enum tam_round round, uint64_t collection) {
    return round == TAM_ROUND_END ? tam_end_counts() : tam_collect_counts(round, collection);
}

static void on_probe(struct mer_am_message *m) {
    struct tam_counts mine = counts_for((enum tam_round)m->args[0], m->args[1]);
    MER_AM_REPLY(m, h_counts, mine.sent, mine.received, mine.busy, mine.waiting, mine.frames);
    tam_dally();
}

static void on_counts(struct mer_am_message *m) {
    sum.sent += m->args[0];
    sum.received += m->args[1];
    sum.busy |= m->args[2] != 0;
    sum.waiting += m->args[3];
    sum.frames += m->args[4];
    answers++;
}

/* Returns the sums of all counts, and busy if any processor is.  This processor is checked last, because the
 * others' answers can make it busy. */
struct tam_counts tam_ask_all(enum tam_round round, uint64_t collection) {
    sum = counts_for(round, collection);
    sum.busy = false;
    answers = 0;
    for (int p = 1; p < tam.processors; p++)
        MER_AM_REQUEST(p, h_probe, round, collection);
    MER_AM_WAIT_UNTIL(answers == tam.processors - 1);
    sum.busy |= counts_for(round, collection).busy;
    return sum;
}

/* Returns whether nobody is busy and nothing is under way; `after' gets the counts. */
bool tam_quiet(enum tam_round round, uint64_t collection, struct tam_counts *after) {
    struct tam_counts first = tam_ask_all(round, collection);
    if (first.busy || first.sent != first.received)
        return false;
    *after = tam_ask_all(round, collection);
    return !after->busy && after->sent == first.sent && after->received == first.received;
}

void tam_rounds_register(void) {
    h_probe = mer_am_register(on_probe);
    h_counts = mer_am_register(on_counts);
}
