// Initialisers of static shared objects of every shape, in both environments.
//: clause 6.5.2.1 p4
#include <upc.h>

shared int s1 = 3 + 4;
shared [] int arr[] = {1,2,3};
shared [] char str[] = "abc";
shared int *shared sp = &s1;
static shared double d = 2.5;
shared struct { int x; struct { char c[3]; shared int *p; } in; } st = { 1, { "ab", &s1 } };
shared [] int m[2][3] = { [1] = { 4, 5, 6 } };
static shared [] const char *const names[] = { str, &str[1], 0 };
shared long double ld = 1.25L;
shared unsigned long long big = 0xffffffffffffffffULL;
int main(void) {
  static shared [] int loc[] = { 9, 8 };
  if (s1 != 7 || arr[2] != 3 || sizeof arr != 12 || str[2] != 'c' || sizeof str != 4) return 1;
  if (*sp != 7 || d != 2.5 || st.x != 1 || st.in.c[1] != 'b' || *st.in.p != 7) return 2;
  if (m[1][2] != 6 || m[0][2] != 0 || names[1] - names[0] != 1 || *names[1] != 'b') return 3;
  if (ld != 1.25L || big + 1 != 0 || loc[1] != 8) return 4;
  return 0;
}
