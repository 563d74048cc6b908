// The C library cannot store into shared memory.
#include <stdio.h>
#include <upc.h>
shared int x;
shared int a[THREADS];
int main(void) {
    int mine;
    scanf("%d", &x); //~ ERROR U0618: `shared int *`, is given to `scanf`
    sscanf("1 2", "%d %d", &mine,
           &a[MYTHREAD]); //~ ERROR:12 U0618
    fscanf(stdin, "%d",
           (int *)&a[MYTHREAD]); /* its own */
    return 0;
}
