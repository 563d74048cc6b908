/* `extern inline' in a header, as in GNU's C of 1989, without optimisation, where no call is inlined: over
 * global pointers, with a global pointer as result, recursive, its address taken, in two files. */
//: clause program 6
//: flags -O0
#include "../../check.h"
#include "inline.h"
int cell;

splitc_main()
{
    int (*f)() = power;
    cell = 10 * MYPROC;
    barrier();
    add(toglobal((MYPROC + 1) % PROCS, &cell), 1);
    barrier();
    CHECK(cell == 10 * MYPROC + 1 && *there(0, &cell) == 1);
    CHECK(power(2, 10) == 1024 && f(3, 3) == 27 && of_other_file() == 81);
    barrier();
    return 0;
}
