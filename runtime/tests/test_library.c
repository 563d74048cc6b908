/* The errors that MERIDIAN_CHECK=1 finds in calls of UPC's optional libraries: arguments that differ between
 * threads, and misuse of atomic operations that the fast path does not check (UPC 7.6, 7.8). */
#include "job.h"

#include "host/job.h"
#include "dialect/upc/atomic.h"
#include "dialect/upc/io.h"
#include "dialect/upc/upc.h"
#include "sync/barrier.h"

#define ME mer_job.mythread

static int domains_differ(void) {
    upc_all_atomicdomain_alloc(UPC_LONG, ME ? UPC_ADD : UPC_XOR, 0);
    return 0;
}

static mer_ptr longs(void) {
    return upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD | MER_ATOMIC_INC | MER_ATOMIC_GET | MER_ATOMIC_CSWAP,
                                      0);
}

static int good(void) {
    mer_ptr domain = longs();
    mer_pptr object = upc_all_alloc(1, 64);
    long one = 1, old;
    if (ME == 0)
        *(long *)mer_at(object.bits) = 0;
    mer_barrier(0, 0, "x");
    upc_atomic_relaxed(domain, NULL, UPC_ADD, object, &one, NULL);
    upc_atomic_strict(domain, NULL, MER_ATOMIC_INC, object, NULL, NULL);
    mer_barrier(0, 0, "x");
    upc_atomic_strict(domain, &old, MER_ATOMIC_GET, object, NULL, NULL);
    CHECK(old == 2L * mer_job.threads);
    upc_all_atomicdomain_free(domain);
    mer_ptr file = upc_all_fopen("/dev/null", UPC_RDWR | UPC_INDIVIDUAL_FP, 0, NULL);
    CHECK(file.bits);
    CHECK(upc_all_fwrite_local(file, &old, 8, 1, 0) == 8);
    CHECK(upc_all_fclose(file) == 0);
    return 0;
}

static int useless_operand(void) {
    mer_ptr domain = longs();
    long one = 1;
    upc_atomic_relaxed(domain, NULL, MER_ATOMIC_INC, upc_alloc(8), &one, NULL);
    return 0;
}

static int useless_second_operand(void) {
    mer_ptr domain = longs();
    long one = 1;
    upc_atomic_strict(domain, NULL, UPC_ADD, upc_alloc(8), &one, &one);
    return 0;
}

static int misaligned(void) {
    mer_ptr domain = longs();
    mer_pptr object = upc_alloc(16);
    object.bits += 4;
    upc_atomic_relaxed(domain, NULL, MER_ATOMIC_INC, object, NULL, NULL);
    return 0;
}

static int open_flags_differ(void) {
    upc_all_fopen("/dev/null", UPC_RDWR | (ME ? UPC_COMMON_FP : UPC_INDIVIDUAL_FP), 0, NULL);
    return 0;
}

static int seeks_differ(void) {
    mer_ptr file = upc_all_fopen("/dev/null", UPC_RDWR | UPC_COMMON_FP, 0, NULL);
    upc_all_fseek(file, ME, UPC_SEEK_SET);
    return 0;
}

static int files_differ(void) {
    mer_ptr file = upc_all_fopen("/dev/null", UPC_RDWR | UPC_COMMON_FP, 0, NULL);
    mer_ptr other = upc_all_fopen("/dev/zero", UPC_RDWR | UPC_COMMON_FP, 0, NULL);
    upc_all_fclose(ME ? file : other);
    return 0;
}

static const struct job_body bodies[] = {
    {"domains_differ", domains_differ},
    {"good", good},
    {"useless_operand", useless_operand},
    {"useless_second_operand", useless_second_operand},
    {"misaligned", misaligned},
    {"open_flags_differ", open_flags_differ},
    {"seeks_differ", seeks_differ},
    {"files_differ", files_differ},
    {0},
};

static const char *const checking[] = {"MERIDIAN_CHECK=1", NULL};

static void expect(const char *body, int threads, const char *message) {
    const struct job_result *result = job_run(body, threads, checking);
    if (message ? result->code != 1 || !strstr(result->text, message) : result->code != 0) {
        fprintf(stderr, "%s with %d threads: code %d, said: %s\n", body, threads, result->code, result->text);
        exit(1);
    }
}

static void checks(void) {
    static const int counts[] = {1, 2, 3};
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
        int threads = counts[i];
        expect("good", threads, NULL);
        expect("useless_operand", threads, "UPC_INC does not use operand1, which has to be null");
        expect("useless_second_operand", threads, "UPC_ADD does not use operand2, which has to be null");
        expect("misaligned", threads, "the target is not aligned for UPC_LONG");
        if (threads == 1)
            continue;
        expect("domains_differ", threads, "upc_all_atomicdomain_alloc: the arguments have to be the same");
        expect("open_flags_differ", threads, "upc_all_fopen: the arguments have to be the same");
        expect("seeks_differ", threads, "upc_all_fseek: the arguments have to be the same");
        expect("files_differ", threads, "upc_all_fclose: the arguments have to be the same");
    }
}

int main(int argc, char **argv) { return job_main(argc, argv, bodies, checks); }
