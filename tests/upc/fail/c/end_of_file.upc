// The file ends inside a function.
int f(void) { //~ ERROR C0100
    return 0;
