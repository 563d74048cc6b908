/* Element types: one row each. */
#include "array/layout/type.h"

#include <float.h>
#include <string.h>

/*      type                     C type                name               NumPy   parts */
#define TYPES(X)                                                                                             \
    X(MER_INT8, signed char, "int8", "|i1", 1)                                                               \
    X(MER_INT16, short, "int16", "<i2", 1)                                                                   \
    X(MER_INT32, int, "int32", "<i4", 1)                                                                     \
    X(MER_INT64, long long, "int64", "<i8", 1)                                                               \
    X(MER_UINT8, unsigned char, "uint8", "|u1", 1)                                                           \
    X(MER_UINT16, unsigned short, "uint16", "<u2", 1)                                                        \
    X(MER_UINT32, unsigned, "uint32", "<u4", 1)                                                              \
    X(MER_UINT64, unsigned long long, "uint64", "<u8", 1)                                                    \
    X(MER_FLOAT32, float, "float32", "<f4", 1)                                                               \
    X(MER_FLOAT64, double, "float64", "<f8", 1)                                                              \
    X(MER_LONG_DOUBLE, long double, "long double", "<f16", 1)                                                \
    X(MER_FLOAT128, mer_quad, "float128", "|V16", 1)                                                         \
    X(MER_COMPLEX64, float, "complex64", "<c8", 2)                                                           \
    X(MER_COMPLEX128, double, "complex128", "<c16", 2)                                                       \
    X(MER_COMPLEX_LONG_DOUBLE, long double, "complex long double", "<c32", 2)                                \
    X(MER_COMPLEX256, mer_quad, "complex256", "|V32", 2)

struct row {
    size_t size;
    const char *name, *numpy;
};
#define ROW(type, c, name, numpy, parts) [type] = {sizeof(c) * (parts), name, numpy},
static const struct row rows[] = {TYPES(ROW)};

static const struct row *row_of(enum mer_type type) {
    static const struct row none = {0, "?", ""};
    return (unsigned)type < sizeof rows / sizeof *rows && rows[type].size ? &rows[type] : &none;
}

size_t mer_type_size(enum mer_type type) { return row_of(type)->size; }
const char *mer_type_name(enum mer_type type) { return row_of(type)->name; }
const char *mer_type_numpy(enum mer_type type) { return row_of(type)->numpy; }

enum mer_type mer_type_of_numpy(const char *descr) {
    for (unsigned t = 1; t < sizeof rows / sizeof *rows; t++)
        if (strcmp(rows[t].numpy + 1, descr + 1) == 0 && descr[0] != '>' &&
            (rows[t].numpy[0] == descr[0] || descr[0] == '='))
            return (enum mer_type)t;
    return strcmp(descr, "|b1") == 0 ? MER_UINT8 : (enum mer_type)0;
}

/* Returns true if an integer type of `size' bytes can represent the number. */
static bool has(double number, size_t size, bool is_signed) {
    double limit = is_signed ? 0x1p7 : 0x1p8;
    for (size_t i = 1; i < size; i++)
        limit *= 0x1p8;
    return number >= (is_signed ? -limit : 0) && number < limit && number == (double)(__int128)number;
}

/* The bytes of a C type that a number sets.  The padding of x87's long double stays zero, so that equal
 * elements have equal bytes. */
#define BYTES_SET(c) _Generic((c)0, long double : LDBL_MANT_DIG == 64 ? 10 : sizeof(c), default : sizeof(c))

bool mer_type_value(enum mer_type type, double number, void *element) {
    if (type <= MER_UINT64 && !has(number, mer_type_size(type), type < MER_UINT8))
        return false;
    memset(element, 0, mer_type_size(type));
    switch (type) {
#define VALUE(type, c, name, numpy, parts)                                                                   \
    case type: {                                                                                             \
        c value = (c)number;                                                                                 \
        memcpy(element, &value, BYTES_SET(c));                                                               \
        break;                                                                                               \
    }
        TYPES(VALUE)
    }
    return true;
}
