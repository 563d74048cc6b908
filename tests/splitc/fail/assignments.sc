//: clause access 6
// `:=` and `:-` have exactly one global side, and a store's is the left one.
int x, y;
int *global g;
const int *global c;
struct two { int a; double b; } t, *global gt;
int a[10]::;
void f(void) {
    x := y; //~ ERROR exactly one global side
    *g := *g; //~ ERROR exactly one global side
    a[1] := *g; //~ ERROR exactly one global side
    x :- *g; //~ ERROR exactly one global side
    x :- y; //~ ERROR exactly one global side
    *g :- a[2]; //~ ERROR exactly one global side
    x := *g + 1; //~ ERROR exactly one global side
    *c := 3; //~ ERROR cannot be changed
    5 := *g; //~ ERROR not an object
    *g := gt->b + 1;
    t.a := gt->a;
    gt->b :- t.b;
    *g := x ? y :-1;
}
