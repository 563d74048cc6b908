/* See system.h. */
#include "base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
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

uint64_t mer_network_space(void) {
    struct stat space;
    return stat("/proc/self/ns/net", &space) == 0 ? space.st_ino : 0;
}

#define MOST_CACHES 16 /* directories index0, index1, ... */

/* Reads a file of cache number `index'.  Returns false if it is not there. */
static bool cache_text(const char *directory, int index, const char *file, char *text, size_t size) {
    char path[256];
    snprintf(path, sizeof path, "%s/index%d/%s", directory, index, file);
    return mer_file_text(path, text, size);
}

/* Parses a size such as "32768K". */
static long bytes_of(const char *text) {
    char *end;
    long n = strtol(text, &end, 10);
    return *end == 'K' ? n << 10 : *end == 'M' ? n << 20 : *end == 'G' ? n << 30 : n;
}

long mer_cache_size(const char *directory, int level) {
    char text[64];
    for (int i = 0; i < MOST_CACHES && cache_text(directory, i, "level", text, sizeof text); i++) {
        if (atoi(text) != level)
            continue;
        if (cache_text(directory, i, "type", text, sizeof text) && strncmp(text, "Instruction", 11) == 0)
            continue;
        return cache_text(directory, i, "size", text, sizeof text) ? bytes_of(text) : 0;
    }
    return 0;
}

bool mer_can_read(const void *at, size_t n) {
    char part[256];
    const char *from = at;
    for (size_t done = 0, now; done < n; done += now) {
        now = n - done < sizeof part ? n - done : sizeof part;
        struct iovec to = {.iov_base = part, .iov_len = now};
        union {
            const char *from;
            void *base; /* which the system only reads */
        } source = {.from = from + done};
        struct iovec what = {.iov_base = source.base, .iov_len = now};
        ssize_t got = process_vm_readv(getpid(), &to, 1, &what, 1, 0);
        if (got < 0 && errno != EFAULT)
            return true;
        if (got < (ssize_t)now)
            return false;
    }
    return true;
}

void mer_block_signals(sigset_t *before) {
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    sigset_t all;
    sigfillset(&all);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        sigdelset(&all, faults[i]);
    pthread_sigmask(SIG_SETMASK, &all, before);
}
