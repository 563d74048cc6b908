// Shared objects and pointers-to-shared as gdb shows them by meridian.py.
#include <upc.h>

shared int a[10 * THREADS];
shared [3] double blocks[3 * THREADS][2];
shared [] int on_zero[5];
shared int single;
struct node {
    int v;
    shared struct node *next;
};
shared struct node nodes[THREADS];
static int hidden_by_local = 1;

static int look(shared int *p, shared [3] double *q, shared [] int *r, int k) {
    shared void *nothing = 0;
    int single = 77;
    upc_forall (int i = 0; i < 10 * THREADS; i++; &a[i])
        k += a[i];
    return k + (nothing == 0) + p[0] + (int)q[0] + r[0] + single; // LINE look
}

int main(void) {
    for (int i = 0; i < 10 * THREADS; i++)
        a[i] = 100 + i;
    for (int i = 0; i < 3 * THREADS; i++)
        blocks[i][0] = blocks[i][1] = i + 0.5;
    on_zero[4] = 44;
    single = 5;
    nodes[0].v = 9;
    nodes[0].next = &nodes[0];
    int sum = look(&a[7], &blocks[2][1], &on_zero[4], hidden_by_local);
    return sum == 0; // LINE end
}
//> tbreak {look}
//> run
//= look (p=<thread 0, &a[7]>, q=<thread 0, phase 2, &blocks[2][1]>, r=<thread 0, &on_zero[4]>, k=
//> print a[5]
//= = 105
//> print/x a[k - k + 1]
//= = 0x65
//> print blocks[1][1]
//= = 1.5
//> print on_zero[4]
//= = 44
//> print single
//= = 77
//> print nodes[0].v + a[a[0] - 99]
//= = 110
//> print nodes[0]
//= next = <thread 0, &nodes[0]>
//> print &a[3]
//= 0x1100
//> print *(int *)$view(p)
//= = 107
//> print $shared("a[2]") + 1
//= = 103
//> print THREADS
//= = 1
//> print MYTHREAD
//= = 0
//> info locals
//= nothing = NULL
//= single = 77
//> up
//> print single
//= = 5
//> print a
//= = {100, 101, 102
//> continue
//= exited normally
