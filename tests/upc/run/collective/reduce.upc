// Reductions and prefix reductions of every type with every operation: block sizes from indefinite to one
// block a thread, first elements at any phase and thread, counts from 1 to thousands, all flags.
//: clause 7.4.3 p1
//: clause 7.4.3 p2
//: clause 7.4.3 p3
//: clause 7.4.3.1 p1
//: clause 7.4.3.1 p2
//: clause 7.4.3.1 p3
//: clause 7.4.3.1 p4
//: clause 7.4.3.1 p5
//: clause 7.4.3.1 p6
//: clause 7.4.3.1 p7
//: clause 7.4.3.1 p8
//: clause 7.4.3.1 p9
//: clause 7.4.3.1 p10
#include "data.h"

enum { MOST = 6000, ONE_EACH = -1, FRONT = 8192 }; /* FRONT: bytes before the arrays */

static const upc_op_t ops[] = {UPC_ADD,   UPC_MULT, UPC_AND, UPC_OR,   UPC_XOR,         UPC_LOGAND,
                               UPC_LOGOR, UPC_MIN,  UPC_MAX, UPC_FUNC, UPC_NONCOMM_FUNC};
static const int in_flag[] = {UPC_IN_NOSYNC, UPC_IN_MYSYNC, UPC_IN_ALLSYNC, 0};
static const int out_flag[] = {UPC_OUT_NOSYNC, UPC_OUT_MYSYNC, UPC_OUT_ALLSYNC, 0};
static const struct {
    size_t n;
    long block;
} cases[] = {{1, 0}, {1, 1}, {2, 5}, {7, 1}, {50, ONE_EACH}, {64, 3}, {333, 0}, {1000, 1}, {1001, 17}, {5000, 100}, {6000, ONE_EACH}};

static shared void *source, *target;
static int round_number;

/* The same address with a phase. */
static shared void *with_phase(shared void *at, size_t phase) {
    shared[] char *before = (shared[] char *)at - phase;
    return (shared[UPC_MAX_BLOCK_SIZE] char *)before + phase;
}

#define T C
#define TYPE signed char
#define FLOATING 0
#include "reduce_body.h"
#define T UC
#define TYPE unsigned char
#define FLOATING 0
#include "reduce_body.h"
#define T S
#define TYPE short
#define FLOATING 0
#include "reduce_body.h"
#define T US
#define TYPE unsigned short
#define FLOATING 0
#include "reduce_body.h"
#define T I
#define TYPE int
#define FLOATING 0
#include "reduce_body.h"
#define T UI
#define TYPE unsigned
#define FLOATING 0
#include "reduce_body.h"
#define T L
#define TYPE long
#define FLOATING 0
#include "reduce_body.h"
#define T UL
#define TYPE unsigned long
#define FLOATING 0
#include "reduce_body.h"
#define T F
#define TYPE float
#define FLOATING 1
#include "reduce_body.h"
#define T D
#define TYPE double
#define FLOATING 1
#include "reduce_body.h"
#define T LD
#define TYPE long double
#define FLOATING 1
#include "reduce_body.h"

int main(void) {
    source = upc_all_alloc(THREADS, AREA);
    target = upc_all_alloc(THREADS, AREA);
    all_C();
    all_UC();
    all_S();
    all_US();
    all_I();
    all_UI();
    all_L();
    all_UL();
    all_F();
    all_D();
    all_LD();
    return 0;
}
