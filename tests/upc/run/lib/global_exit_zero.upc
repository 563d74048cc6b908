// upc_global_exit(0) from one thread while the others spin is a good end.
//: clause 7.2.1 p2
//: exit 0
#include <upc.h>
strict shared int never;
int main(void) {
    if (MYTHREAD == 0)
        upc_global_exit(0);
    while (!never)
        ;
    return 1;
}
