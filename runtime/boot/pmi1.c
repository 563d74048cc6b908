/* PMI-1, as mpiexec.hydra speaks it, and Slurm's `srun --mpi=pmi2', which understands both versions: lines of
 * key=value words over the descriptor PMI_FD, or over a connection to PMI_PORT (`mpiexec.hydra -pmi-port'),
 * where the first exchange tells the rank.
 *
 *   cmd=initack pmiid=ID                            cmd=initack ..., then cmd=set size=N, rank=R, debug=D
 *   cmd=init pmi_version=1 pmi_subversion=1         cmd=response_to_init ... rc=0
 *   cmd=get_maxes                                   cmd=maxes kvsname_max=256 keylen_max=64 vallen_max=1024
 *   cmd=get_my_kvsname                              cmd=my_kvsname kvsname=NAME
 *   cmd=put kvsname=NAME key=KEY value=VALUE        cmd=put_result rc=0 ...
 *   cmd=barrier_in                                  cmd=barrier_out ...
 *   cmd=get kvsname=NAME key=KEY                    cmd=get_result rc=0 ... value=VALUE
 *   cmd=finalize                                    cmd=finalize_ack
 *   cmd=abort exitcode=CODE                         (none: the launcher ends the job)
 *
 * The wire is spoken here, rather than a library loaded, because it is this small and is the same everywhere,
 * and so serves programs that are linked with -static too.  Source: Balaji et al., PMI: A Scalable Parallel
 * Process-Management Interface for Extreme-Scale Systems (EuroMPI 2010), and the answers of the two
 * launchers.
 */
#include "boot/service.h"

#include "core/control.h"
#include "core/message.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define LINE_MOST 4096
#define VALUE_MOST 512

static int wire = -1;
static char kvs[512]; /* the name of the job's space of keys */
static char line[LINE_MOST];

