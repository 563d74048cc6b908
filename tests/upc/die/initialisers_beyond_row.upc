// An initialiser with more elements than one of several rows has: an error at start.
//: clause 6.5.2.1 p4
//: mode dynamic
//: threads 1 3
//: expect-err `rows` is initialised with 4 elements in a row
#include <upc.h>

shared int rows[3][THREADS] = {{1}, {1, 2, 3, 4}};

int main(void) { return rows[0][0] != 1; }
