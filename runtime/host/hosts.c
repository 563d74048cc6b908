/* Who is where: found once, by each thread telling where its host's threads begin, and its name. */
#include "host/hosts.h"

#include "host/job.h"
#include "base/fatal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mer_hosts mer_hosts;

/* What each thread tells the others. */
struct place {
    int first; /* thread of its host */
    char name[MER_HOST_NAME];
};

static void *room_for(size_t n, size_t size) {
    void *p = calloc(n, size);
    if (!p)
        mer_fatal("no memory for the table of hosts");
    return p;
}

/* Thread t begins a host. */
static void add_host(int t, const char *name) {
    if (t == mer_job.here_first)
        mer_hosts.mine = mer_hosts.count;
    memcpy(mer_hosts.name[mer_hosts.count], name, MER_HOST_NAME);
    mer_hosts.first[mer_hosts.count++] = t;
}

void mer_hosts_find(void (*exchange)(const void *mine, mer_size n, void *all)) {
    size_t most = exchange ? (size_t)mer_job.threads : 1; /* hosts */
    struct place own = {.first = mer_job.here_first}, *all = room_for(most, sizeof *all);
    mer_hosts.first = room_for(most + 1, sizeof *mer_hosts.first);
    mer_hosts.name = room_for(most, sizeof *mer_hosts.name);
    snprintf(own.name, sizeof own.name, "%s", mer_here.host);
    if (exchange)
        exchange(&own, sizeof own, all);
    else
        all[0] = own;
    for (size_t t = 0; t < most; t++)
        if (all[t].first == (int)t)
            add_host((int)t, all[t].name);
    mer_hosts.first[mer_hosts.count] = mer_job.threads;
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
