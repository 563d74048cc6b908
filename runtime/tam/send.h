/* Messages to other processors, over active messages: the requests, and the reply with a value.
 *
 * The handlers, which are above, have their numbers in tam.messages (receive.c). */
#ifndef MER_TAM_SEND_H
#define MER_TAM_SEND_H

#include "tam/machine.h"

/* To be called before all others of this file. */
void tam_send_start(void);

/* Mode, dimensions, inlet and site of an access in one word. */
static inline tam_word tam_access(enum tam_mode mode, unsigned dims, unsigned inlet, uint32_t site) {
    return (tam_word)mode | (tam_word)dims << 4 | (tam_word)inlet << 8 | (tam_word)site << 32;
}
static inline enum tam_mode tam_access_mode(tam_word access) { return (enum tam_mode)(access & 15); }
static inline unsigned tam_access_dims(tam_word access) { return access >> 4 & 15; }
static inline unsigned tam_access_inlet(tam_word access) { return (unsigned)(access >> 8 & 0xffff); }
static inline uint32_t tam_access_site(tam_word access) { return (uint32_t)(access >> 32); }

#define TAM_MOST_APPLIED 56 /* arguments of a function that is a value */

/* The payload of a call or an application.  `what` is the number of a code-block, or a closure. */
struct tam_call {
    tam_word ret, what, by_cell;
    uint64_t join; /* the sender's */
    uint32_t inlet, count, site;
    uint32_t refusals; /* of an activation that is dealt out: how many processors have refused it */
    uint64_t most;     /* likewise: a processor with more frames may refuse it; if 0, none may */
    tam_word args[];
};

/* Send a value to a frame's inlet, by a request or by the reply to one. */
void tam_send_value(tam_word frame, unsigned inlet, tam_word value);
void tam_reply_value(struct mer_am_message *request, tam_word frame, unsigned inlet, tam_word value);
/* Ask an object's owner to read or to write an element.  `join' counts the write while it is under way. */
void tam_send_fetch(int to, tam_word frame, unsigned inlet, tam_word object, enum tam_mode mode,
                    unsigned dims, const int64_t *index, uint32_t site);
void tam_send_store(int to, tam_word object, enum tam_mode mode, unsigned dims, const int64_t *index,
                    tam_word value, struct tam_join *join, uint32_t site);
/* Tells a join of another processor that the work which one here has counted has ended. */
void tam_send_done(int to, struct tam_join *join);
/* Begin an activation there: tam_send_invoke one that may not be refused, tam_send_dealt one that so many
 * processors have refused so far. */
void tam_send_invoke(int to, struct tam_join *join, const struct tam_codeblock *codeblock,
                     const tam_word *args, tam_word ret, unsigned inlet);
void tam_send_dealt(int to, struct tam_join *join, const struct tam_codeblock *codeblock,
                    const tam_word *args, tam_word ret, unsigned inlet, uint32_t refusals);
/* Applies a closure there. */
void tam_send_apply(int to, struct tam_join *join, tam_word ret, unsigned inlet, tam_word closure,
                    const tam_word *args, unsigned count, tam_word by_cell, uint32_t site);

#endif
