/* Ordinary C: not touched by the UPC front end, its statics are each thread's own. */
static int calls;
int c_add(int a, int b) {
    calls++;
    return a + b;
}
int c_calls(void) { return calls; }
