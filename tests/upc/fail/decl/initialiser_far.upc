// No job has enough threads for this element.
//: clause 6.5.2.1 p4
//: mode dynamic
#include <upc.h>

shared int far[THREADS] = {[100000000] = 1}; //~ ERROR C0210: outside the array, which has 65536 elements at most

int main(void) { return 0; }
