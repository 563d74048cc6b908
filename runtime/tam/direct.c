/* Support for the C functions of compiled programs, which compute on the C stack as far as they can at once.
 *
 * A call of Id begins its function at once and needs nothing of it until a result is used.  So a function
 * whose arguments are all there may as well be computed as a C function, in an order in which each operation
 * has its operands, as long as nobody waits for it to end.  If an element is not there yet, the C function
 * makes an activation of the rest of it, with the element as a late parameter, and returns that.  Its caller
 * does the same, with the results as late parameters, and tells the first activation where they go
 * (tam_hand); no other code runs between the two.  The rest runs as threads, which wait for nothing but their
 * operands.  So a program that ends by threads ends by C functions too.
 *
 * C functions end likewise when the stack is used up.  They look now and then whether output is to be shown
 * and, if there are other processors, for messages.  If another processor asks for work, they end, so that
 * the rest can be given away (share.c).  For the tests C functions look sooner, and also end at random
 * (MERIDIAN_TAM_ORDER). */
#include "tam/direct.h"

#include "host/job.h"
#include "host/resources.h"
#include "tam/activation.h"
#include "tam/collection.h"
#include "tam/count.h"
#include "tam/item.h"
#include "tam/order.h"
#include "tam/quantum.h"
#include "tam/share.h"
#include "tam/world.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#define MOST 56              /* arguments of a closure that is applied here */
#define STACK_MOST (1 << 30) /* bytes of the C stack that are used at most */
#define STACK_KEPT (1 << 22) /* of these, for callees of C functions, and below them for the kernel's gap */

/* Finds the bounds of the mapping in which an address lies, and the end of the one below it.  Returns 0 if
 * the system does not say. */
static int find_mapping(uintptr_t address, uintptr_t *low, uintptr_t *high, uintptr_t *below) {
    FILE *maps = fopen("/proc/self/maps", "re");
    if (!maps)
        return 0;
    char *line = NULL;
    size_t capacity = 0;
    int found = 0;
    for (*below = 0; !found && getline(&line, &capacity, maps) > 0; *below = found ? *below : *high) {
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR, low, high) != 2)
            break;
        found = *low <= address && address < *high;
    }
    free(line);
    fclose(maps);
    return found;
}

/* The kernel lets the stack of the first thread grow up to the limit that is in force when it grows, where
 * nothing else is mapped.  The usual limit, 8 MB, is raised as far as it may be: recursion that is deeper
 * than the stack runs as threads, at many times the cost.  If memory is limited, or little of it is left, the
 * stack gets a part of it. */
void tam_direct_start(void) {
    uintptr_t low, top = (uintptr_t)__builtin_frame_address(0), below;
    struct rlimit stack, memory;
    size_t bytes = STACK_MOST;
    if (getrlimit(RLIMIT_AS, &memory) == 0 && memory.rlim_cur / 16 < bytes)
        bytes = memory.rlim_cur / 16;
    int limited;
    uint64_t part = mer_memory_available(&limited) / (4 * (unsigned)mer_job.here);
    if (part < bytes)
        bytes = part;
    bool grows = find_mapping(top, &low, &top, &below);
    if (grows && top - below < bytes)
        bytes = top - below;
    if (getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur < bytes) {
        struct rlimit raised = {stack.rlim_max < bytes ? stack.rlim_max : bytes, stack.rlim_max};
        bytes = grows && setrlimit(RLIMIT_STACK, &raised) == 0 ? raised.rlim_cur : stack.rlim_cur;
    }
    tam_registers.stack_end = top - (bytes - (bytes / 2 < STACK_KEPT ? bytes / 2 : STACK_KEPT));
}

int tam_must_end(void) {
    if (tam.quanta.ending)
        return 1;
    tam_world_show();
    if (!tam.order.state && tam.processors == 1) {
        tam_registers.fuel = tam_slice();
        return 0;
    }
    if (!tam.order.state || (tam.processors > 1 && tam_order_random() % 4)) {
        TAM_NOTE(POLLS);
        mer_am_poll();
        tam_collection_poll();
        if (tam.items.first)
            tam_items_run();
        tam_registers.fuel = tam.order.state ? tam_order_random() % 64 : tam_slice();
        if (!tam_share_must_split())
            return 0;
        tam.quanta.split = true;
        tam_registers.fuel = -1;
    }
    tam.quanta.ending = true;
    return 1;
}

struct tam_frame *tam_rest(struct tam_join *join, const struct tam_codeblock *codeblock,
                           const tam_word *args) {
    TAM_NOTE(LEFT);
    return tam_activation_begin(join, codeblock, args, 0, 0);
}

struct tam_frame *tam_later(struct tam_join *join, const struct tam_codeblock *codeblock,
                            const tam_word *args, int results) {
    TAM_NOTE(LEFT);
    struct tam_frame *frame = tam_activation_begin(join, codeblock, args, 0, 0);
    frame->direct = 0;
    if (!results)
        tam_activation_end_if_empty(frame);
    return frame;
}

void tam_fetch_late(struct tam_frame *rest, unsigned param, tam_word object, enum tam_mode mode,
                    unsigned dims, int64_t i, int64_t j, int64_t k, uint32_t site) {
    rest->outstanding--; /* counted when the activation began, and again in tam_fetch */
    tam_fetch(rest, param, object, mode, dims, i, j, k, site);
}

void tam_apply_late(struct tam_frame *rest, unsigned param, tam_word closure, const tam_word *args,
                    unsigned count, uint32_t site) {
    rest->outstanding--;
    tam_apply(rest, param, closure, args, count, 0, site);
}

int tam_apply_now(struct tam_join *join, tam_word closure, const tam_word *args, unsigned count,
                  struct tam_value *result) {
    if (tam_registers.spread || !tam_is_local(closure))
        return 0;
    struct tam_object *object = tam_at(closure);
    const struct tam_codeblock *codeblock = tam.program->codeblocks[object->closure - 1];
    unsigned held = object->size;
    if (!codeblock->direct || held + count != codeblock->params || codeblock->params > MOST ||
        (codeblock->io && tam.me != 0) || tam_call_waits())
        return 0;
    tam_word all[MOST];
    for (unsigned n = 0; n < held; n++) {
        if (*tam_field_state(object, n) != TAM_FULL)
            return 0;
        all[n] = object->v[n];
    }
    for (unsigned n = 0; n < count; n++)
        all[held + n] = args[n];
    *result = codeblock->direct(join, all);
    return 1;
}

/* Frees the join if only the caller's own count is left. */
int tam_join_over(struct tam_join *join) {
    if (join->count != 1)
        return 0;
    free(join);
    return 1;
}

void tam_join_wait(struct tam_join *join, struct tam_frame *rest, unsigned param) {
    join->frame = rest;
    join->inlet = (uint16_t)param;
    tam_join_end(join);
}
