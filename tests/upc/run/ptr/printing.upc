// A pointer-to-shared that is printed by %p is one argument, for any block size.
//: clause 6.4.2 p3
//: flags -Wall -Werror
#include "../../check.h"
#include <string.h>

shared int a[THREADS];
shared[3] int b[3 * THREADS];

int main(void) {
    char text[100], other[100];
    shared int *p = &a[0];
    shared[3] int *q = &b[1];
    snprintf(text, sizeof text, "%p %d", p, 7);
    CHECK(strcmp(strchr(text, ' '), " 7") == 0);
    snprintf(text, sizeof text, "%p %d %p %d", q, 8, (shared void *)&b[2], 9);
    CHECK(strcmp(strrchr(text, ' '), " 9") == 0 && strstr(text, " 8 ") != NULL);
    snprintf(text, sizeof text, "%p %d %p", a, 8, b);
    snprintf(other, sizeof other, "%p %d %p", &a[0], 8, (shared void *)&b[0]);
    CHECK(strcmp(text, other) == 0);
    snprintf(text, sizeof text, "%p", &a[THREADS - 1]);
    snprintf(other, sizeof other, "%p", (shared void *)&a[THREADS - 1]);
    CHECK(strcmp(text, other) == 0);
    return 0;
}
