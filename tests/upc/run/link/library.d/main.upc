// C calls back into UPC through function pointers and data; a UPC function is called by C code.
//: clause 5.1.1.1 p1
#include "../../../check.h"

typedef void (*visitor)(int, void *);
void c_for_each(int n, visitor visit, void *context);
int c_main_part(void);
shared long total[THREADS];

static void visit(int i, void *context) {
    total[MYTHREAD] += i;
    ++*(int *)context;
}
int upc_part(int n) {
    upc_barrier;
    return total[(MYTHREAD + n) % THREADS];
}

int main(void) {
    int visits = 0;
    c_for_each(10, visit, &visits);
    CHECK_EQ(visits, 10);
    CHECK_EQ(total[MYTHREAD], 45);
    CHECK_EQ(c_main_part(), 45);
    return 0;
}
