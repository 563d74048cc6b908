/* A thread of a job, for the tests of the launcher: each argument is a step, done in order. The program is
 * plain C, and uses the control block as the runtime does if a step says so.
 *
 *   only=T           the steps that follow are thread T's alone, until all=
 *   mark=DIR         leave a file named for the pid in DIR, so that the test can see which processes exist
 *   numbered=DIR     the same, named thread and the thread's number, and holding the pid
 *   await=DIR/K      wait until the file exists
 *   touch=FILE       make the file
 *   print=TEXT       write TEXT and an end of line to standard output, in one write
 *   part=TEXT        the same without the end of line
 *   lines=N          write N lines of uneven length, cut into writes without regard to their ends
 *   flood=MB         write that many megabytes of lines of 64 bytes, in writes of 64 KB
 *   echo=            copy standard input to standard output
 *   meet=            wait until all threads are here (in the job's memory)
 *   exchange=N       exchange N bytes with all threads of a job on several hosts, N times, and check them
 *   place=           write the variables that tell a thread its place among hosts
 *   state=S          set this thread's state in the control block, and the magic number
 *   globalexit=C     set the exit code of the job in the control block
 *   ignore=S         ignore signal S
 *   child=DIR        leave a child that sleeps, with a mark in DIR
 *   raise=S          send itself signal S
 *   sleep=MS         sleep
 *   exit=C           _exit(C)
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "control.h"

static int me, all;

static int number(const char *name) {
    const char *text = getenv(name);
    if (!text) {
        fprintf(stderr, "%s is not set\n", name);
        _exit(99);
    }
    return atoi(text);
}

static void *map(const char *fd_name, size_t size) {
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, number(fd_name), 0);
    if (at == MAP_FAILED) {
        perror(fd_name);
        _exit(99);
    }
    return at;
}

static void put(const char *bytes, size_t size) {
    while (size > 0) {
        ssize_t n = write(1, bytes, size);
        if (n < 0)
            _exit(98);
        bytes += n;
        size -= (size_t)n;
    }
}

static void sleep_ms(int ms) { usleep((useconds_t)ms * 1000); }

static void touch(const char *path) {
    int fd = open(path, O_CREAT | O_WRONLY, 0600);
    if (fd < 0)
        _exit(97);
    close(fd);
}

static void mark(const char *dir) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%d", dir, (int)getpid());
    touch(path);
}

static void numbered(const char *dir) {
    char path[4096], ready[4110];
    snprintf(path, sizeof path, "%s/thread%d", dir, me);
    snprintf(ready, sizeof ready, "%s.new", path);
    FILE *file = fopen(ready, "w");
    if (!file || fprintf(file, "%d\n", (int)getpid()) < 0 || fclose(file) != 0 || rename(ready, path) != 0)
        _exit(97);
}

static void await(const char *path) {
    struct stat st;
    while (stat(path, &st) != 0)
        sleep_ms(2);
}

static void lines(int count) {
    static char text[1 << 16];
    size_t used = 0, cut = 1;
    for (int i = 0; i < count; i++) {
        used += (size_t)sprintf(text + used, "%d %d ", me, i);
        for (int k = 0; k < (i * 7 + me) % 50; k++)
            text[used++] = 'x';
        text[used++] = '\n';
        if (used > sizeof text - 100 || i == count - 1) {
            for (size_t at = 0; at < used; at += cut) {
                cut = cut * 5 % 997 + 1;
                put(text + at, at + cut < used ? cut : used - at);
            }
            used = 0;
        }
    }
}

static void flood(int megabytes) {
    static char block[1 << 16];
    for (size_t i = 0; i < sizeof block; i++)
        block[i] = i % 64 == 63 ? '\n' : (char)('A' + me % 26);
    for (int i = 0; i < megabytes * 16; i++)
        put(block, sizeof block);
}

static void echo(void) {
    char buffer[4096];
    ssize_t n;
    while ((n = read(0, buffer, sizeof buffer)) > 0)
        put(buffer, (size_t)n);
}

static void meet(void) {
    int *here = map("MERIDIAN_MEMORY_FD", 4096);
    __atomic_add_fetch(here, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(here, __ATOMIC_SEQ_CST) < all)
        sched_yield();
}

static void whole(ssize_t (*move)(int, void *, size_t), void *bytes, size_t size) {
    int fd = number("MERIDIAN_EXCHANGE_FD");
    for (size_t done = 0; done < size;) {
        ssize_t n = move(fd, (char *)bytes + done, size - done);
        if (n <= 0)
            _exit(96);
        done += (size_t)n;
    }
}

static ssize_t put_some(int fd, void *bytes, size_t size) { return write(fd, bytes, size); }

static unsigned char expected(int thread, unsigned i) { return (unsigned char)(thread * 31 + (int)i); }

/* Exchanges as in boot/boot.h and boot/launched.c. */
static void exchange(unsigned n) {
    unsigned char *given = malloc(4 + n), *taken = malloc((size_t)n * (size_t)all);
    for (unsigned round = 0; round < n; round++) {
        memcpy(given, &n, 4);
        for (unsigned i = 0; i < n; i++)
            given[4 + i] = expected(me, i + round);
        whole(put_some, given, 4 + n);
        whole(read, taken, (size_t)n * (size_t)all);
        for (int t = 0; t < all; t++)
            for (unsigned i = 0; i < n; i++)
                if (taken[(unsigned)t * n + i] != expected(t, i + round))
                    _exit(95);
    }
    free(given);
    free(taken);
}

