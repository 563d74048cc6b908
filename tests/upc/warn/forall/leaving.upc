// Leaving a upc_forall by break, goto or return is undefined, and warned of; continue and inner loops' own
// breaks are not.
//: clause 6.6.2 p13
#include <upc.h>
int f(void) {
    int i;
    upc_forall(i = 0; i < 10; i++; i) {
        if (i == 3)
            break; //~ WARNING U0620
        for (;;)
            break;
        switch (i) {
        case 1: break;
        }
        if (i == 4)
            continue;
        if (i == 5)
            goto out; //~ WARNING U0620
        if (i == 6)
            goto in;
    in:;
    }
    upc_forall(i = 0; i < 10; i++; continue)
        if (i == 7)
            return 1; //~ WARNING U0620
out:
    return 0;
}
