// upc_localsizeof, upc_blocksizeof and upc_elemsizeof take shared operands of complete types only.
//: clause 6.4.1.2 p1
//: clause 6.4.1.3 p1
//: clause 6.4.1.4 p1
#include <upc.h>
int x;
shared int *p;
shared int fine[THREADS];
struct unknown;
unsigned long n[] = {
    upc_localsizeof(x),          //~ ERROR U0615
    upc_blocksizeof(x),          //~ ERROR U0615
    upc_elemsizeof(x),           //~ ERROR U0615
    upc_localsizeof(int),        //~ ERROR U0615
    upc_blocksizeof(double),     //~ ERROR U0615
    upc_elemsizeof(struct {int a;}), //~ ERROR U0615
    upc_blocksizeof(p),          //~ ERROR U0615
    upc_elemsizeof(shared int *), //~ ERROR U0615
    upc_blocksizeof(3 + 4),      //~ ERROR U0615
    upc_localsizeof(shared struct unknown), //~ ERROR C0208
    upc_blocksizeof(*p),
    upc_elemsizeof(fine),
};
