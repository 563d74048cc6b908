/* From ranks to hosts: `meridian run' tells its threads their places; the processes of another launcher find
 * them out by communication.
 *
 *   1  The processes of a host find each other by an abstract socket named for the job.  The one that can
 *      bind the name is the leader; the others connect to it.  Abstract names belong to a network namespace,
 *      so that containers are hosts too.  After the first fence all have connected.
 *   2  Each process puts the rank of its leader.  After the second fence the leaders know the host of each
 *      process, and tell the other processes of their hosts.  Threads are numbered host by host, the hosts in
 *      the order of their lowest ranks.
 *   3  The leader makes the host's memory files, and passes their descriptors.
 *
 * In an exchange the leader collects the blocks of its host and puts them, gets the blocks of the other
 * hosts, and sends all blocks to its host.  Thus the launcher's service carries values for each host, not for
 * each process.  The sockets stay open for this.
 */
#include "boot/service.h"

#include "host/memory.h"
#include "base/limits.h"
#include "host/control.h"
#include "host/job.h"
#include "base/fatal.h"
#include <meridian/abi/abi.h>

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define DESCRIPTORS 10 /* in a job on several hosts a process needs at least so many more */
#define TURN 2         /* seconds: time for a launcher to end the job after a lower rank's message */
#define LONGEST_TURN 10
#define CONNECT_TRIES 2000 /* of 5 ms each: a leader may have bound its name and not listen yet */

static const struct mer_service *service;
static pid_t own_pid;

/* The job as gathered by this process, in the order of threads. */
static struct {
    int threads, thread;
    int *rank_of; /* by thread */
    int *lead_of; /* by thread: the rank of its host's leader */
    int here_first, here;
    bool leads;
    int leader;  /* a member's socket to its leader */
    int *member; /* a leader's sockets, by thread - here_first; its own is -1 */
} job;

/* End the job with a message.  If several ranks find the same error, the lowest prints it; the others wait,
 * and are ended meanwhile. */
static _Noreturn void fail(const char *what, const char *why) {
    sleep(service->rank < LONGEST_TURN / TURN ? (unsigned)service->rank * TURN : LONGEST_TURN);
    mer_fatal_job("%s: %s failed: %s", service->name, what, why);
}

static void must(const char *what, const char *why) {
    if (why)
        fail(what, why);
}

static void *room_for(size_t count, size_t size) {
    void *at = calloc(count ? count : 1, size);
    if (!at)
        fail("start-up", "no memory");
    return at;
}

/* End the job after a wait: the process that has ended gives the cause first, or the launcher does. */
static _Noreturn void neighbour_lost(void) {
    sleep(2);
    fail("start-up", "a process of this host has ended");
}

static void send_all(int fd, const void *bytes, size_t n) {
    for (size_t done = 0; done < n;) {
        ssize_t put = send(fd, (const char *)bytes + done, n - done, MSG_NOSIGNAL);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            neighbour_lost();
        done += (size_t)put;
    }
}

static void receive_all(int fd, void *bytes, size_t n) {
    for (size_t done = 0; done < n;) {
        ssize_t got = recv(fd, (char *)bytes + done, n - done, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            neighbour_lost();
        done += (size_t)got;
    }
}

/* ---- 1: the processes of a host ------------------------------------------------------------------------ */

/* Returns true if the other end belongs to the same user: anybody may bind a name. */
static bool of_this_user(int fd) {
    struct ucred other;
    socklen_t length = sizeof other;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &other, &length) == 0 && other.uid == geteuid();
}

static socklen_t name_socket(struct sockaddr_un *name) {
    *name = (struct sockaddr_un){.sun_family = AF_UNIX};
    /* The first byte stays zero: an abstract name.  The job's name may be long, so its hash is added. */
    uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char *c = service->job; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 0x100000001b3ULL;
    int n = snprintf(name->sun_path + 1, sizeof name->sun_path - 1, "meridian/job/%u/%016llx/%.40s",
                     (unsigned)geteuid(), (unsigned long long)hash, service->job);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
}

