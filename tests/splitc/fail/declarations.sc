//: clause array 8
//: clause program 3
//: clause space 6
//: clause space 7
// What cannot be declared.
int x;
int a::[10]; //~ ERROR without a spread dimension
int global *p; //~ ERROR qualifies no pointer
spread int y; //~ ERROR qualifies no pointer
int *global g = (int *global)&x; //~ ERROR is initialised
int *global list[2] = {0, (int *global)&x}; //~ ERROR is initialised
int *global null = 0, *spread other = (int *spread)0;
void f(int n) {
    static int b[n]::; //~ ERROR not constant
    PROCS = 3; //~ ERROR cannot be changed
    MYPROC++; //~ ERROR cannot be changed
}
