/* Which objects are live: the collector's marks.
 *
 * A collection happens inside of an allocation, on the process that allocates, and concerns its objects
 * alone. An object is live if a word refers to it, or into it,
 *
 *   - on the C stack, from the allocation up to the machine's start, or in a register;
 *   - in a slot of a live frame, in the work that handlers have left, in a reader that waits;
 *   - in a live object;
 *
 * or if another processor may know it.  (Collections of all processors find out which those are:
 * collection.c.)  Words are not told apart by type, except that the elements of arrays of numbers are not
 * read: a number that looks like a reference keeps an object for longer than need be, and no more.  Nothing
 * is moved.
 *
 * Why this is enough.  The program uses an object only through a word that it has, and it has words in C
 * variables, frames, objects and messages.  A C variable is in a register or on the stack when an allocation
 * is called: as the word, as the object's address or as an address within the object.  If compiled code
 * computes addresses of elements in advance, as in loops, each access may still fail and then passes the word
 * itself to the runtime, so that the word is kept too.  The registers that a call keeps are saved on the
 * stack before the stack is read (__builtin_unwind_init).  Handlers of messages do not allocate, so that
 * their payloads need not be read.
 *
 * A word that leaves in a message, or is stored into an object of another processor, pins the object that it
 * refers to (tam_export): the other processor may keep the word, until a collection of all processors finds
 * that none does.  The objects that a pinned object refers to are live while it is.  A processor of the same
 * host may read such a reference in the pinned object without a message, and keep it: the element is full and
 * not mutable, and so refers to the object for ever too.  A word in a mutable element is read by the
 * element's owner, and leaves in a message.  Words that refer to objects of other processors are no concern
 * here: those processors have pinned them, or objects that refer to them. */
#include "tam/collect.h"

#include "tam/count.h"
#include "tam/frame.h"
#include "tam/order.h"
#include "tam/owner.h"
#include "tam/reader.h"
#include "tam/storage.h"

#include <stdlib.h>

#define LEAST ((size_t)8 << 20) /* bytes of pinned objects from which on a collection of all is worth while */
#define MORE 2
#define RARELY 8 /* in the tests, one in so many collections of one processor asks for one of all */

/* A live object that is still to be read. */
struct tam_pending {
    uintptr_t at;
    size_t bytes;
};

void tam_collect_start(const void *stack) {
    tam.marking.stack_begin = stack;
    tam.marking.limit = LEAST;
}

void tam_collect_limit(size_t bytes) { tam.marking.limit = MORE * bytes > LEAST ? MORE * bytes : LEAST; }

/* Wants a collection of all processors if so many bytes here are live by pins alone. */
static void want_all_if(size_t bytes) {
    bool random = tam.order.state && tam_order_random() % RARELY == 0;
    if (tam.processors > 1 && (bytes > tam.marking.limit || random))
        tam.collection.wanted = tam.collection.due = true;
}

static void push(uintptr_t at, size_t bytes) {
    if (tam.marking.depth == tam.marking.capacity) {
        tam.marking.capacity = tam.marking.capacity ? 2 * tam.marking.capacity : 4096;
        tam.marking.pending = realloc(tam.marking.pending,
                                      tam.marking.capacity * sizeof *tam.marking.pending);
        if (!tam.marking.pending)
            tam_fail(0, "memory is exhausted on processor %d", tam.me);
    }
    tam.marking.pending[tam.marking.depth++] = (struct tam_pending){at, bytes};
}

static void consider(tam_word word) {
    struct tam_place place;
    if (tam.marking.of_all)
        tam_owner_tell(word);
    if (!tam_find(word, &place) || tam_bit(tam.storage.marks, place.bit))
        return;
    tam_set_bit(tam.storage.marks, place.bit);
    place.block->marked = true;
    tam.marking.live += place.bytes;
    if (!(((const struct tam_object *)place.at)->kind & TAM_NUMBERS))
        push(place.at, place.bytes);
}

