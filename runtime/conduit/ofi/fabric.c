/* Choosing a provider of libfabric, and opening one endpoint on it.
 *
 * The networks that move data by themselves come first, then TCP with reliable datagrams layered on its
 * connections.  `net' is never used (1.17 ignores delivery-complete), nor are `sockets', `udp' and `shm':
 * within a host the runtime uses shared memory itself.  FI_PROVIDER, libfabric's own setting, overrides the
 * list.
 *
 * If there is no network card, two causes of libfabric's slow start are avoided: its preparation
 * (wake_quietly) and the buffers of the layer above TCP (set_defaults).  The loading of its libraries
 * remains: a fifth of a second, in which two of them (PSM's) measure the processor's clock.
 */
#include "base/limits.h"
#include "conduit/interfaces.h"
#include "conduit/ofi/ofi.h"
#include "conduit/sockets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

static const char *const preferred[] = {"cxi", "efa", "opx", "psm2", "verbs;ofi_rxm", "tcp;ofi_rxm", "tcp"};

/* An old version of the interface, which a site's own libfabric is likely to know. */
#define VERSION FI_VERSION(1, 14)

const char *ofi_error_text(int error) {
    return error < FI_ERRNO_OFFSET ? mer_limit_text(error) : fi_strerror(error);
}

static void check(const struct ofi *ofi, int result, const char *what) {
    if (result && !mer_descriptors_left(8))
        result = -EMFILE; /* the cause: the provider may report another, having closed its descriptors */
    if (result)
        ofi->client->fail(ofi->client->user, "%s: %s (provider %s)", what, ofi_error_text(-result),
                          ofi->info ? ofi->info->fabric_attr->prov_name : "not chosen");
}

/* Returns the requirements for a provider. */
static struct fi_info *wishes(const struct ofi *ofi) {
    struct fi_info *hints = fi_allocinfo();
    if (!hints)
        ofi->client->fail(ofi->client->user, "no memory");
    hints->caps = FI_MSG | FI_RMA;
    hints->mode = FI_CONTEXT | FI_CONTEXT2;
    hints->ep_attr->type = FI_EP_RDM;
    hints->tx_attr->msg_order = FI_ORDER_SAS;
    hints->rx_attr->msg_order = FI_ORDER_SAS;
    hints->domain_attr->cq_data_size = 8;
    hints->domain_attr->threading = FI_THREAD_DOMAIN;       /* by the runtime's lock */
    hints->domain_attr->data_progress = FI_PROGRESS_MANUAL; /* the runtime or its progress thread polls */
    hints->domain_attr->mr_mode = FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY |
                                  FI_MR_ENDPOINT;
    return hints;
}

bool ofi_over_tcp(const char *provider) { return strncmp(provider, "tcp", 3) == 0; }

/* Writes the address to bind to: that of MERIDIAN_INTERFACE, or loopback if that is enough, or the likeliest.
 * Returns false if libfabric chooses: by FI_TCP_IFACE, or because there is no address. */
static bool source(const struct ofi *ofi, char text[INET6_ADDRSTRLEN]) {
    const char *wanted = ofi->client->interface, *iface = getenv("FI_TCP_IFACE");
    struct in6_addr address;
    if (!wanted && iface && *iface)
        return false;
    if (!wanted && ofi->client->one_machine && mer_loopback(&address))
        return mer_address_text(&address, text) != NULL;
    if (mer_interfaces(wanted, &address, 1) == 1)
        return mer_address_text(&address, text) != NULL;
    if (wanted)
        ofi->client->fail(ofi->client->user,
                          "this host has no network interface that is up and fits MERIDIAN_INTERFACE=%s",
                          wanted);
    return false;
}

/* Ask libfabric for this provider, or for any of FI_PROVIDER's if `provider' is null.  Returns null if there
 * is none. */
static struct fi_info *ask(const struct ofi *ofi, const char *provider) {
    struct fi_info *hints = wishes(ofi), *found = NULL;
    char text[INET6_ADDRSTRLEN];
    if (provider)
        hints->fabric_attr->prov_name = strdup(provider);
    bool bound = (!provider || ofi_over_tcp(provider)) && source(ofi, text);
    if (fi_getinfo(VERSION, bound ? text : NULL, NULL, bound ? FI_SOURCE : 0, hints, &found) != 0)
        found = NULL;
    if (!found && !provider && fi_getinfo(VERSION, NULL, NULL, 0, hints, &found) != 0)
        found = NULL; /* a network without IP addresses */
    fi_freeinfo(hints);
    return found;
}

