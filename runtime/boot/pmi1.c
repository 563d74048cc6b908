/* PMI-1, as mpiexec.hydra speaks it: lines of key=value words, after the first ones (pmi.c).
 *
 *   cmd=get_maxes                                   cmd=maxes kvsname_max=256 keylen_max=64 vallen_max=1024
 *   cmd=get_my_kvsname                              cmd=my_kvsname kvsname=NAME
 *   cmd=put kvsname=NAME key=KEY value=VALUE        cmd=put_result rc=0 ...
 *   cmd=barrier_in                                  cmd=barrier_out ...
 *   cmd=get kvsname=NAME key=KEY                    cmd=get_result rc=0 ... value=VALUE
 *   cmd=finalize                                    cmd=finalize_ack
 *   cmd=abort exitcode=CODE                         (none: the launcher ends the job)
 */
#include "boot/pmi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char kvs[512]; /* the name of the job's space of keys */
static char line[MER_PMI_ANSWER];

static bool word(const char *name, char *value, size_t size) {
    return mer_pmi_word(line, ' ', name, value, size);
}

/* Send a request and read the answer.  Its cmd must be `answer', and its rc, if it has one, 0. */
static const char *ask(const char *text, const char *answer, enum mer_pmi_wait wait) {
    char value[64];
    const char *why = mer_pmi_send(text, strlen(text));
    if (!why)
        why = mer_pmi_line(line, wait);
    if (why)
        return why;
    bool understood = word("cmd", value, sizeof value) && strcmp(value, answer) == 0;
    if (understood && (!word("rc", value, sizeof value) || strcmp(value, "0") == 0))
        return NULL;
    return mer_pmi_error("the launcher answers `%s'", line);
}

static int own_rank;

static const char *put(const char *key, const char *value) {
    char text[MER_PMI_ANSWER];
    snprintf(text, sizeof text, "cmd=put kvsname=%s key=%d-%s value=%s\n", kvs, own_rank, key, value);
    return ask(text, "put_result", MER_PMI_SOON);
}

static const char *get(int rank, const char *key, char *value, size_t size) {
    char text[MER_PMI_ANSWER];
    snprintf(text, sizeof text, "cmd=get kvsname=%s key=%d-%s\n", kvs, rank, key);
    const char *why = ask(text, "get_result", MER_PMI_SOON);
    return why || word("value", value, size) ? why : "the launcher answers without a value";
}

static const char *fence(void) { return ask("cmd=barrier_in\n", "barrier_out", MER_PMI_WHEN_ALL); }

static void end_all(int code) {
    char text[64];
    int n = snprintf(text, sizeof text, "cmd=abort exitcode=%d\n", code);
    mer_pmi_send(text, (size_t)n);
}

static void leave(void) { ask("cmd=finalize\n", "finalize_ack", MER_PMI_SOON); }

static struct mer_service service = {.name = "PMI-1",
                                     .job = kvs,
                                     .put = put,
                                     .fence = fence,
                                     .fence_waits = true,
                                     .get = get,
                                     .abort = end_all,
                                     .leave = leave};

const char *mer_pmi1_begin(int rank, int size, const struct mer_service **out) {
    char most[32] = "";
    service.rank = own_rank = rank;
    service.size = size;
    const char *why = ask("cmd=get_maxes\n", "maxes", MER_PMI_SOON);
    if (!why)
        word("vallen_max", most, sizeof most);
    if (!why)
        why = ask("cmd=get_my_kvsname\n", "my_kvsname", MER_PMI_SOON);
    if (!why && !word("kvsname", kvs, sizeof kvs))
        why = "the launcher does not name the job";
    long value_most = atol(most);
    service.value_most = value_most < 64 || value_most > MER_PMI_VALUE ? MER_PMI_VALUE : (size_t)value_most;
    *out = &service;
    return why;
}