/* Considers words from the last to the first: so the end of a list is kept for later, and the objects that
 * its elements refer to are read first.  Most words of arrays are numbers, which a subtraction and a
 * comparison tell from addresses. */
__attribute__((no_sanitize("address"))) static void scan(const tam_word *from, const tam_word *to) {
    const uintptr_t base = tam.storage.base;
    const uintptr_t bytes = (uintptr_t)tam.storage.used << TAM_BLOCK_SHIFT;
    const bool of_all = tam.marking.of_all;
    while (to > from) {
        tam_word word = *--to;
        if ((uintptr_t)(word & MER_ADDR_MASK) - base < bytes || of_all)
            consider(word);
    }
}

static void drain(void) {
    while (tam.marking.depth > 0) {
        struct tam_pending next = tam.marking.pending[--tam.marking.depth];
        scan((const tam_word *)next.at, (const tam_word *)(next.at + next.bytes));
    }
}

static void frame(struct tam_frame *frame) {
    scan(frame->s, frame->s + frame->codeblock->slots);
    drain();
}

static void reader(struct tam_object *object, uint32_t at, struct tam_deferred *deferred) {
    (void)at;
    (void)deferred;
    consider((tam_word)(uintptr_t)object);
}

/* Considers the objects of a block whose bits are set. */
static void each_of(uint32_t block, const uint64_t *bits_of) {
    size_t word = (size_t)block * TAM_BLOCK_WORDS, end = word + TAM_BLOCK_WORDS;
    for (; word < end; word++)
        for (uint64_t bits = bits_of[word]; bits; bits &= bits - 1) {
            size_t bit = word * 64 + (size_t)__builtin_ctzll(bits);
            consider((tam_word)(tam.storage.base + bit * TAM_GRAIN));
        }
    drain();
}

static void pinned(void) {
    for (uint32_t n = 0; n < tam.storage.used; n++)
        if (tam.storage.blocks[n].pinned && tam.storage.blocks[n].kind != TAM_FREE)
            each_of(n, tam.storage.pins);
}

static void item(const struct tam_item *item) {
    scan(item->words, item->words + sizeof item->words / sizeof *item->words);
    scan(item->beside, item->beside + item->beside_count);
}

/* Not inlined, so that the registers lie on the stack above its frame. */
__attribute__((noinline)) static void mark(void) {
    scan(__builtin_frame_address(0), tam.marking.stack_begin);
    drain();
    for (struct tam_item *left = tam.items.first; left; left = left->next)
        item(left);
    if (tam.items.running)
        item(tam.items.running);
    drain();
    tam_frames_visit(frame);
    tam_readers_visit(reader);
    drain();
}

__attribute__((noinline)) void tam_collect(void) {
    tam.marking.live = 0;
    TAM_NOTE(COLLECTIONS);
    tam_storage_clear_marks();
    __builtin_unwind_init();
    mark();
    size_t without = tam.marking.live;
    pinned();
    want_all_if(tam.marking.live - without);
    tam_storage_sweep(tam.marking.live);
    __asm__ volatile("" ::: "memory"); /* so that this is no tail call, and its frame stays */
}

/* The caller has saved the registers on the stack. */
size_t tam_collect_mark(void) {
    tam.marking.live = 0;
    tam.marking.of_all = true;
    tam_storage_clear_marks();
    mark();
    tam.marking.of_all = false;
    return tam.marking.live;
}

size_t tam_collect_mark_told(void) {
    tam.marking.of_all = true;
    for (uint32_t n = 0; n < tam.storage.used; n++)
        if (tam.storage.blocks[n].told == TAM_TOLD_NEW) {
            tam.storage.blocks[n].told = TAM_TOLD_MARKED; /* the handler may tell of more meanwhile */
            each_of(n, tam.storage.told);
        }
    tam.marking.of_all = false;
    return tam.marking.live;
}
