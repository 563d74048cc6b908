// Where the number of threads is not known, a list has room for one thread's elements.
//: clause 6.5.2.1 p4
//: mode dynamic
#include <upc.h>

shared int cyclic[THREADS] = {1, 2};                   //~ WARNING C0214: with one thread
shared [2] int blocked[2 * THREADS] = {1, 2, 3};       //~ WARNING C0214: -T N
shared [2] int fitting[2 * THREADS] = {1, 2};
shared int zeroes[5][THREADS] = {0};
