// The operands of `_Alignas`, `aligned` and `vector_size` are constant expressions: sizes of shared objects
// and types.
//: threads 1
//: static 4
#include "../../check.h"

shared int row[4 * THREADS];
shared [2] double pairs[2 * THREADS];

_Alignas(upc_localsizeof(row)) char plain;
char attribute __attribute__((aligned(upc_localsizeof(row) * 2)));
static _Alignas(64) int twice[4], other __attribute__((aligned(upc_elemsizeof(pairs) * 8)));
struct in { char before; _Alignas(upc_blocksizeof(pairs) * 8) char aligned; _Alignas(shared [2] int *) char as_pointer; };
_Static_assert(sizeof(struct in) == 32, "the layout is known");
typedef int vector __attribute__((vector_size(upc_localsizeof(row))));
#ifdef __UPC_STATIC_THREADS__
_Alignas(sizeof(row)) char whole;
#endif

int main(void) {
    _Alignas(upc_localsizeof(row)) char local = 1;
    CHECK((size_t)&plain % 16 == 0 && (size_t)&attribute % 32 == 0 && (size_t)&local % 16 == 0);
    CHECK((size_t)twice % 64 == 0 && (size_t)&other % 64 == 0 && sizeof(vector) == 16);
    CHECK(_Alignof(struct in) == 16 && __builtin_offsetof(struct in, aligned) == 16);
    CHECK(_Alignof(plain) == 16 && _Alignof(attribute) == 32);
#ifdef __UPC_STATIC_THREADS__
    CHECK(_Alignof(whole) == 16 * THREADS && (size_t)&whole % (16 * THREADS) == 0);
#endif
    return 0;
}
