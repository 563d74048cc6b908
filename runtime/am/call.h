/* Two-way calls: a function that runs on another thread. */
#ifndef MER_AM_CALL_H
#define MER_AM_CALL_H

#include <meridian/abi/abi.h>
#include <stddef.h>

void mer_call_handlers(void);

/* A service: a function that runs on the called thread, in a handler, and so may neither send nor wait.  in:
 * the caller's argument; out: a buffer for the answer; both aligned to 8 bytes.  Returns the bytes of the
 * answer, MER_AM_RESULT_MOST at most. */
typedef size_t mer_am_service(int caller, const void *in, void *out);
#define MER_AM_RESULT_MOST 56
/* Run a service now, while no other one runs in this process.  Returns the length of its answer. */
size_t mer_am_serve(mer_am_service *service, int caller, const void *in, void *out);
/* Have thread `to' run the service with n <= MER_AM_MEDIUM bytes of `in', and wait for its answer, of which m
 * bytes go to `out'.  If `to' is this thread, the service is called directly. */
void mer_am_call(int to, mer_am_service *service, const void *in, size_t n, void *out, size_t m);
/* Begin a call as by mer_am_call: raises *waiting, and lowers it when the answer is at `out'.  Replies may
 * change *waiting meanwhile, as for a get.  If there is no memory for the call, or if `to' is this thread, it
 * is complete on return. */
void mer_am_call_start(int to, mer_am_service *service, const void *in, size_t n, void *out, size_t m,
                       int *waiting);

/* Run a service on thread t's host and wait for its answer.  If t is on this host, this thread runs it, so
 * the service may access the memory of any thread of its host, under the locks of that memory. */
void mer_am_call_host(int t, mer_am_service *service, const void *in, size_t n, void *out, size_t m);

#endif
