// A variable whose value is known. Repaired.
#include <upc.h>

shared [] int counts[12];

int main(void) {
    int month = 11;
    counts[month]++;
    return 0;
}
