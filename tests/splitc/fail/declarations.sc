//: clause array 8
//: clause program 3
//: clause space 6
//: clause space 7
// Declarations that are refused.
int x;
int a::[10]; //~ ERROR S0702: without a spread dimension
int global *p; //~ ERROR S0703: qualifies no pointer
spread int y; //~ ERROR S0703: qualifies no pointer
int *global g = (int *global)&x; //~ ERROR S0704: is initialised
int *global list[2] = {0, (int *global)&x}; //~ ERROR S0704: is initialised
int *global spread both; //~ ERROR S0703: both `global` and `spread`
int *global global once;
int twice[4]::[4]::[4]; //~ ERROR S0702: a spread array of spread arrays
struct held {
    int spread_member[PROCS]::; //~ ERROR U0601: a member cannot be global
};
int *global null = 0, *spread other = (int *spread)0;
void f(int n) {
    static int b[n]::; //~ ERROR C0209: not constant
    PROCS = 3; //~ ERROR U0622|C0206: is a value
    MYPROC++; //~ ERROR U0622: cannot be changed
}
