/* UPC's atomic operations (UPC 7.6): domains, and the path from a call to the code of its operation.
 *
 * A call costs little more than the instruction that it ends in: one test of the domain (has it this
 * operation?), one look-up in a table by kind of type and operation, one jump.  All errors are detected on
 * the path that is taken if the test fails.
 */
#include "dialect/upc/atomic.h"

#include "am/am.h"
#include "am/call.h"
#include "am/handlers.h"
#include "am/state.h"
#include "rma/write.h"
#include "host/job.h"
#include "base/fatal.h"
#include "base/record.h"
#include "base/settings.h"
#include "dialect/upc/single.h"
#include "heap/heap.h"
#include "sync/barrier.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define DOMAIN_ALIVE 0x6e69616d6f64726dULL
#define DOMAIN_FREED 0x6465657266646f6dULL

/* ---- names and rules ------------------------------------------------------------------------------ */

static const struct {
    upc_type_t type;
    const char *name;
    enum mer_atomic_kind kind;
    upc_op_t ops;
} types[] = {
    {UPC_INT, "UPC_INT", MER_I32, MER_OPS_ACCESS | MER_OPS_BITWISE | MER_OPS_NUMERIC},
    {UPC_UINT, "UPC_UINT", MER_U32, MER_OPS_ACCESS | MER_OPS_BITWISE | MER_OPS_NUMERIC},
    {UPC_LONG, "UPC_LONG", MER_I64, MER_OPS_ACCESS | MER_OPS_BITWISE | MER_OPS_NUMERIC},
    {UPC_ULONG, "UPC_ULONG", MER_U64, MER_OPS_ACCESS | MER_OPS_BITWISE | MER_OPS_NUMERIC},
    {UPC_INT32, "UPC_INT32", MER_I32, MER_OPS_ACCESS | MER_OPS_BITWISE | MER_OPS_NUMERIC},
    {UPC_UINT32, "UPC_UINT32", MER_U32, MER_OPS_ACCESS | MER_OPS_BITWISE | MER_OPS_NUMERIC},
    {UPC_INT64, "UPC_INT64", MER_I64, MER_OPS_ACCESS | MER_OPS_BITWISE | MER_OPS_NUMERIC},
    {UPC_UINT64, "UPC_UINT64", MER_U64, MER_OPS_ACCESS | MER_OPS_BITWISE | MER_OPS_NUMERIC},
    {UPC_FLOAT, "UPC_FLOAT", MER_F32, MER_OPS_ACCESS | MER_OPS_NUMERIC},
    {UPC_DOUBLE, "UPC_DOUBLE", MER_F64, MER_OPS_ACCESS | MER_OPS_NUMERIC},
    {UPC_PTS, "UPC_PTS", MER_PTS, MER_OPS_ACCESS},
};
#define TYPES (int)(sizeof types / sizeof *types)

static const struct {
    upc_op_t op;
    const char *name;
} ops_named[] = {
    {MER_ATOMIC_GET, "UPC_GET"}, {MER_ATOMIC_SET, "UPC_SET"}, {MER_ATOMIC_CSWAP, "UPC_CSWAP"},
    {UPC_AND, "UPC_AND"},        {UPC_OR, "UPC_OR"},          {UPC_XOR, "UPC_XOR"},
    {UPC_ADD, "UPC_ADD"},        {MER_ATOMIC_SUB, "UPC_SUB"}, {UPC_MULT, "UPC_MULT"},
    {UPC_MIN, "UPC_MIN"},        {UPC_MAX, "UPC_MAX"},        {MER_ATOMIC_INC, "UPC_INC"},
    {MER_ATOMIC_DEC, "UPC_DEC"}, {UPC_LOGAND, "UPC_LOGAND"},  {UPC_LOGOR, "UPC_LOGOR"},
};

