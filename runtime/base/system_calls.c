/* The system calls of the runtime, under the names that system_calls.h gives them: a function defined here as
 * `read' is `mer_sys_read' to the linker.  They behave as the C library's, except that they are no points of
 * cancellation, which the runtime does not use. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* ---- files --------------------------------------------------------------------------------------------- */

int open(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    int mode = flags & O_CREAT ? va_arg(more, int) : 0;
    va_end(more);
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int close(int fd) { return (int)syscall(SYS_close, fd); }

ssize_t read(int fd, void *to, size_t length) { return syscall(SYS_read, fd, to, length); }

ssize_t write(int fd, const void *from, size_t length) { return syscall(SYS_write, fd, from, length); }

ssize_t pread(int fd, void *to, size_t length, off_t at) { return syscall(SYS_pread64, fd, to, length, at); }

ssize_t pwrite(int fd, const void *from, size_t length, off_t at) {
    return syscall(SYS_pwrite64, fd, from, length, at);
}

int fsync(int fd) { return (int)syscall(SYS_fsync, fd); }

int dup2(int from, int to) {
    /* dup3 refuses equal descriptors.  For these dup2 only checks that the descriptor is open. */
    if (from == to)
        return syscall(SYS_fcntl, from, F_GETFD) < 0 ? -1 : to;
    return (int)syscall(SYS_dup3, from, to, 0);
}

int pipe(int ends[2]) { return (int)syscall(SYS_pipe2, ends, 0); }

int access(const char *path, int mode) { return (int)syscall(SYS_faccessat, AT_FDCWD, path, mode); }

int chdir(const char *path) { return (int)syscall(SYS_chdir, path); }

int unlink(const char *path) { return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0); }

ssize_t readlink(const char *path, char *to, size_t length) {
    return syscall(SYS_readlinkat, AT_FDCWD, path, to, length);
}

int stat(const char *path, struct stat *to) { return (int)syscall(SYS_newfstatat, AT_FDCWD, path, to, 0); }

int fstat(int fd, struct stat *to) { return (int)syscall(SYS_fstat, fd, to); }

/* ---- connections --------------------------------------------------------------------------------------- */

int socket(int domain, int type, int protocol) { return (int)syscall(SYS_socket, domain, type, protocol); }

int bind(int fd, const struct sockaddr *to, socklen_t length) {
    return (int)syscall(SYS_bind, fd, to, length);
}

int listen(int fd, int queue) { return (int)syscall(SYS_listen, fd, queue); }

int connect(int fd, const struct sockaddr *to, socklen_t length) {
    return (int)syscall(SYS_connect, fd, to, length);
}

ssize_t send(int fd, const void *from, size_t length, int flags) {
    return syscall(SYS_sendto, fd, from, length, flags, NULL, 0);
}

ssize_t recv(int fd, void *to, size_t length, int flags) {
    return syscall(SYS_recvfrom, fd, to, length, flags, NULL, NULL);
}

int shutdown(int fd, int how) { return (int)syscall(SYS_shutdown, fd, how); }

int poll(struct pollfd *which, nfds_t count, int milliseconds) {
    struct timespec most = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    return (int)syscall(SYS_ppoll, which, count, milliseconds < 0 ? NULL : &most, NULL, (size_t)0);
}

/* ---- processes, time ----------------------------------------------------------------------------------- */

pid_t getpid(void) { return (pid_t)syscall(SYS_getpid); }

int kill(pid_t process, int signal) { return (int)syscall(SYS_kill, process, signal); }

unsigned sleep(unsigned seconds) {
    struct timespec rest = {(time_t)seconds, 0};
    return nanosleep(&rest, &rest) == 0 ? 0 : (unsigned)rest.tv_sec;
}

int usleep(useconds_t microseconds) {
    struct timespec most = {(time_t)(microseconds / 1000000), (long)(microseconds % 1000000) * 1000};
    return nanosleep(&most, NULL);
}
