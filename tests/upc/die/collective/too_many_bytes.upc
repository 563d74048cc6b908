// A negative number of bytes is reported, also without MERIDIAN_CHECK.
//: threads 1 3
//: expect-err upc_all_broadcast: 18446744073709551612 bytes (a negative number) are asked for
//: expect-err too_many_bytes.upc:13
#include <upc.h>
#include <upc_collective.h>

shared [4] char to[4 * THREADS];
shared [] char from[4];

int main(int argc, char **argv) {
    (void)argv;
    upc_all_broadcast(to, from, (size_t)(argc - 5), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    return 0;
}
