/* Memory of the machine itself, and a check that the system has the memory that is taken. */
#ifndef MER_TAM_MEMORY_H
#define MER_TAM_MEMORY_H

#include "tam/machine.h"

/* Returns true if so many bytes more may be used; they then count as taken.  Processors may be granted more
 * memory than the system has, which would end the process without a word when it touches the memory.  A part
 * is left for the collector, and for the host's other processors, which take memory before they look. */
bool tam_memory_grant(size_t bytes);

/* Returns memory that is never freed, aligned as malloc aligns it.  If there is none, the program ends with
 * the site's line. */
void *tam_memory_allocate(size_t bytes, uint32_t site);

#endif