/* Writes a set of operations as "UPC_GET, UPC_ADD" into text, and returns it. */
static const char *ops_text(char text[256], upc_op_t ops) {
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof ops_named / sizeof *ops_named; i++)
        if (ops & ops_named[i].op) {
            length += (size_t)snprintf(text + length, 256 - length, "%s%s", length ? ", " : "",
                                       ops_named[i].name);
            ops &= ~ops_named[i].op;
        }
    if (ops)
        snprintf(text + length, 256 - length, "%s0x%lx", length ? ", " : "", ops);
    else if (!length)
        snprintf(text, 256, "none");
    return text;
}

static int type_index(upc_type_t type) {
    for (int i = 0; i < TYPES; i++)
        if (types[i].type == type)
            return i;
    return -1;
}

_Noreturn void mer_atomic_missing(const char *what, const char *op) {
    mer_fatal("upc_atomic: %s is null, and %s needs it (UPC 7.6.4)", what, op);
}

/* Returns the operations on a kind of object that are sure to end in a locked instruction.  On x86-64 that is
 * a full fence, so that the strict form is the relaxed one.  Without UPC_SET, which is locked only if it
 * fetches. */
static upc_op_t locked_ops(enum mer_atomic_kind kind) {
#if defined(__x86_64__)
    upc_op_t sums = UPC_ADD | MER_ATOMIC_SUB | UPC_MULT | MER_ATOMIC_INC | MER_ATOMIC_DEC;
    return kind <= MER_U64 ? sums | MER_OPS_BITWISE | MER_ATOMIC_CSWAP : kind <= MER_F64 ? sums : 0;
#else
    (void)kind;
    return 0;
#endif
}

/* ---- domains --------------------------------------------------------------------------------------- */

static size_t domain_size(int index) {
    bool pointers = types[index].kind == MER_PTS;
    return sizeof(struct mer_atomic_domain) +
           (pointers ? MER_ATOMIC_STRIPES * sizeof((struct mer_atomic_domain *)0)->stripe[0] : 0);
}

static mer_am_handler on_atomics, on_counts;

/* Sets up this thread's copy of the domain, at the native address `at'.  If all memory is local, thread 0's
 * copy is used; else each thread's copy is for the objects that it owns. */
static void domain_set_up(uint64_t at, int index, upc_op_t ops) {
    struct mer_atomic_domain *domain = mer_view(mer_job.mythread, at);
    memset(domain, 0, domain_size(index));
    domain->head.direct = mer_setting(CHECK) || mer_by_message() ? 0 : ops;
    domain->head.locked = domain->head.direct & locked_ops(types[index].kind);
    domain->head.plain = mer_setting(CHECK) ? 0 : ops;
    domain->head.ops = ops;
    domain->head.kind = (unsigned char)types[index].kind;
    domain->type = types[index].type;
    domain->alive = DOMAIN_ALIVE;
    if (types[index].kind == MER_PTS)
        mer_atomic_pts_probe(domain);
}

/* Returns the copy that this thread reads. */
static struct mer_atomic_domain *copy_of(mer_ptr ptr) {
    return mer_by_message() ? mer_view(mer_job.mythread, mer_native(ptr.bits)) : mer_at(ptr.bits);
}

mer_ptr upc_all_atomicdomain_alloc(upc_type_t type, upc_op_t ops, int hints) {
    (void)hints;
    mer_check_single_valued("upc_all_atomicdomain_alloc", mer_digest((uint64_t)type, ops));
    int index = type_index(type);
    if (index < 0)
        mer_fatal(
            "upc_all_atomicdomain_alloc: type %d has no atomic operations; those that have are UPC_INT, "
            "UPC_UINT, UPC_LONG, UPC_ULONG, UPC_INT32, UPC_UINT32, UPC_INT64, UPC_UINT64, UPC_FLOAT, "
            "UPC_DOUBLE and UPC_PTS (UPC 7.6.2)",
            type);
    upc_op_t wrong = ops & ~types[index].ops;
    char bad[256], good[256];
    if (wrong)
        mer_fatal("upc_all_atomicdomain_alloc: %s cannot be done on %s, whose operations are %s (UPC 7.6.2)",
                  ops_text(bad, wrong), types[index].name, ops_text(good, types[index].ops));
    uint64_t at = 0;
    if (mer_job.mythread == 0)
        at = mer_heap_symmetric(domain_size(index), domain_size(index), "upc_all_atomicdomain_alloc");
    if (at)
        domain_set_up(at, index, ops);
    mer_barrier_exchange("upc_all_atomicdomain_alloc", at);
    at = mer_barrier_payload(0);
    if (at && mer_by_message() && mer_job.mythread != 0)
        domain_set_up(at, index, ops);
    if (mer_by_message()) { /* a thread that asks an owner finds its copy, and its handler */
        mer_am_set_handler(MER_AM_ATOMICS, on_atomics, MER_HANDLER_MEMORY);
        mer_am_set_handler(MER_AM_COUNTS, on_counts, MER_HANDLER_MEMORY | MER_HANDLER_WORDS);
        mer_atomic_bias_start();
        mer_barrier_collective("upc_all_atomicdomain_alloc");
    }
    return mer_mk(at ? mer_bits(0, at) : 0);
}

