/* Failure monitors: one message for a job that another launcher has started, on any number of hosts.
 *
 * `meridian run' sees every process of its job die, and says so once.  mpirun, mpiexec.hydra and srun end a
 * job when one of its processes dies, but do not name the thread, and some not the host.  The other threads
 * see a connection close, but may be ended before they have said so.  So such a job has failure monitors.
 * The first thread of each host starts one, a process outside of the launcher's process group.  The threads
 * of a host are connected to its monitor, and the monitors to that of thread 0's host.
 *
 *   - If a thread's connection ends without a word, the thread is dead, and the monitor of its host says so.
 *   - A thread asks before it prints a fatal message or exits with a code; the first of the job may.
 *   - A thread that has been told to end (SIGTERM, SIGINT), or ends in order, says so to its monitor.
 *
 * A monitor ends when no thread of its host is left; the monitor of thread 0's host waits for the others.  A
 * host whose monitor cannot connect to thread 0's host has messages of its own.
 */
#ifndef MER_START_MONITOR_H
#define MER_START_MONITOR_H

#include <stdbool.h>

struct mer_boot;

/* Start the monitors, and connect to them.  Does nothing under `meridian run' or with one thread.  Start-up,
 * before anything that may fail in one thread alone; collective. */
void mer_monitor_start(const struct mer_boot *boot);

/* May this process say why the job ends, as the first to ask?  Deaths after this call are not reported.
 * Waits a bounded time for the answer; returns true if there is no monitor.  Async-signal-safe. */
bool mer_monitor_claim(void);

/* Tells the monitor that the launcher ends the job.  Async-signal-safe. */
void mer_monitor_told(void);

/* Tells the monitor that this thread has ended in order. */
void mer_monitor_leave(void);

#endif
