/* The progress thread of one end: serves requests of other hosts for this thread's memory while the thread
 * computes or sleeps, and sends messages that the thread has left unsent. */
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
    uint64_t put_off; /* when the timer was last set, by mer_clock_ns; atomic */
    unsigned naps;    /* the timer's term, in units of MERIDIAN_NAP; atomic, the progress thread writes */
    bool resting;     /* the thread of the program sleeps; atomic */
    uint32_t rests;   /* number of its sleeps; atomic, the thread writes */
    bool off_duty;    /* the progress thread sleeps until the timer expires or the thread rests; atomic */
    bool running;
    bool stop; /* atomic */
};

/* Returns the time without a poll of the thread after which the progress thread takes its messages, at
 * first. */
static inline uint64_t mer_progress_nap_ns(void) { return (uint64_t)mer_setting(NAP) * 1000; }

void mer_progress_start(struct mer_transport *end, int wait_fd);
/* Stop the progress thread and wait for its end.  Has no effect if it does not run. */
void mer_progress_stop(struct mer_transport *end);
/* Put the timer off: the thread polls while the progress thread is off duty. */
void mer_progress_put_off(struct mer_progress *progress);
/* Wake the progress thread: there is something to send while it sleeps on the descriptor, or the thread
 * rests. */
void mer_progress_alarm(struct mer_progress *progress);

#endif
