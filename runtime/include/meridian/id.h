/* Arrays of Id90 in functions of C, UPC, Split-C or AC that an Id program calls (docs/id90.md, "Functions of
 * C").
 *
 * Such a function gets an array as a handle, which is valid until the function returns.  The array may lie on
 * any processor.  A read succeeds if the element is full; no function here waits for an element to be
 * written, since its writer may wait for the function that reads.  An index has as many numbers as the array
 * has dimensions, within its bounds; else, as with the program's own accesses, the program ends with a
 * message that names the line of the call.
 *
 * Only the function that got the handle may call these functions, on the process's first POSIX thread.  Those
 * of a kind (`_int': int, bool and char; `_float') are for arrays of that kind of elements. */
#ifndef MERIDIAN_ID_H
#define MERIDIAN_ID_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t mer_id_array;

/* The number of dimensions, 1 to 3; and the bounds of dimension d, counted from 0, both inclusive. */
int mer_id_dims(mer_id_array array);
int64_t mer_id_lower(mer_id_array array, int d);
int64_t mer_id_upper(mer_id_array array, int d);

/* Read an element, which stays full, also in a mutable array.  Return 1, or 0 without changing *value if the
 * element is empty. */
int mer_id_read_int(mer_id_array array, const int64_t *index, int64_t *value);
int mer_id_read_float(mer_id_array array, const int64_t *index, double *value);

/* Read and empty an element of a mutable array.  Return 1, or 0 without changing *value if it is empty. */
int mer_id_take_int(mer_id_array array, const int64_t *index, int64_t *value);
int mer_id_take_float(mer_id_array array, const int64_t *index, double *value);

/* Write an empty element.  Reads that wait for it go on when the calling function has returned.  If the
 * element is full the program ends with a message. */
void mer_id_write_int(mer_id_array array, const int64_t *index, int64_t value);
void mer_id_write_float(mer_id_array array, const int64_t *index, double value);

#ifdef __cplusplus
}
#endif

#endif
