/* The table of threads and hosts, computed once.  Each thread gives the first thread of its host, the host's
 * name, the machine, and the CPUs that the thread may run on. */
#include "host/hosts.h"

#include "base/layout_check.h"
#include "host/job.h"
#include "host/resources.h"
#include "base/fatal.h"
#include "base/rva.h"
#include "base/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mer_hosts mer_hosts;

#define CPU_WORDS 4 /* CPU c is bit c modulo 256: enough to find hosts that share CPUs */

/* The facts that each thread gives to the others. */
struct place {
    int first; /* thread of its host */
    char name[MER_HOST_NAME];
    char machine[48];  /* the kernel's boot_id; empty if not known, and then equal to no other */
    uint64_t network;  /* mer_network_space */
    uint64_t identity; /* mer_rva_identity */
    uint64_t cpus[CPU_WORDS];
};

static void *table_of(size_t n, size_t size) {
    void *p = calloc(n, size);
    if (!p)
        mer_fatal("no memory for the table of hosts");
    return p;
}

/* Add a host, which begins with thread t. */
static void add_host(int t, const char *name) {
    if (t == mer_job.here_first)
        mer_hosts.mine = mer_hosts.count;
    memcpy(mer_hosts.name[mer_hosts.count], name, MER_HOST_NAME);
    mer_hosts.first[mer_hosts.count++] = t;
}

/* Fill in the facts that only jobs on several hosts need. */
static void find_cpus(struct place *own) {
    uint64_t cpus[MER_CONTROL_CPUS / 64] = {0};
    mer_machine(own->machine, sizeof own->machine);
    own->network = mer_network_space();
    own->identity = mer_rva_identity();
    mer_cpus_join(cpus, MER_CONTROL_CPUS / 64);
    for (int i = 0; i < MER_CONTROL_CPUS / 64; i++)
        own->cpus[i % CPU_WORDS] |= cpus[i];
}

/* Write the CPUs of the n threads at place into cpus. */
static void join_cpus(const struct place *place, int n, uint64_t cpus[CPU_WORDS]) {
    memset(cpus, 0, CPU_WORDS * sizeof *cpus);
    for (int t = 0; t < n; t++)
        for (int i = 0; i < CPU_WORDS; i++)
            cpus[i] |= place[t].cpus[i];
}

/* Find the hosts that share CPUs with this one.  all: the places of all threads. */
static void find_sharing(const struct place *all) {
    const struct place *own = &all[mer_job.mythread];
    uint64_t cpus[CPU_WORDS], shared[CPU_WORDS];
    join_cpus(&all[mer_job.here_first], mer_job.here, cpus);
    memcpy(shared, cpus, sizeof shared);
    mer_hosts.sharing = mer_job.here;
    for (int h = 0; h < mer_hosts.count; h++) {
        const struct place *theirs = &all[mer_hosts.first[h]];
        int n = mer_hosts.first[h + 1] - mer_hosts.first[h];
        uint64_t other[CPU_WORDS], common = 0;
        if (h == mer_hosts.mine || !*own->machine || strcmp(own->machine, theirs->machine) != 0)
            continue;
        join_cpus(theirs, n, other);
        for (int i = 0; i < CPU_WORDS; i++)
            common |= cpus[i] & other[i];
        for (int i = 0; i < CPU_WORDS && common; i++)
            shared[i] |= other[i];
        if (common)
            mer_hosts.sharing += n;
    }
    for (int i = 0; i < CPU_WORDS; i++)
        mer_hosts.cpus += __builtin_popcountll(shared[i]);
}

/* Check that the program is the same on all hosts, so that numbers of handlers, RVAs and layouts have the
 * same meaning. */
static void check_builds(const struct place *all) {
    for (int h = 0; h < mer_hosts.count; h++)
        if (all[mer_hosts.first[h]].identity != all[0].identity)
            mer_fatal_job(
                "the program on host %s is another build than the one on host %s: copy the program, or "
                "the library libmeridian.so that it uses, to all hosts",
                mer_hosts.name[h], mer_hosts.name[0]);
}

/* What each thread says before anything else, in all versions. */
struct greeting {
    uint32_t contract, unused;
    char name[MER_HOST_NAME];
};
MER_LAYOUT_CHECK(struct greeting, MER_LAYOUT_GREETING);

void mer_hosts_greet(void (*exchange)(const void *mine, mer_size n, void *all)) {
    struct greeting own = {.contract = MER_CONTRACT_SYMBOL},
                    *all = table_of((size_t)mer_job.threads, sizeof *all);
    snprintf(own.name, sizeof own.name, "%s", mer_here.host);
    exchange(&own, sizeof own, all);
    for (int t = 1; t < mer_job.threads; t++)
        if (all[t].contract != all[0].contract)
            mer_fatal_job(
                "the program on host %s has version %08x of Meridian's contract, but the one on host "
                "%s has version %08x: copy the program, or the library libmeridian.so that it uses, "
                "to all hosts",
                all[t].name, all[t].contract, all[0].name, all[0].contract);
    free(all);
}

static bool on_one_machine(const struct place *all) {
    const struct place *own = &all[mer_job.mythread];
    bool one = *own->machine && own->network;
    for (int h = 0; h < mer_hosts.count && one; h++) {
        const struct place *theirs = &all[mer_hosts.first[h]];
        one = theirs->network == own->network && strcmp(theirs->machine, own->machine) == 0;
    }
    return one;
}

void mer_hosts_find(void (*exchange)(const void *mine, mer_size n, void *all)) {
    size_t most = exchange ? (size_t)mer_job.threads : 1; /* hosts */
    struct place own = {.first = mer_job.here_first}, *all = table_of(most, sizeof *all);
    mer_hosts.first = table_of(most + 1, sizeof *mer_hosts.first);
    mer_hosts.name = table_of(most, sizeof *mer_hosts.name);
    snprintf(own.name, sizeof own.name, "%s", mer_here.host);
    if (exchange) {
        find_cpus(&own);
        exchange(&own, sizeof own, all);
    } else {
        all[0] = own;
    }
    for (size_t t = 0; t < most; t++)
        if (all[t].first == (int)t)
            add_host((int)t, all[t].name);
    mer_hosts.first[mer_hosts.count] = mer_job.threads;
    if (exchange) {
        check_builds(all);
        find_sharing(all);
    }
    mer_hosts.one_machine = !exchange || on_one_machine(all);
    free(all);
}

int mer_host_of(int t) {
    int low = 0, high = mer_hosts.count; /* first[low] <= t < first[high] */
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (mer_hosts.first[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

const char *mer_host_name(int t) { return mer_hosts.name[mer_host_of(t)]; }
