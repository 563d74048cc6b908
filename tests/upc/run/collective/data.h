/* For the tests of collectives: blocks of bytes in each thread's shared memory, filled, checked and
 * overwritten by any thread that the tested synchronisation allows, and delays that reveal a missing wait. */
#ifndef COLLECTIVE_DATA_H
#define COLLECTIVE_DATA_H

#include "../../check.h"
#include <string.h>
#include <time.h>
#include <upc_collective.h>

#define AREA 300000 /* bytes of each thread in an area */

/* Thread t's part of an area of upc_all_alloc(THREADS, AREA), from its byte `offset' on. */
static shared[] char *part(shared void *area, int t, size_t offset) {
    return (shared[] char *)((shared char *)area + t) + offset;
}

/* Byte i of the block with this key. */
static unsigned char byte_of(unsigned key, size_t i) {
    return (unsigned char)(key * 197u + (key >> 8) * 31u + (unsigned)i * 7u + (unsigned)(i >> 8) * 13u + 1u);
}

static unsigned char buffer[AREA];

static void fill(shared[] char *to, unsigned key, size_t n) {
    for (size_t i = 0; i < n; i++)
        buffer[i] = byte_of(key, i);
    upc_memput(to, buffer, n);
}

static void spoil(shared[] char *to, int with, size_t n) { upc_memset(to, with, n); }

/* Returns the index of the first byte that differs from block `key'; n if none differs. */
static size_t first_wrong(shared[] char *from, unsigned key, size_t n) {
    upc_memget(buffer, from, n);
    for (size_t i = 0; i < n; i++)
        if (buffer[i] != byte_of(key, i))
            return i;
    return n;
}

static unsigned random_state;

static unsigned random_number(void) {
    if (!random_state)
        random_state = 2463534242u + (unsigned)MYTHREAD * 977u;
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

/* Sometimes spends some time: rarely enough for the test to be quick, and by sleep as well as by work. */
static void dawdle(void) {
    unsigned r = random_number() % 64;
    struct timespec pause = {0, (long)(random_number() % 200) * 1000};
    if (r == 0)
        nanosleep(&pause, NULL);
    else if (r < 16)
        for (volatile unsigned i = random_number() % 3000; i > 0; i--)
            ;
}

#endif