/* Returns the domain to which the pointer leads; ends the job with a message if it leads to none. */
static struct mer_atomic_domain *checked(mer_ptr ptr, const char *name) {
    if (!ptr.bits)
        mer_fatal("%s: the domain is a null pointer", name);
    uint64_t offset = (uint64_t)(uintptr_t)mer_at(ptr.bits) - MER_VIEW_BASE;
    bool inside = offset < (uint64_t)mer_job.threads * mer_job.span && offset % 64 == 0;
    struct mer_atomic_domain *domain = copy_of(ptr);
    if (inside && domain->alive == DOMAIN_ALIVE)
        return domain;
    if (inside && domain->alive == DOMAIN_FREED)
        mer_fatal("%s: the domain has been freed", name);
    mer_fatal("%s: the pointer (thread %d, address 0x%llx) is no domain; domains come from "
              "upc_all_atomicdomain_alloc",
              name, (int)mer_threadof(ptr.bits), (unsigned long long)mer_native(ptr.bits));
}

void upc_all_atomicdomain_free(mer_ptr ptr) {
    mer_check_single_valued("upc_all_atomicdomain_free", ptr.bits);
    if (!ptr.bits) {
        mer_barrier_check_outside("upc_all_atomicdomain_free");
        return;
    }
    struct mer_atomic_domain *domain = checked(ptr, "upc_all_atomicdomain_free");
    mer_barrier_collective("upc_all_atomicdomain_free");
    if (mer_job.mythread != 0 && !mer_by_message())
        return;
    domain->head.direct = domain->head.locked = domain->head.plain = 0;
    domain->alive = DOMAIN_FREED;
    if (mer_job.mythread == 0)
        mer_heap_free((int)mer_threadof(ptr.bits), mer_native(ptr.bits), "upc_all_atomicdomain_free");
}

/* ---- operations ------------------------------------------------------------------------------------ */

static size_t size_of_kind(int kind) {
    switch (kind) {
    case MER_I32:
    case MER_U32:
    case MER_F32:
        return 4;
    default: /* of a pointer, the half that determines its alignment */
        return 8;
    }
}

/* The checks that the fast path does not make.  Returns if the operation may be done. */
static void look_closely(mer_ptr ptr, upc_op_t op, mer_pptr target, const void *operand1,
                         const void *operand2, const char *name) {
    const struct mer_atomic_domain *domain = checked(ptr, name);
    char wanted[256], there[256];
    if (!op || (op & (op - 1)))
        mer_fatal("%s: op has to be a single operation, but is %s", name, ops_text(wanted, op));
    if (!(domain->head.ops & op))
        mer_fatal("%s: %s is not among the operations of the domain, which are %s on %s (UPC 7.6.4)", name,
                  ops_text(wanted, op), ops_text(there, domain->head.ops),
                  types[type_index(domain->type)].name);
    if (!target.bits)
        mer_fatal("%s: the target is a null pointer-to-shared", name);
    if (mer_native(target.bits) % size_of_kind(domain->head.kind))
        mer_fatal("%s: the target is not aligned for %s", name, types[type_index(domain->type)].name);
    bool alone = op & (MER_ATOMIC_GET | MER_ATOMIC_INC | MER_ATOMIC_DEC);
    if ((alone && operand1) || (op != MER_ATOMIC_CSWAP && operand2))
        mer_fatal("%s: %s does not use operand%d, which has to be null (UPC 7.6.4)", name,
                  ops_text(wanted, op), alone && operand1 ? 1 : 2);
}

