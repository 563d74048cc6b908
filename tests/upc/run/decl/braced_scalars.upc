// Braces around the initialiser of one pointer-to-shared, and compound literals of pointers-to-shared: of any
// storage, in structs and arrays, as objects whose address is taken.
//: clause 6.5.1.1 p9
#include "../../check.h"

typedef struct { shared int *p; int k; struct { shared[3] int *q; } in; } record;

shared int x = 7;
shared[3] int y[3 * THREADS];
shared int *fixed = {&x};
shared[3] int *blocked = {&y[2]};
shared void *nothing = {0};
static record fixed_record = {{&x}, 2, {{&y[1]}}};
static shared int *fixed_array[2] = {{&x}, {0}};

static int through(shared int **p) { return **p; }
static shared int *same(shared int *p) { return (shared int *){p}; }

int main(void) {
    if (MYTHREAD == 0)
        for (int i = 0; i < 3; i++)
            y[i] = i + 20;
    upc_barrier;
    CHECK(*fixed == 7 && *blocked == 22 && upc_phaseof(blocked) == 2 && nothing == NULL);
    CHECK(*fixed_record.p == 7 && fixed_record.k == 2 && *fixed_record.in.q == 21);
    CHECK(fixed_array[0] == &x && !fixed_array[1]);
    int n = 1;
    shared int *p = {&x};
    shared[3] int *q = {&y[n]};
    shared void *v = {q};
    record a = {{p}, 3, {{q + 1}}}, b = {.p = {p}, .in = {.q = {q}}};
    shared int *array[3] = {{p}, {0}, [2] = {same(p)}};
    static shared int *kept = {0};
    CHECK(*p == 7 && *q == 21 && upc_phaseof(q) == 1 && v == q && !kept);
    CHECK(a.p == p && *a.in.q == 22 && b.p == p && b.in.q == q && b.k == 0);
    CHECK(array[0] == p && !array[1] && array[2] == p);
    CHECK_EQ(through(&(shared int *){p}), 7);
    CHECK_EQ(through((shared int *[]){array[1], p} + 1), 7);
    shared[3] int **z = &(shared[3] int *){q};
    CHECK(*(*z)++ == 21 && **z == 22 && *q == 21 && upc_phaseof(*z) == 2);
    CHECK((shared void *){v} == q && ((record){{p}, 4}).p == p);
    CHECK((shared int *){0} == NULL && !(shared[3] int *){0});
    return 0;
}
