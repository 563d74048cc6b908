/* PMI-1 and PMI-2: the connection to the launcher over the descriptor PMI_FD, or to PMI_PORT (`mpiexec.hydra
 * -pmi-port', where the first exchange tells the rank), and the choice between the two.
 *
 *   cmd=initack pmiid=ID                        cmd=initack ..., then cmd=set size=N, rank=R, debug=D
 *   cmd=init pmi_version=V pmi_subversion=S     cmd=response_to_init pmi_version=V ... rc=0
 *
 * The second line is the same in both versions; the next ones differ.  A launcher that does not speak V
 * refuses it (by rc, or by the version that it answers), and is offered the other version on the same
 * connection.
 *
 * Version 1 is offered first, because its abort carries the exit code of the job and that of version 2 does
 * not: mpiexec.hydra, which speaks both, then ends with the thread's code.  PMI_JOBID in the environment
 * announces version 2 (a process shows it at that version's start; version 1 does not use it).  Then version
 * 2 is offered first: a launcher that speaks nothing else may close the connection at any other word, and
 * `srun --mpi=pmi2', which speaks both, ends with the same code either way.
 *
 * This file speaks the protocol itself instead of loading a library, because the protocol is small and the
 * same everywhere; so programs that are linked with -static can use it too.  Source: Balaji et al., PMI: A
 * Scalable Parallel Process-Management Interface for Extreme-Scale Systems (EuroMPI 2010), and the answers of
 * the launchers.
 */
#include "boot/pmi.h"

#include "host/control.h"
#include "base/fatal.h"
#include "base/settings.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int connection = -1;
static int own_rank = -1, size = -1; /* as far as the environment or the connection gives them */

const char *mer_pmi_error(const char *format, ...) {
    static char text[MER_PMI_ANSWER + 128];
    char next[sizeof text]; /* the arguments may contain the previous text */
    va_list list;
    va_start(list, format);
    vsnprintf(next, sizeof next, format, list);
    va_end(list);
    memcpy(text, next, sizeof text);
    return text;
}

/* ---- the connection ------------------------------------------------------------------------------------ */

const char *mer_pmi_send(const char *bytes, size_t n) {
    while (n > 0) {
        ssize_t put = send(connection, bytes, n, MSG_NOSIGNAL);
        if (put < 0 && errno == ENOTSOCK)
            put = write(connection, bytes, n);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return mer_pmi_error("the launcher has closed the connection (%s)", strerror(errno));
        bytes += put;
        n -= (size_t)put;
    }
    return NULL;
}

/* Read at least one byte, n at most, into bytes; *got is the number. */
static const char *receive_some(char *bytes, size_t n, enum mer_pmi_wait wait, size_t *got) {
    struct pollfd ready = {.fd = connection, .events = POLLIN};
    int seconds = (int)mer_setting_early(MER_SETTING_SILENCE);
    ssize_t result;
    do {
        int news = poll(&ready, 1, wait == MER_PMI_WHEN_ALL ? -1 : seconds * 1000);
        if (news == 0)
            return mer_pmi_error("the launcher has not answered for %d s (MERIDIAN_SILENCE)", seconds);
        result = news < 0 ? -1 : read(connection, bytes, n);
    } while (result < 0 && errno == EINTR);
    if (result < 0)
        return mer_pmi_error("cannot read from the launcher: %s", strerror(errno));
    if (result == 0)
        return "the launcher has closed the connection";
    *got = (size_t)result;
    return NULL;
}

const char *mer_pmi_receive(char *bytes, size_t n, enum mer_pmi_wait wait) {
    const char *why = NULL;
    for (size_t done = 0, got = 0; !why && done < n; done += got)
        why = receive_some(bytes + done, n - done, done ? MER_PMI_SOON : wait, &got);
    return why;
}

const char *mer_pmi_line(char line[MER_PMI_ANSWER], enum mer_pmi_wait wait) {
    for (size_t n = 0; n < MER_PMI_ANSWER; n++) {
        const char *why = mer_pmi_receive(line + n, 1, n ? MER_PMI_SOON : wait);
        if (why)
            return why;
        if (line[n] == '\n') {
            line[n] = 0;
            return NULL;
        }
    }
    return "the launcher answers with a line that is too long";
}

bool mer_pmi_word(const char *answer, char end, const char *name, char *value, size_t size) {
    const char ends[2] = {end, 0};
    size_t length = strlen(name);
    for (const char *at = answer; (at = strstr(at, name)) != NULL; at += length) {
        if ((at != answer && at[-1] != end) || at[length] != '=')
            continue;
        const char *start = at + length + 1;
        snprintf(value, size, "%.*s", (int)strcspn(start, ends), start);
        return true;
    }
    return false;
}

/* ---- rank and size ------------------------------------------------------------------------------------- */

