/* Element types: the parts that meridian/array.h does not declare. */
#ifndef MER_ARRAY_TYPE_H
#define MER_ARRAY_TYPE_H

#include <meridian/array.h>

#include <stdbool.h>

#define MER_TYPE_MOST 32 /* bytes of the largest element */

/* IEEE's quad, which gcc and clang know by this name on x86 only; elsewhere long double is a quad. */
#if defined(__SIZEOF_FLOAT128__)
typedef __float128 mer_quad;
#else
typedef long double mer_quad;
#endif

/* Return NumPy's name of a type ("<f8"), and the type of such a name, or 0 if Meridian has no such type or it
 * has the other byte order. */
const char *mer_type_numpy(enum mer_type type);
enum mer_type mer_type_of_numpy(const char *descr);

/* Stores a number as an element of mer_type_size bytes.  Returns false if an integer type cannot represent
 * the number. */
bool mer_type_value(enum mer_type type, double number, void *element);

#endif
