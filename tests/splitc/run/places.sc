//: clause access 2
//: clause access 5
//: clause space 4
//: clause arithmetic 1
//: clause arithmetic 5
/* := and :- in every place of an assignment, structs, chains of pointers, operators on remote objects. */
#include <split-c/split-c.h>
#include <split-c/control.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include "../check.h"
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
  CHECK(fabs(l[N/2] - (MYPROC * N + N/2)) < 1e-9);
  for (i = 0; i < 5; i++) { g = (ghost *)malloc(sizeof *g); g->src = &grid[(MYPROC + i) % PROCS][i + 1]; g->next = list; list = g; }
  for (g = list; g; g = g->next) g->val := *g->src;
  sync();
  for (g = list; g; g = g->next) CHECK(g->val == *g->src);
  barrier();
  for_my_1d(i, 4) { bodies[i].pos.x = i; bodies[i].mass = 2 * i; bodies[i].tag[3] = i * i; bodies[i].near[1] = &bodies[(i + 1) % 4]; }
  barrier();
  b := bodies[3]; sync(); CHECK(b.pos.x == 3 && b.tag[3] == 9);
  v := bodies[2].pos; pb->vel.z := bodies[2].mass; b.tag[1] := bodies[1].near[1]->tag[3]; sync();
  CHECK(v.x == 2 && b.vel.z == 4 && b.tag[1] == 4);
  CHECK(pick(bodies, 2)->x == 2 && choose(1)->mass == 2 && (chooser = choose)(3)->tag[3] == 9 && (*chooser)(3)->near[1]->near[1]->tag[3] == 1);
  barrier();
  on_one { bodies[1].pos := v; bodies[1].near[0] := toglobal(0, &mine); sync(); }
  barrier(); CHECK(bodies[1].pos.x == 2 && bodies[1].near[0] == toglobal(0, &mine));
  barrier();
  on_one bodies[1].near[1]->pos :- v, bodies[0].mass :- 3;
  all_store_sync(); CHECK(bodies[2].pos.x == 2);
  { int k = ({ int t; t := *toglobal(MYPROC, &sideeffects); sync(); t; }); CHECK(k == 0); }
  *side() += 5; CHECK(sideeffects == 6); (*side())++; CHECK(sideeffects == 8); --*side(); CHECK(sideeffects == 8);
  *side() |= 16; CHECK(sideeffects == 25);
  i = 1;
  gp = (int *global)&i; sp = (int *spread)gp; lp = (int *)sp; CHECK(lp == &i && *gp == 1 && *sp == 1);
  gp = lp ? gp : 0; CHECK(gp); gp = (int *global)0; CHECK(!gp && gp == 0 && 0 == gp && !(gp != 0));
  if (MYPROC < PROCS - 1) CHECK(edge(&grid[MYPROC+1][1]) == grid[MYPROC+1][1]);
  { double (*spread p)[N+2] = grid; p++; CHECK(p - grid == 1); p += PROCS; CHECK(toproc(p) == 1 % PROCS); p -= PROCS + 1; CHECK(p == grid); CHECK((*p)[3] == p[0][3]); }
  { double *global row = grid[0]; double *global end = row + N; int c = 0; while (row < end) row++, c++; CHECK(c == N && row - grid[0] == N); row -= 2; CHECK(row[1] == grid[0][N-1]); CHECK(*--row == grid[0][N-3]); CHECK(*row++ == grid[0][N-3]); }
  { int a[3][4], (*global ga)[4] = (int (*global)[4])a; a[2][1] = 7; CHECK(ga[2][1] == 7 && (*(ga + 2))[1] == 7 && ga + 1 > ga && (ga + 2) - ga == 2); ga[1][0] := 5; sync(); CHECK(a[1][0] == 5); }
  { struct { int n; char s[8]; } loc, *global gl; gl = toglobal(MYPROC, &loc); gl->s[2] = 'x'; gl->n = sizeof gl->s; CHECK(loc.s[2] == 'x' && loc.n == 8); }
  { long *global gl; long lv = 3; char ch; short sh; unsigned char uc = 200; float fl = 1.5f; _Bool bo;
    gl = (long *global)&lv; *gl <<= 4; *gl ^= 1; CHECK(lv == 49); *gl /= 7; *gl %= 4; CHECK(lv == 3);
    *(unsigned char *global)&uc += 100; CHECK(uc == 44); *(float *global)&fl *= 2; CHECK(fl == 3.0f);
    bo := *(unsigned char *global)&uc; sync(); CHECK(bo == 1); ch := *(long *global)&lv; sync(); CHECK(ch == 3); }
  barrier();
  on_one puts("good");
  exit(0);
}
