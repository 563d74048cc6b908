// Formats that do not fit a pointer-to-shared: the warning names the type in the program's terms.
#include <stdio.h>
#include <upc.h>
shared int a[8 * THREADS];
shared[4] double b[4 * THREADS];
shared int **rows;
int main(void) {
    shared[4] double *p = b;
    char text[100];
    printf("%d\n", &a[1]); //~ WARNING U0631: `%d` wants `int`, but the argument is `shared int *`
    printf("%s %d\n",
           a, //~ WARNING:12 U0631: `shared int *`
           a[0]);
    fprintf(stderr, "%*.*f%% %g"
                    "\n",
            8, 3, 1.0,
            p);                                  //~ WARNING U0631: `%g` wants `double`, but the argument is `shared [4] double *`
    snprintf(text, sizeof text, "%lld", rows);   //~ WARNING U0631: `shared int **`
    sprintf(text, "\"%%d %zu\"", p);             //~ WARNING U0631: `%zu` wants `unsigned long`
    printf("%p %p %m %c\n", p, (void *)rows, 1); /* these are right */
    printf(text, p);
    return 0;
}
