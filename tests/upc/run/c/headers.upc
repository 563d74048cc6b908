// The headers of the C library go through the front end.
#include <aio.h>
#include <arpa/inet.h>
#include <assert.h>
#include <complex.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <float.h>
#include <inttypes.h>
#include <iso646.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <regex.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdnoreturn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <termios.h>
#include <tgmath.h>
#include <threads.h>
#include <time.h>
#include <uchar.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>
#include "../../check.h"

static int variadic(int n, ...) {
    va_list list, copy;
    va_start(list, n);
    va_copy(copy, list);
    int sum = 0;
    while (n--)
        sum += va_arg(list, int) + va_arg(copy, int);
    va_end(list);
    va_end(copy);
    return sum;
}
static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void) {
    CHECK_EQ(variadic(3, 1, 2, 3), 12);
    jmp_buf back;
    volatile int jumped = 0;
    if (setjmp(back) == 0) {
        jumped = 1;
        longjmp(back, 1);
    }
    CHECK_EQ(jumped, 1);
    int a[] = {3, 1, 2};
    qsort(a, 3, sizeof a[0], by_value);
    CHECK_EQ(a[0] * 100 + a[1] * 10 + a[2], 123);
    errno = 0;
    CHECK(strtol("12x", NULL, 10) == 12 && errno == 0);
    CHECK(isalpha('q') && toupper('q') == 'Q' && INT_MAX > 0 && DBL_EPSILON < 1e-9);
    assert(1 && "not evaluated to false");
    CHECK(fabs(-2.0) == 2.0 && sin(0.0) == 0.0);
    return 0;
}
