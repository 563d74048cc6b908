/* The vectors by which stencils compute: those of this processor, or shorter ones. */
#ifndef MER_ARRAY_PROCESSOR_H
#define MER_ARRAY_PROCESSOR_H

enum mer_vectors {
    MER_VECTORS_BASE,  /* the C compiler's code for every processor of the architecture */
    MER_VECTORS_AVX2,  /* 32 bytes, with fused multiplications and additions (FMA) */
    MER_VECTORS_AVX512 /* 64 bytes */
};

/* Return the longest vectors that the processor has, and the longest of them that MERIDIAN_VECTORS allows. */
enum mer_vectors mer_vectors_there(void);
enum mer_vectors mer_vectors(void);

#endif
