/* Applications of functions that are values, on the host where the closure lies.
 *
 * A closure holds a code-block and some of its arguments, which may still be on their way.  With too few
 * arguments an application gives another closure; with enough it is an activation; with more, the result is
 * applied to the rest.  Bit n of `by_cell' is set if argument n comes from the one field of a cell, since it
 * was not there yet.
 */
#include "tam/apply.h"

#include "tam/activation.h"
#include "tam/count.h"
#include "tam/heap.h"
#include "tam/item.h"
#include "tam/send.h"

static void late_fetch(struct tam_item *item) {
    int64_t index[3] = {(int64_t)item->words[2], 0, 0};
    if (tam_is_here(item->words[1]))
        tam_element_read(item->words[0], (unsigned)item->words[3], item->words[1], TAM_I, 0, index,
                         (uint32_t)item->words[4], NULL);
    else
        tam_send_fetch((int)(item->words[1] >> 48), item->words[0], (unsigned)item->words[3], item->words[1],
                       TAM_I, 0, index, (uint32_t)item->words[4]);
}

/* Reads a field for an inlet of a frame on this processor; may run in a handler. */
static void fetch_for(struct tam_frame *frame, unsigned inlet, tam_word cell, unsigned at, uint32_t site) {
    tam_word value;
    frame->outstanding++;
    if (tam_field_here(cell, at, &value)) {
        tam_arrive(frame, inlet, value);
        return;
    }
    struct tam_item *item = tam_item_leave(late_fetch);
    item->words[0] = tam_frame_word(frame);
    item->words[1] = cell;
    item->words[2] = at;
    item->words[3] = inlet;
    item->words[4] = site;
}

/* ---- copies of fields, and arguments that come later ---------------------------------------------------
 *
 * A gather waits for words and then does something with all: fills a closure's field, begins an activation
 * whose parameters are not late, applies a result to the rest.  Its slots: 0 the closure, the code-block's
 * number or the count of the rest, 1 the site, 2 ret, 3 the inlet, 4 nothing, 5 the field or the rest's
 * by_cell, then the words. */

enum { WORDS = 6, MOST = TAM_MOST_APPLIED };

static void gathered(struct tam_frame *frame);
#define INLET(n)                                                                                             \
    { (n), 0, 1 }
#define INLETS8(n)                                                                                           \
    INLET(n), INLET(n + 1), INLET(n + 2), INLET(n + 3), INLET(n + 4), INLET(n + 5), INLET(n + 6), INLET(n + 7)
static const struct tam_inlet gather_inlets[WORDS + MOST] = {
    INLETS8(0), INLETS8(8), INLETS8(16), INLETS8(24), INLETS8(32), INLETS8(40), INLETS8(48),
    INLET(56),  INLET(57),  INLET(58),   INLET(59),   INLET(60),   INLET(61)};
static const struct tam_target gather_targets[] = {{0, 0}};
static const uint8_t gather_late[WORDS + MOST];
static const uint16_t gather_counts[] = {1};
#define GATHER(kind)                                                                                         \
    {                                                                                                        \
        .name = kind, .params = WORDS, .slots = WORDS + MOST, .counters = 1, .threads = 1,                   \
        .is_late = gather_late, .counts = gather_counts, .inlets = gather_inlets, .targets = gather_targets, \
        .run = gathered                                                                                      \
    }
static const struct tam_codeblock filling = GATHER("field of a closure");
static const struct tam_codeblock calling = GATHER("application");
static const struct tam_codeblock going_on = GATHER("application to more arguments");

static struct tam_frame *gather(const struct tam_codeblock *kind, struct tam_join *join, unsigned count,
                                const tam_word *about) {
    struct tam_frame *frame = tam_activation_begin(join, kind, about, 0, 0);
    frame->c[0] = (uint16_t)count;
    return frame;
}

