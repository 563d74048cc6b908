//: clause access 6
// `:=` and `:-` have exactly one global side, and the global side of a store is the left one.
int x, y;
int *global g;
const int *global c;
struct two { int a; double b; } t, *global gt;
int a[10]::;
void f(void) {
    x := y; //~ ERROR S0701: exactly one global side
    *g := *g; //~ ERROR S0701: exactly one global side
    a[1] := *g; //~ ERROR S0701: exactly one global side
    x :- *g; //~ ERROR S0701: exactly one global side
    x :- y; //~ ERROR S0701: exactly one global side
    *g :- a[2]; //~ ERROR S0701: exactly one global side
    x := *g + 1; //~ ERROR S0701: exactly one global side
    *c := 3; //~ ERROR C0206: cannot be changed
    5 := *g; //~ ERROR C0206: not an object
    *g := gt->b + 1;
    t.a := gt->a;
    gt->b :- t.b;
    *g := x ? y :-1;
}
