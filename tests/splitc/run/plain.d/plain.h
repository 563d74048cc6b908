/* The common declarations of this program's files. */
#include <split-c/split-c.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../check.h"

#ifdef __SPLITC__
void give(void *global heap, void *global stack);
#else
void give(mer_ptr heap, mer_ptr stack);
#endif
int heap_of(int proc);
