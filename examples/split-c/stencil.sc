/* stencil: heat on a plate, each point the mean of its four neighbours; in two dimensions.
 *
 * The processors stand in a rectangle as square as their number allows, and each has a tile of the plate with
 * a border one point wide around it, where the neighbours' points are copied. Before each step a processor
 * stores its outer rows and columns into the borders of its neighbours: rows with one bulk_store, columns
 * with a `:-' a point. all_store_sync waits until the borders are complete; then the step needs local
 * pointers only.
 *
 * The tiles are a spread array of one block a processor, so that a point has the same local address on all.
 *
 *     stencil [rows [columns [steps]]] */
#include "arguments.h"
#include <string.h>

static int rows, columns, steps;

/* The division of the plate; the same on all processors. */
static int down, across;  /* down * across == PROCS */
static int height, width; /* of the largest tile, with its border */

/* Returns the beginning of piece `i' of `pieces' in 0 ... n - 1; it ends where the next begins. */
static int begin_of(int n, int i, int pieces) { return (int)((long)n * i / pieces); }

static double first_value(int i, int j) { return i == 0 ? 100 : j == 0 ? 50 : (i * 7 + j * 13) % 10; }

/* Chooses the rectangle of processors. */
static void divide(void) {
    int i;
    for (i = 1; i * i <= PROCS; i++)
        if (PROCS % i == 0)
            down = i;
    across = PROCS / down;
    height = (rows + down - 1) / down + 2;
    width = (columns + across - 1) / across + 2;
}

/* A tile: points (top + i, left + j) for 0 <= i < h and 0 <= j < w; point (i, j) is at[(i + 1) * width + j +
 * 1]. */
struct tile {
    int top, left, h, w;
    int row, column; /* its place among the tiles */
};

static struct tile tile_of(int processor) {
    struct tile t;
    t.row = processor / across, t.column = processor % across;
    t.top = begin_of(rows, t.row, down), t.h = begin_of(rows, t.row + 1, down) - t.top;
    t.left = begin_of(columns, t.column, across), t.w = begin_of(columns, t.column + 1, across) - t.left;
    return t;
}

/* Stores the outer rows and columns of the own tile into the borders of the neighbours' tiles.  A neighbour's
 * tile may have another height or width, but the side on which they meet has the same length in both. */
static void send_borders(struct tile t, double tiles[PROCS]::[height * width]) {
    double *own = tolocal(tiles[MYPROC]);
    int i;
    if (t.row > 0) {
        struct tile up = tile_of(MYPROC - across);
        bulk_store(&tiles[MYPROC - across][(up.h + 1) * width + 1], &own[width + 1], t.w * sizeof(double));
    }
    if (t.row + 1 < down)
        bulk_store(&tiles[MYPROC + across][1], &own[t.h * width + 1], t.w * sizeof(double));
    if (t.column > 0) {
        struct tile left = tile_of(MYPROC - 1);
        double *global to = &tiles[MYPROC - 1][left.w + 1];
        for (i = 1; i <= t.h; i++)
            to[i * width] :- own[i * width + 1];
    }
    if (t.column + 1 < across) {
        double *global to = tiles[MYPROC + 1];
        for (i = 1; i <= t.h; i++)
            to[i * width] :- own[i * width + t.w];
    }
    all_store_sync();
}

/* One step for the points of t that are not on the plate's edge; those keep their heat. */
static void relax(struct tile t, const double *from, double *to) {
    int i, j;
    for (i = 1; i <= t.h; i++)
        for (j = 1; j <= t.w; j++) {
            int r = t.top + i - 1, c = t.left + j - 1, k = i * width + j;
            if (r == 0 || r == rows - 1 || c == 0 || c == columns - 1)
                to[k] = from[k];
            else
                to[k] = 0.25 * (from[k - width] + from[k + width] + from[k - 1] + from[k + 1]);
        }
}

/* Returns the number of own points that differ from the end of a serial run, in any bit. */
static long count_wrong(struct tile t, const double *own) {
    double *a = malloc(2L * rows * columns * sizeof *a), *b = a + (long)rows * columns, *swap;
    int i, j, step, wrong = 0;
    if (!a) {
        fprintf(stderr, "stencil: no memory for a plate of %d x %d\n", rows, columns);
        exit(1);
    }
    double *memory = a;
    for (i = 0; i < rows; i++)
        for (j = 0; j < columns; j++)
            a[(long)i * columns + j] = b[(long)i * columns + j] = first_value(i, j);
    for (step = 0; step < steps; step++) {
        for (i = 1; i < rows - 1; i++)
            for (j = 1; j < columns - 1; j++) {
                const double *p = &a[(long)i * columns + j];
                b[p - a] = 0.25 * (p[-columns] + p[columns] + p[-1] + p[1]);
            }
        swap = a, a = b, b = swap;
    }
    for (i = 0; i < t.h; i++)
        for (j = 0; j < t.w; j++)
            wrong += memcmp(&own[(i + 1) * width + j + 1], &a[(long)(t.top + i) * columns + t.left + j],
                            sizeof(double)) != 0;
    free(memory);
    return all_reduce_to_all_ladd(wrong);
}

int splitc_main(int argc, char **argv) {
    struct argument list[] = {{"rows", 90, 1, 20000}, {"columns", 110, 1, 20000}, {"steps", 20, 0, 1000000}};
    read_arguments(argc, argv, list, 3);
    rows = list[0].value, columns = list[1].value, steps = list[2].value;
    divide();
    double one[PROCS]::[height * width], two[PROCS]::[height * width];
    double(*spread from)[height * width] = one, (*spread to)[height * width] = two,
                                  (*spread swap)[height * width];
    struct tile t = tile_of(MYPROC);
    double *own = tolocal(from[MYPROC]);
    int i, j, step;
    for (i = 0; i < t.h; i++)
        for (j = 0; j < t.w; j++)
            own[(i + 1) * width + j + 1] = first_value(t.top + i, t.left + j);
    barrier();
    double took = get_seconds();
    for (step = 0; step < steps; step++) {
        send_borders(t, from);
        relax(t, tolocal(from[MYPROC]), tolocal(to[MYPROC]));
        swap = from, from = to, to = swap;
    }
    barrier();
    took = get_seconds() - took;
    own = tolocal(from[MYPROC]);
    long wrong = count_wrong(t, own);
    on_one {
        printf("stencil of %d x %d points, %d steps: ", rows, columns, steps);
        if (wrong)
            printf("%ld points are wrong\n", wrong);
        else
            printf("ok\n");
        printf("time %.6f s on %d x %d processors, %.2f ns a point and step\n", took, down, across,
               steps ? took / steps / rows / columns * 1e9 : 0.0);
    }
    exit(wrong != 0);
}
