/* Files, under the names of sanitize.h: the order that the flags of a call make, and the accesses to local
 * buffers. */
#include "dialect/upc/io.h"
#include "sanitize/access.h"
#include "sanitize/clock.h"
#include "sanitize/flags.h"

#define BOTH(name, parameters, arguments, access)                                                            \
    upc_off_t mer_san_##name parameters;                                                                     \
    upc_off_t mer_san_##name parameters {                                                                    \
        mer_sanitize_in(#name, flags);                                                                       \
        access;                                                                                              \
        upc_off_t got = name arguments;                                                                      \
        mer_sanitize_out(#name, flags);                                                                      \
        return got;                                                                                          \
    }                                                                                                        \
    void mer_san_##name##_async parameters;                                                                  \
    void mer_san_##name##_async parameters {                                                                 \
        mer_sanitize_in(#name "_async", flags);                                                              \
        access;                                                                                              \
        name##_async arguments;                                                                              \
    }
#define LOCAL(name, access)                                                                                  \
    BOTH(name, (MER_IO_LOCAL_ARGUMENTS), (fd, buffer, size, nmemb, flags),                                   \
         access(buffer, size *nmemb, MER_CALLER))
#define SHARED(name)                                                                                         \
    BOTH(name, (MER_IO_SHARED_ARGUMENTS), (fd, buffer, blocksize, size, nmemb, flags), (void)0)
#define LISTS(name, kind)                                                                                    \
    BOTH(name, (MER_IO_LIST_ARGUMENTS(kind)), (fd, memvec_entries, memvec, filevec_entries, filevec, flags), \
         (void)0)

LOCAL(upc_all_fread_local, mer_sanitize_write)
LOCAL(upc_all_fwrite_local, mer_sanitize_read)
SHARED(upc_all_fread_shared)
SHARED(upc_all_fwrite_shared)
LISTS(upc_all_fread_list_local, local)
LISTS(upc_all_fread_list_shared, shared)
LISTS(upc_all_fwrite_list_local, local)
LISTS(upc_all_fwrite_list_shared, shared)

/* The end of an asynchronous operation has the synchronisation that its beginning asked for; it is taken as
 * that of all threads. */
upc_off_t mer_san_upc_all_fwait_async(mer_ptr fd);
upc_off_t mer_san_upc_all_ftest_async(mer_ptr fd, int *flag);

upc_off_t mer_san_upc_all_fwait_async(mer_ptr fd) {
    upc_off_t got = upc_all_fwait_async(fd);
    mer_clock_all_sync("upc_all_fwait_async");
    return got;
}

upc_off_t mer_san_upc_all_ftest_async(mer_ptr fd, int *flag) {
    upc_off_t got = upc_all_ftest_async(fd, flag);
    mer_clock_all_sync("upc_all_ftest_async");
    return got;
}
