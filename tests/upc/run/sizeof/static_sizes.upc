// upc_localsizeof, upc_blocksizeof, upc_elemsizeof and sizeof of objects and types.
//: clause 6.4.1 p1
//: clause 6.4.1.1 p1
//: clause 6.4.1.2 p2
//: clause 6.4.1.2 p3
//: clause 6.4.1.3 p2
//: clause 6.4.1.3 p3
//: clause 6.4.1.3 p4
//: clause 6.4.1.4 p2
//: clause 6.4.1.4 p3
#include <stddef.h>
#include "../../check.h"

struct point {
    double x, y, z;
};
shared int scalar;
shared double cyclic[5 * THREADS];
shared[7] short blocked[7 * 3 * THREADS];
shared[] char indefinite[100];
shared[0] long zero[9];
shared[*] float star[13 * THREADS];
shared[4] struct point points[4 * THREADS][2];
shared[2] int matrix[6][THREADS];
typedef shared[5] int five_t;
typedef int row[10];
shared[3] row rows[3 * THREADS];

#define IS_SIZE_T(e) _Generic((e), size_t : 1, default : 0)

int main(void) {
    CHECK_EQ(upc_blocksizeof(scalar), 1);
    CHECK_EQ(upc_blocksizeof(cyclic), 1);
    CHECK_EQ(upc_blocksizeof(blocked), 7);
    CHECK_EQ(upc_blocksizeof(indefinite), 0);
    CHECK_EQ(upc_blocksizeof(zero), 0);
    CHECK_EQ(upc_blocksizeof(star), 13);
    CHECK_EQ(upc_blocksizeof(points), 4);
    CHECK_EQ(upc_blocksizeof(matrix), 2);
    CHECK_EQ(upc_blocksizeof(five_t), 5);
    CHECK_EQ(upc_blocksizeof(rows), 3);
    CHECK_EQ(upc_blocksizeof(blocked[3]), 7);
    CHECK_EQ(upc_blocksizeof(shared int), 1);
    CHECK_EQ(upc_blocksizeof(shared[] int), 0);
    CHECK_EQ(upc_blocksizeof(shared[12] int), 12);
    CHECK_EQ(upc_blocksizeof blocked, 7);

    CHECK_EQ(upc_elemsizeof(scalar), sizeof(int));
    CHECK_EQ(upc_elemsizeof(cyclic), sizeof(double));
    CHECK_EQ(upc_elemsizeof(blocked), sizeof(short));
    CHECK_EQ(upc_elemsizeof(points), sizeof(struct point));
    CHECK_EQ(upc_elemsizeof(rows), sizeof(int));
    CHECK_EQ(upc_elemsizeof(shared[4] struct point), sizeof(struct point));
    CHECK_EQ(upc_elemsizeof matrix, sizeof(int));

    CHECK_EQ(upc_localsizeof(cyclic), 5 * sizeof(double));
    CHECK_EQ(upc_localsizeof(blocked), 7 * 3 * sizeof(short));
    CHECK(upc_localsizeof(indefinite) >= 100);
    CHECK(upc_localsizeof(scalar) >= sizeof(int));
    CHECK_EQ(upc_localsizeof(star), 13 * sizeof(float));
    CHECK_EQ(upc_localsizeof(matrix) >= 6 * sizeof(int), 1);

    CHECK_EQ(sizeof cyclic, 5 * THREADS * sizeof(double));
    CHECK_EQ(sizeof blocked, 21 * THREADS * sizeof(short));
    CHECK_EQ(sizeof(star), 13 * THREADS * sizeof(float));
    CHECK_EQ(sizeof matrix, 6 * THREADS * sizeof(int));
    CHECK_EQ(sizeof matrix[0], THREADS * sizeof(int));
    CHECK_EQ(sizeof rows, 30 * THREADS * sizeof(int));
    CHECK_EQ(sizeof indefinite, 100);
    CHECK_EQ(sizeof(shared[3] int), sizeof(int));

    CHECK(IS_SIZE_T(upc_localsizeof(cyclic)));
    CHECK(IS_SIZE_T(upc_blocksizeof(cyclic)));
    CHECK(IS_SIZE_T(upc_elemsizeof(cyclic)));
    return 0;
}
