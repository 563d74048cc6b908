// A function that returns a pointer, without its header: an int would not hold the result. Functions that
// C compilers know cause a warning only.
int main(void) {
    void *p = malloc(3);        //~ WARNING C0213
    char *s = getenv("HOME");   //~ ERROR C0213
    shared void *q = upc_alloc(3); //~ ERROR C0213
    return p == 0 || s == 0 || q == 0;
}
