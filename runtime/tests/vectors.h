/* Tests of stencils by vectors of each length that the processor has, and on systems that do not let a
 * process execute memory that it has written, on which no code for plans is made (array/stencil/code.c). */
#ifndef MER_TESTS_VECTORS_H
#define MER_TESTS_VECTORS_H

#include "job.h"

#include "array/layout/processor.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define VECTORS_NO_CODE "JOB_NO_CODE=1"

static inline bool vectors_without_code(void) { return getenv("JOB_NO_CODE") != NULL; }

/* The first call of a body: puts the settings into effect. */
static inline void vectors_begin(void) {
    if (!vectors_without_code())
        return;
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 13 /* EACCES */),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof steps / sizeof *steps, steps};
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(page != MAP_FAILED && mprotect(page, 4096, PROT_READ | PROT_EXEC) != 0);
    munmap(page, 4096);
}

static inline void vectors_expect_good(const char *body, int threads) {
    static const char *const lengths[] = {"MERIDIAN_VECTORS=16", "MERIDIAN_VECTORS=32",
                                          "MERIDIAN_VECTORS=64"};
    for (int length = 0; length <= (int)mer_vectors_there(); length++)
        for (int refused = 0; refused < (length ? 2 : 1); refused++) {
            const char *const settings[] = {lengths[length], refused ? VECTORS_NO_CODE : NULL, NULL};
            job_expect_good_with(body, threads, settings);
        }
}

#endif
