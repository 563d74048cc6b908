//: clause access 2
//: clause access 5
//: clause space 4
//: clause arithmetic 1
//: clause arithmetic 5
/* := and :- in every place of an assignment, structs, chains of pointers, operators on what is far. */
#include <split-c/split-c.h>
#include <split-c/control.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#define CK(c) do { if (!(c)) { printf("%d: line %d: %s\n", MYPROC, __LINE__, #c); exit(1);} } while(0)
#define N 32
typedef struct ghost { double *global src; double val; struct ghost *next; } ghost;
typedef struct vec3 { double x, y, z; } vec3;
typedef struct body { vec3 pos, vel; double mass; int tag[4]; struct body *global near[3]; } body;
body bodies[4]::;
body mine;
double grid[PROCS]::[N+2];
vec3 *global pick(body *spread b, int i) { return &b[i].pos; }
body *global (*chooser)(int);
body *global choose(int i) { return &bodies[i]; }
static int *global gp, *spread sp, *lp;
double edge(double *global p) { double v; v := *p; sync(); return v; }
int sideeffects;
int *global side(void) { sideeffects++; return toglobal(MYPROC, &sideeffects); }
splitc_main()
{
  int i, it; double *l = tolocal(grid[MYPROC]); ghost *list = 0, *g; double nv[N+2];
  body b, *pb = &b; vec3 v;
  for (i = 0; i <= N + 1; i++) l[i] = MYPROC * N + i;
  barrier();
  for (it = 0; it < 3; it++) {
    if (MYPROC > 0) l[0] := grid[MYPROC-1][N];
    if (MYPROC < PROCS-1) l[N+1] := grid[MYPROC+1][1];
    sync();
    for (i = 1; i <= N; i++) nv[i] = (l[i-1] + l[i] + l[i+1]) / 3;
    barrier();
    for (i = 1; i <= N; i++) l[i] = nv[i];
    barrier();
  }
  CK(fabs(l[N/2] - (MYPROC * N + N/2)) < 1e-9);
  for (i = 0; i < 5; i++) { g = (ghost *)malloc(sizeof *g); g->src = &grid[(MYPROC + i) % PROCS][i + 1]; g->next = list; list = g; }
  for (g = list; g; g = g->next) g->val := *g->src;
  sync();
  for (g = list; g; g = g->next) CK(g->val == *g->src);
  barrier();
  for_my_1d(i, 4) { bodies[i].pos.x = i; bodies[i].mass = 2 * i; bodies[i].tag[3] = i * i; bodies[i].near[1] = &bodies[(i + 1) % 4]; }
  barrier();
  b := bodies[3]; sync(); CK(b.pos.x == 3 && b.tag[3] == 9);
  v := bodies[2].pos; pb->vel.z := bodies[2].mass; b.tag[1] := bodies[1].near[1]->tag[3]; sync();
  CK(v.x == 2 && b.vel.z == 4 && b.tag[1] == 4);
  CK(pick(bodies, 2)->x == 2 && choose(1)->mass == 2 && (chooser = choose)(3)->tag[3] == 9 && (*chooser)(3)->near[1]->near[1]->tag[3] == 1);
  barrier();
  on_one { bodies[1].pos := v; bodies[1].near[0] := toglobal(0, &mine); sync(); }
  barrier(); CK(bodies[1].pos.x == 2 && bodies[1].near[0] == toglobal(0, &mine));
  barrier();
  on_one bodies[1].near[1]->pos :- v, bodies[0].mass :- 3;
  all_store_sync(); CK(bodies[2].pos.x == 2);
  { int k = ({ int t; t := *toglobal(MYPROC, &sideeffects); sync(); t; }); CK(k == 0); }
  *side() += 5; CK(sideeffects == 6); (*side())++; CK(sideeffects == 8); --*side(); CK(sideeffects == 8);
  *side() |= 16; CK(sideeffects == 25);
  i = 1;
  gp = (int *global)&i; sp = (int *spread)gp; lp = (int *)sp; CK(lp == &i && *gp == 1 && *sp == 1);
  gp = lp ? gp : 0; CK(gp); gp = (int *global)0; CK(!gp && gp == 0 && 0 == gp && !(gp != 0));
  if (MYPROC < PROCS - 1) CK(edge(&grid[MYPROC+1][1]) == grid[MYPROC+1][1]);
  { double (*spread p)[N+2] = grid; p++; CK(p - grid == 1); p += PROCS; CK(toproc(p) == 1 % PROCS); p -= PROCS + 1; CK(p == grid); CK((*p)[3] == p[0][3]); }
  { double *global row = grid[0]; double *global end = row + N; int c = 0; while (row < end) row++, c++; CK(c == N && row - grid[0] == N); row -= 2; CK(row[1] == grid[0][N-1]); CK(*--row == grid[0][N-3]); CK(*row++ == grid[0][N-3]); }
  { int a[3][4], (*global ga)[4] = (int (*global)[4])a; a[2][1] = 7; CK(ga[2][1] == 7 && (*(ga + 2))[1] == 7 && ga + 1 > ga && (ga + 2) - ga == 2); ga[1][0] := 5; sync(); CK(a[1][0] == 5); }
  { struct { int n; char s[8]; } loc, *global gl; gl = toglobal(MYPROC, &loc); gl->s[2] = 'x'; gl->n = sizeof gl->s; CK(loc.s[2] == 'x' && loc.n == 8); }
  { long *global gl; long lv = 3; char ch; short sh; unsigned char uc = 200; float fl = 1.5f; _Bool bo;
    gl = (long *global)&lv; *gl <<= 4; *gl ^= 1; CK(lv == 49); *gl /= 7; *gl %= 4; CK(lv == 3);
    *(unsigned char *global)&uc += 100; CK(uc == 44); *(float *global)&fl *= 2; CK(fl == 3.0f);
    bo := *(unsigned char *global)&uc; sync(); CK(bo == 1); ch := *(long *global)&lv; sync(); CK(ch == 3); }
  barrier();
  on_one puts("good");
  exit(0);
}
