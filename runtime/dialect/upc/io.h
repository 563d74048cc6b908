/* The inside of <upc_io.h> (UPC 7.8), over POSIX files.
 *
 * Each thread opens the file for itself and keeps its own struct mer_io_file.  The user's upc_file_t * points
 * to a small object in thread 0's shared memory, the same for all threads.  The file pointer is private even
 * if it is common: all calls that move it are collective and have single-valued arguments, and the length of
 * a transfer is agreed in a barrier, so that every thread moves its copy alike.
 *
 *   io_file.c      open, close, the end of the program
 *   io_control.c   sync, seek, size, fcntl
 *   io_hint.c      hints
 *   io_vector.c    moving bytes between pieces of memory and pieces of a file
 *   io_data.c      reading and writing
 *   io_async.c     reading and writing without waiting
 */
#ifndef MER_DIALECT_UPC_IO_H
#define MER_DIALECT_UPC_IO_H

#include <meridian/abi/abi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <upc/upc_types.h>

#include "base/mutex.h"

/* As in <upc_io.h>, which is UPC source. */
enum {
    UPC_RDONLY = 0x0001,
    UPC_WRONLY = 0x0002,
    UPC_RDWR = 0x0004,
    UPC_INDIVIDUAL_FP = 0x0008,
    UPC_COMMON_FP = 0x0010,
    UPC_APPEND = 0x0020,
    UPC_CREATE = 0x0040,
    UPC_EXCL = 0x0080,
    UPC_STRONG_CA = 0x0100,
    UPC_TRUNC = 0x0200,
    UPC_DELETE_ON_CLOSE = 0x0400
};
enum { UPC_SEEK_SET, UPC_SEEK_CUR, UPC_SEEK_END };
enum {
    UPC_GET_CA_SEMANTICS = 1,
    UPC_SET_WEAK_CA_SEMANTICS,
    UPC_SET_STRONG_CA_SEMANTICS,
    UPC_GET_FP,
    UPC_SET_COMMON_FP,
    UPC_SET_INDIVIDUAL_FP,
    UPC_GET_FL,
    UPC_GET_FN,
    UPC_GET_HINTS,
    UPC_SET_HINT,
    UPC_ASYNC_OUTSTANDING
};

typedef long upc_off_t;
struct upc_hint {
    const char *key;
    const char *value;
};
struct upc_local_memvec {
    void *baseaddr;
    size_t len;
};
struct upc_shared_memvec {
    mer_pptr baseaddr;
    size_t blocksize;
    size_t len;
};
struct upc_filevec {
    upc_off_t offset;
    size_t len;
};

/* ---- hints ------------------------------------------------------------------------------------------ */

/* Hints whose keys 7.8.3.1 names, copied; others are dropped without a word, as it asks. */
struct mer_io_hints {
    size_t count;
    struct upc_hint *items; /* key and value are this file's own */
};

/* Set or replace a hint.  Returns 0 or an errno; an unknown key is ignored. */
int mer_io_hint_set(struct mer_io_hints *hints, const struct upc_hint *hint);
void mer_io_hints_free(struct mer_io_hints *hints);
/* The values that have an effect, with defaults if they are absent or make no sense. */
unsigned mer_io_hint_permissions(const struct mer_io_hints *hints);
size_t mer_io_hint_buffer(const struct mer_io_hints *hints);
void mer_io_hint_advise(const struct mer_io_hints *hints, int fd);

/* ---- memory and file, in pieces --------------------------------------------------------------------- */

/* Memory: `length' bytes from byte `skip' of private memory, or of shared memory in blocks of `block' bytes
 * (0: indefinite), which begins at `bits' with phase 0. */
struct mer_io_region {
    char *local; /* null if shared */
    mer_u64 bits;
    size_t block;
    size_t skip;
    size_t length;
};

/* A transfer's position in its regions. */
struct mer_io_cursor {
    const struct mer_io_region *region;
    size_t done; /* of its bytes */
};

/* An asynchronous transfer between the file and a buffer (io_async.c). */
struct mer_io_round {
    char *bytes; /* null if the transfer needs none */
    size_t wanted, moved;
    struct mer_io_cursor memory;   /* where the next round begins, */
    size_t extent, done_of_extent; /* and where this one */
};

/* A transfer of one thread. */
struct mer_io_transfer {
    const char *name; /* the library call */
    bool write;
    bool common; /* moves the common file pointer: this thread's share of the whole */
    bool plain;  /* moves a file pointer */
    upc_flag_t flags;
    int fd;
    size_t buffer;
    struct mer_mutex *exclusive; /* null, or held during the transfer, for strong semantics; */
    mer_ptr turn;                /* null, or among hosts this lock instead */
    struct mer_io_region *region;
    size_t regions;
    struct upc_filevec *extent;
    size_t extents;
    struct mer_io_region one_region; /* storage for the common case of one each */
    struct upc_filevec one_extent;

    uint64_t moved; /* results: bytes; an errno */
    int error;

    bool with_worker; /* asynchronous: the POSIX thread that does it, or a round of it, */
    bool done;        /* which sets this at its end */
    bool over;        /* nothing is left to do */
    pthread_t worker;
    struct mer_io_round round;
};

/* Do the transfer; fills in moved and error.  May run on another POSIX thread of the process if all of the
 * transfer's memory is on this host. */
void mer_io_transfer_run(struct mer_io_transfer *transfer);

/* Is all memory of its regions on this host? */
bool mer_io_is_near(const struct mer_io_transfer *transfer);
/* Copy n bytes between the buffer and the regions from *at on, which moves on. */
void mer_io_gather(const struct mer_io_transfer *transfer, struct mer_io_cursor *at, char *buffer, size_t n);
/* Move up to n bytes of one contiguous piece; fewer only at the file's end, or with an error, which is put
 * into the transfer. */
