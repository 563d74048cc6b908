/* The message of a thread that waits long, once for each wait; the word waited on and its content identify a
 * wait.
 */
#include "sync/stall.h"

#include "host/job.h"
#include "base/fatal.h"
#include "base/settings.h"
#include "sync/barrier.h"
#include "base/mutex.h"
#include "base/wait.h"

static bool in_spans(const void *word) {
    return (uint64_t)(uintptr_t)word - MER_VIEW_BASE < (uint64_t)mer_job.threads * mer_job.span;
}

static void say(const void *word, const char *what) {
    static const void *said_word;
    static uint32_t said_content;
    uint32_t content = __atomic_load_n((const uint32_t *)word, __ATOMIC_RELAXED);
    if (word == said_word && content == said_content)
        return;
    said_word = word;
    said_content = content;
    what = what ? what : "a library call";
    if (mer_barrier_owns(word))
        mer_barrier_describe_wait(what);
    else if (in_spans(word) && content & MER_MUTEX_SLEEPERS) /* a mutex: no event's number is so high */
        mer_warn("has waited for %ld s in %s for an object that thread %u holds", mer_setting(STALL_SECONDS),
                 what, (content & ~MER_MUTEX_SLEEPERS) - 1);
    else
        mer_warn("has waited for %ld s in %s", mer_setting(STALL_SECONDS), what);
}

void mer_stall_configure(void) {
    if (!mer_setting(CHECK))
        return;
    mer_wait_stall_ns = (uint64_t)mer_setting(STALL_SECONDS) * 1000000000;
    mer_wait_stalled = say;
}
