/* The common part of the file formats: a file holds all elements of an array, one after the other from some
 * place on, and each thread writes or reads its own part. */
#ifndef MER_ARRAY_FILE_H
#define MER_ARRAY_FILE_H

#include "array/layout/object.h"

#include <sys/types.h>

/* Write (save) or read the caller's part.  data: the place of the first element in the file; order: the order
 * of the elements in the file.  Returns 0 or an errno, EINVAL if the file ends early. */
int mer_file_pass(const mer_array *array, int fd, off_t data, enum mer_memory_order order, bool save);

/* Returns true if the file's description is that of an array of this type and extents. */
bool mer_file_fits(const struct mer_geometry *g, const struct mer_array_spec *spec);

/* Sets *spec to such a description of the array: type, rank, extents. */
void mer_file_wants(const struct mer_geometry *g, struct mer_array_spec *spec);

/* Writes a description for people: "float64 3 x 4".  The text has room for seven extents of 20 letters. */
#define MER_FILE_TEXT 200
const char *mer_file_holds(const struct mer_array_spec *spec, char text[MER_FILE_TEXT]);

/* Inside a collective call: returns on all threads the first error of any thread, or 0 if there is none. */
int mer_file_agree(int error);

#endif
