// Constant static objects whose pointers-to-shared are filled in when the program starts: structs, arrays of
// them, unions, objects of functions, and some that are declared before.
//: clause 6.4.2 p1
#include "../../check.h"
struct place {
    shared [] double *at;
    int n;
};
union either {
    shared [] double *at;
    long number;
};
shared [] double x[4];
extern const struct place ahead;
static shared [] double *const alone = x;
static const struct place table[] = {{x, 4}, {x + 1, 3}};
static const struct {
    int n;
    struct place inner[2];
} nested = {1, {{x + 2, 2}, {x + 3, 1}}};
struct place static const late[] = {{x + 1, 5}};
static union either const first = {x + 1};
const struct place ahead = {x + 2, 2};
/* By names of types that are const. */
typedef shared [] double *const fixed;
extern fixed named;
shared [] double *const named = x + 3;
static fixed hidden = x + 2;
typedef const struct place lasting;
static lasting kept = {x + 1, 7};
extern fixed *through;
shared [] double *const *through = &named;
static int sum(const struct place *p) { return (int)*p->at + p->n; }

int main(void) {
    static const struct place own = {x + 3, 1};
    if (MYTHREAD == 0)
        for (int i = 0; i < 4; i++)
            x[i] = 10 * i;
    upc_barrier;
    CHECK(*alone == 0);
    CHECK_EQ(sum(&table[0]) + sum(&table[1]), 4 + 13);
    CHECK_EQ(sum(&nested.inner[0]) + sum(&nested.inner[1]), 22 + 31);
    CHECK(*first.at == 10);
    CHECK_EQ(sum(&ahead), 22);
    CHECK_EQ(sum(late), 15);
    CHECK_EQ(sum(&own), 31);
    CHECK(*named == 30 && *hidden == 20 && *through == &x[3]);
    CHECK_EQ(sum(&kept), 17);
    return 0;
}
