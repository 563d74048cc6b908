/* The hosts of the threads.  Hosts are numbered from 0; a host's threads have consecutive numbers, and those
 * of host h come before those of h + 1.  Constant after start-up. */
#ifndef MER_HOST_HOSTS_H
#define MER_HOST_HOSTS_H

#include <meridian/abi/abi.h>
#include <stdbool.h>

#define MER_HOST_NAME 64

struct mer_hosts {
    int count, mine; /* mine: this host's number */
    int *first;      /* first[h]: the first thread of host h; first[count] is THREADS */
    char (*name)[MER_HOST_NAME];
    /* Hosts may share a machine: containers, or several that `meridian run -H' starts on one.  sharing: the
     * number of threads, of all hosts, that may run on a CPU of this host's threads, these included.  cpus:
     * the number of CPUs that these threads may run on.  Both are 0 in a job on one host. */
    int sharing, cpus;
    /* All threads of the job are on this machine and can connect to each other by loopback. */
    bool one_machine;
};
extern struct mer_hosts mer_hosts;

/* Start-up, before all other exchanges: ends the job with a message if another host has another version of
 * the contract (meridian/abi/contract.h). */
void mer_hosts_greet(void (*exchange)(const void *mine, mer_size n, void *all));

/* Start-up, once mer_job is filled in and, if there are several hosts, exchange is possible.  exchange gives
 * n bytes of each thread to all (boot/boot.h); it is null if all threads of the job are on this host.  Ends
 * the job with a message if another host has another build of the program (of the runtime's image,
 * base/rva.h). */
void mer_hosts_find(void (*exchange)(const void *mine, mer_size n, void *all));

/* Return the host of thread t, and its name for messages. */
int mer_host_of(int t);
const char *mer_host_name(int t);

#endif
