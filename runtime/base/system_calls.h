/* Names of the C library that are not reserved to it, so that programs define them for things of their own:
 * `int send(int to, double value)', `double open[N]'.
 *
 * The runtime is linked into such programs, where its own references to `send' and `open' would lead to the
 * program's.  So it refers to none of these names: every file of the libraries that are linked into programs
 * is compiled with this header included first (CMakeLists.txt).  The renamed functions are in
 * base/system_calls.c, over the kernel's calls.
 */
#ifndef MER_BASE_SYSTEM_CALLS_H
#define MER_BASE_SYSTEM_CALLS_H

#pragma redefine_extname access mer_sys_access
#pragma redefine_extname bind mer_sys_bind
#pragma redefine_extname chdir mer_sys_chdir
#pragma redefine_extname close mer_sys_close
#pragma redefine_extname connect mer_sys_connect
#pragma redefine_extname dup2 mer_sys_dup2
#pragma redefine_extname fstat mer_sys_fstat
#pragma redefine_extname fsync mer_sys_fsync
#pragma redefine_extname getpid mer_sys_getpid
#pragma redefine_extname kill mer_sys_kill
#pragma redefine_extname listen mer_sys_listen
#pragma redefine_extname open mer_sys_open
#pragma redefine_extname pipe mer_sys_pipe
#pragma redefine_extname poll mer_sys_poll
#pragma redefine_extname pread mer_sys_pread
#pragma redefine_extname pwrite mer_sys_pwrite
#pragma redefine_extname read mer_sys_read
#pragma redefine_extname readlink mer_sys_readlink
#pragma redefine_extname recv mer_sys_recv
#pragma redefine_extname send mer_sys_send
#pragma redefine_extname shutdown mer_sys_shutdown
#pragma redefine_extname sleep mer_sys_sleep
#pragma redefine_extname socket mer_sys_socket
#pragma redefine_extname stat mer_sys_stat
#pragma redefine_extname unlink mer_sys_unlink
#pragma redefine_extname usleep mer_sys_usleep
#pragma redefine_extname write mer_sys_write

#endif