/* The parameters of the two calls, in their order, which is that of the C interface: a function that passes
 * them on unchanged is a jump. */
#define PARAMETERS                                                                                           \
    mer_ptr ptr, void *fetch_ptr, upc_op_t op, mer_pptr target, const void *operand1, const void *operand2
#define ARGUMENTS ptr, fetch_ptr, op, target, operand1, operand2

/* True if the operation is plainly one, and in this set of the domain. */
#define PLAINLY(set)                                                                                         \
    __builtin_expect(ptr.bits &&target.bits &&                                                               \
                         (((struct mer_atomic_domain *)mer_at(ptr.bits))->head.set & op) &&                  \
                         !(op & (op - 1)),                                                                   \
                     1)

/* ---- by message ---------------------------------------------------------------------------------------- */

static bool is_known(unsigned kind, unsigned op) {
    return kind < MER_ATOMIC_KINDS && op < MER_ATOMIC_OPS && mer_atomic_table[kind][op];
}

/* An order to the owner of the target.  Only the operands that there are are sent: of a word each, or two for
 * a pointer. */
struct order {
    mer_u64 domain, target; /* the owner's addresses */
    uint32_t op;            /* number of its bit */
    uint16_t kind, operands;
    mer_u64 words[4];
};

/* The bytes of an operand, or of an old value. */
static size_t bytes_of_kind(int kind) { return kind == MER_PTS ? sizeof(mer_pptr) : size_of_kind(kind); }

static size_t words_of(int kind) { return kind == MER_PTS ? 2 : 1; }

static size_t obey(int caller, const void *in, void *out) {
    const struct order *order = in;
    mer_u64 *old = out;
    (void)caller;
    old[0] = old[1] = 0;
    mer_atomic_bias_for_handler();
    if (!is_known(order->kind, order->op))
        mer_fatal("an atomic operation of an unknown type: parts of the program were compiled by another "
                  "version of Meridian; compile all files again");
    mer_atomic_table[order->kind][order->op](
        mer_at(order->domain), old, mer_at(order->target), order->operands > 0 ? order->words : NULL,
        order->operands > 1 ? order->words + words_of(order->kind) : NULL);
    return 2 * sizeof *old;
}

/* Returns true if an operation can be a pair of a message (rma/write.c): without a result, and with one word
 * at most.  Pairs are done in the order in which they were begun, after earlier writes of the thread to that
 * owner and before its later reads there, like one-way calls; the next fence waits for them.  The code of all
 * kinds except pointers needs no domain. */
static bool in_a_pair(int kind, upc_op_t op, const void *fetch_ptr) {
    bool has_one = !(op & (MER_ATOMIC_GET | MER_ATOMIC_CSWAP));
    return !fetch_ptr && has_one && kind != MER_PTS && mer_job.has_remote;
}

static void change(mer_u64 tagged, const mer_u64 *operand) {
    unsigned how = (unsigned)mer_am_tag(tagged);
    if (__builtin_expect(!is_known(how / MER_ATOMIC_OPS, how % MER_ATOMIC_OPS), 0))
        mer_fatal("an atomic operation of an unknown type: parts of the program were compiled by another "
                  "version of Meridian; compile all files again");
    mer_atomic_table[how / MER_ATOMIC_OPS][how % MER_ATOMIC_OPS](NULL, NULL, mer_at(tagged), operand, NULL);
}

/* pairs: the object's address with kind and operation, and the operand */
static void on_atomics(struct mer_am_message *m) {
    const mer_u64 *pair = m->payload, *end = pair + m->length / sizeof *pair;
    mer_atomic_bias_for_handler();
    for (; pair < end; pair += 2)
        change(pair[0], &pair[1]);
}

