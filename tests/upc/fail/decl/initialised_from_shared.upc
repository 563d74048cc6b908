// A private object at file scope is initialised by constants: a value in shared memory is none.
#include <upc.h>
shared int cells[4 * THREADS];
shared int *where = &cells[1];
int first = cells[3];            //~ ERROR C0209
int apart = 0 + (where - cells); //~ ERROR C0209
