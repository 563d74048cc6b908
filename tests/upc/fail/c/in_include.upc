// An error after includes is reported on its own line, not in a header.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc_strict.h>
#include <math.h>

int f(void) {
    return strlen("x") + missing_here; //~ ERROR C0200
}
