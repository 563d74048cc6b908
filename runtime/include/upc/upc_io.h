/* <upc_io.h>: parallel input and output (UPC 1.3, 7.8).  This is UPC source.
 *
 * Files are ordinary files, byte for byte: ls, cp, rm and C's own functions work on them once they are
 * closed.  Every function here is collective.  A function that fails returns -1 (upc_all_fopen: null) and
 * sets errno as POSIX does.
 */
#ifndef MERIDIAN_UPC_IO_H
#define MERIDIAN_UPC_IO_H

#ifndef __UPC__
#error "<upc_io.h> is for UPC programs: compile them with `meridian cc' (as .upc files, or with -x upc)"
#endif

#include <stddef.h>
#include <upc_types.h>

/* 7.8.2 Types */
typedef long upc_off_t;
typedef shared struct upc_file_struct upc_file_t;

typedef struct upc_hint {
    const char *key;
    const char *value;
} upc_hint_t;

typedef struct upc_local_memvec {
    void *baseaddr;
    size_t len; /* bytes, here and below */
} upc_local_memvec_t;

typedef struct upc_shared_memvec {
    shared void *baseaddr;
    size_t blocksize; /* 0: indefinite */
    size_t len;
} upc_shared_memvec_t;

typedef struct upc_filevec {
    upc_off_t offset;
    size_t len;
} upc_filevec_t;

/* 7.8.3.1 Flags of upc_all_fopen: one of the first three, one of the next two, and any of the rest */
#define UPC_RDONLY 0x0001
#define UPC_WRONLY 0x0002
#define UPC_RDWR 0x0004
#define UPC_INDIVIDUAL_FP 0x0008
#define UPC_COMMON_FP 0x0010
#define UPC_APPEND 0x0020
#define UPC_CREATE 0x0040
#define UPC_EXCL 0x0080
#define UPC_STRONG_CA 0x0100
#define UPC_TRUNC 0x0200
#define UPC_DELETE_ON_CLOSE 0x0400

/* 7.8.3.4 Origins of upc_all_fseek */
#define UPC_SEEK_SET 0
#define UPC_SEEK_CUR 1
#define UPC_SEEK_END 2

/* 7.8.3.8 Commands of upc_all_fcntl */
#define UPC_GET_CA_SEMANTICS 1
#define UPC_SET_WEAK_CA_SEMANTICS 2
#define UPC_SET_STRONG_CA_SEMANTICS 3
#define UPC_GET_FP 4
#define UPC_SET_COMMON_FP 5
#define UPC_SET_INDIVIDUAL_FP 6
#define UPC_GET_FL 7
#define UPC_GET_FN 8
#define UPC_GET_HINTS 9
#define UPC_SET_HINT 10
#define UPC_ASYNC_OUTSTANDING 11

/* 7.8.3 Files.  Hints that have an effect: access_style (sequential, random, read_once: passed on to the
 * system), cb_buffer_size (bytes that are gathered before they are moved) and file_perm (octal). */
upc_file_t *upc_all_fopen(const char *fname, int flags, size_t numhints, struct upc_hint const *hints);
int upc_all_fclose(upc_file_t *fd);
int upc_all_fsync(upc_file_t *fd);
upc_off_t upc_all_fseek(upc_file_t *fd, upc_off_t offset, int origin);
int upc_all_fset_size(upc_file_t *fd, upc_off_t size);
upc_off_t upc_all_fget_size(upc_file_t *fd);
int upc_all_fpreallocate(upc_file_t *fd, upc_off_t size);
int upc_all_fcntl(upc_file_t *fd, int cmd, void *arg);

/* 7.8.4, 7.8.5 Reading and writing at the file pointer.  The result is a number of bytes: that of all threads
 * if the file pointer is common.  blocksize is in elements of `size' bytes, 0: indefinite. */
upc_off_t upc_all_fread_local(upc_file_t *fd, void *buffer, size_t size, size_t nmemb, upc_flag_t flags);
upc_off_t upc_all_fread_shared(upc_file_t *fd, shared void *buffer, size_t blocksize, size_t size,
                               size_t nmemb, upc_flag_t flags);
upc_off_t upc_all_fwrite_local(upc_file_t *fd, void *buffer, size_t size, size_t nmemb, upc_flag_t flags);
upc_off_t upc_all_fwrite_shared(upc_file_t *fd, shared void *buffer, size_t blocksize, size_t size,
                                size_t nmemb, upc_flag_t flags);

/* 7.8.6 Lists: each thread passes its own, with as many bytes of memory as of file; offsets do not decrease,
 * and written regions do not overlap */
upc_off_t upc_all_fread_list_local(upc_file_t *fd, size_t memvec_entries,
                                   struct upc_local_memvec const *memvec, size_t filevec_entries,
                                   struct upc_filevec const *filevec, upc_flag_t flags);
upc_off_t upc_all_fread_list_shared(upc_file_t *fd, size_t memvec_entries,
                                    struct upc_shared_memvec const *memvec, size_t filevec_entries,
                                    struct upc_filevec const *filevec, upc_flag_t flags);
upc_off_t upc_all_fwrite_list_local(upc_file_t *fd, size_t memvec_entries,
                                    struct upc_local_memvec const *memvec, size_t filevec_entries,
                                    struct upc_filevec const *filevec, upc_flag_t flags);
upc_off_t upc_all_fwrite_list_shared(upc_file_t *fd, size_t memvec_entries,
                                     struct upc_shared_memvec const *memvec, size_t filevec_entries,
                                     struct upc_filevec const *filevec, upc_flag_t flags);

/* 7.8.7 Asynchronous forms; a file has at most one such operation at a time */
void upc_all_fread_local_async(upc_file_t *fd, void *buffer, size_t size, size_t nmemb, upc_flag_t flags);
void upc_all_fread_shared_async(upc_file_t *fd, shared void *buffer, size_t blocksize, size_t size,
                                size_t nmemb, upc_flag_t flags);
void upc_all_fwrite_local_async(upc_file_t *fd, void *buffer, size_t size, size_t nmemb, upc_flag_t flags);
void upc_all_fwrite_shared_async(upc_file_t *fd, shared void *buffer, size_t blocksize, size_t size,
                                 size_t nmemb, upc_flag_t flags);
void upc_all_fread_list_local_async(upc_file_t *fd, size_t memvec_entries,
                                    struct upc_local_memvec const *memvec, size_t filevec_entries,
                                    struct upc_filevec const *filevec, upc_flag_t flags);
void upc_all_fread_list_shared_async(upc_file_t *fd, size_t memvec_entries,
                                     struct upc_shared_memvec const *memvec, size_t filevec_entries,
                                     struct upc_filevec const *filevec, upc_flag_t flags);
void upc_all_fwrite_list_local_async(upc_file_t *fd, size_t memvec_entries,
                                     struct upc_local_memvec const *memvec, size_t filevec_entries,
                                     struct upc_filevec const *filevec, upc_flag_t flags);
void upc_all_fwrite_list_shared_async(upc_file_t *fd, size_t memvec_entries,
                                      struct upc_shared_memvec const *memvec, size_t filevec_entries,
                                      struct upc_filevec const *filevec, upc_flag_t flags);
upc_off_t upc_all_fwait_async(upc_file_t *fd);
upc_off_t upc_all_ftest_async(upc_file_t *fd, int *flag);

#endif
