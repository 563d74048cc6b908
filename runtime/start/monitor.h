/* One message for a job that another launcher has started, on however many hosts.
 *
 * `meridian run' sees every process of its job die, and says so once.  mpirun, mpiexec.hydra and srun end a
 * job when one of its processes dies, but name neither the thread nor, some of them, the host; and the
 * threads that see a connection close are ended at any moment, each while it says so or before.  So such a
 * job has failure monitors: on each host a process that the first thread there starts beside itself, out of
 * the launcher's process group, and to which the threads of the host are connected; the monitors are
 * connected to that of thread 0's host.
 *
 *   A thread's connection that ends without a word is a death, which the monitor of its host tells of.
 *   Who has something to say itself (a fatal message, an exit code) asks first; the first of the job may.
 *   Who has been told to end (SIGTERM, SIGINT), or leaves in order, says so.
 *
 * A monitor ends when no thread of its host is left; that of thread 0's host waits for the others.  Where one
 * cannot be reached, its hosts have messages of their own.
 */
#ifndef MER_START_MONITOR_H
#define MER_START_MONITOR_H

#include <stdbool.h>

struct mer_boot;

/* Start the monitors, and connect to them; nothing, under `meridian run' and with one thread.  Start-up,
 * before anything that may fail in one thread alone; collective. */
void mer_monitor_start(const struct mer_boot *boot);

/* May this process say why the job ends, as the first to ask?  What dies after this call is no news.  Waits
 * for the answer for a moment; true without a monitor.  Async-signal-safe. */
bool mer_monitor_claim(void);

/* The launcher ends the job.  Async-signal-safe. */
void mer_monitor_told(void);

/* This thread has ended in order. */
void mer_monitor_leave(void);

#endif