size_t mer_io_move(struct mer_io_transfer *transfer, char *memory, size_t n, upc_off_t offset);

/* ---- files -------------------------------------------------------------------------------------------- */

/* The object that a upc_file_t * points to. */
struct mer_io_shared {
    struct mer_mutex exclusive; /* one transfer at a time, for strong semantics; */
    mer_ptr turn;               /* among hosts this lock (sync/semaphore.h) instead */
    int64_t size;               /* at the time of opening */
};

struct mer_io_file {
    struct mer_io_file *next; /* in this thread's list of open files */
    mer_u64 handle;           /* the user's pointer */
    int fd;
    int flags;
    upc_off_t position;
    mer_ptr turn; /* as in mer_io_shared */
    char *name;
    struct mer_io_hints hints;
    struct mer_io_transfer *async; /* the one that is under way, or null */
};

/* Returns the open file of a handle.  Returns null, and sets errno, if there is none, or (unless asynchronous
 * ones are welcome) a transfer is under way on it. */
struct mer_io_file *mer_io_find(mer_ptr handle, bool async_welcome);

static inline bool mer_io_readable(const struct mer_io_file *file) { return !(file->flags & UPC_WRONLY); }
static inline bool mer_io_writable(const struct mer_io_file *file) { return !(file->flags & UPC_RDONLY); }

/* Collective: all threads give an errno or 0, and get the first that is not 0.  A full barrier. */
int mer_io_agree(const char *name, int error);
/* Collective: returns thread 0's value on all; a full barrier. */
uint64_t mer_io_from_first(const char *name, uint64_t value);
/* Collective: has all written bytes on the storage device and visible to all.  Returns 0 or an errno, the
 * same for all. */
int mer_io_sync(struct mer_io_file *file, const char *name);
/* Set errno and return -1. */
int mer_io_fail(int error);
/* Wait for the end of a transfer's worker. */
void mer_io_join(struct mer_io_transfer *transfer);
void mer_io_transfer_free(struct mer_io_transfer *transfer);

/* Wait, if its flags ask for it, before a transfer begins; and end and free a transfer that is over, and
 * return its result for the user. */
void mer_io_begin(const struct mer_io_transfer *transfer);
upc_off_t mer_io_end(struct mer_io_file *file, struct mer_io_transfer *transfer);

/* Return the file for an asynchronous call, or null, and set errno, if there is none; a second transfer at a
 * time is fatal (7.8.7 p1).  And begin the call's transfer. */
struct mer_io_file *mer_io_free_file(mer_ptr fd, const char *name);
void mer_io_start(struct mer_io_file *file, struct mer_io_transfer *transfer);

/* ---- the library's functions as the C compiler sees them ---------------------------------------------- */

mer_ptr upc_all_fopen(const char *fname, int flags, size_t numhints, const struct upc_hint *hints);
int upc_all_fclose(mer_ptr fd);
int upc_all_fsync(mer_ptr fd);
upc_off_t upc_all_fseek(mer_ptr fd, upc_off_t offset, int origin);
int upc_all_fset_size(mer_ptr fd, upc_off_t size);
upc_off_t upc_all_fget_size(mer_ptr fd);
int upc_all_fpreallocate(mer_ptr fd, upc_off_t size);
int upc_all_fcntl(mer_ptr fd, int cmd, void *arg);

#define MER_IO_LOCAL_ARGUMENTS mer_ptr fd, void *buffer, size_t size, size_t nmemb, upc_flag_t flags
#define MER_IO_SHARED_ARGUMENTS                                                                              \
    mer_ptr fd, mer_pptr buffer, size_t blocksize, size_t size, size_t nmemb, upc_flag_t flags
#define MER_IO_LIST_ARGUMENTS(kind)                                                                          \
    mer_ptr fd, size_t memvec_entries, const struct upc_##kind##_memvec *memvec, size_t filevec_entries,     \
        const struct upc_filevec *filevec, upc_flag_t flags

upc_off_t upc_all_fread_local(MER_IO_LOCAL_ARGUMENTS);
upc_off_t upc_all_fread_shared(MER_IO_SHARED_ARGUMENTS);
upc_off_t upc_all_fwrite_local(MER_IO_LOCAL_ARGUMENTS);
upc_off_t upc_all_fwrite_shared(MER_IO_SHARED_ARGUMENTS);
upc_off_t upc_all_fread_list_local(MER_IO_LIST_ARGUMENTS(local));
upc_off_t upc_all_fread_list_shared(MER_IO_LIST_ARGUMENTS(shared));
upc_off_t upc_all_fwrite_list_local(MER_IO_LIST_ARGUMENTS(local));
upc_off_t upc_all_fwrite_list_shared(MER_IO_LIST_ARGUMENTS(shared));
void upc_all_fread_local_async(MER_IO_LOCAL_ARGUMENTS);
void upc_all_fread_shared_async(MER_IO_SHARED_ARGUMENTS);
void upc_all_fwrite_local_async(MER_IO_LOCAL_ARGUMENTS);
void upc_all_fwrite_shared_async(MER_IO_SHARED_ARGUMENTS);
void upc_all_fread_list_local_async(MER_IO_LIST_ARGUMENTS(local));
void upc_all_fread_list_shared_async(MER_IO_LIST_ARGUMENTS(shared));
void upc_all_fwrite_list_local_async(MER_IO_LIST_ARGUMENTS(local));
void upc_all_fwrite_list_shared_async(MER_IO_LIST_ARGUMENTS(shared));
upc_off_t upc_all_fwait_async(mer_ptr fd);
upc_off_t upc_all_ftest_async(mer_ptr fd, int *flag);

#endif
