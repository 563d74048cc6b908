//: clause array 5
/* Jumps over the declaration of an automatic spread array, at which all processors allocate it. */
#include <split-c/split-c.h>

int f(int n) {
    goto in; //~ ERROR C0212: `goto` jumps over the declaration of a global object
    {
        int a[n]::;
    in:
        a[0] = 1;
        goto out;
    }
out:
    switch (n) {
        int b[n]::[2];
    case 1: //~ ERROR C0212: the switch jumps over the declaration of a global object
        b[0][0] = 1;
    default:
        n++;
    }
    switch (n) {
    case 1: {
        int c[n]::;
        switch (n) {
        case 2: c[0] = 1;
        }
    again:
        c[0]++;
        if (c[0] < n) goto again;
        break;
    }
    default: n++;
    }
    return n;
}