static struct fi_info *choose(const struct ofi *ofi) {
    const char *users = getenv("FI_PROVIDER");
    struct fi_info *info = NULL;
    if (users && *users) {
        for (size_t i = 0; !info && i < sizeof preferred / sizeof *preferred; i++)
            info = ask(ofi, preferred[i]);
        if (!info)
            info = ask(ofi, NULL);
        if (!info)
            ofi->client->fail(ofi->client->user,
                              "libfabric offers no provider with reliable datagrams under FI_PROVIDER=%s; "
                              "`fi_info -t FI_EP_RDM' lists such providers",
                              users);
        return info;
    }
    for (size_t i = 0; !info && i < sizeof preferred / sizeof *preferred; i++)
        info = ask(ofi, preferred[i]);
    if (!info)
        ofi->client->fail(ofi->client->user,
                          "libfabric offers no provider that Meridian can use on this host; see "
                          "`fi_info -t FI_EP_RDM', or set MERIDIAN_CONDUIT=tcp");
    return info;
}

/* The progress thread sleeps on a descriptor.  With one, libfabric asks for events by epoll_wait in place of
 * poll, and a round trip of 8 bytes takes 6 to 17 % longer. */
static void open_queue(struct ofi *ofi) {
    struct fi_cq_attr wanted = {.size = 4096, .format = FI_CQ_FORMAT_DATA, .wait_obj = FI_WAIT_FD};
    check(ofi, fi_cq_open(ofi->domain, &wanted, &ofi->cq, NULL),
          "completion queue with a descriptor to wait on");
    check(ofi, fi_control(&ofi->cq->fid, FI_GETWAIT, &ofi->wait_fd), "descriptor of the completion queue");
}

/* Over TCP without the layer rxm (set_defaults) packets of any length take one trip, in the order in which
 * they were sent.  So packets are long, which saves calls of the kernel, and few buffers suffice: bytes that
 * come while none is posted wait in the socket.  There a message that asks for bytes is faster than the
 * network's get up to a megabyte, although the bytes are copied, and rows of 2 to 16 KB take twice the time
 * by operations of the network, of which each holds four.  Elsewhere the layer asks the receiver before it
 * sends more than 16 KB, and the number of buffers matters. */
static void choose_sizes(struct ofi *ofi) {
    static const struct ofi_sizes plain = {.packet = (512 << 10) + 256 + OFI_HEAD,
                                           .put_least = 32 << 10,
                                           .get_least = 1 << 20,
                                           .receives = 16,
                                           .sends = 8};
    static const struct ofi_sizes layered = {.packet = 64 << 10,
                                             .eager = 16 << 10,
                                             .put_least = 16 << 10,
                                             .get_least = 16 << 10,
                                             .receives = OFI_BUFFERS,
                                             .sends = OFI_BUFFERS};
    ofi->sizes = ofi->info->ep_attr->protocol == FI_PROTO_RXM_TCP ? plain : layered;
}

static size_t size_of_buffers(const struct ofi *ofi) {
    return (ofi->sizes.receives + ofi->sizes.sends) * ofi->sizes.packet;
}

/* Map memory for packets, and register it if the provider asks for that. */
static void open_buffers(struct ofi *ofi) {
    choose_sizes(ofi);
    size_t size = size_of_buffers(ofi);
    ofi->buffers = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (ofi->buffers == MAP_FAILED)
        ofi->client->fail(ofi->client->user, "no memory for packets");
    if (!(ofi->info->domain_attr->mr_mode & FI_MR_LOCAL))
        return;
    check(ofi, fi_mr_reg(ofi->domain, ofi->buffers, size, FI_SEND | FI_RECV, 0, 0, 0, &ofi->buffers_mr, NULL),
          "registering memory for packets (raise the limit on locked memory: ulimit -l)");
    if (ofi->info->domain_attr->mr_mode &
        FI_MR_ENDPOINT) { /* fi_mr(3): it belongs to the endpoint, and is disabled at first */
        check(ofi, fi_mr_bind(ofi->buffers_mr, &ofi->ep->fid, 0),
              "binding memory for packets to the endpoint");
        check(ofi, fi_mr_enable(ofi->buffers_mr), "enabling memory for packets");
    }
    ofi->buffers_desc = fi_mr_desc(ofi->buffers_mr);
}

/* Offer the whole memory of the thread, but only if registering costs nothing and private memory needs no
 * registration, as over TCP.  A network card would pin the span, which is sparse and far larger than the
 * host; active messages are used there.
 *
 * Whoever knows the key of the memory may read and write it.  So the key is a random number of 64 bits.  A
 * provider that chooses keys itself counts them, and shorter keys could be guessed: with such providers
 * active messages are used too. */
