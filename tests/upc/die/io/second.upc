// A second asynchronous transfer on a file whose first is under way.
//: clause 7.8.7 p1
//: expect-err upc_all_fread_local_async: on this file upc_all_fwrite_local_async is still under way
#include <upc.h>
#include <upc_io.h>

int main(void) {
    static char row[100];
    upc_file_t *fd = upc_all_fopen("/dev/null", UPC_RDWR | UPC_INDIVIDUAL_FP, 0, NULL);
    upc_all_fwrite_local_async(fd, row, 1, sizeof row, 0);
    upc_all_fread_local_async(fd, row, 1, sizeof row, 0);
    return 0;
}
