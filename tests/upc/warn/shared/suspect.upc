// Expressions on shared objects of which the C compiler would warn on private ones.
#include <upc_relaxed.h>
shared[] int a[4];
shared[3] shared[3] int b[3 * THREADS]; //~ WARNING U0604
strict shared int flag;
struct s {
    int x;
};
shared struct s c;
int f(int i) {
    shared[] int *end = &a[4];
    if (a[0] = 3) //~ WARNING U0628
        i++;
    while ((a[1] = i))
        i--;
    a[0] == 3; //~ WARNING U0629
    a[i];      //~ WARNING U0629
    c.x + 1;   //~ WARNING U0629
    *end;      //~ WARNING U0629
    ~a[1];     //~ WARNING U0629
    flag;
    (void)a[0];
    i = ({ a[2]; });
    a[4] = 1;  //~ WARNING U0630
    a[-1] = 1; //~ WARNING U0630
    end = &a[5]; //~ WARNING U0630
    return end == 0 ? i : a[3];
}
