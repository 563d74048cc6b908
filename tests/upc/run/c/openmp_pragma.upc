// Pragmas that are not UPC's go through to the C compiler.
//: flags -fopenmp-simd
#include "../../check.h"
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma pack(push, 1)
struct tight {
    char c;
    long l;
};
#pragma pack(pop)
int main(void) {
    float x[64], sum = 0;
#pragma omp simd
    for (int i = 0; i < 64; i++)
        x[i] = i;
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < 64; i++)
        sum += x[i];
    CHECK(sum == 2016);
    CHECK_EQ(sizeof(struct tight), 9);
    _Pragma("GCC ivdep") for (int i = 0; i < 64; i++) x[i] += 1;
    CHECK(x[63] == 64);
    return 0;
}
#pragma GCC diagnostic pop
