/* Several tasks of a launcher that are no job; see tasks.c. */
#ifndef MER_BOOT_TASKS_H
#define MER_BOOT_TASKS_H

/* Fatal message, of the first task, where the launcher has started more than one.  For a process that no
 * service has made a thread. */
void mer_boot_refuse_tasks(void);

#endif
