/* The state of the machine on this processor.
 *
 * There is one `struct tam_machine' in each process, used by its first POSIX thread only: handlers of
 * messages run inside of calls of the runtime.  Each part belongs to one file, which alone changes it while
 * the program runs, except for fields that name other files.  All files may read it.  Start-up (program.c)
 * sets the program, the processors, and what the settings say.
 *
 * The registers, which compiled code reads and writes in line, are in tam_registers (meridian/abi/tam.h). */
#ifndef MER_TAM_MACHINE_H
#define MER_TAM_MACHINE_H

#include <meridian/am.h>
#include <meridian/abi/tam.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* ---- order.c, memory.c, count.c ---------------------------------------------------------------------- */

struct tam_order {
    uint64_t state;   /* of the random numbers that order the ready queue, for tests; 0: no random order */
    unsigned dallies; /* polls in a row that still last longer */
};

struct tam_memory {
    size_t unseen; /* bytes granted since the system was last asked for the memory left */
    size_t taken;  /* all bytes granted */
};

struct tam_count {
    bool on; /* this processor keeps a profile: constant while the program runs */
    struct tam_codeblock_costs *codeblock;
    unsigned codeblocks;
    struct tam_quantum_record *quantum;
    unsigned quanta;
    uint64_t least; /* ns; shorter quanta are not kept */
};

/* ---- storage.c ----------------------------------------------------------------------------------------- */

struct tam_storage {
    uintptr_t base;          /* a multiple of TAM_BLOCK */
    uint32_t reserved, used; /* blocks of the range, a power of two, and those of them that were ever used */
    struct tam_block *blocks;
    uint64_t *marks, *pins, *told; /* bits, one for each 16 bytes of the range (storage.h) */
    size_t since, budget; /* bytes of the blocks taken since the last collection, and until the next */
    size_t live;          /* bytes that the last collection found live */
    /* The number of free blocks below `used', and the next positions of the searches for one block and for
     * several in a row. */
    uint32_t free_blocks, free_from, free_run_from;
    /* Large pages: the end of the memory that has been asked for, the bytes of the next request, and whether
     * there are to be no more requests. */
    uintptr_t large_to;
    size_t large_at_once;
    bool large_enough;
    /* By bin: the bytes of an object, and 2^32 divided by these, rounded up. */
    uint32_t bin_bytes[TAM_BINS], bin_inverse[TAM_BINS];
    struct {
        uint32_t block; /* whose free objects are handed out, from this slot on */
        uint32_t slot;
        uint32_t next; /* after it */
    } sweeping[TAM_BINS];
};

/* ---- send.c, item.c ------------------------------------------------------------------------------------ */

/* Messages.  The counted ones, `sent' and `received', are all except those that ask for work (share.c) and
 * those of collections (owner.c): the end is detected by them (finish.c). */
