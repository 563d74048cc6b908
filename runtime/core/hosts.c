/* Who is where: found once, by each thread telling where its host's threads begin. */
#include "core/hosts.h"

#include "core/job.h"
#include "core/message.h"

#include <stdlib.h>

struct mer_hosts mer_hosts;

static int *numbers(size_t n) {
    int *p = calloc(n, sizeof *p);
    if (!p)
        mer_fatal("no memory for the table of hosts");
    return p;
}

void mer_hosts_find(void (*exchange)(const void *mine, mer_size n, void *all)) {
    int threads = mer_job.threads;
    int *start = numbers((size_t)threads); /* by thread: the first thread of its host */
    if (exchange)
        exchange(&mer_job.here_first, sizeof mer_job.here_first, start);
    else
        for (int t = 0; t < threads; t++)
            start[t] = 0;
    mer_hosts.first = numbers((size_t)threads + 1);
    for (int t = 0; t < threads; t++) {
        if (start[t] != t)
            continue;
        if (t == mer_job.here_first)
            mer_hosts.mine = mer_hosts.count;
        mer_hosts.first[mer_hosts.count++] = t;
    }
    mer_hosts.first[mer_hosts.count] = threads;
    free(start);
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
