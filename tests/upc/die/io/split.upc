// Between upc_notify and upc_wait there is no input and output.
//: clause 7.8 p21
//: expect-err upc_all_fread_local
#include <upc.h>
#include <upc_io.h>

int main(void) {
    char byte;
    upc_file_t *fd = upc_all_fopen("/dev/zero", UPC_RDONLY | UPC_INDIVIDUAL_FP, 0, NULL);
    upc_notify;
    upc_all_fread_local(fd, &byte, 1, 1, UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
    upc_wait;
    return 0;
}
