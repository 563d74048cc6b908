// Operators that C forbids are forbidden with shared operands too.
#include <upc.h>
shared int *p, *q;
shared struct s {
    int x;
} st, *sp;
shared double d;
const shared int c;
shared int a[THREADS];
void f(void) {
    p + q;        //~ ERROR C0205
    p * 2;        //~ ERROR C0205
    st + 1;       //~ ERROR C0205
    d % 2;        //~ ERROR C0205
    c = 1;        //~ ERROR C0206
    a = p;        //~ ERROR C0206
    st.y = 1;     //~ ERROR C0202
    sp->z;        //~ ERROR C0202
    p.x;          //~ ERROR C0202
    *d;           //~ ERROR C0205
    a();          //~ ERROR C0203
    !st;          //~ ERROR C0205
    1 = d;        //~ ERROR C0206
    p = st;       //~ ERROR C0207
    if (st) {}    //~ ERROR C0205
    a[p];         //~ ERROR C0205
    p->x;         //~ ERROR C0202
    &5;           //~ ERROR C0205
}
