// Files still open at the end of the program are closed: unfinished transfers are written, and files to be
// deleted are gone. The program checks this itself, in a function that runs after the library's.
//: clause 7.8 p4
#include <upc_io.h>
#include "../../files.h"

static char row[50000];

static void look(void) {
    if (MYTHREAD != 0)
        return;
    if (posix_size("gone") != -1)
        _exit(41);
    if (posix_size("kept") < (long)sizeof row)
        _exit(42);
    unlink(path("kept"));
    if (rmdir(directory))
        _exit(43);
}

int main(void) {
    enter();
    atexit(look);
    upc_file_t *gone = upc_all_fopen(
        path("gone"), UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP | UPC_DELETE_ON_CLOSE, 0, NULL);
    upc_file_t *kept = upc_all_fopen(path("kept"), UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP, 0, NULL);
    CHECK(gone != NULL && kept != NULL);
    CHECK_EQ(posix_size("gone"), 0);
    upc_barrier;
    memset(row, 'r', sizeof row);
    upc_all_fwrite_local_async(kept, row, 1, sizeof row, 0);
    return 0;
}
