/* The interfaces between the parts of the machine.  One instance in each process, used by its first POSIX
 * thread only. */
#ifndef MER_TAM_MACHINE_H
#define MER_TAM_MACHINE_H

#include <meridian/am.h>
#include <meridian/abi/tam.h>
#include <stdbool.h>
#include <stddef.h>

/* A read that waits for its element (the pool of section 6.2.2.3). */
struct tam_deferred {
    struct tam_deferred *next;
    tam_word frame;
    struct tam_object *object; /* null in the pool */
    uint32_t at, site;
    uint16_t inlet;
    uint8_t mode;
};

/* Work that a handler leaves for the scheduler, since handlers may not send. */
struct tam_item {
    struct tam_item *next;
    void (*run)(struct tam_item *item);
    tam_word words[6];
    void *data;
    const tam_word *beside; /* beside_count words in `data', which keep objects */
    unsigned beside_count;
};

enum tam_exposing { TAM_NOTHING, TAM_ALL, TAM_FORKS_ONLY };

struct tam_machine {
    const struct tam_program *program;
    int me, processors;
    int argc;
    char **argv;
    /* The ready queue: activations begin and go on at the head; other processors get new ones from the tail.
     */
    struct tam_frame *head, *tail;
    unsigned ready;
    uint32_t quanta; /* that have run here; wraps */
    struct tam_item *first, *last, *running;
    /* Counted messages, for the detection of the end. */
    uint64_t sent, received;
    uint64_t deferred; /* reads that wait here */
    uint64_t frames;   /* live ones here */
    bool busy, halted, finished;
    bool split;                /* C functions have ended to give work away, in the last quantum */
    bool direct;               /* the program has C functions whose work is shared out */
    bool shares;               /* they end when another processor asks for work */
    uint8_t exposing;          /* new ready activations are for others: all, or those that fork */
    bool ending;               /* C functions end as soon as they can, until the quantum does */
    struct tam_frame *unwound; /* the last frame that one of these has left, if any */
    int place;                 /* 1: deal activations out in turn, as the tests do */
    int turn;
    uint64_t order; /* not 0: the state of the random numbers that order the ready queue, for tests */
};
extern struct tam_machine tam;

/* rounds.c */
struct tam_counts {
    uint64_t sent, received, waiting, frames;
    bool busy;
};
enum tam_round { TAM_ROUND_END, TAM_ROUND_STOPPED, TAM_ROUND_MARKED, TAM_ROUND_SWEPT };
void tam_rounds_register(void);
struct tam_counts tam_ask_all(enum tam_round round, uint64_t collection); /* 0 in rounds about the end */
bool tam_quiet(enum tam_round round, uint64_t collection, struct tam_counts *after);
/* schedule.c */
unsigned tam_random(void);
void tam_dally(void); /* in handlers: makes polls last longer in a random order */
void tam_post(struct tam_frame *frame, const struct tam_inlet *inlet);
void tam_arrive(struct tam_frame *frame, unsigned inlet, tam_word value);
struct tam_item *tam_leave(void (*run)(struct tam_item *item));
void tam_run_items(void);
void tam_schedule(void);
void tam_unqueue(struct tam_frame *frame);
void tam_run_quantum(struct tam_frame *frame);
#define TAM_OLD 128 /* quanta for which a frame must have been ready to go elsewhere: see share.c */
/* frame.c */
struct tam_frame *tam_frame_new(const struct tam_codeblock *codeblock);
void tam_frame_end(struct tam_frame *frame);
void tam_end_if_empty(struct tam_frame *frame);
void tam_each_frame(void (*visit)(struct tam_frame *frame));
struct tam_frame *tam_begin(struct tam_join *join, const struct tam_codeblock *codeblock,
                            const tam_word *args, tam_word ret, unsigned inlet);
void tam_join_count(struct tam_join *join);
/* storage.c, collect.c */
void tam_storage_start(void);
void tam_collect_start(const void *stack);

