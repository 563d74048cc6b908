/* A stranger with plain libfabric, who finds the ports of a job over the conduit `ofi'. With the argument
 * `memory' it tries to read and to write the job's memory with guessable keys; with `packets' it sends
 * packets as one of the job's threads. It prints the number of successes of each kind: "2 endpoints, 0
 * read, 0 written, 512 sent". */
#include "listeners.h"

#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#define KEYS 4       /* the first after 0 */
#define TRIES 3      /* with each: a refusal ends the connection, and perhaps the next try */
#define PACKETS 1024 /* as each of the threads, */
#define APART 61     /* between numbers, one of which is soon the next */
#define PATIENCE 2.0 /* seconds for an operation */
#define PACKET 24    /* bytes: a head, and a goodbye message */
#define THREADS 2

static struct fi_info *info;
static struct fid_ep *ep;
static struct fid_cq *cq;
static struct fid_av *av;

static void must(int result, const char *what) {
    if (result == 0)
        return;
    fprintf(stderr, "%s: %s\n", what, fi_strerror(-result));
    exit(1);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void open_endpoint(void) {
    struct fi_info *hints = fi_allocinfo();
    struct fid_fabric *fabric;
    struct fid_domain *domain;
    struct fi_cq_attr queue = {.size = 1024, .format = FI_CQ_FORMAT_DATA};
    struct fi_av_attr addresses = {.type = FI_AV_TABLE};
    setenv("FI_OFI_RXM_ENABLE_PASSTHRU", "1", 1);
    hints->caps = FI_MSG | FI_RMA;
    hints->mode = FI_CONTEXT | FI_CONTEXT2;
    hints->ep_attr->type = FI_EP_RDM;
    hints->domain_attr->cq_data_size = 8;
    hints->fabric_attr->prov_name = strdup("tcp;ofi_rxm");
    must(fi_getinfo(FI_VERSION(1, 14), NULL, NULL, 0, hints, &info), "fi_getinfo");
    must(fi_fabric(info->fabric_attr, &fabric, NULL), "fi_fabric");
    must(fi_domain(fabric, info, &domain, NULL), "fi_domain");
    must(fi_av_open(domain, &addresses, &av, NULL), "fi_av_open");
    must(fi_cq_open(domain, &queue, &cq, NULL), "fi_cq_open");
    must(fi_endpoint(domain, info, &ep, NULL), "fi_endpoint");
    must(fi_ep_bind(ep, &av->fid, 0), "fi_ep_bind");
    must(fi_ep_bind(ep, &cq->fid, FI_SEND | FI_RECV), "fi_ep_bind");
    must(fi_enable(ep), "fi_enable");
}

/* Waits for one completion. Returns 1 if it has succeeded, 0 if it was refused or has not come. */
static int await(double until) {
    struct fi_cq_data_entry entry;
    struct fi_cq_err_entry error = {0};
    while (now() < until) {
        ssize_t n = fi_cq_read(cq, &entry, 1);
        if (n == 1)
            return 1;
        if (n != -FI_EAGAIN) {
            fi_cq_readerr(cq, &error, 0);
            return 0;
        }
    }
    return 0;
}

/* Reads or writes the first bytes of memory by this key. Returns 1 if done, and a write has arrived. */
static int access_memory(int writes, fi_addr_t victim, uint64_t key) {
    static unsigned char bytes[64];
    static struct fi_context2 context;
    struct iovec here = {bytes, sizeof bytes};
    struct fi_rma_iov there = {.len = sizeof bytes, .key = key};
    struct fi_msg_rma message = {.msg_iov = &here,
                                 .iov_count = 1,
                                 .addr = victim,
                                 .rma_iov = &there,
                                 .rma_iov_count = 1,
                                 .context = &context};
    double until = now() + PATIENCE;
    ssize_t result;
    memset(bytes, 0xff, sizeof bytes);
    do {
        result = writes ? fi_writemsg(ep, &message, FI_COMPLETION | FI_DELIVERY_COMPLETE)
                        : fi_readmsg(ep, &message, FI_COMPLETION);
        if (result == -FI_EAGAIN)
            await(now()); /* to make progress with the connection */
    } while (result == -FI_EAGAIN && now() < until);
    return result == 0 && await(until);
}

/* Sends a packet as a thread of the job. Returns 1 if it has left. */
static int send_packet(fi_addr_t victim, unsigned from, uint32_t number) {
    unsigned char packet[PACKET] = {0};
    uint16_t goodbye = 0xffff;
    double until = now() + PATIENCE;
    ssize_t result;
    memcpy(packet + 4, &number, sizeof number);
    memcpy(packet + 8, &goodbye, sizeof goodbye);
    do {
        result = fi_injectdata(ep, packet, sizeof packet, (uint64_t)number << 32 | from, victim);
        if (result == -FI_EAGAIN)
            await(now());
    } while (result == -FI_EAGAIN && now() < until);
    return result == 0;
}

int main(int argc, char **argv) {
    struct sockaddr_in listeners[LISTENERS];
    int count = find_listeners(listeners), reads = 0, writes = 0, sent = 0;
    int memory = argc == 2 && strcmp(argv[1], "memory") == 0;
    open_endpoint();
    for (int i = 0; i < count; i++) {
        fi_addr_t victim;
        if (fi_av_insert(av, &listeners[i], 1, &victim, 0, NULL) != 1)
            continue;
        for (uint64_t key = 1; memory && key <= KEYS; key++)
            for (int try = 0; try < TRIES; try++) {
                reads += access_memory(0, victim, key);
                writes += access_memory(1, victim, key);
            }
        for (unsigned from = 0; !memory && from < THREADS; from++)
            for (uint32_t number = 0; number < PACKETS; number++)
                sent += send_packet(victim, from, number * APART);
    }
    printf("%d endpoints, %d read, %d written, %d sent\n", count, reads, writes, sent);
    return 0;
}
