// MYTHREAD and THREADS are values: not assigned to, no address, not incremented.
//: clause 6.3.2 p1
//: clause 6.3.1 p1
//: mode dynamic
#include <upc.h>
void f(void) {
    MYTHREAD = 1;      //~ ERROR U0622
    THREADS = 4;       //~ ERROR U0622
    MYTHREAD++;        //~ ERROR U0622
    int *p = &MYTHREAD; //~ ERROR U0622
    --THREADS;         //~ ERROR U0622
    MYTHREAD += 2;     //~ ERROR U0622
}
