// A variable whose value is known.
// finds: 9: index `month` is 12
#include <upc.h>

shared [] int counts[12];

int main(void) {
    int month = 12;
    counts[month]++;
    return 0;
}
