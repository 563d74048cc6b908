/* The vectors by which stencils compute: those of the processor at hand, or shorter ones. */
#ifndef MER_ARRAY_PROCESSOR_H
#define MER_ARRAY_PROCESSOR_H

enum mer_vectors {
    MER_VECTORS_BASE,  /* what the C compiler makes for every processor */
    MER_VECTORS_AVX2,  /* 32 bytes, with fused multiplications and additions (FMA) */
    MER_VECTORS_AVX512 /* 64 bytes */
};

/* The longest that the processor has, and the longest of them that MERIDIAN_VECTORS allows. */
enum mer_vectors mer_vectors_there(void);
enum mer_vectors mer_vectors(void);

#endif
