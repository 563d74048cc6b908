// Initialisers that go beyond one thread's elements: each element gets its value on its owner.
//: clause 6.5.2.1 p4
//: mode dynamic
//: threads 4 5 8
#include "../../check.h"

struct part {
    char tag;
    double value[2];
    shared int *link;
};
shared int cyclic[THREADS] = {1, 2, 3};
shared[2] int blocks[4 * THREADS] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};
shared[3] short odd[2 * THREADS] = {[0] = 5, [4 ... 7] = 9, [2] = 1, 2};
shared int rows[THREADS][2] = {{1, 2}, {3}, {5, 6}, {7, 8}};
shared[4] int flat[THREADS][4] = {1, 2, 3, 4, 5, 6, 7};
shared int inner[2][THREADS] = {{1, 2}, {3, 4, 5, 6}};
shared[2] long deep[2][3][2 * THREADS] = {[1] = {{1, 2, 3}, [2] = {[6] = 4}}};
shared struct part parts[THREADS] = {{'a', {1}, &cyclic[2]}, {'b', {2, 3}, 0}, {.value[1] = 4, .link = &cyclic[3]}};
shared[2] char text[3 * THREADS] = "seven ch";
shared[] char names[2][4] = {"abc", "d"};
static shared const int *shared links[2][THREADS] = {{&cyclic[1], &cyclic[3]}, {0, 0, &cyclic[0]}};

static int wrong;
static void is(long got, long wanted) { wrong += got != wanted; }

int main(void) {
    static shared int local[THREADS] = {11, 12, 13, 14};
    for (int i = 0; i < THREADS; i++) {
        is(cyclic[i], i < 3 ? i + 1 : 0);
        is(local[i], i < 4 ? i + 11 : 0);
        is(rows[i][0], i < 4 ? 2 * i + 1 : 0);
        is(rows[i][1], i < 4 && i != 1 ? 2 * i + 2 : 0);
        is(inner[0][i], i < 2 ? i + 1 : 0);
        is(inner[1][i], i < 4 ? i + 3 : 0);
        is(parts[i].tag, i == 0 ? 'a' : i == 1 ? 'b' : 0);
        is(parts[i].value[0], i == 0 ? 1 : i == 1 ? 2 : 0);
        is(parts[i].value[1], i == 1 ? 3 : i == 2 ? 4 : 0);
        wrong += parts[i].link != (i == 0 ? &cyclic[2] : i == 2 ? &cyclic[3] : 0);
        wrong += links[0][i] != (i == 0 ? &cyclic[1] : i == 1 ? &cyclic[3] : 0);
        wrong += links[1][i] != (i == 2 ? &cyclic[0] : 0);
    }
    for (int i = 0; i < 4 * THREADS; i++) {
        is(blocks[i], i < 13 ? i + 1 : 0);
        is(flat[i / 4][i % 4], i < 7 ? i + 1 : 0);
    }
    const short odds[8] = {5, 0, 1, 2, 9, 9, 9, 9};
    for (int i = 0; i < 2 * THREADS; i++) {
        is(odd[i], i < 8 ? odds[i] : 0);
        for (int j = 0; j < 3; j++) {
            is(deep[0][j][i], 0);
            is(deep[1][j][i], j == 0 && i < 3 ? i + 1 : j == 2 && i == 6 ? 4 : 0);
        }
    }
    for (int i = 0; i < 3 * THREADS; i++)
        is(text[i], i < 8 ? "seven ch"[i] : 0);
    is(names[0][2], 'c');
    is(names[1][0], 'd');
    CHECK_EQ(wrong, 0);
    return 0;
}
