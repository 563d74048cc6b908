/* PMI-2, as `srun --mpi=pmi2' speaks it: after the first line (pmi.c), commands and answers of words
 * key=value; preceded by their length in six characters.
 *
 *   cmd=fullinit;pmijobid=JOB;pmirank=R;threaded=FALSE;   cmd=fullinit-response;rank=R;size=N;...;rc=0;
 *   cmd=job-getid;                                        cmd=job-getid-response;jobid=JOB;rc=0;
 *   cmd=kvs-put;key=KEY;value=VALUE;                      cmd=kvs-put-response;rc=0;
 *   cmd=kvs-fence;                                        cmd=kvs-fence-response;rc=0;
 *   cmd=kvs-get;jobid=JOB;srcid=R;key=KEY;                cmd=kvs-get-response;found=TRUE;value=VALUE;rc=0;
 *   cmd=finalize;                                         cmd=finalize-response;rc=0;
 *   cmd=abort;isworld=TRUE;msg=TEXT;                      (none: the launcher ends the job)
 *
 * Fences need not wait: in mpiexec.hydra a get waits instead, until the value is there or all processes have
 * come to the fence.  So an answer to a get may take as long as other processes take to start.
 *
 * A semicolon within a value would be doubled; keys and values of this program have none (gather.c gives
 * numbers and hexadecimal text).  Abort carries no exit code: launchers end with one of their own.
 */
#include "boot/pmi.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH 6 /* characters of the length */

static char job[512];
static char answer[MER_PMI_ANSWER];

static bool word(const char *name, char *value, size_t size) {
    return mer_pmi_word(answer, ';', name, value, size);
}

static const char *say(const char *command) {
    char text[MER_PMI_ANSWER + LENGTH];
    int n = snprintf(text, sizeof text, "%*zu%s", LENGTH, strlen(command), command);
    return mer_pmi_send(text, (size_t)n);
}

/* Read one answer. */
static const char *hear(enum mer_pmi_wait wait) {
    char length[LENGTH + 1] = "", *end;
    const char *why = mer_pmi_receive(length, LENGTH, wait);
    if (why)
        return why;
    long n = strtol(length, &end, 10);
    end += strspn(end, " ");
    if (*end || n <= 0 || n >= (long)sizeof answer)
        return mer_pmi_error("the launcher answers with `%s' in place of a length", length);
    answer[n] = 0;
    return mer_pmi_receive(answer, (size_t)n, MER_PMI_SOON);
}

/* Send the command NAME with its words, and read its answer, whose rc must be 0. */
static const char *ask(const char *name, enum mer_pmi_wait wait, const char *words, ...)
    __attribute__((format(printf, 3, 4)));

static const char *ask(const char *name, enum mer_pmi_wait wait, const char *words, ...) {
    char command[MER_PMI_ANSWER], wanted[64], value[256];
    int n = snprintf(command, sizeof command, "cmd=%s;", name);
    va_list list;
    va_start(list, words);
    vsnprintf(command + n, sizeof command - (size_t)n, words, list);
    va_end(list);
    const char *why = say(command);
    if (!why)
        why = hear(wait);
    if (why)
        return mer_pmi_error("%s: %s", name, why);
    snprintf(wanted, sizeof wanted, "%s-response", name);
    if (!word("cmd", value, sizeof value) || strcmp(value, wanted) != 0)
        return mer_pmi_error("%s: the launcher answers `%s'", name, answer);
    if (word("rc", value, sizeof value) && strcmp(value, "0") == 0)
        return NULL;
    return mer_pmi_error("the launcher refuses %s: `%s'", name, answer);
}

static int own_rank;

static const char *put(const char *key, const char *value) {
    return ask("kvs-put", MER_PMI_SOON, "key=%d-%s;value=%s;", own_rank, key, value);
}

static const char *get(int rank, const char *key, char *value, size_t size) {
    const char *why = ask("kvs-get", MER_PMI_WHEN_ALL, "jobid=%s;srcid=%d;key=%d-%s;", job, rank, rank, key);
    if (!why && (!word("found", value, size) || strcmp(value, "TRUE") != 0 || !word("value", value, size)))
        why = mer_pmi_error("kvs-get: the launcher answers without a value: `%s'", answer);
    return why;
}

static const char *fence(void) { return ask("kvs-fence", MER_PMI_WHEN_ALL, "%s", ""); }

static void end_all(int code) {
    char command[96];
    snprintf(command, sizeof command, "cmd=abort;isworld=TRUE;msg=a thread has ended the job with code %d;",
             code);
    say(command);
}

static void leave(void) { ask("finalize", MER_PMI_SOON, "%s", ""); }

static struct mer_service service = {.name = "PMI-2",
                                     .job = job,
                                     .value_most = MER_PMI_VALUE,
                                     .put = put,
                                     .fence = fence,
                                     .get = get,
                                     .abort = end_all,
                                     .leave = leave};

/* Returns a number of the answer to fullinit, or `otherwise' if it is missing. */
static int told(const char *name, int otherwise) {
    char value[32];
    return word(name, value, sizeof value) ? atoi(value) : otherwise;
}

const char *mer_pmi2_begin(int rank, int size, const struct mer_service **out) {
    const char *id = getenv("PMI_JOBID");
    const char *why = ask("fullinit", MER_PMI_SOON, "pmijobid=%s;pmirank=%d;threaded=FALSE;", id ? id : "",
                          rank);
    *out = &service;
    if (why)
        return why;
    service.rank = own_rank = told("rank", rank);
    service.size = told("size", size);
    why = ask("job-getid", MER_PMI_SOON, "%s", "");
    if (!why && !word("jobid", job, sizeof job))
        why = "the launcher does not name the job";
    return why;
}
