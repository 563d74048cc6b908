/* See handlers.h. */
#include "transport/handlers.h"

#include "base/fatal.h"

void mer_handlers_missing(int source, int number) {
    mer_fatal("an active message from thread %d names handler %d, which this thread has not registered",
              source, number);
}
