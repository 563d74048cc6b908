//: clause access 1
//: clause access 2
//: clause access 3
//: clause access 4
//: clause program 5
//: clause space 1
//: clause space 2
//: clause store 1
//: clause array 2
//: clause array 10
/* Reads, writes, gets, puts and stores through global and spread pointers, of all kinds of memory. */
#include <split-c/split-c.h>
#include <split-c/control.h>
#include <stdio.h>
#include <stdlib.h>

static int here;
static struct pair {
    int a;
    double b[3];
} pairs[4];
double u[256]::;
int blocks[8]::[5];
int *global to_heap[PROCS]::;

#include "../check.h"

int splitc_main(int argc, char **argv) {
    int i, right = (MYPROC + 1) % PROCS, left = (MYPROC + PROCS - 1) % PROCS;
    (void)argc, (void)argv;
    here = MYPROC + 100;
    for (i = 0; i < 4; i++)
        pairs[i].a = 10 * MYPROC + i, pairs[i].b[2] = MYPROC + 0.5;
    barrier();
    int *global g = toglobal(right, &here);
    CHECK(*g == right + 100 && toproc(g) == right && tolocal(g) == &here);
    struct pair *global p = toglobal(right, pairs);
    CHECK(p[2].a == 10 * right + 2 && (p + 1)->b[2] == right + 0.5);
    struct pair copy = *p;
    CHECK(copy.a == 10 * right);
    int got;
    double d;
    got := p->a;
    d := p[3].b[2];
    sync();
    CHECK(got == 10 * right && d == right + 0.5);
    barrier();
    p[1].a := 7 + MYPROC;
    sync();
    barrier();
    CHECK(pairs[1].a == 7 + left);
    p[2].b[1] :- MYPROC * 2.0;
    store_sync(sizeof(double));
    CHECK(pairs[2].b[1] == left * 2.0);
    barrier();

    /* spread arrays */
    for_my_1d(i, 256) u[i] = i;
    barrier();
    double sum = 0;
    double *spread s = u;
    for (i = 0; i < 256; i++, s++)
        sum += *s;
    CHECK(sum == 255 * 128 && s - u == 256 && toproc(&u[5]) == 5 % PROCS);
    CHECK(*(s - 256) == 0 && s[-1] == 255);
    for_my_1d(i, 8) {
        int j;
        int *mine = tolocal(blocks[i]);
        for (j = 0; j < 5; j++)
            mine[j] = i * 5 + j;
    }
    barrier();
    for (i = 0; i < 40; i++)
        CHECK(blocks[i / 5][i % 5] == i);
    int(*spread row)[5] = blocks;
    CHECK((row + 3)[0][2] == 17 && (*(row + 7))[4] == 39);
    int *global in = blocks[6];
    CHECK(in[3] == 33 && *(in + 1) == 31 && toproc(in) == 6 % PROCS);

    /* heap and stack */
    int *mem = malloc(10 * sizeof(int)), onstack = 5 * MYPROC;
    mem[3] = MYPROC + 1;
    to_heap[MYPROC] = (int *global)mem;
    barrier();
    CHECK(to_heap[right][3] == right + 1);
    barrier();
    to_heap[MYPROC] = (int *global)&onstack;
    barrier();
    CHECK(*to_heap[right] == 5 * right);
    (*to_heap[right])++;
    *to_heap[right] += 3;
    barrier();
    CHECK(onstack == 5 * MYPROC + 4);
    int *local = (int *)to_heap[MYPROC];
    CHECK(local == &onstack);
    int *global null = 0;
    CHECK(!null && null == (int *global)(int *)0 && g != null);
    CHECK(all_reduce_to_all_add(1) == PROCS);
    barrier();
    on_one { printf("good\n"); }
    return 0;
}
