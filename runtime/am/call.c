/* Two-way calls: a function of the runtime that runs in the process whose memory it works on.
 *
 * The request carries the function's RVA (base/rva.h) and its argument; the reply brings its result.  Owners
 * serve other threads by such calls: UPC's atomics, locks, semaphores, the heap, copies within their memory.
 * A service runs in a handler: it may neither send nor wait.  Services exclude each other by the lock of the
 * transport or of the rings (progress.c), also if the progress thread runs one while the thread calls
 * itself.
 */
#include "am/call.h"

#include "am/am.h"
#include "am/handlers.h"
#include "am/progress.h"

#include "transport/transport.h"
#include "host/job.h"
#include "base/fatal.h"
#include "base/rva.h"

#include <stdlib.h>
#include <string.h>

#define ME mer_job.mythread

enum { IN_WORDS = 6, OUT_WORDS = 7 }; /* words of the argument and of the answer in short messages */
static_assert(MER_AM_RESULT_MOST == OUT_WORDS * sizeof(mer_u64), "answers are short messages");

/* A call that is under way: on the caller's stack if the caller waits for it, in the C heap if it is
 * counted. */
struct call {
    void *out;
    size_t length;
    int *waiting;
    bool counted;
};

size_t mer_am_serve(mer_am_service *service, int caller, const void *in, void *out) {
    bool guarded = mer_transport_guard(mer_transport), held = mer_am_progress_guard();
    size_t n = service(caller, in, out);
    mer_am_progress_unguard(held);
    mer_transport_unguard(mer_transport, guarded);
    return n;
}

/* words: call, service, and if there is no payload its argument */
static void on_two_way(struct mer_am_message *m) {
    mer_am_service *service = (mer_am_service *)mer_rva_to_code(m->args[1], m->source);
    mer_u64 words[1 + OUT_WORDS] = {m->args[0]};
    size_t n = mer_am_serve(service, m->source, m->payload ? m->payload : (const void *)&m->args[2],
                            &words[1]);
    mer_am_reply(m, MER_AM_CALLED, words, 1 + (int)((n + 7) / 8));
}

static void on_called(struct mer_am_message *m) {
    struct call *call = (struct call *)(uintptr_t)m->args[0];
    int *waiting = call->waiting;
    if (call->length)
        memcpy(call->out, &m->args[1], call->length);
    if (call->counted)
        free(call);
    --*waiting;
}

void mer_call_handlers(void) {
    mer_am_set_handler(MER_AM_CALL, on_two_way, MER_HANDLER_MEMORY);
    mer_am_set_handler(MER_AM_CALLED, on_called, 0);
}

/* Sends the request of a call. */
static void request(int to, struct call *call, mer_am_service *service, const void *in, size_t n) {
    mer_u64 words[2 + IN_WORDS];
    words[0] = (mer_u64)(uintptr_t)call;
    words[1] = mer_rva_of_code((mer_rva_code *)service);
    if (n > IN_WORDS * sizeof *words) {
        mer_am_request_medium(to, MER_AM_CALL, in, n, words, 2);
    } else {
        memcpy(&words[2], in, n);
        mer_am_request(to, MER_AM_CALL, words, 2 + (int)((n + 7) / 8));
    }
}

/* Runs a service on this thread. */
static void serve_here(mer_am_service *service, const void *in, void *out, size_t m) {
    mer_u64 answer[OUT_WORDS];
    mer_am_serve(service, ME, in, answer);
    if (m)
        memcpy(out, answer, m);
}

void mer_am_call(int to, mer_am_service *service, const void *in, size_t n, void *out, size_t m) {
    int waiting = 1;
    struct call call = {out, m, &waiting, false};
    if (to == ME) {
        serve_here(service, in, out, m);
        return;
    }
    request(to, &call, service, in, n);
    MER_AM_WAIT_UNTIL(*(const volatile int *)&waiting == 0);
}

void mer_am_call_start(int to, mer_am_service *service, const void *in, size_t n, void *out, size_t m,
                       int *waiting) {
    struct call *call = to == ME ? NULL : malloc(sizeof *call);
    if (!call) {
        mer_am_call(to, service, in, n, out, m);
        return;
    }
    *call = (struct call){out, m, waiting, true};
    ++*waiting; /* first: the answer may come within the request */
    request(to, call, service, in, n);
}

void mer_am_call_host(int t, mer_am_service *service, const void *in, size_t n, void *out, size_t m) {
    mer_u64 answer[OUT_WORDS];
    if (!mer_on_host(t)) {
        mer_am_call(t, service, in, n, out, m);
        return;
    }
    service(ME, in, answer);
    if (m)
        memcpy(out, answer, m);
}
