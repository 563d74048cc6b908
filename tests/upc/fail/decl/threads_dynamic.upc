// In the dynamic environment a definitely blocked shared array has THREADS exactly once, as a factor.
//: clause 6.5.2.1 p2
//: clause 6.5.2.1 p9
//: mode dynamic
#include <upc.h>
shared int a[10];                          //~ ERROR U0609
shared[4] int b[4][5];                     //~ ERROR U0609
shared int c[THREADS][THREADS];            //~ ERROR U0609
shared int d[THREADS * THREADS];           //~ ERROR U0609
shared int e[10 + THREADS];                //~ ERROR U0609
shared int f[THREADS / 2];                 //~ ERROR U0609
shared int g[THREADS * -1];                //~ ERROR U0609
shared[*] int h[100];                      //~ ERROR U0609
typedef shared int row[THREADS];
row i[3];
row j[THREADS];                            //~ ERROR U0609
shared int (*k)[THREADS][THREADS];         //~ ERROR U0609
typedef shared int (*t)[THREADS][13][THREADS]; //~ ERROR U0609
shared[3] int fine[5 * THREADS][2], also_fine[2][THREADS * (3 * 4)];
shared int (*no_threads_in_a_pointer)[10];
shared[2] int scalar_with_layout;
