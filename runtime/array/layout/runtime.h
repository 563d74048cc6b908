/* The headers of the layers below that the arrays use, included in one place. */
#ifndef MER_ARRAY_RUNTIME_H
#define MER_ARRAY_RUNTIME_H

#include "am/am.h"
#include "base/fatal.h"
#include "base/wait.h"
#include "heap/heap.h"
#include "host/everything.h"
#include "host/job.h"
#include "rma/copy.h"
#include "sync/barrier.h"

#define ME mer_job.mythread
#define THREADS mer_job.threads

#endif
