// No member of a structure or union is shared; pointers to shared are fine.
//: clause 6.5.1.1 p5
//: clause 6.5.1.1 p19
#include <upc.h>
typedef shared int counter;
struct a {
    shared int x;          //~ ERROR U0601
    shared int *y;
    char *shared p2;       //~ ERROR U0601
    counter c;             //~ ERROR U0601
    shared[4] int row[4];  //~ ERROR U0601
    struct {
        shared char inner; //~ ERROR U0601
    } s;
    shared int *shared *ok;
};
union b {
    int i;
    shared float f;        //~ ERROR U0601
};
