/* Inline assembly on targets of global pointers and spread arrays: statics, heap, stack and mapped files
 * of other processors, members and bit-fields. */
#include <split-c/split-c.h>
#include <split-c/control.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "../check.h"

static struct pair {
    int a;
    unsigned low : 3;
    int field : 9;
    long b[3];
} pairs[4];
long words[PROCS]::[2];
long *global elsewhere[PROCS]::;

#if defined(__x86_64__)
static int evaluated;
static int counted(int i) {
    evaluated++;
    return i;
}

static void add(long *global g) {
    long old;
    *g = 40;
    asm volatile("addq $2, %0" : "+m"(*g) : : "cc");
    CHECK(*g == 42);
    asm("negq %0" : "+r"(g[counted(0)]) : : "cc");
    asm("movq %1, %0" : "=r"(old) : "m"(*g));
    CHECK(old == -42 && evaluated == 1);
    asm("movq %1, %0" : "=m"(*g) : "r"(old + 1));
    CHECK(*g == -41);
    g[1] = 5;
    asm("addq %1, %0" : "+r"(g[1]) : "r"(g[0]) : "cc");
    CHECK(g[1] == -36);
    evaluated = 0;
}

static void members(struct pair *global p) {
    p->a = 3, p->low = 5, p->field = -100, p->b[2] = 9;
    asm("incl %0" : "+m"(p->a) : : "cc");
    asm("addl $7, %0" : "+r"(p->field) : : "cc");
    asm("negq %0" : "+m"(p->b[counted(2)]) : : "cc");
    CHECK(p->a == 4 && p->low == 5 && p->field == -93 && p->b[2] == -9 && evaluated == 1);
    evaluated = 0;
}

int splitc_main(int argc, char **argv) {
    static long number[2];
    int right = (MYPROC + 1) % PROCS;
    long on_stack[2] = {0}, *on_heap = malloc(2 * sizeof *on_heap);
    long *mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    long *all[] = {number, on_stack, on_heap, mapped};
    (void)argc, (void)argv;
    for (int i = 0; i < 4; i++) {
        elsewhere[MYPROC] = toglobal(MYPROC, all[i]);
        barrier();
        add(elsewhere[right]);
        barrier();
        CHECK(all[i][0] == -41 && all[i][1] == -36);
        barrier();
    }
    members(toglobal(right, &pairs[1]));
    words[right][1] = 6;
    asm("addq $1, %0" : "+m"(words[right][1]) : : "cc");
    asm("addq $1, %0" : "+r"(words[right][1]) : : "cc");
    barrier();
    CHECK(words[MYPROC][1] == 8 && pairs[1].field == -93);
    return 0;
}
#else
int splitc_main(int argc, char **argv) { return (void)argc, (void)argv, 0; }
#endif
