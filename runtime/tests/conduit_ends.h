/* A trial of test_conduit: several endpoints in one process. */
#ifndef MER_TESTS_CONDUIT_ENDS_H
#define MER_TESTS_CONDUIT_ENDS_H

#include "conduit/conduit.h"

/* Two jobs of two threads, each thread an endpoint in this process. Ends the process with a message if
 * something is not as conduit.h says. */
void conduit_ends(const struct mer_conduit *conduit);

#endif
