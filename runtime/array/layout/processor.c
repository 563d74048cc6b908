/* The choice of vectors, see processor.h. */
#include "array/layout/processor.h"

#include "base/settings.h"

enum mer_vectors mer_vectors_there(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        return MER_VECTORS_AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return MER_VECTORS_AVX2;
#endif
    return MER_VECTORS_BASE;
}

enum mer_vectors mer_vectors(void) {
    long bytes = mer_setting(VECTORS);
    enum mer_vectors most = bytes < 32   ? MER_VECTORS_BASE
                            : bytes < 64 ? MER_VECTORS_AVX2
                                         : MER_VECTORS_AVX512;
    enum mer_vectors there = mer_vectors_there();
    return there < most ? there : most;
}
