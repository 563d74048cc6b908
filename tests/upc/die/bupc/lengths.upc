// The two sides of a scattered transfer have different lengths.
//: expect-err bupc_memget_fstrided: the destination has 20 bytes, but the source 24
#include <upc.h>
#include <bupc_extensions.h>

shared[] char area[100];

int main(void) {
    char got[100];
    bupc_memget_fstrided(got, 5, 5, 4, area, 8, 8, 3);
    return 0;
}
