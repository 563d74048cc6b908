/* <upc_collective.h>, computation (UPC 7.4.3): the 22 functions by type, over the reductions of coll. */
#include "dialect/upc/collective.h"

#include "coll/kernel.h"
#include "host/job.h"
#include "base/fatal.h"
#include "base/record.h"
#include "base/rva.h"
#include "base/settings.h"

struct call {
    const char *name;
    bool prefix;
    const struct mer_kernel *kernel;
    mer_pptr dst, src;
    upc_op_t op;
    size_t nelems, blk_size;
    mer_function *func;
    upc_flag_t flags;
    const void *place; /* where the call returns to, for recordings */
};

static int op_of(upc_op_t op) {
    switch (op) {
    case UPC_ADD:
        return MER_OP_ADD;
    case UPC_MULT:
        return MER_OP_MULT;
    case UPC_AND:
        return MER_OP_AND;
    case UPC_OR:
        return MER_OP_OR;
    case UPC_XOR:
        return MER_OP_XOR;
    case UPC_LOGAND:
        return MER_OP_LOGAND;
    case UPC_LOGOR:
        return MER_OP_LOGOR;
    case UPC_MIN:
        return MER_OP_MIN;
    case UPC_MAX:
        return MER_OP_MAX;
    case UPC_FUNC:
    case UPC_NONCOMM_FUNC:
        return MER_OP_FUNC;
    default:
        return -1;
    }
}

/* Refuses arguments that the standard leaves undefined and that would end in a wild jump or access. */
static void refuse_impossible(const struct call *c, int op) {
    if (op < 0)
        mer_fatal("%s: op is 0x%lx, which is no operation of <upc_collective.h>", c->name, c->op);
    if (!c->kernel->fold[op])
        mer_fatal("%s: UPC_%s has no meaning for %s (UPC 7.4.3 p1)", c->name,
                  op == MER_OP_AND  ? "AND"
                  : op == MER_OP_OR ? "OR"
                                    : "XOR",
                  c->kernel->type);
    if (op == MER_OP_FUNC && !c->func)
        mer_fatal("%s: op is %s, but func is null", c->name,
                  c->op == UPC_FUNC ? "UPC_FUNC" : "UPC_NONCOMM_FUNC");
    if (!c->dst.bits || !c->src.bits)
        mer_fatal("%s: %s is null", c->name, c->dst.bits ? "src" : "dst");
    if (c->nelems > MER_VIEW_SIZE / c->kernel->size)
        mer_fatal("%s: nelems is %zu%s, more than there is shared memory for", c->name, c->nelems,
                  (ptrdiff_t)c->nelems < 0 ? " (a negative number)" : "");
}

/* MERIDIAN_CHECK=1 */
static void check(const struct call *c) {
    mer_pptr dst = c->prefix ? c->dst : mer_phase0(c->dst); /* a reduction's is shared TYPE * */
    struct mer_check_argument a[7] = {
        {"dst", MER_CHECK_POINTER, dst},
        {"src", MER_CHECK_POINTER, c->src},
        {"op", MER_CHECK_OP, {c->op, 0}},
        {"nelems", MER_CHECK_SIZE, {c->nelems, 0}},
        {"blk_size", MER_CHECK_SIZE, {c->blk_size, 0}},
        {"flags", MER_CHECK_FLAGS, {(mer_u64)c->flags, 0}},
        {"func", MER_CHECK_FUNCTION, {mer_rva_of((const void *)(uintptr_t)c->func), 0}}};
    const char *where = mer_check_alike(c->name, a, c->op == UPC_FUNC || c->op == UPC_NONCOMM_FUNC ? 7 : 6);
    mer_upc_check_flags(c->name, where, c->flags);
    if (c->blk_size && c->src.phase >= c->blk_size)
        mer_check_refuse(c->name, where, "src has phase %llu, but blk_size is %zu",
                         (unsigned long long)c->src.phase, c->blk_size);
    if (c->prefix && mer_threadof(c->src.bits) != mer_threadof(c->dst.bits))
        mer_check_refuse(c->name, where,
                         "src has affinity to thread %d and dst to thread %d; they have to match "
                         "(UPC 7.4.3.1 p9)",
                         (int)mer_threadof(c->src.bits), (int)mer_threadof(c->dst.bits));
    if (c->prefix && c->blk_size && c->src.phase != c->dst.phase)
        mer_check_refuse(c->name, where,
                         "src has phase %llu and dst phase %llu; they have to match (UPC 7.4.3.1 p9)",
                         (unsigned long long)c->src.phase, (unsigned long long)c->dst.phase);
}

static void compute(const struct call *c) {
    if (__builtin_expect(mer_setting(CHECK) != 0, 0))
        check(c);
    int op = op_of(c->op);
    refuse_impossible(c, op);
    struct mer_reduction r = {.kernel = c->kernel,
                              .op = op,
                              .func = c->func,
                              .commutes = c->op != UPC_NONCOMM_FUNC,
                              .in = mer_upc_in(c->flags),
                              .out = mer_upc_out(c->flags),
                              .name = c->name,
                              .dst = c->dst,
                              .src = c->src,
                              .nelems = c->nelems,
                              .block = c->blk_size};
    mer_record_begin_at(c->place);
    (c->prefix ? mer_coll_prefix : mer_coll_reduce)(&r);
    mer_record_end(c->prefix ? MER_RECORD_PREFIX : MER_RECORD_REDUCE, (int)mer_threadof(r.dst.bits),
                   r.kernel->size);
}

#define DEFINE_(NAME, T, TYPE, PREFIX)                                                                       \
    void NAME(mer_pptr dst, mer_pptr src, upc_op_t op, size_t nelems, size_t blk_size,                       \
              TYPE (*func)(TYPE, TYPE), upc_flag_t flags) {                                                  \
        compute(&(struct call){#NAME, PREFIX, &mer_kernel_##T, dst, src, op, nelems, blk_size,               \
                               (mer_function *)func, flags, __builtin_return_address(0)});                   \
    }
#define DEFINE(T, TYPE)                                                                                      \
    DEFINE_(upc_all_reduce##T, T, TYPE, false)                                                               \
    DEFINE_(upc_all_prefix_reduce##T, T, TYPE, true)
MER_UPC_ELEMENTS(DEFINE)
