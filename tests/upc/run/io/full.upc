// A device that is full: writes fail with the system's errno, on every thread that writes, and nobody hangs.
//: clause 7.8 p19
//: clause 7.8 p20
//: clause 7.8.5.1 p7
//: clause 7.8.5.2 p8
#include <upc_io.h>
#include "../../files.h"

#define ALL (UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC)
shared int buffer[40000 * THREADS];

int main(void) {
    char bytes[100] = "abc";
    upc_file_t *fd = upc_all_fopen("/dev/full", UPC_RDWR | UPC_INDIVIDUAL_FP, 0, NULL);
    CHECK(fd != NULL);
    CHECK_EQ(upc_all_fwrite_local(fd, bytes, 1, sizeof bytes, ALL), -1);
    CHECK_EQ(errno, ENOSPC);
    CHECK(strlen(strerror(errno)) > 0);
    upc_all_fseek(fd, 0, UPC_SEEK_SET);
    upc_off_t wrote = upc_all_fwrite_local(fd, bytes, 1, MYTHREAD ? 0 : 10, ALL); // the writer's error
    CHECK_EQ(wrote, MYTHREAD ? 0 : -1);
    upc_all_fseek(fd, 0, UPC_SEEK_SET);
    upc_all_fwrite_local_async(fd, bytes, 1, sizeof bytes, ALL);
    errno = 0;
    CHECK_EQ(upc_all_fwait_async(fd), -1);
    CHECK_EQ(errno, ENOSPC);
    CHECK_EQ(upc_all_fclose(fd), 0);
    fd = upc_all_fopen("/dev/full", UPC_WRONLY | UPC_COMMON_FP, 0, NULL);
    errno = 0;
    CHECK_EQ(upc_all_fwrite_shared(fd, buffer, 1, sizeof(int), 40000 * THREADS, ALL), -1); // on all
    CHECK_EQ(errno, ENOSPC);
    upc_all_fseek(fd, 0, UPC_SEEK_SET);
    errno = 0;
    CHECK_EQ(upc_all_fwrite_shared(fd, buffer, 1, sizeof(int), 3, ALL), -1);
    CHECK_EQ(errno, ENOSPC);
    CHECK_EQ(upc_all_fclose(fd), 0);
    return 0;
}
