/* Photons through a rod of carbon: one loop, with a stack of the photons that splitting has made. With OpenMP
 * the initial photons are shared out. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct photon {
    double x, y, z, u, v, w, e;
    long weight, seed;
    bool at_collision;
};
enum { FAR, NEAR, SIDE, ABSORBED, CUT_OFF, BALANCE };
static const double rod = 20.0, half = 10.0, radius = 1.5, cutoff = 0.005;

static long next_seed(long s) { return 16807 * s % 2147483647; }
static double uniform(long s) { return s / 2147483647.0; }

static struct photon stack[1000];
static int height;
#pragma omp threadprivate(stack, height)

static void turn(struct photon *p, double mu, double phi) {
    double t = sqrt(1.0 - mu * mu), c = t * cos(phi), s = t * sin(phi), r = sqrt(1.0 - p->u * p->u);
    double u = p->u, v = p->v, w = p->w;
    if (r < 0.0001) {
        p->u = mu * u;
        p->v = c;
        p->w = s;
    } else {
        p->u = mu * u - r * c;
        p->v = mu * v + (u * v * c - w * s) / r;
        p->w = mu * w + (u * w * c + v * s) / r;
    }
}

/* Moves a photon to its next collision. Returns false if its flight ends before. */
static bool fly(struct photon *p, long *count) {
    p->seed = next_seed(p->seed);
    double from = p->x, d = (0.0 - log(uniform(p->seed))) / (0.06 + 0.09 / (0.3 + p->e));
    p->x += d * p->u;
    p->y += d * p->v;
    p->z += d * p->w;
    if (p->x >= rod)
        return count[FAR] += p->weight, false;
    if (p->x < 0.0)
        return count[NEAR] += p->weight, false;
    if (p->y * p->y + p->z * p->z > radius * radius)
        return count[SIDE] += p->weight, false;
    if (from < half && p->x >= half && p->weight > 1) {
        struct photon other = *p;
        other.weight -= p->weight / 2;
        other.seed = next_seed(p->seed + 23);
        other.at_collision = true;
        stack[height++] = other;
        p->weight /= 2;
        p->seed = next_seed(p->seed + 11);
    } else if (from >= half && p->x < half) {
        p->seed = next_seed(p->seed);
        if (uniform(p->seed) < 0.5)
            return count[BALANCE] += p->weight, false;
        count[BALANCE] -= p->weight;
        p->weight *= 2;
    }
    return true;
}

static bool collide(struct photon *p, long *count) {
    p->seed = next_seed(p->seed);
    if (uniform(p->seed) < 0.004 / (0.02 + p->e))
        return count[ABSORBED] += p->weight, false;
    p->seed = next_seed(p->seed);
    double mu = 1.0 - 2.0 * uniform(p->seed) * uniform(p->seed);
    p->seed = next_seed(p->seed);
    p->e = p->e / (1.0 + p->e * (1.0 - mu));
    if (p->e < cutoff)
        return count[CUT_OFF] += p->weight, false;
    turn(p, mu, 6.283185307179586 * uniform(p->seed));
    return true;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1;
    long count[6] = {0}, sum = 0;
#pragma omp parallel for reduction(+ : count) schedule(dynamic, 64)
    for (int i = 1; i <= n; i++) {
        stack[height++] = (struct photon){
            .u = 1.0, .e = 0.5 + 0.01 * (i % 50), .weight = 1024, .seed = next_seed(i * 7919)};
        while (height > 0) {
            struct photon p = stack[--height];
            while ((p.at_collision || fly(&p, count)) && collide(&p, count))
                p.at_collision = false;
        }
    }
    printf("(");
    for (int i = 0; i < 6; i++) {
        printf("%ld,", count[i]);
        sum += count[i];
    }
    printf("%s)\n", sum == 1024L * n ? "True" : "False");
}
