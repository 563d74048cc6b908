// The file ends inside a function.
int f(void) {
    return 0; //~ ERROR