static void gathered(struct tam_frame *frame) {
    uint16_t lcv[1];
    while (tam_take(frame, lcv)) {
        tam_word *s = frame->s;
        uint32_t site = (uint32_t)s[1];
        if (frame->codeblock == &filling) {
            int64_t index[3] = {(int64_t)s[5], 0, 0};
            tam_element_write(s[0], TAM_I, 0, index, s[WORDS], site);
        } else if (frame->codeblock == &calling) {
            const struct tam_codeblock *codeblock = tam.program->codeblocks[s[0]];
            tam_word activation = tam_invoke(frame->join, codeblock, s + WORDS, s[2], (unsigned)s[3]);
            for (unsigned n = 0; n < codeblock->params; n++)
                if (codeblock->is_late[n])
                    tam_send_arg(activation, codeblock, n, s[WORDS + n]);
        } else {
            unsigned count = (unsigned)s[0];
            tam_word closure = s[WORDS + count];
            if (tam_is_local(closure))
                tam_apply_here(frame->join, s[2], (unsigned)s[3], closure, s + WORDS, count, s[5], site);
            else
                tam_send_apply((int)(closure >> 48), frame->join, s[2], (unsigned)s[3], closure, s + WORDS,
                               count, s[5], site);
        }
    }
}

/* Gives argument n to an inlet, by value or from a cell. */
static void give(struct tam_frame *frame, unsigned inlet, const tam_word *args, unsigned n, tam_word by_cell,
                 uint32_t site) {
    if (by_cell >> n & 1)
        fetch_for(frame, inlet, args[n], 0, site);
    else {
        frame->outstanding++;
        tam_arrive(frame, inlet, args[n]);
    }
}

/* Applies a closure to too few arguments: returns a closure that holds these too. */
static tam_word longer(struct tam_join *join, struct tam_object *closure, tam_word word, const tam_word *args,
                       unsigned count, tam_word by_cell, uint32_t site) {
    const struct tam_codeblock *codeblock = tam.program->codeblocks[closure->closure - 1];
    struct tam_object *object = tam_closure(codeblock, closure->size + count, site);
    tam_word made = tam_object_word(object, 0), value;
    for (unsigned n = 0; n < closure->size + count; n++) {
        bool own = n < closure->size;
        if (own && tam_field_here(word, n, &value)) {
            tam_set(object, n, value);
        } else if (!own && !(by_cell >> (n - closure->size) & 1)) {
            tam_set(object, n, args[n - closure->size]);
        } else {
            tam_word about[WORDS] = {made, site, 0, 0, 0, n};
            struct tam_frame *frame = gather(&filling, join, 1, about);
            if (own)
                fetch_for(frame, WORDS, word, n, site);
            else
                give(frame, WORDS, args, n - closure->size, by_cell, site);
        }
    }
    return made;
}

/* Returns whether the parameters that an activation begins with are all there; stores them in `words'. */
static bool can_begin(const struct tam_codeblock *codeblock, tam_word word, unsigned held,
                      const tam_word *args, tam_word by_cell, tam_word *words) {
    for (unsigned n = 0; n < codeblock->params; n++) {
        words[n] = 0;
        if (codeblock->is_late[n])
            continue;
        if (n < held ? !tam_field_here(word, n, &words[n]) : (int)(by_cell >> (n - held) & 1))
            return false;
        if (n >= held)
            words[n] = args[n - held];
    }
    return true;
}

/* Applies a closure to just enough arguments.  If the parameters that the activation begins with are there,
 * it begins and gets the others as they come; else a gather waits for all. */
static void call(struct tam_join *join, tam_word ret, unsigned inlet, struct tam_object *closure,
                 tam_word word, const tam_word *args, unsigned count, tam_word by_cell, uint32_t site) {
    const struct tam_codeblock *codeblock = tam.program->codeblocks[closure->closure - 1];
    unsigned held = closure->size;
    tam_word words[codeblock->params + 1];
    if (!codeblock->io && can_begin(codeblock, word, held, args, by_cell, words)) {
        if (codeblock->late == 0) {
            tam_invoke(join, codeblock, words, ret, inlet);
            return;
        }
        struct tam_frame *frame = tam_activation_begin(join, codeblock, words, ret, inlet);
        for (unsigned n = 0; n < codeblock->params; n++)
            if (codeblock->is_late[n]) {
                frame->outstanding--; /* counted when the activation began, and again when it is given */
                if (n < held)
                    fetch_for(frame, n, word, n, site);
                else
                    give(frame, n, args, n - held, by_cell, site);
            }
        return;
    }
    if (held + count > MOST)
        tam_fail(site, "a function that is a value has more than %d arguments", MOST);
    tam_word about[WORDS] = {codeblock->number, site, ret, inlet, 0, 0};
    struct tam_frame *frame = gather(&calling, join, held + count, about);
    frame->outstanding++; /* so that the frame stays while its arguments are given */
    for (unsigned n = 0; n < held; n++)
        fetch_for(frame, WORDS + n, word, n, site);
    for (unsigned n = 0; n < count; n++)
        give(frame, WORDS + held + n, args, n, by_cell, site);
    frame->outstanding--;
}