/* Returns the leader's listening socket if *leads becomes true, else a member's connection. */
static int meet(bool *leads) {
    struct sockaddr_un name;
    socklen_t length = name_socket(&name);
    for (int tries = 0; tries < CONNECT_TRIES; tries++) {
        int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd < 0)
            fail("start-up", mer_limit_text(errno));
        *leads = bind(fd, (struct sockaddr *)&name, length) == 0;
        if (*leads && listen(fd, MER_MAX_THREADS) == 0)
            return fd;
        if (!*leads && connect(fd, (struct sockaddr *)&name, length) == 0) {
            if (!of_this_user(fd))
                fail("start-up", "another user has taken the job's name on this host");
            return fd;
        }
        close(fd);
        usleep(5000);
    }
    fail("start-up", "the processes of this host cannot connect to each other");
}

/* Wait until all processes of a leader's host have connected to it. */
static void await_connections(void) {
    static const char doing[] = "waiting for all processes";
    char text[8];
    if (!service->fence_waits)
        must(doing, service->put("met", "yes"));
    must(doing, service->fence());
    for (int r = 0; job.leads && !service->fence_waits && r < service->size; r++)
        must(doing, service->get(r, "met", text, sizeof text));
}

/* Returns the sockets of the connected processes, by rank; -1 for ranks on other hosts and the leader's
 * own. */
static int *take_members(int listener) {
    int *socket_of = room_for((size_t)service->size, sizeof *socket_of);
    fcntl(listener, F_SETFL, O_NONBLOCK); /* all have connected, so do not wait */
    for (int r = 0; r < service->size; r++)
        socket_of[r] = -1;
    int fd;
    while ((fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC)) >= 0 || errno == EINTR) {
        uint32_t rank;
        if (fd < 0)
            continue;
        if (!of_this_user(fd)) {
            close(fd);
            continue;
        }
        receive_all(fd, &rank, sizeof rank);
        if (rank >= (uint32_t)service->size)
            fail("start-up", "a process of this host has a rank that does not exist");
        socket_of[rank] = fd;
    }
    if (errno == EMFILE || errno == ENFILE)
        fail("start-up", mer_limit_text(errno));
    return socket_of;
}

static int hex(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

/* ---- 2: all hosts -------------------------------------------------------------------------------------- */

/* Compute the order of threads and this process's place in it, from the leader of each rank. */
static void number_threads(const int *lead_by_rank) {
    int n = service->size, threads = 0;
    job.rank_of = room_for((size_t)n, sizeof *job.rank_of);
    job.lead_of = room_for((size_t)n, sizeof *job.lead_of);
    bool *seen = room_for((size_t)n, sizeof *seen);
    for (int first = 0; first < n; first++) {
        int lead = lead_by_rank[first];
        if (seen[lead])
            continue;
        seen[lead] = true;
        for (int r = first; r < n; r++) {
            if (lead_by_rank[r] != lead)
                continue;
            job.rank_of[threads] = r;
            job.lead_of[threads] = lead;
            if (r == service->rank)
                job.thread = threads;
            threads++;
        }
    }
    free(seen);
    job.threads = n;
    int own = job.lead_of[job.thread];
    for (job.here_first = job.thread; job.here_first > 0 && job.lead_of[job.here_first - 1] == own;)
        job.here_first--;
    for (job.here = 0; job.here_first + job.here < n && job.lead_of[job.here_first + job.here] == own;)
        job.here++;
}

/* The version of the runtime that is linked into this program.  Weak, because a test has another one. */
__attribute__((weak)) const char mer_version[] = MER_VERSION;

#define VALUE_MOST 192

/* Write a leader's rank and the version of this process, such as "17:0.1.0".  PMI-1 cuts values at blanks,
 * and allows no `=' and `;' in them: all characters except letters, digits, dots and hyphens become %XX. */
static void write_lead(char text[VALUE_MOST], int lead) {
    int n = snprintf(text, VALUE_MOST, "%d:", lead);
    for (const char *c = mer_version; *c && n < VALUE_MOST - 4; c++) {
        bool plain = (*c >= '0' && *c <= '9') || ((*c | 32) >= 'a' && (*c | 32) <= 'z') || *c == '.' ||
                     *c == '-';
        n += snprintf(text + n, 4, plain ? "%c" : "%%%02x", (unsigned char)*c);
    }
}

/* Returns the rank in the text of another process, whose version must be the same. */
static int read_lead(const char *text, int rank) {
    char version[VALUE_MOST] = "", why[2 * VALUE_MOST + 128];
    const char *c = strchr(text, ':');
    int n = 0;
    for (c = c ? c + 1 : ""; *c; n++) {
        bool coded = c[0] == '%' && c[1] && c[2];
        version[n] = coded ? (char)(hex(c[1]) << 4 | hex(c[2])) : *c;
        c += coded ? 3 : 1;
    }
    if (strcmp(version, mer_version) != 0) {
        snprintf(
            why, sizeof why,
            "the program of rank %d is linked with Meridian %s, that of rank %d with %s; link it with one "
            "version on all hosts",
            service->rank, mer_version, rank, n ? version : "an earlier one");
        fail("start-up", why);
    }
    return atoi(text);
}

/* Returns the leader's rank of each rank; collective. */
static int *find_leaders(const int *socket_of) {
    int *lead = room_for((size_t)service->size, sizeof *lead);
    int32_t own = service->rank;
    if (socket_of) {
        for (int r = 0; r < service->size; r++)
            if (socket_of[r] >= 0)
                send_all(socket_of[r], &own, sizeof own);
    } else {
        receive_all(job.leader, &own, sizeof own);
    }
    char text[VALUE_MOST];
    write_lead(text, own);
    must("publishing the host", service->put("lead", text));
    must("waiting for all processes", service->fence());
    if (!socket_of) {
        receive_all(job.leader, lead, (size_t)service->size * sizeof *lead);
        return lead;
    }
    for (int r = 0; r < service->size; r++) {
        must("reading the hosts", service->get(r, "lead", text, sizeof text));
        lead[r] = read_lead(text, r);
        if (lead[r] < 0 || lead[r] >= service->size)
            fail("reading the hosts", "a rank is out of range");
    }
    for (int r = 0; r < service->size; r++)
        if (socket_of[r] >= 0)
            send_all(socket_of[r], lead, (size_t)service->size * sizeof *lead);
    return lead;
}

/* ---- 3: the host's memory ------------------------------------------------------------------------------ */

union rights {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(2 * sizeof(int))];
};

