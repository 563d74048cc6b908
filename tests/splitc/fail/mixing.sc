//: clause space 5
// Local and global pointers do not mix without a cast; the two kinds of global ones do, with warnings.
int x, *p;
int *global g;
int *spread s;
double *global d;
void take(int *global);
int *give(void) {
    return g; //~ ERROR U0618: global pointer
}
void f(int n) {
    g = &x; //~ ERROR U0612: given for global pointer
    s = p; //~ ERROR U0612: given for spread pointer
    p = g; //~ ERROR U0618: given for local pointer
    p = s; //~ ERROR U0618: given for local pointer
    g = s; //~ WARNING S0705: given for
    g = d; //~ WARNING S0705: given for
    take(p); //~ ERROR U0612: given for global pointer
    g = n; //~ ERROR U0612: given for
    if (p == g) //~ ERROR U0610: a global pointer and a local pointer
        n++;
    n = g - p; //~ ERROR U0610: a global pointer and a local pointer
    g = (int *global)p;
    g = (int *global)s;
    p = (int *)g;
    g = 0;
    take(g);
}