/* Returns a variable as a number, or -1 if it is not set. */
static int number(const char *name, long least, long most) {
    const char *text = getenv(name);
    char *end = NULL;
    if (!text)
        return -1;
    long value = strtol(text, &end, 10);
    if (!*text || *end || value < least || value > most)
        mer_fatal_job("PMI has started this program, but %s is `%s': start the program with mpiexec, srun or "
                      "`meridian run'",
                      name, text);
    return (int)value;
}

/* Connect to HOST:PORT, the launcher's process on this host.  The name is not resolved: a name that is no
 * numeric address is this host's own name. */
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
    connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connection < 0 || connect(connection, (struct sockaddr *)&to, sizeof to) != 0)
        return mer_pmi_error("no connection to PMI_PORT=%s: %s", port, strerror(errno));
    return NULL;
}

/* Learn size and rank over the connection. */
static const char *learn_rank(void) {
    char text[64], line[MER_PMI_ANSWER], value[32];
    int n = snprintf(text, sizeof text, "cmd=initack pmiid=%d\n", number("PMI_ID", 0, INT32_MAX));
    const char *why = mer_pmi_send(text, (size_t)n);
    for (int lines = 0; !why && lines < 4; lines++) { /* initack itself, size, rank, debug */
        why = mer_pmi_line(line, MER_PMI_SOON);
        if (!why && mer_pmi_word(line, ' ', "size", value, sizeof value))
            size = atoi(value);
        if (!why && mer_pmi_word(line, ' ', "rank", value, sizeof value))
            own_rank = atoi(value);
    }
    return why;
}

/* Find the connection.  Returns false if PMI has not started this process. */
static bool find_wire(const char **why) {
    const char *port = getenv("PMI_PORT");
    *why = NULL;
    if (getenv("PMI_FD")) {
        connection = number("PMI_FD", 0, INT32_MAX);
        size = number("PMI_SIZE", 1, INT32_MAX);
        own_rank = number("PMI_RANK", 0, INT32_MAX);
        fcntl(connection, F_SETFD, FD_CLOEXEC);
    } else if (port && getenv("PMI_ID")) {
        *why = connect_to(port);
        if (!*why)
            *why = learn_rank();
    } else {
        return false;
    }
    return true;
}

/* ---- the version --------------------------------------------------------------------------------------- */

/* Offer a version.  Returns null if the launcher accepts it.  *refused is true if it does not, and is ready
 * for another offer. */
static const char *offer(int version, bool *refused) {
    char text[64], line[MER_PMI_ANSWER], value[32];
    int n = snprintf(text, sizeof text, "cmd=init pmi_version=%d pmi_subversion=%d\n", version, version == 1);
    const char *why = mer_pmi_send(text, (size_t)n);
    *refused = false;
    if (!why)
        why = mer_pmi_line(line, MER_PMI_SOON);
    if (why)
        return why;
    if (!mer_pmi_word(line, ' ', "cmd", value, sizeof value) || strcmp(value, "response_to_init") != 0)
        return mer_pmi_error("the launcher answers `%s'", line);
    *refused = (mer_pmi_word(line, ' ', "rc", value, sizeof value) && strcmp(value, "0") != 0) ||
               (mer_pmi_word(line, ' ', "pmi_version", value, sizeof value) && atoi(value) != version);
    return *refused ? mer_pmi_error("the launcher answers `%s'", line) : NULL;
}

/* Agree on the version that both speak. */
static const char *agree(int *version) {
    bool refused;
    char first[MER_PMI_ANSWER];
    *version = getenv("PMI_JOBID") ? 2 : 1;
    const char *why = offer(*version, &refused);
    if (!refused)
        return why;
    snprintf(first, sizeof first, "%s", why);
    why = offer(3 - *version, &refused);
    if (!refused) {
        *version = 3 - *version;
        return why;
    }
    return mer_pmi_error("the launcher accepts neither version 1 nor version 2 of PMI; to the first offer %s",
                         first);
}

const struct mer_service *mer_boot_pmi(void) {
    const struct mer_service *service = NULL;
    const char *why;
    int version = 0;
    if (!find_wire(&why))
        return NULL;
    if (!why)
        why = agree(&version);
    if (!why)
        why = (version == 1 ? mer_pmi1_begin : mer_pmi2_begin)(own_rank, size, &service);
    if (!why && (service->size < 1 || service->rank < 0 || service->rank >= service->size))
        why = mer_pmi_error("the launcher gives an impossible rank or size (rank %d of %d)", service->rank,
                            service->size);
    if (why)
        mer_fatal_job("PMI%s has started this program, but cannot be used: %s",
                      version == 1   ? "-1"
                      : version == 2 ? "-2"
                                     : "",
                      why);
    /* MPI in the same program would find a connection that is in use. */
    unsetenv("PMI_FD");
    unsetenv("PMI_PORT");
    return service;
}
