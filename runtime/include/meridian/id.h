/* Arrays of Id90 in functions of C, UPC, Split-C or AC that an Id program calls (docs/id90.md, "Functions of
 * C").
 *
 * Such a function gets an array as a handle, which is good until the function returns.  The array may lie on
 * any processor.  An element is read if it is there; nothing here waits for one to be written, since what
 * would write it may wait for the function that asks.  An index has as many numbers as the array has
 * dimensions, within its bounds; else, as with the program's own accesses, the program ends with a message
 * that names the line of the call.
 *
 * Called by the function that got the handle, on the process's first POSIX thread.  A function of a kind
 * (`_int': int, bool and char; `_float') is for arrays of that kind of elements. */
#ifndef MERIDIAN_ID_H
#define MERIDIAN_ID_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t mer_id_array;

/* 1 to 3; and the bounds of dimension d, counted from 0: both belong to it. */
int mer_id_dims(mer_id_array array);
int64_t mer_id_lower(mer_id_array array, int d);
int64_t mer_id_upper(mer_id_array array, int d);

/* The element's value; 0: it is empty, and the value is not changed.  Of a mutable array it stays full. */
int mer_id_read_int(mer_id_array array, const int64_t *index, int64_t *value);
int mer_id_read_float(mer_id_array array, const int64_t *index, double *value);

/* The same, and the element, of a mutable array, is empty then. */
int mer_id_take_int(mer_id_array array, const int64_t *index, int64_t *value);
int mer_id_take_float(mer_id_array array, const int64_t *index, double *value);

/* Writes an empty element.  What waits for it goes on when the function has returned.  If it is full the
 * program ends with a message. */
void mer_id_write_int(mer_id_array array, const int64_t *index, int64_t value);
void mer_id_write_float(mer_id_array array, const int64_t *index, double value);

#ifdef __cplusplus
}
#endif

#endif
