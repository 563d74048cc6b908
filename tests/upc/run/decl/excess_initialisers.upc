// Excess initialisers have no effect on the others; a designator continues after them.
//: clause 6.5.2.1 p4
//: flags -Wno-excess-initializers
#include "../../check.h"

shared int scalar = {1, 2};
shared [] int row[2] = {1, 2, 3, [0] = 7};
shared [] int rows[2][2] = {{1, 2, 3}, {4, 5}, {6}};
shared [] struct {
    int a[2], b;
} records[2] = {{{1, 2, 3}, 4, 5}, {.b = 6, 7, .a = {8, 9, 10}}};
shared int *shared pointer = {&scalar, &scalar};

int main(void) {
    CHECK_EQ(scalar, 1);
    CHECK(row[0] == 7 && row[1] == 2);
    CHECK(rows[0][0] == 1 && rows[0][1] == 2 && rows[1][0] == 4 && rows[1][1] == 5);
    CHECK(records[0].a[0] == 1 && records[0].a[1] == 2 && records[0].b == 4);
    CHECK(records[1].a[0] == 8 && records[1].a[1] == 9 && records[1].b == 6);
    CHECK(pointer == &scalar);
    return 0;
}
