// Pointers that are restrict may be members of shared structs and shared objects themselves.
//: clause 6.5.1.1 p10
#include <upc.h>
shared struct {
    int *restrict pointer, *restrict volatile both;
    char *restrict rows[2];
    shared int *restrict far;
    int *restrict *to;
} s[THREADS];
int *restrict shared alone[THREADS];
int main(void) {
    int x = 1, *restrict l = &x;
    char c = 2;
    s[MYTHREAD].pointer = s[MYTHREAD].both = l;
    *s[MYTHREAD].pointer += 3;
    s[MYTHREAD].pointer++;
    s[MYTHREAD].rows[1] = &c;
    s[MYTHREAD].far = 0;
    s[MYTHREAD].to = &l;
    alone[MYTHREAD] = *s[MYTHREAD].to;
    return alone[MYTHREAD][0] + s[MYTHREAD].rows[1][0] + *--s[MYTHREAD].pointer - 10;
}
