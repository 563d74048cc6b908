// argc and argv reach every thread; so does the standard output of each, in whole lines.
//: clause 5.1.2.1 p1
//: args one two --three=3 -n
//: threads 3
//: static 3
//: sorted
#include <string.h>
#include "../../check.h"

int main(int argc, char **argv) {
    CHECK_EQ(argc, 5);
    CHECK(strcmp(argv[1], "one") == 0 && strcmp(argv[3], "--three=3") == 0 && strcmp(argv[4], "-n") == 0);
    CHECK(argv[5] == NULL);
    for (int i = 0; i < 3; i++)
        printf("thread %d line %d\n", MYTHREAD, i);
    return 0;
}