static void open_memory(struct ofi *ofi, struct ofi_endpoint *own) {
    const uint64_t access = FI_REMOTE_READ | FI_REMOTE_WRITE;
    int mode = ofi->info->domain_attr->mr_mode;
    uint64_t key;
    if (!ofi_over_tcp(ofi->info->fabric_attr->prov_name) ||
        (mode & (FI_MR_LOCAL | FI_MR_ENDPOINT | FI_MR_PROV_KEY)) ||
        ofi->info->domain_attr->mr_key_size < sizeof key || !ofi->client->memory_length)
        return;
    ofi_random(ofi, &key, sizeof key);
    if (fi_mr_reg(ofi->domain, ofi->client->memory, ofi->client->memory_length, access, 0, key, 0,
                  &ofi->memory_mr, NULL) != 0) {
        ofi->memory_mr = NULL;
        return;
    }
    own->has_memory = true;
    own->key = fi_mr_key(ofi->memory_mr);
    own->base = mode & FI_MR_VIRT_ADDR ? (uint64_t)(uintptr_t)ofi->client->memory : 0;
}

/* Make settings of libfabric for this job, unless the user has made them. */
static void set_defaults(const struct ofi *ofi) {
    char peers[16];
    snprintf(peers, sizeof peers, "%d", ofi->client->threads);
    setenv("FI_UNIVERSE_SIZE", peers, 0);
    /* rxm posts 4,096 buffers of 16 KB for TCP, and zeroes them all: 64 MB for each process.  Values up to
     * 1,024 take a quarter of that, and each is posted anew as soon as it has been read. */
    if (mer_network_card())
        return;
    setenv("FI_OFI_RXM_MSG_RX_SIZE", "512", 0);
    /* The layer manages the connections, and leaves the data to the provider tcp.  It adds no head, copy or
     * handshake, which would double the time. */
    setenv("FI_OFI_RXM_ENABLE_PASSTHRU", "1", 0);
}

/* Have libfabric 1.17 prepare its providers while no file can be opened.  The verbs provider reads
 * /proc/kallsyms twice, 5 MB each time, for any value of FI_PROVIDER.  This takes four times as long as all
 * the rest of the start.  If the provider cannot open the file, it goes on without it; and TCP needs no file
 * that the other providers may open then.  Only for this version, with its providers built in: others are not
 * known. */
static void wake_quietly(const struct ofi *ofi) {
    struct rlimit before, none;
    if (fi_version() != FI_VERSION(1, 17) || getenv("FI_PROVIDER_PATH") || mer_network_card() ||
        getrlimit(RLIMIT_NOFILE, &before) != 0)
        return;
    struct fi_info *hints = wishes(ofi), *found = NULL;
    hints->fabric_attr->prov_name = strdup("none"); /* so that no provider is tried yet */
    none = before;
    none.rlim_cur = 0;
    if (setrlimit(RLIMIT_NOFILE, &none) == 0 && fi_getinfo(VERSION, NULL, NULL, 0, hints, &found) == 0)
        fi_freeinfo(found);
    setrlimit(RLIMIT_NOFILE, &before);
    fi_freeinfo(hints);
}

void ofi_fabric_open(struct ofi *ofi, struct ofi_endpoint *own) {
    set_defaults(ofi);
    wake_quietly(ofi);
    mer_raise_descriptors();
    ofi->info = choose(ofi);
    struct fi_av_attr av = {.type = FI_AV_TABLE, .count = (size_t)ofi->client->threads};
    check(ofi, fi_fabric(ofi->info->fabric_attr, &ofi->fabric, NULL), "fabric");
    check(ofi, fi_domain(ofi->fabric, ofi->info, &ofi->domain, NULL), "domain");
    check(ofi, fi_av_open(ofi->domain, &av, &ofi->av, NULL), "address vector");
    open_queue(ofi);
    check(ofi, fi_endpoint(ofi->domain, ofi->info, &ofi->ep, NULL), "endpoint");
    check(ofi, fi_ep_bind(ofi->ep, &ofi->av->fid, 0), "binding the address vector");
    check(ofi, fi_ep_bind(ofi->ep, &ofi->cq->fid, FI_SEND | FI_RECV), "binding the completion queue");
    check(ofi, fi_enable(ofi->ep), "enabling the endpoint");
    ofi_random(ofi, ofi->secret, sizeof ofi->secret);
    memcpy(own->secret, ofi->secret, sizeof own->secret);
    open_buffers(ofi);
    open_memory(ofi, own);
    size_t length = sizeof own->name;
    check(ofi, fi_getname(&ofi->ep->fid, own->name, &length), "the endpoint's address");
    own->length = (uint16_t)length;
    snprintf(own->provider, sizeof own->provider, "%s", ofi->info->fabric_attr->prov_name);
}

void ofi_fabric_close(struct ofi *ofi) {
    if (ofi->memory_mr)
        fi_close(&ofi->memory_mr->fid);
    fi_close(&ofi->ep->fid);
    if (ofi->buffers_mr)
        fi_close(&ofi->buffers_mr->fid);
    fi_close(&ofi->cq->fid);
    fi_close(&ofi->av->fid);
    fi_close(&ofi->domain->fid);
    fi_close(&ofi->fabric->fid);
    fi_freeinfo(ofi->info);
    munmap(ofi->buffers, size_of_buffers(ofi));
}
