// Targets of pointers-to-shared, and elements of other threads, in every command that takes an expression.
#include <upc.h>

typedef struct node {
    int x;
    double y;
    shared struct node *next;
} node;
typedef shared [4] double *blocked;
shared int a[10 * THREADS];
shared [4] double blocks[4 * THREADS];
shared node nodes[THREADS];
shared int *shared pointers[THREADS];
blocked global;

static int look(shared int *p, blocked q, shared node *s, shared [] int *own) {
    int here[2] = {5, 6}, *plain = here;
    return *p + (int)*q + s->x + own[1] + plain[1]; // LINE look
}

static int again(int n) {
    shared int *p = &a[n];
    *p += 1; // LINE again
    return *p;
}

int main(void) {
    upc_forall (int i = 0; i < 10 * THREADS; i++; &a[i])
        a[i] = i * i;
    upc_forall (int i = 0; i < 4 * THREADS; i++; &blocks[i])
        blocks[i] = i / 2.0;
    nodes[MYTHREAD].x = MYTHREAD;
    nodes[MYTHREAD].y = 1.5 * MYTHREAD;
    nodes[MYTHREAD].next = &nodes[(MYTHREAD + 1) % THREADS];
    pointers[MYTHREAD] = &a[MYTHREAD];
    global = &blocks[5];
    upc_barrier;
    int sum = 0;
    if (MYTHREAD == 0) {
        sum = look(&a[11], global, &nodes[1], (shared [] int *)&a[0]);
        for (int i = 0; i < 8; i++)
            sum += again(i);
    }
    upc_barrier;
    return sum < 0; // LINE end
}
//> set environment MERIDIAN_THREADS 3
//> tbreak {look}
//> run
//= LINE look
//> print *p
//= = 121
//> print p[1] + 1
//= = 145
//> print *(p - 1)
//= = 100
//> print *q
//= = 2.5
//> print q[-2]
//= = 1.5
//> print q[6]
//= = 5.5
//> print *global
//= = 2.5
//> print s->y
//= = 1.5
//> print (*s).x
//= = 1
//> print s->next->x
//= = 2
//> print nodes[1].next->y
//= = 3
//> print *pointers[2]
//= = 4
//> print/x (char)*p
//= 0x79
//> print own[1]
//= = 9
//> print plain[1] + *plain * here[0]
//= = 31
//> print a[0]@2
//! print the elements one by one
//> set var a[11] = 7
//> print *p
//= = 7
//> set variable s->x = here[1]
//> print nodes[1].x
//= = 6
//> display a[4]
//= 1: a[4] = 16
//> display/x *p
//= 2: /x *p = 0x7
//> info display
//= 1:   y  a[4]
//> next
//= 1: a[4] = 16
//> undisplay 1
//> break {again} if *p == 36
//> continue
//> print *p
//= = 36
//> print n
//= = 6
//> delete
//> watch a[7]
//= Of this thread's accesses
//> continue
//= Old value = 49
//= New value = 50
//> generate-core-file {scratch}/core
//> kill
//> core-file {scratch}/core
//> print &a[2] == 0
//! shared memory is not in a core file
