/* The limit of the stack decides where Linux puts libraries: below the range that the stack may grow into,
 * but a sixth of the address space up at least.  Without a limit (`ulimit -s unlimited', a habit on clusters)
 * they come to lie amid the place of the views, and the program could not start.  The kernel fixes the places
 * when it executes a program, so the program is executed once more with a limit, which is lifted afterwards:
 * a stack grows by the limit that holds at the time.
 */
#include "start/stack.h"

#include "base/limits.h"

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

/* Libraries then begin 1 TB below the end, well above the views.  A process with this limit has been executed
 * again already. */
#define OWN_LIMIT (1ULL << 40)
#define POSIX_THREAD_STACK (2U << 20) /* the C library's choice if there is no limit */

/* The C library has found our limit, and would give as much to each POSIX thread. */
static void lift(struct rlimit *limit) {
    pthread_attr_t usual;
    if (pthread_attr_init(&usual) == 0) {
        pthread_attr_setstacksize(&usual, POSIX_THREAD_STACK);
        pthread_setattr_default_np(&usual);
        pthread_attr_destroy(&usual);
    }
    limit->rlim_cur = limit->rlim_max;
    setrlimit(RLIMIT_STACK, limit);
}

void mer_stack_settle(char **argv, char **envp) {
    struct rlimit limit;
    /* Valgrind places libraries by itself, and would not follow into another execution. */
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur < OWN_LIMIT || mer_under_valgrind())
        return;
    if (limit.rlim_cur == OWN_LIMIT) {
        lift(&limit);
        return;
    }
    limit.rlim_cur = OWN_LIMIT;
    /* If this fails, mapping the views prints the reason. */
    if (setrlimit(RLIMIT_STACK, &limit) == 0)
        execve("/proc/self/exe", argv, envp);
}
