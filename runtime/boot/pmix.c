/* PMIx, as Open MPI's mpirun and `srun --mpi=pmix' provide it: a module, boot-pmix.so, because it needs a
 * library that only sites with these launchers have.  Source: PMIx Standard 4.1, chapters 6 (put, get,
 * fence), 5.1 (init), 9.1 (abort).
 */
#include "boot/service.h"

#include <pmix.h>
#include <stdio.h>
#include <string.h>

static pmix_proc_t self;

static const char *text_of(pmix_status_t status) {
    return status == PMIX_SUCCESS ? NULL : PMIx_Error_string(status);
}

static const char *put(const char *key, const char *value) {
    pmix_value_t holder;
    PMIX_VALUE_CONSTRUCT(&holder);
    holder.type = PMIX_STRING;
    holder.data.string = (char *)value; /* copied by PMIx_Put */
    return text_of(PMIx_Put(PMIX_GLOBAL, key, &holder));
}

static const char *fence(void) {
    pmix_status_t status = PMIx_Commit();
    if (status != PMIX_SUCCESS)
        return text_of(status);
    pmix_info_t info;
    bool collect = true;
    PMIX_INFO_CONSTRUCT(&info);
    PMIX_INFO_LOAD(&info, PMIX_COLLECT_DATA, &collect, PMIX_BOOL);
    status = PMIx_Fence(NULL, 0, &info, 1);
    PMIX_INFO_DESTRUCT(&info);
    return text_of(status);
}

static const char *get(int rank, const char *key, char *value, size_t size) {
    pmix_proc_t other;
    pmix_value_t *holder = NULL;
    PMIX_LOAD_PROCID(&other, self.nspace, (pmix_rank_t)rank);
    pmix_status_t status = PMIx_Get(&other, key, NULL, 0, &holder);
    if (status != PMIX_SUCCESS)
        return text_of(status);
    bool fits = holder->type == PMIX_STRING && holder->data.string && strlen(holder->data.string) < size;
    if (fits)
        strcpy(value, holder->data.string);
    PMIX_VALUE_RELEASE(holder);
    return fits ? NULL : "a value differs from the value that was put";
}

static void end_all(int code) { PMIx_Abort(code, "", NULL, 0); }

static void leave(void) { PMIx_Finalize(NULL, 0); }

static struct mer_service service = {.name = "PMIx",
                                     .job = self.nspace,
                                     .value_most = 4096,
                                     .put = put,
                                     .fence = fence,
                                     .fence_waits = true,
                                     .get = get,
                                     .abort = end_all,
                                     .leave = leave};

__attribute__((visibility("default"))) const struct mer_service *mer_boot_pmix(const char **why) {
    pmix_proc_t all;
    pmix_value_t *size = NULL;
    *why = text_of(PMIx_Init(&self, NULL, 0));
    if (*why)
        return NULL;
    PMIX_LOAD_PROCID(&all, self.nspace, PMIX_RANK_WILDCARD);
    *why = text_of(PMIx_Get(&all, PMIX_JOB_SIZE, NULL, 0, &size));
    if (*why)
        return NULL;
    service.rank = (int)self.rank;
    service.size = (int)size->data.uint32;
    PMIX_VALUE_RELEASE(size);
    return &service;
}
