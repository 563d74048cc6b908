/* Long waits: with MERIDIAN_CHECK=1 a thread that has slept for STALL_SECONDS reports once for which thread
 * it waits. */
#ifndef MER_SYNC_STALL_H
#define MER_SYNC_STALL_H

/* Start-up, once settings are read. */
void mer_stall_configure(void);

#endif
