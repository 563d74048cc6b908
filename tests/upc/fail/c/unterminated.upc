// A string that does not end on its line.
int f(void) {
    const char *s = "no end; //~ ERROR C0002
    return 0;
}
