//: cc gcc
// gcc computes calls of library functions in initialisers of static objects. Those of shared objects are
// computed at start-up.
#include "../../check.h"
#include <math.h>
#include <string.h>

const double pi = 4 * atan(1.0);
float root = sqrtf(4.0f);
int length = strlen("abc");
shared double shared_pi = 4 * atan(1.0);
shared double each[2 * THREADS] = {sqrt(4.0), ceil(2.5)};

int main(void) {
    static double two = 2 * exp(0.0);
    CHECK(fabs(pi - 3.14159265358979) < 1e-12);
    CHECK(root == 2 && two == 2);
    CHECK_EQ(length, 3);
    CHECK(shared_pi == pi);
    CHECK(each[0] == 2 && each[1] == 3);
    return 0;
}
