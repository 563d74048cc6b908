/* What the files of this program share. */
#include <split-c/split-c.h>
#include <stdio.h>
#include <stdlib.h>

#define CK(c)                                                                                                \
    do {                                                                                                     \
        if (!(c)) {                                                                                          \
            printf("%d: line %d: %s\n", MYPROC, __LINE__, #c);                                               \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

#ifdef __SPLITC__
void give(void *global heap, void *global stack);
#else
void give(mer_ptr heap, mer_ptr stack);
#endif
int heap_of(int proc);
