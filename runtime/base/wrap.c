/* See wrap.h. */
#include "base/wrap.h"

uint32_t mer_wrap_start;