/* words: the object's address with kind and operation, which needs no operand.  Increments of 64 bits, which
 * are the most usual, need no call. */
static bool increments(mer_u64 tagged) {
    mer_u64 how = mer_am_tag(tagged);
    return how == MER_ATOMIC_HOW(MER_I64, MER_ATOMIC_INC) || how == MER_ATOMIC_HOW(MER_U64, MER_ATOMIC_INC);
}
static void on_counts(struct mer_am_message *m) {
    const mer_u64 *word = m->payload, *end = word + m->length / sizeof *word;
    bool alone = mer_atomic_bias_for_handler();
    while (word < end) {
        mer_u64 how = mer_am_tag(*word);
        if (!increments(*word))
            change(*word++, NULL);
        else if (alone)
            for (; word < end && mer_am_tag(*word) == how; word++)
                ++*(mer_u64 *)mer_at(*word);
        else
            __atomic_fetch_add((mer_u64 *)mer_at(*word++), 1, __ATOMIC_RELAXED);
    }
}

/* Returns false if the owner is on this host; then nothing is sent. */
static bool send_pair(int kind, upc_op_t op, mer_pptr target, const void *operand) {
    mer_u64 word = 0, how = MER_ATOMIC_HOW(kind, op);
    if (operand)
        memcpy(&word, operand, size_of_kind(kind));
    return mer_rma_change((int)mer_threadof(target.bits), operand ? MER_AM_ATOMICS : MER_AM_COUNTS,
                          mer_am_tagged(target.bits & MER_ADDR_MASK, how), word);
}

static __attribute__((noinline)) int send_closely(mer_u64 bits, mer_u64 operand, unsigned kind, unsigned op) {
    mer_record_begin();
    bool sent = send_pair((int)kind, op, mer_mkp(bits, 0),
                          op & (MER_ATOMIC_INC | MER_ATOMIC_DEC) ? NULL : &operand);
    mer_record_end(sent ? MER_RECORD_ATOMIC : MER_RECORD_NOTHING, (int)mer_threadof(bits), 0);
    return sent;
}

/* In a loop all except the first few find a row of pairs open. */
int mer_atomic_send(mer_u64 bits, mer_u64 operand, unsigned kind, unsigned op) {
    int to = (int)mer_threadof(bits);
    mer_u64 word = mer_am_tagged(bits & MER_ADDR_MASK, MER_ATOMIC_HOW(kind, op));
    bool sent = op & (MER_ATOMIC_INC | MER_ATOMIC_DEC)
                    ? mer_am_word_quick(to, MER_AM_COUNTS, word)
                    : mer_am_pair_quick(to, MER_AM_ATOMICS, word, operand, NULL);
    return sent || send_closely(bits, operand, kind, op);
}

/* Ends the job with a message if a pointer that the operation needs is null. */
static void check_operands(upc_op_t op, const void *fetch_ptr, const void *operand1, const void *operand2) {
    char name[256];
    if (op == MER_ATOMIC_GET && !fetch_ptr)
        mer_atomic_missing("fetch_ptr", ops_text(name, op));
    if (!(op & (MER_ATOMIC_GET | MER_ATOMIC_INC | MER_ATOMIC_DEC)) && !operand1)
        mer_atomic_missing("operand1", ops_text(name, op));
    if (op == MER_ATOMIC_CSWAP && !operand2)
        mer_atomic_missing("operand2", ops_text(name, op));
}

/* Makes the order to the owner of the target.  Returns its bytes. */
static size_t order_for(struct order *order, mer_ptr ptr, upc_op_t op, mer_pptr target, const void *operand1,
                        const void *operand2) {
    int kind = copy_of(ptr)->head.kind;
    mer_u64 owner = mer_threadof(target.bits);
    *order = (struct order){mer_bits(owner, mer_native(ptr.bits)) & MER_ADDR_MASK,
                            target.bits & MER_ADDR_MASK,
                            (uint32_t)__builtin_ctzl(op),
                            (uint16_t)kind,
                            (uint16_t)(operand2   ? 2
                                       : operand1 ? 1
                                                  : 0),
                            {0}};
    if (operand1)
        memcpy(order->words, operand1, bytes_of_kind(kind));
    if (operand2)
        memcpy(order->words + words_of(kind), operand2, bytes_of_kind(kind));
    return offsetof(struct order, words) + order->operands * words_of(kind) * sizeof *order->words;
}