static struct msghdr with_rights(struct iovec *part, union rights *rights) {
    return (struct msghdr){.msg_iov = part,
                           .msg_iovlen = 1,
                           .msg_control = rights->bytes,
                           .msg_controllen = sizeof rights->bytes};
}

static void pass_memory(int fd, const int files[2]) {
    union rights rights = {{0}};
    struct iovec part = {.iov_base = "m", .iov_len = 1};
    struct msghdr message = with_rights(&part, &rights);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(2 * sizeof(int));
    memcpy(CMSG_DATA(header), files, 2 * sizeof(int));
    if (sendmsg(fd, &message, MSG_NOSIGNAL) != 1)
        fail("passing the host's memory", strerror(errno));
}

static void take_memory(int fd, int files[2]) {
    char byte;
    union rights rights = {{0}};
    struct iovec part = {.iov_base = &byte, .iov_len = 1};
    struct msghdr message = with_rights(&part, &rights);
    ssize_t got = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (got != 1 || !header || header->cmsg_type != SCM_RIGHTS ||
        header->cmsg_len != CMSG_LEN(2 * sizeof(int)))
        neighbour_lost();
    memcpy(files, CMSG_DATA(header), 2 * sizeof(int));
}

/* ---- the exchange -------------------------------------------------------------------------------------- */

/* Put n bytes as hexadecimal text, in as many values as needed. */
static void put_block(unsigned round, const unsigned char *bytes, size_t n) {
    size_t most = (service->value_most - 1) / 2;
    char *text = room_for(2 * most + 1, 1), key[48];
    for (size_t at = 0, part = 0; at < n; at += most, part++) {
        size_t count = n - at < most ? n - at : most;
        for (size_t i = 0; i < count; i++)
            snprintf(text + 2 * i, 3, "%02x", bytes[at + i]);
        snprintf(key, sizeof key, "x%u.%zu", round, part);
        must("an exchange", service->put(key, text));
    }
    free(text);
}

static void get_block(int rank, unsigned round, unsigned char *bytes, size_t n) {
    size_t most = (service->value_most - 1) / 2;
    char *text = room_for(2 * most + 1, 1), key[48];
    for (size_t at = 0, part = 0; at < n; at += most, part++) {
        size_t count = n - at < most ? n - at : most;
        snprintf(key, sizeof key, "x%u.%zu", round, part);
        must("an exchange", service->get(rank, key, text, 2 * most + 1));
        if (strlen(text) != 2 * count || strspn(text, "0123456789abcdef") != 2 * count)
            fail("an exchange", "a value differs from the value that was put");
        for (size_t i = 0; i < count; i++)
            bytes[at + i] = (unsigned char)(hex(text[2 * i]) << 4 | hex(text[2 * i + 1]));
    }
    free(text);
}

