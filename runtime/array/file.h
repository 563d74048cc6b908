/* What the file formats have in common: a file that somewhere holds all elements of an array, one behind the
 * other, of which each thread writes or reads its own part. */
#ifndef MER_ARRAY_FILE_H
#define MER_ARRAY_FILE_H

#include "array/object.h"

#include <sys/types.h>

/* Write (save) or read the caller's part.  data: where the elements begin in the file; order: in which they
 * stand there.  0, or an errno: EINVAL where the file ends early. */
int mer_file_pass(const mer_array *array, int fd, off_t data, enum mer_memory_order order, bool save);

/* Is what the file holds, by its description, an array of this type and extents? */
bool mer_file_fits(const struct mer_geometry *g, const struct mer_array_spec *spec);

/* Inside a collective call: the first error of any thread, to all of them; 0: none. */
int mer_file_agree(int error);

#endif
