// A struct, union or enumeration that is defined where a member points to shared ones, with a tag or without.
//: clause 6.5.1.1 p5
#include <upc.h>
struct list {
    int n;
    shared struct node {
        int key;
        shared struct node *next;
        shared struct list *of;
    } *head, *tails[2];
    unsigned a : 3;
    shared[] enum { RED, BLUE = 5 } *colours;
    unsigned b : 3;
    union {
        shared[2] struct {
            char c;
            shared union {
                int i;
                float f;
            } *u;
        } *v;
        long w;
    };
};
shared struct list lists[THREADS];
shared struct {
    struct {
        shared struct {
            shared int *q;
        } *r;
    } in;
} s[THREADS];
int main(void) {
    static shared struct {
        shared struct node *p;
        shared struct inner {
            int x;
        } *i;
    } local;
    shared struct node *n = lists[MYTHREAD].head;
    struct inner x = {BLUE};
    if (n && lists[0].v && s[0].in.r && local.i)
        return n->next->of->head->key + *lists[0].colours + lists[0].v[1].u->i + *s[0].in.r->q + local.i->x;
    return x.x - BLUE + lists[MYTHREAD].a + RED;
}
