// Initialisers of arrays whose inner length holds THREADS: each list goes to the beginning of its row.
//: clause 6.5.2.1 p4
//: mode dynamic
#include "../../check.h"

shared int cyclic[2][THREADS] = {{1}, {2}};
shared[2] int blocks[3][2 * THREADS] = {{1, 2}, {3}, {4, 5}};
shared[3] int deep[2][2 * THREADS][2] = {{{1, 2}, {3, 4}}, {{5}, {6, 7}}};
shared struct {
    char name;
    double value;
} records[2][THREADS] = {{{'a', 1.5}}, {{'b', 2.5}}};
shared int outer[THREADS][2] = {{8, 9}};

int main(void) {
    int errors = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < THREADS; j++) {
            errors += cyclic[i][j] != (j == 0 ? i + 1 : 0);
            errors += records[i][j].name != (j == 0 ? 'a' + i : 0);
            errors += records[i][j].value != (j == 0 ? i + 1.5 : 0);
        }
    const int first[3][2] = {{1, 2}, {3, 0}, {4, 5}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2 * THREADS; j++)
            errors += blocks[i][j] != (j < 2 ? first[i][j] : 0);
    const int inner[2][2][2] = {{{1, 2}, {3, 4}}, {{5, 0}, {6, 7}}};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2 * THREADS; j++)
            for (int k = 0; k < 2; k++)
                errors += deep[i][j][k] != (j < 2 ? inner[i][j][k] : 0);
    CHECK_EQ(errors, 0);
    CHECK(outer[0][0] == 8 && outer[0][1] == 9);
    CHECK(THREADS == 1 || (outer[1][0] == 0 && outer[THREADS - 1][1] == 0));
    return 0;
}
