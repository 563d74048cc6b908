// An error after includes is on its own line; headers are not to blame.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc_strict.h>
#include <math.h>

int f(void) {
    return strlen("x") + missing_here; //~ ERROR C0200
}
