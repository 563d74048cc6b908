//: clause library 7
/* Arguments of functions that atomic() runs are converted as in a call, floating ones included. */
#include <split-c/split-c.h>
#include "../check.h"

typedef struct {
    double sum;
    float narrow;
    long whole;
    int calls;
} account;
account mine;

void deposit(double *sum, double amount) { *sum += amount; }
int narrow(float *to, float amount, int times) { while (times--) *to += amount; return (int)*to; }
long mixed(account *a, double x, int i, float f, long n, double y)
{
    a->sum += x * i + y;
    a->narrow += f;
    a->whole += n;
    return ++a->calls;
}
old(a, x, i, y) account *a; double x; int i; float y; { a->sum += x; a->whole += i; a->narrow += y; return 7; }
void whole(long *to, long by) { *to += by; }
double swap(double *to, double by) { double was = *to; *to = by; return was; }
float swap_f(float *to, int times, float by) { float was = *to; *to = by * times; return was; }
double ratio(), tenth;
double ratio(a, x) account *a; double x; { a->calls++; return x / 4; }

int splitc_main(int argc, char **argv)
{
    account *global first = toglobal(0, &mine);
    float half = 0.5f;
    int i, two = 2;

    for (i = 0; i < 3; i++) {
        atomic(deposit, &first->sum, 1.25);
        atomic(deposit, &first->sum, two);
        atomic(deposit, &first->sum, half * 2);
    }
    atomic(narrow, &first->narrow, half, 4);
    CHECK(atomic(narrow, &first->narrow, 1, 1) >= 3);
    barrier();
    CHECK(first->sum == PROCS * 3 * (1.25 + 2 + 1));
    CHECK(first->narrow == PROCS * 3.0f);
    barrier();
    CHECK(atomic_l(mixed, first, 0.5, 4, 1.5, 1L << 40, half) <= PROCS);
    CHECK(atomic(old, first, 3.0, MYPROC, half) == 7);
    atomic(whole, &first->whole, 2.75);
    barrier();
    CHECK(first->sum == PROCS * (3 * 4.25 + 2.5 + 3));
    CHECK(first->narrow == PROCS * (3.0f + 1.5f + 0.5f));
    CHECK(first->whole == PROCS * ((1L << 40) + 2) + PROCS * (PROCS - 1) / 2);
    CHECK(first->calls == PROCS);
    barrier();
    /* Results are converted, too. */
    if (MYPROC == PROCS - 1) {
        double was = atomic(swap, &first->sum, 0.125), more;
        CHECK(was == PROCS * (3 * 4.25 + 2.5 + 3));
        more = atomic(swap, &first->sum, 7) * 2 + 1;
        CHECK(more == 1.25);
        CHECK(atomic(swap_f, &first->narrow, 3, 0.5f) == PROCS * (3.0f + 1.5f + 0.5f));
        CHECK(atomic(swap_f, &first->narrow, 1, 0) == 1.5f);
        CHECK(sizeof atomic(swap, &first->sum, 0) == sizeof(double));
        tenth = atomic(ratio, first, 10.0);
        CHECK(tenth == 2.5);
        CHECK(first->calls == PROCS + 1);
    }
    return 0;
}
