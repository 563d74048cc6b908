//: clause program 6
//: clause space 8
/* Split-C of the old style: implicit int, undeclared functions, `char *malloc();', trees of global
 * pointers, unions, tables of spread pointers to global pointers, functions as arguments. */
#include <split-c/split-c.h>
#include <split-c/control.h>

#define GET(l, g) ((l) := (g))
#define MAXN 64
#define SWAP(a,b) { int _t = a; a = b; b = _t; }

typedef double *spread sdptr;
typedef struct { double re, im; } complex;
typedef complex *global gcomplex;
typedef int (*cmp_fn)();
typedef struct tree {
	int key;
	union { int i; double d; char c[8]; } val;
	enum { RED, BLACK } color;
	struct tree *global left, *global right, *parent;
	struct tree *global *global kids;
} tree, *ltree, *global gtree;

extern char *malloc();
extern double sqrt(), fabs();

static gtree root;
int counter;
int *global cptr;
sdptr vec;
int *global table[MAXN];
static double work[MAXN], *wp = work;
gtree forest[PROCS]::;
char *global names[4];

double dot(a, b, n)
	double *spread a, *spread b;
	int n;
{
	double s;
	register int i;
	s = 0.0;
	for_my_1d(i, n) s += a[i] * b[i];
	return all_reduce_to_all_dadd(s);
}

gtree newnode(key)
{
	ltree t = (ltree) malloc(sizeof(tree));
	t->key = key; t->val.d = key * 1.5; t->color = key & 1 ? RED : BLACK;
	t->left = t->right = 0; t->parent = (ltree)0; t->kids = 0;
	return (gtree) t;
}

gtree insert(t, key)
	gtree t;
	int key;
{
	if (!t) return newnode(key);
	if (key < t->key) t->left = insert(t->left, key);
	else t->right = insert(t->right, key);
	return t;
}

count(t) gtree t; { return t == 0 ? 0 : 1 + count(t->left) + count(t->right); }

int sumtree(t)
	struct tree *global t;
{
	int l, r;
	gtree lt, rt;
	if (t == (gtree)0) return 0;
	lt := t->left; rt := t->right;
	sync();
	l = sumtree(lt), r = sumtree(rt);
	return t->key + l + r;
}

void apply(f, p, n) void (*f)(); int *p; { while (n--) (*f)(p++); }
void twice(p) int *p; { *p *= 2; }

int *global *spread make_table(n)
{
	int *global *spread t = (int *global *spread) all_spread_malloc(n, sizeof(int *global));
	int i;
	for_my_1d(i, n) { int *p = (int *)malloc(sizeof(int)); *p = i; t[i] = (int *global)p; }
	barrier();
	return t;
}

splitc_main(argc, argv)
	int argc;
	char *argv[];
{
	int i, j, k, n = 20, tmp[MAXN];
	int *global *spread tab;
	int *global g, *global h;
	double *dp;
	complex z, *zp = &z;
	gcomplex gz;
	gtree t;
	int x, y;

	vec = (sdptr) all_spread_malloc(n, sizeof(double));
	for_my_1d(i, n) vec[i] = (double)i;
	barrier();
	if (dot(vec, vec, n) != 2470.0) { printf("dot\n"); exit(1); }

	for (i = 0; i < 10; i++) root = insert(root, (i * 7) % 10);
	if (count(root) != 10 || sumtree(root) != 45) { printf("tree\n"); exit(1); }
	forest[MYPROC] = root;
	barrier();
	t = forest[(MYPROC + 1) % PROCS];
	if (sumtree(t) != 45) { printf("ftree\n"); exit(1); }
	t->val.c[0] = 'q'; t->val.i++;
	barrier();
	if (root->val.c[0] != 'r') { printf("val %c\n", root->val.c[0]); exit(1); }

	tab = make_table(n);
	for (i = 0, j = 0; i < n; i++) { GET(tmp[i], *tab[i]); }
	sync();
	for (i = 0; i < n; i++) j += tmp[i];
	if (j != 190) { printf("tab %d\n", j); exit(1); }
	apply(twice, tmp, n);
	if (tmp[3] != 6) exit(1);

	z.re = MYPROC; z.im = -MYPROC;
	barrier();
	gz = (gcomplex) toglobal((MYPROC + PROCS - 1) % PROCS, zp);
	{ complex w; w = *gz; if (w.re + w.im != 0 || w.re != (MYPROC + PROCS - 1) % PROCS) { printf("cpx\n"); exit(1); }
	  w := *gz; sync(); w.re += 1; *gz := w; sync(); barrier();
	  if (z.re != MYPROC + 1) { printf("cpx2\n"); exit(1); } }
	counter = 10 + MYPROC;
	barrier();
	cptr = toglobal(0, &counter);
	x = MYPROC == 0 ? *cptr :-1;
	y = (*cptr)++ ? 1 : 0;
	barrier();
	g = (int *global)&counter; 
	barrier();
	for (i = 0; i < MAXN; i++) table[i] = (int *global)toglobal(i % PROCS, work) ;
	dp = tolocal(&vec[MYPROC]);
	*dp = 3.0;
	names[1] = (char *global)"hello";
	if (names[1][1] != 'e') exit(2);
	switch (x) { case -1: break; default: if (MYPROC) exit(3); }
	do { k = i--; if (k < 3) continue; } while (i > 0);
	for (;;) break;
loop:	if (++k < 10) goto loop;
	on_one { printf("good\n"); }
	barrier();
}
