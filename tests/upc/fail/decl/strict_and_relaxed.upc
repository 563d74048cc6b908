// Not both strict and relaxed, directly or through typedefs.
//: clause 6.5 p2
//: clause 6.5.2 p7
#include <upc.h>
typedef strict shared int s_int;
typedef relaxed shared int r_int;
strict relaxed shared int a;     //~ ERROR U0602
relaxed shared strict int b;     //~ ERROR U0602
relaxed s_int c;                 //~ ERROR U0602
strict r_int *d;                 //~ ERROR U0602
strict s_int fine;
shared int *strict shared relaxed e; //~ ERROR U0602
