/* The job's fatal message: one thread prints it, and the others wait until it is out (base/fatal.h). */
#ifndef MER_START_REPORT_H
#define MER_START_REPORT_H

#include <stdbool.h>

/* From here on messages name the thread, and fatal ones are said once for the job.  The first step of
 * start-up. */
void mer_report_start(void);

/* For signal handlers: returns true if this thread is to print the fatal message.  After printing, or if the
 * result is false, call mer_report_done, which makes the message complete or waits until it is. */
bool mer_report_claim(void);
void mer_report_done(bool claimed);

/* For the handler of SIGTERM: returns true if this process has begun to claim the message.  The process then
 * ends by itself, as soon as the message is out, and must not die before. */
bool mer_report_under_way(void);

#endif
