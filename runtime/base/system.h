/* Facts about this machine, from small files of the kernel. */
#ifndef MER_BASE_SYSTEM_H
#define MER_BASE_SYSTEM_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads the text of a small file, size - 1 bytes of it at most.  Returns false, and an empty text, if the
 * file cannot be read or is empty.  Makes system calls only, since the heap calls this, and stdio might
 * allocate from that heap. */
bool mer_file_text(const char *path, char *text, size_t size);

/* The name of this machine, alike in all its containers, into name (size bytes); empty if the system does not
 * give one. */
void mer_machine(char *name, size_t size);

/* The number of this process's network namespace: alike in all processes of the machine that can connect to
 * each other by loopback; 0 if the system does not give one. */
uint64_t mer_network_space(void);

/* Returns true if the caller can read n bytes at `at': for checks of arguments, so that a bad one leads to a
 * message.  Makes a system call; true if the system refuses that. */
bool mer_can_read(const void *at, size_t n);

#define MER_CACHES "/sys/devices/system/cpu/cpu0/cache"

/* Returns the bytes of the cache of a level that holds data, by a directory of a processor's caches such as
 * MER_CACHES; 0 if it does not tell.  sysconf knows less: in virtual machines it may give the third level of
 * the host's whole processor. */
long mer_cache_size(const char *directory, int level);

/* Blocks all signals but faults.  Called before pthread_create of a POSIX thread of the runtime: signals go
 * to the program's threads, but a fault to the thread that makes it.  Stores the caller's mask in *before, to
 * be set again. */
void mer_block_signals(sigset_t *before);

#endif
