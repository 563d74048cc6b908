/* Element types, beyond what meridian/array.h says of them. */
#ifndef MER_ARRAY_TYPE_H
#define MER_ARRAY_TYPE_H

#include <meridian/array.h>

#define MER_TYPE_MOST 32 /* bytes of the largest element */

/* NumPy's name of a type ("<f8"), and the type of such a name; 0: none of ours, or of the other byte order.
 */
const char *mer_type_numpy(enum mer_type type);
enum mer_type mer_type_of_numpy(const char *descr);

/* The type's 1, to mer_type_size bytes. */
void mer_type_one(enum mer_type type, void *one);

#endif