/* Returns true if so many bytes more may be used; they then count as taken.  Processors may be granted more
 * memory than the system has, which would end the process without a word when it touches the memory.  A part
 * is left for the collector, and for the host's other processors, which take memory before they look. */
bool tam_memory_for(size_t bytes);

/* Returns memory that is never freed, aligned as malloc aligns it.  If there is none, the program ends with
 * the site's line. */
void *tam_allocate(size_t bytes, uint32_t site);
/* collect_all.c */
extern bool tam_collect_due;
void tam_collect_register(void);
void tam_collect_exchange(const char *what);
void tam_collect_with_all(void);
struct tam_counts tam_collect_counts(enum tam_round round, uint64_t collection);
/* A place where a collection of all processors may come: the program's words are on the stack or in frames,
 * and messages are handled here anyway. */
static inline void tam_may_collect(void) {
    if (__builtin_expect(tam_collect_due, 0))
        tam_collect_with_all();
}
/* heap.c */
void tam_read(tam_word frame, unsigned inlet, tam_word object, enum tam_mode mode, unsigned dims,
              const int64_t *index, uint32_t site, struct mer_am_message *request);
void tam_write(tam_word object, enum tam_mode mode, unsigned dims, const int64_t *index, tam_word value,
               uint32_t site);
void tam_each_deferred(void (*visit)(struct tam_object *object, uint32_t at, struct tam_deferred *reader));
/* Reads or takes an element, on the owner; if it does not change any more, on the owner's host.  Returns 0 if
 * the element is not there.  With TAM_BOUND, reads the bound of number index[0], or for -1 the number of
 * dimensions.  May run in a handler. */
int tam_try(tam_word array, enum tam_mode mode, const int64_t *index, uint32_t site, tam_word *value);
/* external.c */
void tam_external_register(void);
/* world.c */
void tam_show_output(void);
/* direct.c */
void tam_direct_start(void);
void tam_new_slice(void);
/* apply.c */
#define TAM_MOST_APPLIED 56 /* arguments of a function that is a value */
void tam_apply_here(struct tam_join *join, tam_word ret, unsigned inlet, tam_word closure,
                    const tam_word *args, unsigned count, tam_word by_cell, uint32_t site);
/* message.c */
void tam_register(void);
void tam_send_fetch(int to, tam_word frame, unsigned inlet, tam_word object, enum tam_mode mode,
                    unsigned dims, const int64_t *index, uint32_t site);
void tam_send_store(int to, tam_word object, enum tam_mode mode, unsigned dims, const int64_t *index,
                    tam_word value, struct tam_join *join, uint32_t site);
void tam_send_value(tam_word frame, unsigned inlet, tam_word value);
void tam_reply_value(struct mer_am_message *request, tam_word frame, unsigned inlet, tam_word value);
void tam_send_done(int to, struct tam_join *join);
void tam_deal(int to, struct tam_join *join, const struct tam_codeblock *codeblock, const tam_word *args,
              tam_word ret, unsigned inlet);
void tam_send_invoke(int to, struct tam_join *join, const struct tam_codeblock *codeblock,
                     const tam_word *args, tam_word ret, unsigned inlet);
void tam_send_apply(int to, struct tam_join *join, tam_word ret, unsigned inlet, tam_word closure,
                    const tam_word *args, unsigned count, tam_word by_cell, uint32_t site);
/* share.c */
void tam_share_register(void);
void tam_ask_for_work(void);
void tam_note_giver(int processor);
void tam_note_went(int to);
void tam_note_returned(int from);
void tam_note_came(int from);
void tam_serve_hungry(void);
bool tam_must_split(void);
void tam_given_ended(void);
/* finish.c */
struct tam_counts tam_end_counts(void);
void tam_wait_or_finish(void);
_Noreturn void tam_stop(int status);

#endif
