/* Element types, beyond what meridian/array.h says of them. */
#ifndef MER_ARRAY_TYPE_H
#define MER_ARRAY_TYPE_H

#include <meridian/array.h>

#include <stdbool.h>

#define MER_TYPE_MOST 32 /* bytes of the largest element */

/* IEEE's quad, which gcc and clang know by this name on x86 only; elsewhere long double is it. */
#if defined(__SIZEOF_FLOAT128__)
typedef __float128 mer_quad;
#else
typedef long double mer_quad;
#endif

/* NumPy's name of a type ("<f8"), and the type of such a name; 0: none of ours, or of the other byte order.
 */
const char *mer_type_numpy(enum mer_type type);
enum mer_type mer_type_of_numpy(const char *descr);

/* A number as an element, to mer_type_size bytes; false: it is none of an integer type's. */
bool mer_type_value(enum mer_type type, double number, void *element);

#endif
