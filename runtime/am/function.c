/* Messages that name the function that runs when they arrive, as those of the CM-5 do by its address
 * (split-c/am.h).
 *
 * They carry the function's RVA (base/rva.h), so that nothing has to be registered.  Words are integers or
 * pointers; the function takes as many as it declares.
 */
#include "am/am.h"

#include "base/fatal.h"
#include "base/rva.h"

#include <string.h>

typedef void function(mer_u64, mer_u64, mer_u64, mer_u64, mer_u64, mer_u64, mer_u64);

static struct mer_am_message *running; /* the message whose function runs; a reply's may run within */

/* words: function, its words */
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

void mer_am_function(int to, const mer_u64 *words, int nwords) {
    mer_am_request(to, MER_AM_FUNCTION, words, nwords);
}

void mer_am_function_reply(int to, const mer_u64 *words, int nwords) {
    if (!running)
        mer_fatal("AM_reply: no request's function runs here");
    if (to != running->source)
        mer_fatal("AM_reply: to processor %d, but the request came from processor %d", to, running->source);
    mer_am_reply(running, MER_AM_FUNCTION, words, nwords);
}
