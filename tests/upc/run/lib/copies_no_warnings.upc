// Copies of lengths known at run time to and from private objects of known size: the C compiler does not
// warn of lengths that no copy has.
//: clause 7.2.5.3 p2
//: flags -O2 -Wall -Wextra -Werror
#include "../../check.h"

#include <stdlib.h>

#define BYTES 3000

typedef shared[] unsigned char *place_t;
shared place_t places[THREADS];
static place_t place;
static unsigned char buffer[BYTES];

static void fill(size_t n) {
    for (size_t i = 0; i < n; i++)
        buffer[i] = (unsigned char)i;
}

/* Functions with linkage: the C compiler knows nothing about their arguments. */
void put(size_t at, size_t n) {
    upc_memput(place + at, buffer, n);
    upc_memset(place + at, 7, n / 2);
}

void get(size_t at, size_t n) {
    upc_memget(buffer, place + at, n);
    for (size_t i = 0; i < n; i++)
        CHECK_EQ(buffer[i], (unsigned char)(i < n / 2 ? 7 : i));
}

void in_a_small_one(size_t n) {
    unsigned char few[84];
    upc_memget(few, place + 1, n);
    upc_memput(place, few, n);
    CHECK_EQ(place[n - 1], few[n - 1]);
}

int main(void) {
    static const char *const lengths[] = {"1", "84", "160", "1024", "2999"};
    places[MYTHREAD] = upc_alloc(BYTES);
    upc_barrier;
    place = places[(MYTHREAD + 1) % THREADS];
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        size_t n = strtoul(lengths[i], NULL, 10);
        fill(n);
        put(1, n);
        get(1, n);
        if (n <= 84)
            in_a_small_one(n);
    }
    return 0;
}
