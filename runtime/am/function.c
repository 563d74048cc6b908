/* Messages that name the function that runs when they arrive, as those of the CM-5 do by its address
 * (split-c/am.h).
 *
 * The messages carry the function's RVA (base/rva.h), so that nothing has to be registered.  Words are
 * integers or pointers; the function takes as many as it declares.
 */
#include "am/function.h"

#include "am/am.h"
#include "am/handlers.h"

#include "base/fatal.h"

#include <string.h>

typedef void function(mer_u64, mer_u64, mer_u64, mer_u64, mer_u64, mer_u64, mer_u64);

static struct mer_am_message *running; /* the message whose function runs; a reply's may run within */

/* words: the function's RVA, its words */
static void on_function(struct mer_am_message *m) {
    mer_u64 words[MER_AM_ARGS] = {0};
    memcpy(words, m->args, (size_t)m->nargs * sizeof *words);
    struct mer_am_message *outer = running;
    running = m;
    ((function *)mer_rva_to_code(words[0], m->source))(words[1], words[2], words[3], words[4], words[5],
                                                       words[6], words[7]);
    running = outer;
}

void mer_function_handlers(void) { mer_am_set_handler(MER_AM_FUNCTION, on_function, 0); }

struct call {
    mer_u64 words[MER_AM_ARGS];
};

static struct call call_of(mer_rva_code *function, const mer_u64 *words, int nwords) {
    struct call call = {{mer_rva_of_code(function)}};
    if ((unsigned)nwords > MER_AM_FUNCTION_WORDS)
        mer_fatal("AM: %d argument words, but a message holds at most %d", nwords, MER_AM_FUNCTION_WORDS);
    memcpy(&call.words[1], words, (size_t)nwords * sizeof *words);
    return call;
}

void mer_am_function(int to, mer_rva_code *function, const mer_u64 *words, int nwords) {
    struct call call = call_of(function, words, nwords);
    mer_am_request(to, MER_AM_FUNCTION, call.words, 1 + nwords);
}

void mer_am_function_reply(int to, mer_rva_code *function, const mer_u64 *words, int nwords) {
    if (!running)
        mer_fatal("AM_reply: only a function that a request runs may call AM_reply");
    if (to != running->source)
        mer_fatal("AM_reply: to processor %d, but the request came from processor %d", to, running->source);
    struct call call = call_of(function, words, nwords);
    mer_am_reply(running, MER_AM_FUNCTION, call.words, 1 + nwords);
}
