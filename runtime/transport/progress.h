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
    int timer_fd;     /* expires when the thread has not polled for long */
    uint64_t put_off; /* when that was last put off, by mer_clock_ns; atomic */
    unsigned naps;    /* how long the timer runs, of MERIDIAN_NAP each; atomic, the progress thread writes */
    bool resting;     /* the thread of the program sleeps; atomic */
    uint32_t rests;   /* how often it has begun to; atomic, the thread writes */
    bool off_duty;    /* the progress thread sleeps until the timer expires or the thread rests; atomic */
    bool running;
    bool stop; /* atomic */
};

/* After how long without a poll of the thread a progress thread takes its messages, at first. */
static inline uint64_t mer_progress_nap_ns(void) { return (uint64_t)mer_setting(NAP) * 1000; }

void mer_progress_start(struct mer_transport *end, int wait_fd);
/* It has ended on return; nothing, if it does not run. */
void mer_progress_stop(struct mer_transport *end);
/* The thread polls while the progress thread is off duty. */
void mer_progress_put_off(struct mer_progress *progress);
/* Wake it: there is something to send, and it sleeps on the descriptor, or the thread rests. */
void mer_progress_alarm(struct mer_progress *progress);

#endif