static void place(void) {
    char text[256];
    put(text,
        (size_t)snprintf(text, sizeof text, "thread %d of %d; %d from %d on host %d of %d, %s\n", me, all,
                         number("MERIDIAN_HERE"), number("MERIDIAN_FIRST"), number("MERIDIAN_HOST"),
                         number("MERIDIAN_HOSTS"), getenv("MERIDIAN_HOST_NAME")));
}

static void child(const char *dir) {
    pid_t pid = fork();
    if (pid == 0) {
        mark(dir);
        sleep(1000);
        _exit(0);
    }
    char path[4096];
    snprintf(path, sizeof path, "%s/%d", dir, (int)pid);
    await(path);
}

static void step(const char *name, const char *value) {
    struct mer_control *control = map("MERIDIAN_CONTROL_FD", MER_CONTROL_SIZE);
    if (!strcmp(name, "mark"))
        mark(value);
    else if (!strcmp(name, "numbered"))
        numbered(value);
    else if (!strcmp(name, "await"))
        await(value);
    else if (!strcmp(name, "touch"))
        touch(value);
    else if (!strcmp(name, "print")) {
        char text[256];
        put(text, (size_t)snprintf(text, sizeof text, "%s\n", value));
    } else if (!strcmp(name, "part"))
        put(value, strlen(value));
    else if (!strcmp(name, "lines"))
        lines(atoi(value));
    else if (!strcmp(name, "flood"))
        flood(atoi(value));
    else if (!strcmp(name, "echo"))
        echo();
    else if (!strcmp(name, "meet"))
        meet();
    else if (!strcmp(name, "exchange"))
        exchange((unsigned)atoi(value));
    else if (!strcmp(name, "place"))
        place();
    else if (!strcmp(name, "state")) {
        control->magic = MER_CONTROL_MAGIC;
        control->state[me] = (uint32_t)atoi(value);
    } else if (!strcmp(name, "globalexit")) {
        control->global_exit_code = atoi(value);
        control->global_exit_flag = 1;
    } else if (!strcmp(name, "ignore"))
        signal(atoi(value), SIG_IGN);
    else if (!strcmp(name, "child"))
        child(value);
    else if (!strcmp(name, "raise"))
        raise(atoi(value));
    else if (!strcmp(name, "sleep"))
        sleep_ms(atoi(value));
    else if (!strcmp(name, "exit"))
        _exit(atoi(value));
    else {
        fprintf(stderr, "no such step: %s\n", name);
        _exit(99);
    }
    munmap(control, MER_CONTROL_SIZE);
}

int main(int argc, char **argv) {
    me = number("MERIDIAN_THREAD");
    all = number("MERIDIAN_THREADS");
    int concerned = 1;
    for (int i = 1; i < argc; i++) {
        char *value = strchr(argv[i], '=');
        *value++ = 0;
        if (!strcmp(argv[i], "only"))
            concerned = atoi(value) == me;
        else if (!strcmp(argv[i], "all"))
            concerned = 1;
        else if (concerned)
            step(argv[i], value);
    }
    return 0;
}
