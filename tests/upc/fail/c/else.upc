// An else without an if.
int f(int n) {
    n++;
    else n = 1; //~ ERROR C0100
    return n;
}
