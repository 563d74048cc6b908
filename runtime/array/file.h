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

/* The array in the terms of such a description: type, rank, extents. */
void mer_file_wants(const struct mer_geometry *g, struct mer_array_spec *spec);

/* For people: "float64 3 x 4".  As long as seven extents of 20 letters make it. */
#define MER_FILE_TEXT 200
const char *mer_file_holds(const struct mer_array_spec *spec, char text[MER_FILE_TEXT]);

/* Inside a collective call: the first error of any thread, to all of them; 0: none. */
int mer_file_agree(int error);

#endif
