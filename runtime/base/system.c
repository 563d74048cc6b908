/* See system.h. */
#include "base/system.h"

#include <fcntl.h>
#include <unistd.h>

bool mer_file_text(const char *path, char *text, size_t size) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, size - 1);
    if (fd >= 0)
        close(fd);
    text[n < 0 ? 0 : n] = 0;
    return n > 0;
}

/* The kernel draws this name when it boots. */
void mer_machine(char *name, size_t size) { mer_file_text("/proc/sys/kernel/random/boot_id", name, size); }
