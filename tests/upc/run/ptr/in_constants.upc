// Constant static objects whose pointers-to-shared are filled in when the program starts: structs, arrays of
// them, unions, objects in functions, and objects that are declared before.
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
/* By names of arrays that are const, by typeof, and beside objects that stay constant. */
typedef const struct place pair[2];
typedef pair square[2];
typedef const struct place several[];
extern pair early;
static pair both = {{x + 1, 1}, {x + 2, 2}};
static square four = {{{x, 1}, {x + 1, 2}}, {{x + 2, 3}, {x + 3, 4}}};
static several three = {{x, 1}, {x + 1, 2}, {x + 3, 3}};
pair early = {{x + 3, 3}};
static __typeof__(const struct place) like = {x + 2, 4};
static fixed *beside = &hidden, first_fixed = x + 1, fixed_two[2] = {x + 1, x + 2};
static lasting *const pointed = &kept, after = {x + 3, 5}, *never;
static const struct place *const to_late = late, last = {x + 2, 6};
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
    static lasting *const here = &own, local = {x + 1, 2};
    static pair locals = {{x + 2, 1}, {x + 3, 2}};
    CHECK_EQ(sum(here) + sum(&local) + sum(&locals[1]), 31 + 12 + 32);
    CHECK(*named == 30 && *hidden == 20 && *through == &x[3]);
    CHECK_EQ(sum(&kept), 17);
    CHECK_EQ(sum(&both[0]) + sum(&both[1]) + sum(&early[0]), 11 + 22 + 33);
    CHECK_EQ(sum(&four[0][0]) + sum(&four[1][1]) + sum(&three[2]), 1 + 34 + 33);
    CHECK(sizeof(four) == 4 * sizeof(struct place) && sizeof(three) == 3 * sizeof(struct place));
    CHECK_EQ(sum(&like) + sum(pointed) + sum(&after) + sum(to_late) + sum(&last), 24 + 17 + 35 + 15 + 26);
    CHECK(**beside == 20 && *first_fixed == 10 && *fixed_two[1] == 20 && !never);
    return 0;
}
