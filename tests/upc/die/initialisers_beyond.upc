// An initialiser with more elements than the array has with this number of threads: an error at start.
//: clause 6.5.2.1 p4
//: mode dynamic
//: threads 1 2
//: expect-err is initialised with 6 elements, but with THREADS =
#include <upc.h>

shared [2] int blocked[2 * THREADS] = {1, 2, [4] = 5, 6};

int main(void) { return blocked[0] != 1; }
