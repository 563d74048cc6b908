//: clause space 5
// Local and global pointers do not mix without a cast; of the two kinds of global ones, warnings tell.
int x, *p;
int *global g;
int *spread s;
double *global d;
void take(int *global);
int *give(void) {
    return g; //~ ERROR global pointer
}
void f(int n) {
    g = &x; //~ ERROR given for global pointer
    s = p; //~ ERROR given for spread pointer
    p = g; //~ ERROR given for local pointer
    p = s; //~ ERROR given for local pointer
    g = s; //~ WARNING given for
    g = d; //~ WARNING given for
    take(p); //~ ERROR given for global pointer
    g = n; //~ ERROR given for
    if (p == g) //~ ERROR a global pointer and a local pointer
        n++;
    n = g - p; //~ ERROR a global pointer and a local pointer
    g = (int *global)p;
    g = (int *global)s;
    p = (int *)g;
    g = 0;
    take(g);
}
