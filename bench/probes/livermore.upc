/* The 24 Livermore kernels: plain C and translated C, after figure 10 and table 1 of the paper on UPC for the
 * Cray X1. Each kernel is measured in its three versions (c/livermore.c) one after the other, on thread 0.
 * Before any measurement the sum of each version is checked.
 */
#include "../measure.h"

#include "../c/livermore.h"

#include <math.h>

static const struct {
    const char *name;
    const struct livermore_version *version;
} versions[] = {
    {"plain C", &livermore_plain}, {"private", &livermore_private}, {"shared", &livermore_shared}};

#define VERSIONS (int)(sizeof versions / sizeof *versions)

/* The points are the versions of the first kernel, then those of the second, and so on. */
static const struct livermore_version *version_now(void) {
    return versions[(probe_now - probe_points) % VERSIONS].version;
}

static void prepare(void) {
    if (PROBE_WORKS)
        version_now()->prepare();
}

static void run(long turns) {
    if (PROBE_WORKS)
        version_now()->kernels[(probe_now - probe_points) / VERSIONS].run(turns);
}

/* Checks the sum of a version; compilers may differ in the last digits. */
static void check(const char *name, const struct livermore_version *version, int k) {
    const struct livermore_kernel *kernel = &version->kernels[k];
    version->prepare();
    kernel->run(1);
    double sum = version->sum();
    if (fabs(sum - kernel->sum) <= 1e-11 * fabs(kernel->sum))
        return;
    fprintf(stderr, "Livermore kernel %s, %s, computes something else: its sum is %.17g, not %.17g\n",
            kernel->name, name, sum, kernel->sum);
    abort();
}

static void add_livermore(void) {
    for (int k = 0; k < LIVERMORE_KERNELS; k++)
        for (int v = 0; v < VERSIONS; v++) {
            const struct livermore_kernel *kernel = &versions[v].version->kernels[k];
            if (PROBE_WORKS)
                check(versions[v].name, versions[v].version, k);
            probe_add((struct point){.part = "livermore",
                                     .series = kernel->name,
                                     .what = versions[v].name,
                                     .run = run,
                                     .prepare = prepare,
                                     .operations = kernel->operations});
        }
}

static const struct part parts[] = {{"livermore", add_livermore}};

int main(int argc, char **argv) { return PROBE_MAIN(argc, argv, parts); }
