/* The bounds that start-up computes (heap/heap.c); see layout.h. */
#include "host/layout.h"

#include "host/job.h"

struct mer_layout mer_layout;

void *mer_scratch(int thread) { return mer_view(thread, mer_layout.scratch); }
