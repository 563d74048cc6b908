// Blocked arrays of structs with inner arrays and inner structs: affinity, addresses and phases of
// members, walks over elements and over members, copies of whole structs, and affinity expressions of
// upc_forall with members.
//: clause 6.6.2 p6
#include "../../check.h"
#include <stddef.h>
#include <string.h>

struct part {
    short weight[3];
    char tag;
};
struct cell {
    int id;
    double v[3];
    struct part in[2];
    shared [] int *link;
};

#define B 3
#define N (B * 5)
shared [B] struct cell grid[N * THREADS];
shared struct part parts[4 * THREADS];
shared [] int pool[8];
shared [B] long owners[N * THREADS];

static size_t owner(size_t i) { return i / B % THREADS; }

int main(void) {
    size_t all = (size_t)N * THREADS;
    CHECK_EQ(upc_blocksizeof(grid), B);
    CHECK_EQ(upc_localsizeof(grid), N * sizeof(struct cell));
    CHECK_EQ(upc_elemsizeof(grid), sizeof(struct cell));

    /* By the address of a member of an inner array. */
    upc_forall (size_t i = 0; i < all; i++; &grid[i].in[1].weight[2]) {
        CHECK_EQ(owner(i), MYTHREAD);
        grid[i].id = (int)i;
        for (int k = 0; k < 3; k++) {
            grid[i].v[k] = (double)i + k / 4.0;
            grid[i].in[k % 2].weight[k] = (short)(i * 3 + k);
        }
        grid[i].in[0].tag = (char)('a' + i % 26);
        grid[i].in[1].tag = (char)('A' + i % 26);
        grid[i].link = &pool[i % 8];
        owners[i] = MYTHREAD;
    }
    if (MYTHREAD == THREADS - 1)
        for (int i = 0; i < 8; i++)
            pool[i] = 100 + i;
    upc_barrier;

    for (size_t i = 0; i < all; i++) {
        shared [B] struct cell *p = &grid[i];
        CHECK_EQ(upc_threadof(p), owner(i));
        CHECK_EQ(upc_phaseof(p), i % B);
        CHECK_EQ(upc_threadof(&p->v[2]), owner(i));
        CHECK_EQ(upc_phaseof(&p->v[2]), 0);
        CHECK_EQ(upc_threadof(&p->in[1].tag), owner(i));
        CHECK_EQ(upc_addrfield(&p->in[1].tag) - upc_addrfield(p),
                 offsetof(struct cell, in) + sizeof(struct part) + offsetof(struct part, tag));
        CHECK_EQ(p->id, i);
        CHECK(p->v[1] == (double)i + 0.25);
        CHECK_EQ((*p).in[1].weight[1], (short)(i * 3 + 1));
        CHECK_EQ(grid[i].in[0].weight[2], (short)(i * 3 + 2));
        CHECK_EQ(*p->link, 100 + (int)(i % 8));
        CHECK_EQ(p->link[0] + (p->in + 1)->tag, 100 + (int)(i % 8) + 'A' + (int)(i % 26));
        shared [] double *v = &p->v[0];
        CHECK(v[2] - v[0] == 0.5);
        struct cell copy = *p;
        CHECK_EQ(copy.id, i);
        CHECK(memcmp(copy.in[0].weight, (short[]){(short)(i * 3), 0, (short)(i * 3 + 2)}, 6) == 0);
    }

    /* A walk that goes over the borders of blocks, up and down. */
    shared [B] struct cell *q = grid;
    for (size_t i = 0; i < all; i++, q++)
        CHECK_EQ(q->id, i);
    CHECK_EQ(q - grid, all);
    while (q > grid) {
        q -= q - grid >= 2 ? 2 : 1;
        CHECK_EQ(q->in[0].tag, 'a' + q->id % 26);
    }
    upc_barrier;

    /* The last thread that has the block swaps halves of structs by assignment of members. */
    upc_forall (size_t i = 0; i < all; i++; (shared void *)(grid + i)) {
        struct part first = grid[i].in[0];
        grid[i].in[0] = grid[i].in[1];
        grid[i].in[1] = first;
        parts[i % (4 * THREADS)].tag = 'p';
    }
    upc_barrier;
    for (size_t i = all; i-- > 0;) {
        CHECK_EQ(grid[i].in[0].tag, 'A' + (int)(i % 26));
        CHECK_EQ(grid[i].in[1].weight[0], (short)(i * 3));
        CHECK_EQ(owners[i], owner(i));
    }
    for (int i = 0; i < 4 * THREADS; i++)
        CHECK_EQ(parts[i].tag, 'p');
    return 0;
}