static void ask_owner(PARAMETERS) {
    int kind = copy_of(ptr)->head.kind;
    check_operands(op, fetch_ptr, operand1, operand2);
    if (in_a_pair(kind, op, fetch_ptr) && send_pair(kind, op, target, operand1))
        return;
    int owner = (int)mer_threadof(target.bits);
    struct order order;
    size_t length = order_for(&order, ptr, op, target, operand1, operand2);
    mer_u64 old[2];
    if (!fetch_ptr && mer_job.has_remote) { /* many of these travel together; the next fence waits for them */
        mer_rma_call_one_way(owner, obey, &order, length);
        return;
    }
    mer_am_call(owner, obey, &order, length, old, sizeof old);
    if (fetch_ptr)
        memcpy(fetch_ptr, old, bytes_of_kind(kind));
}

/* Does an operation in a job with remote memory: with the owner's copy of the domain, whether this thread or
 * the owner does it. */
static void do_by_owner(PARAMETERS) {
    mer_u64 owner = mer_threadof(target.bits);
    if (!mer_is_local(target.bits)) {
        ask_owner(ARGUMENTS);
        return;
    }
    struct mer_atomic_domain *domain = mer_view((int)owner, mer_native(ptr.bits));
    mer_atomic_bias_elsewhere();
    mer_atomic_table[domain->head.kind][__builtin_ctzl(op)](domain, fetch_ptr, mer_at(target.bits), operand1,
                                                            operand2);
}

/* ---- local --------------------------------------------------------------------------------------------- */

static inline void do_relaxed(PARAMETERS) {
    struct mer_atomic_domain *domain = mer_at(ptr.bits);
    mer_atomic_table[domain->head.kind][__builtin_ctzl(op)](domain, fetch_ptr, mer_at(target.bits), operand1,
                                                            operand2);
}

/* A strict access: all before it is complete, nothing after it has begun (B.3).  Partners of the fences: the
 * strict accesses and fences of other threads. */
static void do_fenced(PARAMETERS) {
    mer_fence();
    do_relaxed(ARGUMENTS);
#if defined(__x86_64__)
    if (op != MER_ATOMIC_SET) { /* the others read, or end in a locked instruction: nothing overtakes them */
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        return;
    }
#endif
    mer_fence();
}

/* The strict operations that locked_ops does not cover. */
static void do_strict(PARAMETERS) {
#if defined(__x86_64__)
    const struct mer_atomic_domain *domain = mer_at(ptr.bits);
    static _Thread_local uint64_t unwanted;
    if (op == MER_ATOMIC_SET && domain->head.kind <= MER_F64) {
        if (!fetch_ptr)
            fetch_ptr = &unwanted; /* makes it an exchange, which is locked */
        do_relaxed(ARGUMENTS);
        return;
    }
#endif
    do_fenced(ARGUMENTS);
}

/* As PLAINLY, between hosts: for this thread's copy of the domain. */
static inline bool is_plain(mer_ptr ptr, upc_op_t op, mer_pptr target, const void *operand1) {
    if (!ptr.bits || !target.bits || (op & (op - 1)) || !(copy_of(ptr)->head.plain & op))
        return false;
    bool operand = !(op & (MER_ATOMIC_INC | MER_ATOMIC_DEC));
    return operand == (operand1 != NULL) && target.bits % size_of_kind(copy_of(ptr)->head.kind) == 0;
}

/* Does an operation without a result, as loops over many objects do.  Returns false if it is none of the
 * plain ones, or cannot be a pair; then nothing is done. */
