// The status of the one thread whose main does not return 0 is the job's.
//: clause 5.1.2.2 p1
//: exit 5
#include <upc.h>
int main(void) { return MYTHREAD == THREADS - 1 ? 5 : 0; }
