// What C forbids is forbidden with shared operands too.
#include <upc.h>
shared int *p, *q;
shared struct s {
    int x;
} st, *sp;
shared double d;
const shared int c;
shared int a[THREADS];
void f(void) {
    p + q;        //~ ERROR
    p * 2;        //~ ERROR
    st + 1;       //~ ERROR
    d % 2;        //~ ERROR
    c = 1;        //~ ERROR
    a = p;        //~ ERROR
    st.y = 1;     //~ ERROR C0202
    sp->y;        //~ ERROR C0202
    p.x;          //~ ERROR
    *d;           //~ ERROR
    a();          //~ ERROR C0203
    !st;          //~ ERROR
    1 = d;        //~ ERROR
    p = st;       //~ ERROR
    if (st) {}    //~ ERROR
    a[p];         //~ ERROR
    p->x;         //~ ERROR
    &5;           //~ ERROR
}
