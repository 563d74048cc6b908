// Initialisers of shared objects: scalars, arrays of every layout, strings, structures, designators;
// other parts are zero; every thread sees the values from the first statement of main on.
//: clause 6.5.2.1 p4
//: clause 5.1.2.1 p1
//: mode static
//: static 1 2 3 4
#include <string.h>
#include "../../check.h"

shared int five = 5;
shared double half = 1 / 2.0;
shared int cyclic[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
shared[3] short blocked[10] = {10, 20, 30, 40, 50, [8] = 90};
shared[] char text[8] = "hello";
shared[4] char spread[12] = "hello, all";
shared struct pair {
    int x;
    double y;
    char name[4];
} pair = {.y = 2.5, .x = 3, .name = "ab"};
shared[2] struct pair pairs[5] = {[1] = {1, 1.5, "q"}, {2, 2.5, "r"}};
shared int matrix[2][3] = {{1, 2}, {4, 5, 6}};
static shared long negative = -1;
shared unsigned char bytes[THREADS] = {255};

int main(void) {
    static shared int local = 77;
    CHECK_EQ(five, 5);
    CHECK(half == 0.5);
    for (int i = 0; i < 10; i++) {
        CHECK_EQ(cyclic[i], i + 1);
        CHECK_EQ(blocked[i], i < 5 ? 10 * (i + 1) : i == 8 ? 90 : 0);
    }
    for (int i = 0; i < 6; i++)
        CHECK_EQ(text[i], "hello"[i]);
    for (int i = 0; i < 11; i++)
        CHECK_EQ(spread[i], "hello, all"[i]);
    CHECK(pair.x == 3 && pair.y == 2.5 && pair.name[1] == 'b' && pair.name[2] == 0);
    CHECK(pairs[0].x == 0 && pairs[1].x == 1 && pairs[2].y == 2.5 && pairs[2].name[0] == 'r' && pairs[3].x == 0);
    for (int i = 0; i < 6; i++)
        CHECK_EQ(matrix[i / 3][i % 3], i == 2 ? 0 : i + 1);
    CHECK_EQ(negative, -1);
    CHECK_EQ(local, 77);
    CHECK_EQ(bytes[0], 255);
    return 0;
}