static void exchange(const void *mine, size_t n, void *all) {
    static unsigned round;
    round++;
    unsigned char *every = all, *here = every + (size_t)job.here_first * n;
    if (!job.leads) {
        send_all(job.leader, mine, n);
        must("an exchange", service->fence());
        receive_all(job.leader, all, n * (size_t)job.threads);
        return;
    }
    for (int i = 0; i < job.here; i++) {
        if (job.member[i] >= 0)
            receive_all(job.member[i], here + (size_t)i * n, n);
        else
            memcpy(here + (size_t)i * n, mine, n);
    }
    put_block(round, here, n * (size_t)job.here);
    must("an exchange", service->fence());
    for (int t = 0, end; t < job.threads; t = end) {
        for (end = t; end < job.threads && job.lead_of[end] == job.lead_of[t];)
            end++;
        if (t != job.here_first)
            get_block(job.lead_of[t], round, every + (size_t)t * n, n * (size_t)(end - t));
    }
    for (int i = 0; i < job.here; i++)
        if (job.member[i] >= 0)
            send_all(job.member[i], all, n * (size_t)job.threads);
}

/* ---- all together -------------------------------------------------------------------------------------- */

/* Tell the launcher that this process ends.  Runs after the library's own exit function, which is registered
 * later.  A process that fails does not tell it, so that its launcher ends the job. */
static void at_end(int status, void *unused) {
    (void)unused;
    if (getpid() == own_pid && (status & 0xff) == 0)
        service->leave();
}

/* Returns the parent if it is a launcher, else 0: a shell in between may end before its program. */
static pid_t launcher(void) {
    static const char *const known[] = {"hydra_pmi_proxy", "mpirun", "orterun",   "orted",
                                        "prterun",         "prted",  "slurmstepd"};
    char path[64], name[64] = "";
    pid_t parent = getppid();
    snprintf(path, sizeof path, "/proc/%d/comm", (int)parent);
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    if (fgets(name, sizeof name, file))
        name[strcspn(name, "\n")] = 0;
    fclose(file);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(name, known[i], strlen(known[i])) == 0) /* mpirun.openmpi, for one */
            return parent;
    return 0;
}

static int count_hosts(int *own) {
    int hosts = 0;
    for (int t = 0; t < job.threads; t++) {
        hosts += t == 0 || job.lead_of[t] != job.lead_of[t - 1];
        if (t == job.thread)
            *own = hosts - 1;
    }
    return hosts;
}

void mer_boot_gather(struct mer_boot *boot, const struct mer_service *given) {
    service = given;
    own_pid = getpid();
    mer_here.abort = service->abort; /* from now on failures are reported to the launcher */
    if (service->size > MER_MAX_THREADS)
        fail("start-up", "a job has at most 8192 threads");
    uint32_t rank = (uint32_t)service->rank;
    int files[2], door = meet(&job.leads), *socket_of = NULL;
    if (!job.leads) {
        job.leader = door;
        send_all(door, &rank, sizeof rank);
    }
    await_connections();
    if (job.leads)
        socket_of = take_members(door);
    int *leaders = find_leaders(socket_of);
    number_threads(leaders);
    free(leaders);
    if (!mer_descriptors_left(job.lead_of[0] == job.lead_of[service->size - 1] ? 4 : DESCRIPTORS))
        fail("start-up", mer_limit_text(EMFILE));
    if (job.leads) {
        files[0] = mer_memory_new("meridian-control", MER_CONTROL_SIZE);
        files[1] = mer_memory_new("meridian-memory", MER_VIEW_SIZE);
        job.member = room_for((size_t)job.here, sizeof *job.member);
        for (int i = 0; i < job.here; i++) {
            job.member[i] = socket_of[job.rank_of[job.here_first + i]];
            if (job.member[i] >= 0)
                pass_memory(job.member[i], files);
        }
        free(socket_of);
        close(door);
    } else {
        take_memory(job.leader, files);
    }
    *boot = (struct mer_boot){.by = service->name,
                              .thread = job.thread,
                              .threads = job.threads,
                              .here_first = job.here_first,
                              .here = job.here,
                              .control_fd = files[0],
                              .memory_fd = files[1],
                              .launcher = launcher(),
                              .exchange = exchange,
                              .abort = service->abort};
    boot->hosts = count_hosts(&boot->host);
    on_exit(at_end, NULL);
}