/* Read one line of the answer into `line', without its end. */
static const char *read_line(void) {
    size_t n = 0;
    while (n < sizeof line - 1) {
        ssize_t got = read(wire, line + n, 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return "the launcher has closed the connection";
        if (line[n] == '\n')
            break;
        n++;
    }
    line[n] = 0;
    return NULL;
}

/* The value of a word of the answer, up to the next blank; false: there is no such word. */
static bool word(const char *name, char *value, size_t size) {
    size_t length = strlen(name);
    for (const char *at = line; (at = strstr(at, name)) != NULL; at += length) {
        if ((at != line && at[-1] != ' ') || at[length] != '=')
            continue;
        const char *start = at + length + 1;
        snprintf(value, size, "%.*s", (int)strcspn(start, " "), start);
        return true;
    }
    return false;
}

static const char *say(const char *text) {
    for (size_t length = strlen(text); length > 0;) {
        ssize_t put = write(wire, text, length);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return strerror(errno);
        text += put;
        length -= (size_t)put;
    }
    return NULL;
}

/* Ask, and read the answer, whose cmd has to be `answer', and whose rc, if it has one, 0. */
static const char *ask(const char *text, const char *answer) {
    static char error[LINE_MOST + 64];
    char value[64];
    const char *why = say(text);
    if (!why)
        why = read_line();
    if (why)
        return why;
    bool understood = word("cmd", value, sizeof value) && strcmp(value, answer) == 0;
    if (understood && (!word("rc", value, sizeof value) || strcmp(value, "0") == 0))
        return NULL;
    snprintf(error, sizeof error, "the launcher answers `%s'", line);
    return error;
}

static int own_rank;

static const char *put(const char *key, const char *value) {
    char text[LINE_MOST];
    snprintf(text, sizeof text, "cmd=put kvsname=%s key=%d-%s value=%s\n", kvs, own_rank, key, value);
    return ask(text, "put_result");
}

static const char *get(int rank, const char *key, char *value, size_t size) {
    char text[LINE_MOST];
    snprintf(text, sizeof text, "cmd=get kvsname=%s key=%d-%s\n", kvs, rank, key);
    const char *why = ask(text, "get_result");
    return why || word("value", value, size) ? why : "the launcher answers without a value";
}

static const char *fence(void) { return ask("cmd=barrier_in\n", "barrier_out"); }

static void end_all(int code) {
    char text[64];
    snprintf(text, sizeof text, "cmd=abort exitcode=%d\n", code);
    say(text);
}

static void leave(void) { ask("cmd=finalize\n", "finalize_ack"); }

static struct mer_service service = {
    .name = "PMI-1", .job = kvs, .put = put, .fence = fence, .get = get, .abort = end_all, .leave = leave};

static int number(const char *name, long least, long most) {
    const char *text = getenv(name);
    char *end = NULL;
    long value = text ? strtol(text, &end, 10) : -1;
    if (!text || !*text || *end || value < least || value > most)
        mer_fatal_job("PMI-1 has started this program, but %s is `%s': start the program with mpiexec, srun "
                      "or `meridian run'",
                      name, text ? text : "");
    return (int)value;
}

/* Connect to HOST:PORT, the launcher's process on this host.  The name is not resolved: what is no address in
 * numbers is this host's own name. */
static const char *connect_to(const char *port) {
    const char *colon = strrchr(port, ':');
    struct sockaddr_in to = {.sin_family = AF_INET};
    char host[64];
    if (!colon)
        return "PMI_PORT names no port";
    snprintf(host, sizeof host, "%.*s", (int)(colon - port), port);
    if (inet_pton(AF_INET, host, &to.sin_addr) != 1)
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    to.sin_port = htons((uint16_t)atoi(colon + 1));
    wire = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (wire < 0 || connect(wire, (struct sockaddr *)&to, sizeof to) != 0)
        return strerror(errno);
    return NULL;
}

/* Learn size and rank over the connection. */
static const char *learn_rank(void) {
    char text[64], value[32];
    snprintf(text, sizeof text, "cmd=initack pmiid=%d\n", number("PMI_ID", 0, INT32_MAX));
    const char *why = ask(text, "initack");
    for (int told = 0; !why && told < 3; told++) {
        why = read_line();
        if (!why && word("size", value, sizeof value))
            service.size = atoi(value);
        if (!why && word("rank", value, sizeof value))
            service.rank = atoi(value);
    }
    if (!why && (service.size < 1 || service.rank < 0 || service.rank >= service.size))
        why = "the launcher does not tell the rank";
    return why;
}

/* Find the wire, the size and the rank; false: PMI-1 has not started this process. */
static bool begin(const char **why) {
    const char *port = getenv("PMI_PORT");
    *why = NULL;
    if (getenv("PMI_FD")) {
        wire = number("PMI_FD", 0, INT32_MAX);
        service.size = number("PMI_SIZE", 1, MER_MAX_THREADS);
        service.rank = number("PMI_RANK", 0, service.size - 1);
        fcntl(wire, F_SETFD, FD_CLOEXEC);
    } else if (port && getenv("PMI_ID")) {
        *why = connect_to(port);
        if (!*why)
            *why = learn_rank();
    } else {
        return false;
    }
    own_rank = service.rank;
    return true;
}

const struct mer_service *mer_boot_pmi1(void) {
    char most[32] = "";
    const char *why;
    if (!begin(&why))
        return NULL;
    if (!why)
        why = ask("cmd=init pmi_version=1 pmi_subversion=1\n", "response_to_init");
    if (!why)
        why = ask("cmd=get_maxes\n", "maxes");
    if (!why)
        word("vallen_max", most, sizeof most);
    if (!why)
        why = ask("cmd=get_my_kvsname\n", "my_kvsname");
    if (!why && !word("kvsname", kvs, sizeof kvs))
        why = "the launcher does not name the job";
    if (why)
        mer_fatal_job("PMI-1 has started this program, and cannot be spoken to: %s", why);
    long value_most = atol(most);
    /* Slurm answers 1024 and cuts lines that are longer than that, with all their words. */
    service.value_most = value_most < 64 || value_most > VALUE_MOST ? VALUE_MOST : (size_t)value_most;
    /* MPI in the same program would find a connection that is in use. */
    unsetenv("PMI_FD");
    unsetenv("PMI_PORT");
    return &service;
}