static inline bool done_plainly(PARAMETERS) {
    if (fetch_ptr || operand2 || !is_plain(ptr, op, target, operand1))
        return false;
    int kind = copy_of(ptr)->head.kind;
    if (!in_a_pair(kind, op, fetch_ptr))
        return false;
    if (mer_remote(target.bits))
        return send_pair(kind, op, target, operand1);
    mer_atomic_bias_elsewhere();
    mer_atomic_table[kind][__builtin_ctzl(op)](NULL, NULL, mer_at(target.bits), operand1, NULL);
    return true;
}

static __attribute__((noinline, cold)) void relaxed_closely(PARAMETERS) {
    look_closely(ptr, op, target, operand1, operand2, "upc_atomic_relaxed");
    if (mer_by_message())
        do_by_owner(ARGUMENTS);
    else
        do_relaxed(ARGUMENTS);
}

static __attribute__((noinline, cold)) void strict_closely(PARAMETERS) {
    look_closely(ptr, op, target, operand1, operand2, "upc_atomic_strict");
    if (!mer_by_message()) {
        do_strict(ARGUMENTS);
        return;
    }
    mer_fence();
    do_by_owner(ARGUMENTS);
    mer_fence();
}

/* An operation on local memory counts as computing. */
static enum mer_record_kind recorded_kind(mer_u64 target) {
    return mer_remote(target) ? MER_RECORD_ATOMIC : MER_RECORD_NOTHING;
}

void mer_atomic_relaxed_call(PARAMETERS) {
    if (!MER_HAS_REMOTE && PLAINLY(direct)) { /* a domain's first copy may be on another host */
        do_relaxed(ARGUMENTS);
    } else {
        mer_record_begin();
        if (!done_plainly(ARGUMENTS))
            relaxed_closely(ARGUMENTS);
        mer_record_end(recorded_kind(target.bits), (int)mer_threadof(target.bits), 0);
    }
}

void mer_atomic_start(PARAMETERS, int *waiting) {
    struct order order;
    mer_record_begin();
    look_closely(ptr, op, target, operand1, operand2, "upc_atomic_relaxed");
    check_operands(op, fetch_ptr, operand1, operand2);
    size_t length = order_for(&order, ptr, op, target, operand1, operand2);
    mer_am_call_start((int)mer_threadof(target.bits), obey, &order, length, fetch_ptr,
                      bytes_of_kind(copy_of(ptr)->head.kind), waiting);
    mer_record_end(MER_RECORD_ATOMIC, (int)mer_threadof(target.bits), 0);
}

void mer_atomic_strict_call(PARAMETERS) {
    if (MER_HAS_REMOTE) {
        mer_record_begin();
        strict_closely(ARGUMENTS);
        mer_record_end(recorded_kind(target.bits), (int)mer_threadof(target.bits), 0);
    } else if (PLAINLY(locked))
        do_relaxed(ARGUMENTS);
    else if (PLAINLY(direct))
        do_strict(ARGUMENTS);
    else
        strict_closely(ARGUMENTS);
}

/* For pointers to the functions; calls are macros of <upc_atomic.h>. */
void upc_atomic_relaxed(PARAMETERS) { mer_atomic_relaxed_call(ARGUMENTS); }
void upc_atomic_strict(PARAMETERS) { mer_atomic_strict_call(ARGUMENTS); }

int upc_atomic_isfast(upc_type_t type, upc_op_t ops, mer_pptr addr) {
    int index = type_index(type);
    if (index < 0 || (ops & ~types[index].ops))
        return 0;
    upc_op_t single = MER_OPS_ACCESS;
    if (types[index].kind <= MER_U64)
        single |= MER_OPS_BITWISE | UPC_ADD | MER_ATOMIC_SUB | MER_ATOMIC_INC | MER_ATOMIC_DEC;
    if (types[index].kind == MER_PTS) {
        struct mer_atomic_domain machine = {0};
        mer_atomic_pts_probe(&machine);
        if (!machine.wide || !machine.wide_moves || mer_native(addr.bits) % 16)
            return 0;
    }
    return !(ops & ~single) && mer_native(addr.bits) % size_of_kind(types[index].kind) == 0;
}
