// A block size of THREADS is a constant in the static environment alone: one error, also before rows of
// THREADS elements.
//: clause 6.5.1.1 p3
//: mode dynamic
#include <upc.h>
shared[THREADS] int rows[THREADS][THREADS]; //~ ERROR U0605
