/* Arguments compared between threads.  Each thread contributes a record of its call to the allgather in a
 * barrier, and compares the record with thread 0's. */
#include "coll/check.h"

#include "host/job.h"
#include "base/fatal.h"
#include "base/rva.h"
#include "base/settings.h"
#include "sync/barrier.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *mer_coll_where;

struct record {
    uint64_t number;     /* distinguishes the record from the contributions of other calls */
    mer_rva call, where; /* the call's name, and its place in the program */
    int count;
    struct mer_check_argument argument[MER_CHECK_ARGUMENTS];
};

static_assert(sizeof(struct record) <= 512, "a record fits also in jobs of thousands of threads");

/* The number of checked calls of this thread so far, so that the record of another call has another number.
 */
static uint64_t calls;

#define TEXT_SIZE 320

static const char *place_text(char text[TEXT_SIZE], mer_rva where) {
    if (where)
        snprintf(text, TEXT_SIZE, " (%.300s)", mer_where_text(where));
    else
        text[0] = 0;
    return text;
}

static const char *op_name(mer_u64 op) {
    static const char *const names[] = {"UPC_ADD", "UPC_MULT",   "UPC_AND",         "UPC_OR",
                                        "UPC_XOR", "UPC_LOGAND", "UPC_LOGOR",       "UPC_MIN",
                                        "UPC_MAX", "UPC_FUNC",   "UPC_NONCOMM_FUNC"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (op == 1UL << i)
            return names[i];
    return NULL;
}

static void flags_text(char text[TEXT_SIZE], mer_u64 flags) {
    static const char *const names[] = {"UPC_IN_ALLSYNC",  "UPC_IN_MYSYNC",  "UPC_IN_NOSYNC",
                                        "UPC_OUT_ALLSYNC", "UPC_OUT_MYSYNC", "UPC_OUT_NOSYNC"};
    size_t length = 0;
    for (unsigned i = 0; i < 6; i++)
        if (flags >> i & 1)
            length += (size_t)snprintf(text + length, TEXT_SIZE - length, "%s%s", length ? " | " : "",
                                       names[i]);
    if (flags >> 6 || !flags)
        snprintf(text + length, TEXT_SIZE - length, "%s0x%llx", length ? " | " : "",
                 (unsigned long long)(flags >> 6 << 6));
}

static const char *value_text(char text[TEXT_SIZE], const struct mer_check_argument *a) {
    mer_u64 v = a->value.bits;
    switch (a->kind) {
    case MER_CHECK_SIZE:
        snprintf(text, TEXT_SIZE, "%llu", (unsigned long long)v);
        break;
    case MER_CHECK_POINTER:
        if (!v)
            snprintf(text, TEXT_SIZE, "null");
        else
            snprintf(text, TEXT_SIZE, "(thread %llu, address 0x%llx, phase %llu)",
                     (unsigned long long)mer_threadof(v), (unsigned long long)mer_native(v),
                     (unsigned long long)a->value.phase);
        break;
    case MER_CHECK_OP:
        if (op_name(v))
            snprintf(text, TEXT_SIZE, "%s", op_name(v));
        else
            snprintf(text, TEXT_SIZE, "0x%llx", (unsigned long long)v);
        break;
    case MER_CHECK_FLAGS:
        flags_text(text, v);
        break;
    case MER_CHECK_FUNCTION:
        snprintf(text, TEXT_SIZE, "the function at 0x%llx of its image", (unsigned long long)(uint32_t)v);
        break;
    }
    return text;
}

static _Noreturn void other_call(const struct record *mine, const struct record *theirs) {
    char here[TEXT_SIZE], there[TEXT_SIZE];
    mer_fatal_placed(
        "thread %d calls %s%s, while thread 0 calls %s%s. Every thread has to make the same sequence of "
        "collective calls (UPC 7.4 p2)",
        mer_job.mythread, mer_where_text(mine->call), place_text(here, mine->where),
        mer_where_text(theirs->call), place_text(there, theirs->where));
}

static _Noreturn void differ(const struct record *mine, const struct record *theirs, int i) {
    char here[TEXT_SIZE], there[TEXT_SIZE], my_value[TEXT_SIZE], their_value[TEXT_SIZE];
    mer_fatal_placed("%s: the threads' arguments differ: %s is %s on thread 0%s, but %s on thread %d%s. "
                     "Every thread has to pass the same arguments (UPC 7.4 p3)",
                     mer_where_text(mine->call), mine->argument[i].name,
                     value_text(their_value, &theirs->argument[i]), place_text(there, theirs->where),
                     value_text(my_value, &mine->argument[i]), mer_job.mythread,
                     place_text(here, mine->where));
}

/* The caller has set the phases of operands that are "treated as if" they had phase 0 to 0. */
static bool same(const struct mer_check_argument *a, const struct mer_check_argument *b) {
    return a->value.bits == b->value.bits &&
           (a->kind != MER_CHECK_POINTER || a->value.phase == b->value.phase);
}

const char *mer_check_alike(const char *call, const struct mer_check_argument *arguments, int count) {
    const char *where = mer_coll_where;
    mer_coll_where = NULL;
    calls++;
    struct record own = {.number = 0x636f6c6c00000000ULL + calls,
                         .call = mer_rva_of(call),
                         .where = mer_rva_of(where),
                         .count = count};
    const struct record *mine = &own, *theirs;
    memcpy(own.argument, arguments, (size_t)count * sizeof *arguments);
    mer_barrier_compared();
    mer_barrier_allgather(call, &own, sizeof own);
    theirs = mer_barrier_gathered(0);
    if (theirs->number != own.number)
        mer_fatal(
            "thread %d calls %s, while thread 0 is in another collective call. Every thread has to make "
            "the same sequence of collective calls (UPC 7.4 p2)",
            mer_job.mythread, call);
    if (mine->call != theirs->call)
        other_call(mine, theirs);
    for (int i = 0; i < count; i++)
        if (!same(&mine->argument[i], &theirs->argument[i]))
            differ(mine, theirs, i);
    return where;
}

void mer_check_refuse(const char *call, const char *where, const char *format, ...) {
    char text[TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (where)
        mer_fatal_placed("%s at %s: %s", call, where, text);
    mer_fatal("%s: %s", call, text);
}
