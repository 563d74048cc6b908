/* The heap: cells, closures and arrays of elements that are empty, full, waited for or delayed.
 *
 * An object lies on the processor that made it, its owner.  Processors of the owner's host read full elements
 * by loads, and fill empty elements of objects that the owner has told of.  For all else they ask the owner
 * by message, as processors of other hosts do for everything: the owner looks at the element's state, and
 * answers, or keeps the reader until the write comes (reader.h).  Objects that nobody refers to any more are
 * collected (collect.c).
 *
 * The states of an element that is not mutable, and who changes them:
 *
 *   empty -> full                the owner, before it has told of the object (TAM_SHARED)
 *   empty -> writing -> full     afterwards any processor of the host: a claim, then the value, then a
 *     release; or, back to empty, another release
 *   empty -> deferred -> full    the owner alone (wait_for; serve, with the value of any writer)
 *   delayed -> empty             the owner alone
 *
 * The owner marks the object as shared before the message that tells of it leaves, so that whoever claims an
 * element sees the states that the owner has stored.  From then on both changes of an empty element are
 * compare-and-swaps, of which one wins.  If the writer's does, the owner finds the element full as soon as
 * the writer has done two more stores, and answers.  If the owner's does, the writer finds the element
 * deferred and sends the owner the value.  So no reader waits for an element that is full.  A second writer
 * finds the element not empty and asks the owner, who reports it (runtime/tests/model/tam_element.pml).
 * Mutable elements are changed by their owner alone.
 *
 * A loop claims a stretch of elements before its passes, each of which fills one (tam_claim, emitted by
 * crates/id/src/tam/plan/counted.rs).  A pass waits for nothing: before it would have to, the loop gives back
 * the elements that it has not filled.  So an owner who finds an element claimed waits for computation alone.
 * Eight states are claimed by one compare-and-swap of an aligned word.  This and those of single bytes are
 * atomic to each other on the machines that Meridian runs on, whose caches decide by lines; the C standard
 * does not speak of it.  An element that a second writer finds claimed counts as stored: the loop will store
 * it. */
#include "tam/heap.h"

#include "tam/activation.h"
#include "tam/count.h"
#include "tam/item.h"
#include "tam/reader.h"
#include "tam/send.h"

#include <sched.h>

void tam_heap_on_delayed(void (*force)(struct tam_item *item)) { tam.heap.force = force; }

struct tam_object *tam_closure(const struct tam_codeblock *codeblock, unsigned held, uint32_t site) {
    struct tam_object *object = tam_cell(held, site);
    object->closure = (uint16_t)(codeblock->number + 1);
    return object;
}

tam_word tam_array(unsigned dims, unsigned kind, const int64_t *bounds, uint32_t site) {
    uint64_t size = 1;
    for (unsigned d = 0; d < dims; d++) {
        int64_t lo = bounds[2 * d], hi = bounds[2 * d + 1];
        uint64_t extent = hi < lo ? 0 : (uint64_t)hi - (uint64_t)lo + 1;
        if (extent > UINT32_MAX || (size *= extent) > UINT32_MAX)
            tam_fail(site, "memory is exhausted: an array with the bounds (%lld,%lld) is too large",
                     (long long)lo, (long long)hi);
    }
    size_t words = 2 * dims + size;
    struct tam_object *object = tam_new(sizeof *object + words * sizeof(tam_word) + size, site);
    *object = (struct tam_object){
        .size = (uint32_t)size, .dims = (uint8_t)dims, .kind = (uint8_t)kind, .site = site};
    memcpy(object->v, bounds, 2 * dims * sizeof *bounds);
    memset(object->v + words, TAM_EMPTY, size);
    return tam_object_word(object, 0);
}

/* The number of an element, whose index must be within the bounds. */
static uint32_t element_of(struct tam_object *object, unsigned dims, const int64_t *index, uint32_t site) {
    if (dims == 0)
        return (uint32_t)index[0];
    const int64_t *b = (const int64_t *)object->v;
    uint64_t at = 0;
    for (unsigned d = 0; d < dims; d++, b += 2) {
        if (index[d] < b[0] || index[d] > b[1]) {
            static const char *const which[] = {"first ", "second ", "third "};
            const struct tam_site *made = &tam.program->sites[object->site];
            tam_fail(site, "the %sindex %lld is outside of the bounds (%lld,%lld) of the array made at %s:%u",
                     dims > 1 ? which[d] : "", (long long)index[d], (long long)b[0], (long long)b[1],
                     made->file, made->line);
        }
        at = at * (uint64_t)(b[1] - b[0] + 1) + (uint64_t)(index[d] - b[0]);
    }
    return (uint32_t)at;
}

/* ---- readers that wait --------------------------------------------------------------------------------- */

/* On the owner: makes an element without a value one with readers that wait; returns its state before.  An
 * element that another processor is writing is full soon. */
