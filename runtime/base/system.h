/* What the kernel says of this machine, in small files. */
#ifndef MER_BASE_SYSTEM_H
#define MER_BASE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

/* The text of a small file, size - 1 bytes of it at most; false if it cannot be read or is empty, and the
 * text is empty then.  By system calls, since the heap calls this, and may be the one that stdio would
 * allocate from. */
bool mer_file_text(const char *path, char *text, size_t size);

/* The name of this machine, alike in all its containers, into name (size bytes); empty if the system does not
 * give one. */
void mer_machine(char *name, size_t size);

#endif
