/* The progress thread of one end: serves requests of other hosts for this thread's memory while the thread
 * computes or sleeps, and sends what it has left unsent. */
#ifndef MER_TRANSPORT_PROGRESS_H
#define MER_TRANSPORT_PROGRESS_H

#include "base/settings.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct mer_transport;

struct mer_progress {
    pthread_t thread;
    int descriptor; /* the conduit's, to sleep on */
    int alarm_fd;
    uint32_t resting; /* futex: 1 while the thread of the program sleeps */
    bool running;
    bool stop; /* atomic */
};

/* After how long without a poll of the thread a progress thread takes its messages. */
static inline uint64_t mer_progress_nap_ns(void) { return (uint64_t)mer_setting(NAP) * 1000; }

void mer_progress_start(struct mer_transport *end, int wait_fd);
/* It has ended on return; nothing, if it does not run. */
void mer_progress_stop(struct mer_transport *end);
/* There is something to send, and the progress thread sleeps on the descriptor. */
void mer_progress_alarm(struct mer_progress *progress);

#endif