void tam_apply_here(struct tam_join *join, tam_word ret, unsigned inlet, tam_word word, const tam_word *args,
                    unsigned count, tam_word by_cell, uint32_t site) {
    struct tam_object *closure = tam_at(word);
    const struct tam_codeblock *codeblock = tam.program->codeblocks[closure->closure - 1];
    unsigned wanted = codeblock->params - closure->size;
    if (count < wanted)
        tam_send(ret, inlet, longer(join, closure, word, args, count, by_cell, site));
    else if (count == wanted)
        call(join, ret, inlet, closure, word, args, count, by_cell, site);
    else {
        unsigned rest = count - wanted;
        if (rest + 1 > MOST)
            tam_fail(site, "a function that is a value has more than %d arguments", MOST);
        tam_word about[WORDS] = {rest, site, ret, inlet, 0, by_cell >> wanted};
        struct tam_frame *frame = gather(&going_on, join, 1, about);
        memcpy(frame->s + WORDS, args + wanted, rest * sizeof *args);
        frame->outstanding++;
        call(join, tam_frame_word(frame), WORDS + rest, closure, word, args, wanted, by_cell, site);
    }
}

void tam_apply(struct tam_frame *frame, unsigned inlet, tam_word closure, const tam_word *args,
               unsigned count, tam_word by_cell, uint32_t site) {
    frame->outstanding++;
    if (tam_is_local(closure)) {
        TAM_NOTE(APPLY_LOCAL);
        tam_apply_here(frame->join, tam_frame_word(frame), inlet, closure, args, count, by_cell, site);
    } else {
        TAM_NOTE(APPLY_REMOTE);
        tam_send_apply((int)(closure >> 48), frame->join, tam_frame_word(frame), inlet, closure, args, count,
                       by_cell, site);
    }
}

/* ---- delayed elements ---------------------------------------------------------------------------------- */

/* A code-block of one thread: stores the value that has arrived into the element. */
static void store_forced(struct tam_frame *frame) {
    uint16_t lcv[1];
    while (tam_take(frame, lcv)) {
        int64_t index[3] = {(int64_t)frame->s[1], 0, 0};
        tam_element_write(frame->s[0], TAM_I, 0, index, frame->s[2], (uint32_t)frame->s[3]);
    }
}
static const struct tam_inlet force_inlets[] = {{0, 0, 0}, {1, 0, 0}, {3, 0, 0}, {2, 0, 1}};
static const struct tam_target force_targets[] = {{0, TAM_NONE}};
static const uint8_t force_late[4];
static const struct tam_codeblock forcing = {.name = "delayed value",
                                             .params = 4,
                                             .slots = 4,
                                             .threads = 1,
                                             .is_late = force_late,
                                             .inlets = force_inlets,
                                             .targets = force_targets,
                                             .run = store_forced};

/* Computes an element's delayed value, and stores it when it is there. */
static void force(struct tam_item *item) {
    tam_word args[4] = {item->words[0], item->words[1], 0, item->words[3]};
    struct tam_frame *frame = tam_activation_begin(NULL, &forcing, args, 0, 0);
    tam_word nothing[1] = {0};
    frame->outstanding++;
    tam_apply_here(NULL, tam_frame_word(frame), 3, item->words[2], nothing, 1, 0, (uint32_t)item->words[3]);
}

void tam_apply_start(void) { tam_heap_on_delayed(force); }