struct tam_messages {
    uint64_t sent, received; /* receive.c */
    uint32_t *went, *came; /* by processor: activations that have gone there and come from there; receive.c */
    /* The numbers of the handlers; receive.c. */
    int h_value, h_value_reply, h_fetch, h_store, h_stored, h_done, h_invoke, h_refused, h_apply;
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

struct tam_items {
    struct tam_item *first, *last; /* in the order in which they were left */
    struct tam_item *running;      /* null: none */
    struct tam_item *spare;
};

/* ---- queue.c, frame.c, reader.c ------------------------------------------------------------------------ */

enum tam_exposing { TAM_NOTHING, TAM_ALL, TAM_FORKS_ONLY };

/* The ready queue: activations begin and go on at the head; other processors get new ones from the tail. */
struct tam_queue {
    struct tam_frame *head, *tail;
    struct tam_frame *unwound; /* the last that a C function has left in this quantum; or null; quantum.c */
    unsigned ready;            /* frames in the queue */
    uint8_t exposing;          /* new ready activations are for others: all, or those that fork; share.c */
};

#define TAM_FRAME_BINS 64 /* by size; larger frames share list 0 */

struct tam_frames {
    struct tam_frame *bins[TAM_FRAME_BINS + 1]; /* lists of free frames */
    struct tam_frame_chunk *chunks;             /* of all frames */
    uint64_t live;
    uint64_t *live_of; /* by the number of the code-block; made when memory is exhausted */
};

/* A read that waits for its element (the pool of section 6.2.2.3). */
struct tam_deferred {
    struct tam_deferred *next;
    tam_word frame;
    struct tam_object *object; /* null in the pool */
    uint32_t at, site;
    uint16_t inlet;
    uint8_t mode;
};

struct tam_readers {
    struct tam_deferred *spare;
    struct tam_readers_chunk *pool;
    uint64_t waiting; /* deferred reads, and activations that wait for themselves (deadlock.c) */
};

/* ---- owner.c, collect.c, wave.c, collection.c ---------------------------------------------------------- */

struct tam_range {
    uint64_t begin, end;
};

#define TAM_RECENT 4096 /* words that are remembered as sent */

/* References to objects of other processors. */
struct tam_owners {
    struct tam_range *ranges;   /* by processor */
    struct tam_range all;       /* from the first to the last of the ranges that addresses may lie in */
    struct tam_batch **batches; /* by processor; null if nothing was sent yet */
    uint64_t sent, received;    /* messages with references */
    bool fresh;                 /* others have told of objects since this processor looked; collection.c */
    int h_objects;
    tam_word recent[TAM_RECENT];
};

/* The marks of this processor's collector. */
struct tam_marking {
    struct tam_pending *pending; /* a stack of live objects that are still to be read */
    size_t depth, capacity;
    size_t live;                 /* bytes marked so far */
    bool of_all;                 /* the collection is one of all processors */
    size_t limit;                /* bytes of pinned objects above which one of all is wanted */
    const tam_word *stack_begin; /* the highest address of the C stack */
};

/* The state of this processor or of all, in an answer to a wave. */
struct tam_counts {
    uint64_t sent, received, waiting, frames;
    bool busy;
};

struct tam_wave {
    struct tam_counts sum; /* of the answers so far */
    int answers;
    int h_counts;
};

/* Collections of all processors. */
struct tam_collection {
    uint64_t number;        /* of the last collection that this processor has entered */
    volatile uint64_t step; /* the last that processor 0 has told, and its collection (collection.c) */
    uint8_t part;           /* of enum part in collection.c */
    bool due;               /* tam_collection_poll has to look for a collection; collect.c */
    bool wanted;            /* processor 0 is to begin a collection; collect.c */
    bool asked;             /* processor 0 has been told so */
    int h_want, h_step, h_probe;
};

/* ---- heap.c, invoke.c, world.c ------------------------------------------------------------------------ */

struct tam_heap {
    void (*force)(struct tam_item *item); /* computes a delayed element; apply.c, which is above */
};

/* Activations dealt out in turn, as the tests do. */
struct tam_dealing {
    bool on;
    int turn;
};

struct tam_world {
    int argc;
    char **argv;
    FILE **files; /* by number, from 3 on; null: closed */
    int64_t file_count;
    char *name; /* of the file that is opened next */
    size_t name_length, name_capacity;
    int64_t shown; /* ms; when output was last shown */
    bool unseen;   /* output has been written and not shown yet */
};

/* ---- quantum.c, share.c -------------------------------------------------------------------------------- */

struct tam_quanta {
    uint32_t count; /* that have run here; wraps */
    bool ending;    /* C functions end as soon as they can, until the quantum does; direct.c */
    bool split;     /* C functions have ended to give work away, in the last quantum; direct.c, share.c */
};

/* Work for processors that have none. */
struct tam_share {
    bool direct; /* the program has C functions whose work is shared out */
    bool splits; /* they end when another processor asks for work */
    int *hungry; /* the processors that have asked for work, */
    int hungry_count;
    int *givers; /* and those that have given work to this one */
    int giver_count;
    int h_hungry;
    unsigned next_asked; /* the distance of the processor that is asked next */
    unsigned until_next; /* polls until the next try to make work for others, */
    unsigned wait;       /* and as many after the last try */
    bool serving;        /* work is being made */
    /* The half that was given away last: when, and how many were under way. */
    struct {
        uint64_t ns, slices;
        unsigned before;
    } last;
    /* Slices for which no loop is shared, and the rest of them; the net cost of sharing since it last paid,
     * in ns. */
    uint64_t pause, pause_left;
    int64_t debt;
};

/* ---- receive.c, external.c, deadlock.c, finish.c ------------------------------------------------------- */

struct tam_receive {
    struct tam_kept *spare; /* storage of messages that have come and not been done */
};

/* The question of a function of C to the owner of an array. */
struct tam_external {
    volatile int answered;
    int there;
    tam_word answer;
    int h_ask, h_answer;
};

#define TAM_SHOWN 8 /* waiting reads that are reported */

struct tam_deadlock {
    struct {
        struct tam_frame *frame;
        uint32_t site;
    } stuck[TAM_SHOWN]; /* the first activations that wait for themselves */
    uint64_t stuck_count;
    unsigned shown;
    volatile int told; /* the asked processor has reported */
    int h_report, h_told;
};

struct tam_finish {
    bool busy;   /* this processor has something to do */
    bool halted; /* the program has ended */
    int h_halt, h_probe;
};

/* ---- the machine --------------------------------------------------------------------------------------- */

struct tam_machine {
    const struct tam_program *program;
    int me, processors;
    struct tam_order order;
    struct tam_quanta quanta;
    struct tam_items items;
    struct tam_queue queue;
    struct tam_finish finish;
    struct tam_count count;
    struct tam_messages messages;
    struct tam_memory memory;
    struct tam_frames frames;
    struct tam_readers readers;
    struct tam_heap heap;
    struct tam_dealing dealing;
    struct tam_share share;
    struct tam_wave wave;
    struct tam_collection collection;
    struct tam_marking marking;
    struct tam_storage storage;
    struct tam_receive receive;
    struct tam_external external;
    struct tam_world world;
    struct tam_deadlock deadlock;
    struct tam_owners owners;
};
extern struct tam_machine tam;

#endif
