// A parenthesis that is not closed.
int f(int a) {
    if (a > 1 { //~ ERROR C0100
        return 1;
    }
    return 0;
}
