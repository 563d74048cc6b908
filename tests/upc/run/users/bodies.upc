// N bodies: structures with nested vectors in a shared array, forces by all pairs, positions fetched block by
// block; momentum is kept, and a serial simulation gives the same places.
//: clause 6.5.1.1 p8
#include <math.h>
#include <string.h>
#include "../../check.h"

#define EACH 6
typedef struct { double x, y, z; } vec;
typedef struct {
    vec at, speed;
    double mass;
    struct { unsigned moved : 4, kind : 3; } bits;
} body;
shared[EACH] body bodies[EACH * THREADS];

static vec minus(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static void add(vec *to, vec v, double f) { to->x += v.x * f, to->y += v.y * f, to->z += v.z * f; }
static body start(int i) {
    return (body){.at = {i % 3, i % 5 * 0.5, i * 0.1}, .mass = 1 + i % 2, .bits = {.kind = i % 8}};
}
static void pull(vec *force, const body *a, const body *b) {
    vec d = minus(b->at, a->at);
    double r2 = d.x * d.x + d.y * d.y + d.z * d.z + 0.1;
    add(force, d, a->mass * b->mass / (r2 * sqrt(r2)));
}

int main(void) {
    const int n = EACH * THREADS;
    body *copy = malloc(n * sizeof *copy), *serial = malloc(n * sizeof *serial);
    vec *forces = calloc(n, sizeof *forces);
    upc_forall (int i = 0; i < n; i++; &bodies[i])
        bodies[i] = start(i);
    for (int i = 0; i < n; i++)
        serial[i] = start(i);
    upc_barrier;
    for (int step = 0; step < 5; step++) {
        for (int t = 0; t < THREADS; t++)
            upc_memget(copy + t * EACH, &bodies[t * EACH], EACH * sizeof(body));
        upc_barrier;
        upc_forall (int i = 0; i < n; i++; &bodies[i]) {
            vec force = {0};
            for (int j = 0; j < n; j++)
                if (i != j)
                    pull(&force, &copy[i], &copy[j]);
            bodies[i].speed.x += 0.01 * force.x / copy[i].mass;
            bodies[i].speed.y += 0.01 * force.y / copy[i].mass;
            bodies[i].speed.z += 0.01 * force.z / copy[i].mass;
            vec speed = bodies[i].speed;
            bodies[i].at.x += 0.01 * speed.x;
            bodies[i].at.y += 0.01 * speed.y;
            bodies[i].at.z += 0.01 * speed.z;
            bodies[i].bits.moved++;
        }
        upc_barrier;
        memset(forces, 0, n * sizeof *forces);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (i != j)
                    pull(&forces[i], &serial[i], &serial[j]);
        for (int i = 0; i < n; i++) {
            add(&serial[i].speed, forces[i], 0.01 / serial[i].mass);
            add(&serial[i].at, serial[i].speed, 0.01);
        }
    }
    vec momentum = {0, 0, 0};
    for (int i = 0; i < n; i++) {
        body b = bodies[i];
        vec d = minus(b.at, serial[i].at);
        CHECK(fabs(d.x) + fabs(d.y) + fabs(d.z) < 1e-9);
        CHECK(b.bits.moved == 5 && bodies[i].bits.kind == i % 8);
        add(&momentum, b.speed, b.mass);
    }
    CHECK(fabs(momentum.x) + fabs(momentum.y) + fabs(momentum.z) < 1e-9);
    upc_barrier;
    free(copy), free(serial), free(forces);
    return 0;
}
