// Members that are not there, on shared and private structures, and . for -> .
#include <upc.h>
struct point {
    int x, y;
};
shared struct point p[THREADS];
struct point q, *r;
int f(void) {
    int s = p[0].z;   //~ ERROR C0202
    s += q.zz;        //~ ERROR C0202
    s += r.x;         //~ ERROR C0202
    s += q->x;        //~ ERROR C0202
    s += (&p[0])->xx; //~ ERROR C0202
    return s;
}
