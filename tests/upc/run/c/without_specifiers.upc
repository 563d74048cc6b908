//: flags -w
// Old C: declarations of pointers without a type, and a last anonymous member without its semicolon.
#include "../../check.h"

*counted;
*where(n) { static kept; kept = n; return &kept; }
*(*finder)() = where, few[3];
first = 3, second;
struct outer { int before; struct { int inner; } };
shared struct outer there[THREADS];

main()
{
    counted = &first;
    few[1] = 4;
    CHECK_EQ(*counted + few[1] + second, 7);
    CHECK_EQ(*finder(5), 5);
    there[MYTHREAD].inner = MYTHREAD;
    upc_barrier;
    CHECK_EQ(there[(MYTHREAD + 1) % THREADS].inner, (MYTHREAD + 1) % THREADS);
    return 0;
}
