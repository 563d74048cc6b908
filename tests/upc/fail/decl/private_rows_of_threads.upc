// A typedef of file scope whose length holds THREADS declares no private objects.
//: clause 6.5.2.1 p5
//: mode dynamic
#include <upc.h>

typedef int row[THREADS];
shared row fine[4];
row global; //~ ERROR C0209: whose length depends on THREADS
typedef row *pointer; //~ ERROR C0209: outside of a shared declaration
typedef row again[2];
shared again fine_too;

int main(void) {
    row local; //~ ERROR C0209: declare the array in the function
    return local[0] + global[0] + fine[0][0];
}
