/* Several tasks of a launcher that do not form a job; see tasks.c. */
#ifndef MER_BOOT_TASKS_H
#define MER_BOOT_TASKS_H

/* Ends the process if the launcher has started more than one task; the first task prints a message.  For a
 * process that no service has made a thread. */
void mer_boot_refuse_tasks(void);

#endif
