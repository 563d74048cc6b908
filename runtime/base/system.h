/* What the kernel says of this machine, in small files. */
#ifndef MER_BASE_SYSTEM_H
#define MER_BASE_SYSTEM_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The text of a small file, size - 1 bytes of it at most; false if it cannot be read or is empty, and the
 * text is empty then.  By system calls, since the heap calls this, and may be the one that stdio would
 * allocate from. */
bool mer_file_text(const char *path, char *text, size_t size);

/* The name of this machine, alike in all its containers, into name (size bytes); empty if the system does not
 * give one. */
void mer_machine(char *name, size_t size);

/* The number of this process's network namespace: alike in all processes of the machine that can connect to
 * each other by loopback; 0 if the system does not give one. */
uint64_t mer_network_space(void);

/* Whether the caller may read n bytes there, as far as the system says: for checks of arguments, whose fault
 * is then told by a message.  A system call; true where the system refuses it. */
bool mer_can_read(const void *at, size_t n);

#define MER_CACHES "/sys/devices/system/cpu/cpu0/cache"

/* Bytes of the cache of that level that holds data, as a directory of a processor's caches tells, such as
 * MER_CACHES; 0 if it does not.  sysconf knows less: in virtual machines it may give the third level of the
 * host's whole processor. */
long mer_cache_size(const char *directory, int level);

/* In front of pthread_create, for a POSIX thread of the runtime's own: signals are the program's threads',
 * but faults come to who makes them.  The caller's own mask is in *before, to be set again. */
void mer_block_signals(sigset_t *before);

#endif
