// Initialisers in the dynamic environment: scalars, indefinite arrays, and the first elements of arrays
// whose length holds THREADS.
//: clause 6.5.2.1 p4
//: mode dynamic
#include "../../check.h"

shared int answer = 42;
shared[] int solid[5] = {1, 2, 3};
shared struct {
    int a;
    float b;
} record = {7, 1.25f};
shared int *shared link = &answer;
static shared const char letter = 'z';

int main(void) {
    CHECK_EQ(answer, 42);
    CHECK(solid[0] == 1 && solid[2] == 3 && solid[3] == 0 && solid[4] == 0);
    CHECK(record.a == 7 && record.b == 1.25f);
    CHECK_EQ(letter, 'z');
    CHECK(link == &answer && *link == 42);
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        answer++;
    upc_barrier;
    CHECK_EQ(answer, 43);
    return 0;
}
