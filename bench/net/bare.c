/* The two references of the conduits: a TCP socket, and libfabric written by hand for this measurement alone,
 * for two peers only. */
#include "net.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

/* ---- a socket: a length, and that many bytes ---- */

static int fd = -1;
static uint32_t pending[(1 << 21) / 4]; /* received bytes: one or more packets, the last perhaps incomplete */
static size_t pending_n;
static long packets;

static void open_socket(void) {
    struct sockaddr_in at = {.sin_family = AF_INET};
    socklen_t length = sizeof at;
    int yes = 1, listener = socket(AF_INET, SOCK_STREAM, 0);
    inet_pton(AF_INET, net->host[1], &at.sin_addr);
    if (net_me == 1) {
        if (bind(listener, (struct sockaddr *)&at, sizeof at) || listen(listener, 1) ||
            getsockname(listener, (struct sockaddr *)&at, &length))
            net_die("socket", strerror(errno));
        net->port = at.sin_port;
    }
    net_meet();
    if (net_me == 1) {
        fd = accept(listener, NULL, NULL);
        close(listener);
    } else {
        fd = listener;
        at.sin_port = (in_port_t)net->port;
        if (connect(fd, (struct sockaddr *)&at, sizeof at))
            net_die("connect", strerror(errno));
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

static void take_bytes(void) {
    ssize_t n = recv(fd, (char *)pending + pending_n, sizeof pending - pending_n, MSG_DONTWAIT);
    if (n == 0 || (n < 0 && errno != EAGAIN))
        net_die("recv", n ? strerror(errno) : "closed");
    if (n < 0)
        return;
    pending_n += (size_t)n;
    size_t at = 0;
    while (pending_n - at >= 4 && pending_n - at >= 4 + pending[at / 4]) {
        at += 4 + pending[at / 4];
        packets++;
    }
    memmove(pending, (char *)pending + at, pending_n - at);
    pending_n -= at;
}

static void send_socket(const void *bytes, size_t n) {
    uint32_t length = (uint32_t)n;
    struct iovec parts[2] = {{&length, 4}, {(void *)(size_t)bytes, n}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    for (;;) {
        ssize_t sent = sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent < 0 && errno != EAGAIN)
            net_die("send", strerror(errno));
        for (int i = 0; i < 2 && sent > 0; i++) {
            size_t part = (size_t)sent < parts[i].iov_len ? (size_t)sent : parts[i].iov_len;
            parts[i].iov_base = (char *)parts[i].iov_base + part;
            parts[i].iov_len -= part;
            sent -= (ssize_t)part;
        }
        if (parts[0].iov_len + parts[1].iov_len == 0)
            return;
    }
}

static void receive_socket(int count) {
    while (packets < count)
        take_bytes();
    packets -= count;
}

static void close_socket(void) { close(fd); }

const struct way way_socket = {.most = 1 << 20,
                               .name = "socket",
                               .open = open_socket,
                               .close = close_socket,
                               .send = send_socket,
                               .receive = receive_socket};

/* ---- libfabric ---- */

#define BUFFERS 64
#define LONGEST 65536

static struct fi_info *info;
static struct fid_fabric *fabric;
static struct fid_domain *domain;
static struct fid_av *av;
static struct fid_cq *cq;
static struct fid_ep *ep;
static struct fid_mr *mr;
static fi_addr_t peer;
static uint64_t peer_key, peer_base;
static char (*in)[LONGEST];
static struct fi_context2 contexts[BUFFERS], sending;
static long arrived, gone, begun;

static void need(ssize_t result, const char *what) {
    if (result)
        net_die(what, fi_strerror((int)-result));
}

static void open_endpoint(void) {
    struct fi_info *hints = fi_allocinfo();
    hints->caps = FI_MSG | FI_RMA;
    hints->mode = FI_CONTEXT | FI_CONTEXT2;
    hints->ep_attr->type = FI_EP_RDM;
    hints->domain_attr->threading = FI_THREAD_DOMAIN;
    hints->fabric_attr->prov_name = strdup("tcp;ofi_rxm");
    need(fi_getinfo(FI_VERSION(1, 14), net->host[net_me], NULL, FI_SOURCE, hints, &info), "fi_getinfo");
    fi_freeinfo(hints);
    struct fi_cq_attr queue = {.size = 1024, .format = FI_CQ_FORMAT_DATA, .wait_obj = FI_WAIT_NONE};
    struct fi_av_attr addresses = {.type = FI_AV_TABLE};
    need(fi_fabric(info->fabric_attr, &fabric, NULL), "fi_fabric");
    need(fi_domain(fabric, info, &domain, NULL), "fi_domain");
    need(fi_av_open(domain, &addresses, &av, NULL), "fi_av_open");
    need(fi_cq_open(domain, &queue, &cq, NULL), "fi_cq_open");
    need(fi_endpoint(domain, info, &ep, NULL), "fi_endpoint");
    need(fi_ep_bind(ep, &av->fid, 0), "fi_ep_bind");
    need(fi_ep_bind(ep, &cq->fid, FI_SEND | FI_RECV), "fi_ep_bind");
    need(fi_enable(ep), "fi_enable");
}

static void post(int i) {
    ssize_t result;
    while ((result = fi_recv(ep, in[i], LONGEST, NULL, FI_ADDR_UNSPEC, &contexts[i])) == -FI_EAGAIN)
        ;
    need(result, "fi_recv");
}

static void turn(void) {
    struct fi_cq_data_entry entries[16];
    ssize_t n = fi_cq_read(cq, entries, 16);
    if (n < 0 && n != -FI_EAGAIN)
        net_die("fi_cq_read", fi_strerror((int)-n));
    for (ssize_t i = 0; i < n; i++)
        if (entries[i].op_context == &sending) {
            gone++;
        } else {
            arrived++;
            post((int)((struct fi_context2 *)entries[i].op_context - contexts));
        }
}

static void open_fabric(void) {
    struct exchanged {
        uint64_t key, base;
        unsigned char name[128];
    } own = {0}, other;
    size_t length = sizeof own.name;
    open_endpoint();
    char *memory = mmap(NULL, 4 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    in = mmap(NULL, BUFFERS * LONGEST, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    need(fi_mr_reg(domain, memory, 4 << 20, FI_REMOTE_READ | FI_REMOTE_WRITE, 0, 1, 0, &mr, NULL),
         "fi_mr_reg");
    own.key = fi_mr_key(mr);
    own.base = info->domain_attr->mr_mode & FI_MR_VIRT_ADDR ? (uint64_t)(uintptr_t)memory : 0;
    need(fi_getname(&ep->fid, own.name, &length), "fi_getname");
    memcpy(net->address[0][net_me], &own, sizeof own);
    net_meet();
    memcpy(&other, net->address[0][!net_me], sizeof other);
    peer_key = other.key;
    peer_base = other.base;
    if (fi_av_insert(av, other.name, 1, &peer, 0, NULL) != 1)
        net_die("fi_av_insert", "refused");
    for (int i = 0; i < BUFFERS; i++)
        post(i);
    net_meet();
}

static void send_fabric(const void *bytes, size_t n) {
    ssize_t result;
    bool small = n <= info->tx_attr->inject_size;
    while ((result = small ? fi_inject(ep, bytes, n, peer) : fi_send(ep, bytes, n, NULL, peer, &sending)) ==
           -FI_EAGAIN)
        turn();
    need(result, "fi_send");
    begun += !small;
    while (begun - gone > BUFFERS)
        turn();
}

static void receive_fabric(int count) {
    while (arrived < count)
        turn();
    arrived -= count;
}

static void put_fabric(const void *bytes, size_t n, int count) {
    struct iovec part = {(void *)(size_t)bytes, n};
    struct fi_rma_iov there = {.addr = peer_base, .len = n, .key = peer_key};
    struct fi_msg_rma message = {.msg_iov = &part,
                                 .iov_count = 1,
                                 .addr = peer,
                                 .rma_iov = &there,
                                 .rma_iov_count = 1,
                                 .context = &sending};
    for (int i = 0; i < count; i++) {
        ssize_t result;
        while ((result = fi_writemsg(ep, &message, FI_COMPLETION | FI_DELIVERY_COMPLETE)) == -FI_EAGAIN)
            turn();
        need(result, "fi_writemsg");
        begun++;
        while (begun - gone > 2)
            turn();
    }
    while (gone < begun)
        turn();
}

static void close_fabric(void) {
    while (gone < begun)
        turn();
    net_meet();
    fi_close(&mr->fid);
    fi_close(&ep->fid);
    fi_close(&cq->fid);
    fi_close(&av->fid);
    fi_close(&domain->fid);
    fi_close(&fabric->fid);
    fi_freeinfo(info);
}

const struct way way_fabric = {.most = 1 << 16,
                               .name = "libfabric",
                               .open = open_fabric,
                               .close = close_fabric,
                               .send = send_fabric,
                               .receive = receive_fabric,
                               .put = put_fabric};
