/* A machine with eight cores, numbered from 48, for the processes that load this by LD_PRELOAD, wherever
 * they really run. A process that is bound to some of them sees these alone, and so does the program that it
 * becomes: its mask is in a file of its number in the directory FALSE_CORES. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BYTES = 8 }; /* 64 cores */

static const unsigned long ALL = 0xfful << 48;

static int file_of_process(int flags) {
    const char *directory = getenv("FALSE_CORES");
    char path[4096];
    snprintf(path, sizeof path, "%s/%d", directory ? directory : ".", (int)getpid());
    return open(path, flags | O_CLOEXEC, 0600);
}

/* Returns the bytes of the mask, as the kernel's call does, or -1. */
static int get(size_t size, void *mask) {
    unsigned long cores = ALL;
    if (size < BYTES) {
        errno = EINVAL;
        return -1;
    }
    int fd = file_of_process(O_RDONLY);
    if (fd >= 0) {
        if (read(fd, &cores, BYTES) != BYTES)
            abort();
        close(fd);
    }
    memset(mask, 0, size);
    memcpy(mask, &cores, BYTES);
    return BYTES;
}

static int set(size_t size, const void *mask) {
    unsigned long cores = 0;
    memcpy(&cores, mask, size < BYTES ? size : BYTES);
    cores &= ALL;
    int fd = file_of_process(O_WRONLY | O_CREAT | O_TRUNC);
    if (cores == 0 || fd < 0) {
        errno = EINVAL;
        return -1;
    }
    if (write(fd, &cores, BYTES) != BYTES)
        abort();
    close(fd);
    return 0;
}

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *mask) {
    (void)pid;
    return get(size, mask) < 0 ? -1 : 0;
}

int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *mask) {
    (void)pid;
    return set(size, mask);
}

int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *mask) {
    (void)thread;
    return get(size, mask) < 0 ? errno : 0;
}

long syscall(long number, ...) {
    static long (*real)(long, ...);
    long a[6];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_sched_getaffinity)
        return get((size_t)a[1], (void *)a[2]);
    if (number == SYS_sched_setaffinity)
        return set((size_t)a[1], (const void *)a[2]);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "syscall");
    return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