static enum tam_tag wait_for(uint8_t *state) {
    if (tam_is_full(state))
        return TAM_FULL;
    for (unsigned turns = 0;; turns++) {
        uint8_t was = TAM_EMPTY;
        if (__atomic_compare_exchange_n(state, &was, TAM_DEFERRED, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE) ||
            was != TAM_WRITING)
            return (enum tam_tag)was;
        if (turns % 64 == 63)
            sched_yield(); /* the writer may have lost its CPU between its stores */
    }
}

/* Adds a reader to an element, which is deferred now; `before' is the element's former state. */
static void defer(struct tam_object *object, uint32_t at, enum tam_tag before, tam_word frame, unsigned inlet,
                  enum tam_mode mode, uint32_t site) {
    struct tam_deferred *reader = tam_reader_new(site);
    *reader = (struct tam_deferred){reader, frame, object, at, site, (uint16_t)inlet, (uint8_t)mode};
    /* The element holds the last reader of a ring: thousands may wait for one element. */
    tam_word *word = &tam_elements(object)[at];
    if (before == TAM_DEFERRED) {
        struct tam_deferred *last = (struct tam_deferred *)(uintptr_t)*word;
        reader->next = last->next;
        last->next = reader;
    }
    *word = (tam_word)(uintptr_t)reader;
}

static void send_value(struct tam_item *item) {
    tam_send_value(item->words[0], (unsigned)item->words[1], item->words[2]);
}

/* Sends a value to a frame of any processor; may run in a handler. */
static void answer(tam_word frame, unsigned inlet, tam_word value) {
    if (tam_is_here(frame)) {
        tam_arrive((struct tam_frame *)(uintptr_t)(frame & MER_ADDR_MASK), inlet, value);
        return;
    }
    struct tam_item *item = tam_item_leave(send_value);
    item->words[0] = frame;
    item->words[1] = inlet;
    item->words[2] = value;
}

/* ---- reads --------------------------------------------------------------------------------------------- */

void tam_element_read(tam_word frame, unsigned inlet, tam_word word, enum tam_mode mode, unsigned dims,
                      const int64_t *index, uint32_t site, struct mer_am_message *request) {
    struct tam_object *object = tam_at(word);
    tam_word value;
    if (mode == TAM_BOUND)
        value = object->v[index[0]];
    else {
        uint32_t at = element_of(object, dims, index, site);
        uint8_t *tag = tam_state(object, at);
        if (*tag == TAM_DELAYED) {
            TAM_NOTE(FETCH_DELAYED);
            struct tam_item *item = tam_item_leave(tam.heap.force);
            item->words[0] = word;
            item->words[1] = at;
            item->words[2] = tam_elements(object)[at];
            item->words[3] = site;
            *tag = TAM_EMPTY;
        }
        enum tam_tag before = wait_for(tag);
        if (before != TAM_FULL) {
            TAM_NOTE(FETCH_DEFERRED);
            defer(object, at, before, frame, inlet, mode, site);
            return;
        }
        value = tam_elements(object)[at];
        TAM_NOTE(FETCH_FULL);
        if (mode == TAM_TAKE)
            *tag = TAM_EMPTY;
    }
    if (request)
        tam_reply_value(request, frame, inlet, value);
    else
        answer(frame, inlet, value);
}

int tam_element_try(tam_word array, enum tam_mode mode, const int64_t *index, uint32_t site,
                    tam_word *value) {
    struct tam_object *object = tam_at(array);
    if (mode == TAM_BOUND) {
        *value = index[0] < 0 ? object->dims : object->v[index[0]];
        return 1;
    }
    if (mode == TAM_TAKE && !(object->kind & TAM_MUTABLE))
        tam_fail(site, "a take from an array that is not mutable");
    uint32_t at = element_of(object, object->dims, index, site);
    uint8_t *state = tam_state(object, at);
    if (__atomic_load_n(state, __ATOMIC_ACQUIRE) != TAM_FULL) /* tam_fill releases */
        return 0;
    *value = tam_elements(object)[at];
    if (mode == TAM_TAKE)
        *state = TAM_EMPTY;
    return 1;
}

void tam_fetch(struct tam_frame *frame, unsigned inlet, tam_word word, enum tam_mode mode, unsigned dims,
               int64_t i, int64_t j, int64_t k, uint32_t site) {
    int64_t index[3] = {i, j, k};
    tam_word value;
    frame->outstanding++;
    if (mode == TAM_BOUND && tam_is_local(word))
        tam_arrive(frame, inlet, tam_at(word)->v[i]);
    else if (mode == TAM_I && (dims ? tam_element_here(word, dims, i, j, k, &value)
                                    : tam_field_here(word, (unsigned)i, &value))) {
        TAM_NOTE(FETCH_FULL);
        tam_arrive(frame, inlet, value);
    } else if (tam_is_here(word))
        tam_element_read(tam_frame_word(frame), inlet, word, mode, dims, index, site, NULL);
    else
        tam_send_fetch((int)(word >> 48), tam_frame_word(frame), inlet, word, mode, dims, index, site);
}

