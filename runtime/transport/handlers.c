/* See handlers.h. */
#include "transport/handlers.h"

#include "base/fatal.h"
#include "host/hosts.h"

void mer_message_garbled(int source, const char *what) {
    mer_fatal(
        "thread %d on host %s has sent a malformed packet: %s. Check that all hosts run the same program",
        source, mer_host_name(source), what);
}

void mer_handlers_missing(int source, int number) {
    mer_fatal("an active message from thread %d names handler %d, which this thread has not registered",
              source, number);
}
