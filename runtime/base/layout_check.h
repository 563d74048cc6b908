/* Checks that a struct has the layout that the contract states (meridian/abi/contract.h). */
#ifndef MER_BASE_LAYOUT_CHECK_H
#define MER_BASE_LAYOUT_CHECK_H

#include <meridian/abi/contract.h>
#include <stddef.h>

#define MER_LAYOUT_FIELD_(S, field, offset, size)                                                            \
    _Static_assert(offsetof(S, field) == (offset), #field " has the contract's offset");                     \
    _Static_assert(sizeof(((S *)0)->field) == (size), #field " has the contract's size");
#define MER_LAYOUT_SIZE_(S, field, offset, size) +(size)
/* Checks offsets and sizes of all fields. */
#define MER_LAYOUT_CHECK_FIELDS(S, LAYOUT)                                                                   \
    LAYOUT(MER_LAYOUT_FIELD_, S)                                                                             \
    _Static_assert(1, "")
/* Checks also that the struct has no further fields and no padding. */
#define MER_LAYOUT_CHECK(S, LAYOUT)                                                                          \
    LAYOUT(MER_LAYOUT_FIELD_, S)                                                                             \
    _Static_assert(sizeof(S) == 0 LAYOUT(MER_LAYOUT_SIZE_, S), "the contract has all fields")

#endif