/* ---- writes -------------------------------------------------------------------------------------------- */

/* Serves the readers that wait, in the order in which they came: those that leave the value, and at most one
 * that takes it. */
static void serve(struct tam_object *object, uint32_t at, tam_word value) {
    struct tam_deferred *last = (struct tam_deferred *)(uintptr_t)tam_elements(object)[at];
    struct tam_deferred *reader = last->next;
    last->next = NULL;
    uint8_t *tag = tam_state(object, at);
    tam_fill(&tam_elements(object)[at], tag, value);
    while (reader) {
        struct tam_deferred *next = reader->next;
        tam_word frame = reader->frame;
        unsigned inlet = reader->inlet;
        bool taken = reader->mode == TAM_TAKE;
        tam_reader_free(reader);
        TAM_NOTE(READERS);
        if (taken) {
            *tag = next ? TAM_DEFERRED : TAM_EMPTY;
            if (next) {
                last->next = next;
                tam_elements(object)[at] = (tam_word)(uintptr_t)last;
            }
            next = NULL;
        }
        answer(frame, inlet, value);
        reader = next;
    }
}

static bool claim(uint8_t *state) {
    uint8_t was = TAM_EMPTY;
    return __atomic_compare_exchange_n(state, &was, TAM_WRITING, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/* An aligned word of states, which may have been stored with any type. */
typedef uint64_t __attribute__((may_alias)) eight_states;

static bool claim_eight(uint8_t *states) {
    eight_states was = 0x0101010101010101ULL * TAM_EMPTY, claimed = 0x0101010101010101ULL * TAM_WRITING;
    return __atomic_compare_exchange_n((eight_states *)(void *)states, &was, claimed, 0, __ATOMIC_ACQUIRE,
                                       __ATOMIC_RELAXED);
}

uint64_t tam_claim(uint8_t *state, int64_t step, uint64_t count) {
    uint64_t done = 0;
    while (done < count) {
        if (step == 1 && (uintptr_t)state % 8 == 0 && count - done >= 8 && claim_eight(state)) {
            state += 8;
            done += 8;
        } else if (claim(state)) {
            state += step;
            done++;
        } else
            break;
    }
    return done;
}

/* Release, partner: wait_for, and the next claim. */
void tam_give_back(uint8_t *state, int64_t step, uint64_t count) {
    for (; count > 0; count--, state += step)
        if (__atomic_load_n(state, __ATOMIC_RELAXED) == TAM_WRITING)
            __atomic_store_n(state, TAM_EMPTY, __ATOMIC_RELEASE);
}

void tam_element_write(tam_word word, enum tam_mode mode, unsigned dims, const int64_t *index, tam_word value,
                       uint32_t site) {
    struct tam_object *object = tam_at(word);
    uint32_t at = element_of(object, dims, index, site);
    uint8_t *tag = tam_state(object, at);
    if (__atomic_load_n(tag, __ATOMIC_ACQUIRE) == TAM_DEFERRED) {
        TAM_NOTE(STORE_WAITERS);
        serve(object, at, value);
    } else if (claim(tag)) {
        TAM_NOTE(STORE_EMPTY);
        tam_fill(&tam_elements(object)[at], tag, value);
    } else {
        const struct tam_site *made = &tam.program->sites[object->site];
        const char *what = object->dims ? "element of the array" : "field of the value";
        if ((object->kind & TAM_MUTABLE) || mode == TAM_TAKE)
            tam_fail(site, "a put into a full %s made at %s:%u", what, made->file, made->line);
        if (dims == 0)
            tam_fail(site, "a second write to a field of the value made at %s:%u", made->file, made->line);
        if (dims == 1)
            tam_fail(site, "a second write to element [%lld] of the array made at %s:%u", (long long)index[0],
                     made->file, made->line);
        if (dims == 2)
            tam_fail(site, "a second write to element [%lld,%lld] of the array made at %s:%u",
                     (long long)index[0], (long long)index[1], made->file, made->line);
        tam_fail(site, "a second write to element [%lld,%lld,%lld] of the array made at %s:%u",
                 (long long)index[0], (long long)index[1], (long long)index[2], made->file, made->line);
    }
}

void tam_store(struct tam_join *join, tam_word word, enum tam_mode mode, unsigned dims, int64_t i, int64_t j,
               int64_t k, tam_word value, uint32_t site) {
    int64_t index[3] = {i, j, k};
    if (mode == TAM_I && tam_put_here(word, dims, i, j, k, value)) {
        TAM_NOTE(STORE_EMPTY);
        return;
    }
    if (tam_is_here(word))
        tam_element_write(word, mode, dims, index, value, site);
    else
        tam_send_store((int)(word >> 48), word, mode, dims, index, value, join, site);
}
