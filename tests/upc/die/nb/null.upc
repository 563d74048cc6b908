// A transfer to a null pointer is reported with its name.
//: clause 7.9.4.3 p2
//: expect-err upc_memput_nb: the pointer-to-shared is null
#include <upc.h>
#include <upc_nb.h>

int main(void) {
    upc_sync(upc_memput_nb(NULL, "abc", 3));
    return 0;
}
