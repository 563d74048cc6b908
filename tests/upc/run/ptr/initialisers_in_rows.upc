// Static initialisers that are addresses in shared arrays with THREADS in another length than the first: in
// the dynamic environment the distance of two rows is known only at start.
//: clause 6.5.2.1 p6
//: clause 6.5.2.1 p10
#include "../../check.h"

shared int m[4][THREADS];
shared [2] int k[3][2 * THREADS][2];
shared [*] struct pair {
    int x, y[3];
} s[5][THREADS][2];

shared int *row = m[2];
shared int *element = &m[1][0];
const shared int *const behind = m[2] - 1;
shared int *by_sum = *(m + 1) + 1;
shared int (*rows)[THREADS] = m + 2;
shared int (*one)[THREADS] = &m[3];
shared [2] int *blocked = &k[1][1][1];
shared [2] int (*blocks)[2] = k[2];
shared [] int *member = &s[1][0][1].y[2];
shared void *generic = &k[2][0][1];
struct {
    shared int *at[2];
    int n;
} table[] = {{{&m[1][0], m[3]}, 1}, {.at[1] = &m[0][0], .n = 2}};
shared int *shared kept[2][THREADS] = {{&m[2][0]}, {&m[1][0]}};

int main(void) {
    static shared int *last = &m[3][0];
    CHECK(row == &m[2][0] && element == &m[1][0] && behind == &m[1][THREADS - 1] && by_sum == &m[1][0] + 1);
    CHECK(*rows == &m[2][0] && *one == &m[3][0] && one - rows == 1);
    CHECK(blocked == &k[1][1][1] && blocks[0] == &k[2][0][0]);
    CHECK_EQ(upc_phaseof(blocked), 1);
    CHECK(member == &s[1][0][1].y[2] && generic == &k[2][0][1]);
    CHECK_EQ(upc_phaseof(generic), 1);
    CHECK(table[0].at[0] == &m[1][0] && table[0].at[1] == &m[3][0] && table[0].n == 1);
    CHECK(!table[1].at[0] && table[1].at[1] == &m[0][0] && last == &m[3][0]);
    CHECK(kept[0][0] == &m[2][0] && kept[1][0] == &m[1][0]);
    return 0;
}
