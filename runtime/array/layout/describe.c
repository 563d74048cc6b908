/* Descriptors that print and draw themselves (TR-18-93, section 2.1: the array descriptor). */
#include "array/layout/object.h"

#include <stdlib.h>

static const char *order_of(const struct mer_geometry *g, int k) {
    return g->serial[k] ? "SERIAL" : g->axis_order[k] == MER_SEND ? "SEND" : "NEWS";
}

void mer_array_print(const mer_array *array, FILE *to) {
    mer_array_check(array, "mer_array_print");
    mer_array_check_memory(array, "mer_array_print", to, "file");
    const struct mer_geometry *g = array->g;
    int threads = 1;
    char bytes[32];
    fprintf(to, "%s: %s", mer_call_array(array->number), mer_type_name(g->type));
    for (int k = 0; k < g->rank; k++) {
        fprintf(to, "%s%ld", k ? " x " : " ", g->extent[k]);
        threads *= g->processes[k];
    }
    fprintf(to, ", %s, over %d of %d threads, %s each\n",
            g->order == MER_ROW_MAJOR ? "row-major" : "column-major", threads, THREADS,
            mer_bytes_text(bytes, g->bytes));
    for (int k = 0; k < g->rank; k++) {
        long padding = g->block[k] * g->processes[k] - g->extent[k];
        fprintf(to, "  axis %d: %ld elements in %d block%s of %ld, %s", k, g->extent[k], g->processes[k],
                g->processes[k] > 1 ? "s" : "", g->block[k], order_of(g, k));
        if (padding)
            fprintf(to, ", %ld of padding", padding);
        if (g->halo[k])
            fprintf(to, ", halo %d", g->halo[k]);
        fprintf(to, "\n");
    }
}

/* Finds the two axes that are drawn, down and across; -1 if there is none. */
static void axes_drawn(const struct mer_geometry *g, int *down, int *across) {
    *down = *across = -1;
    for (int pass = 0; pass < 2; pass++) /* first those that are divided */
        for (int k = 0; k < g->rank; k++) {
            if (k == *down || k == *across || (pass == 0 && g->processes[k] == 1))
                continue;
            if (*across < 0)
                *across = k;
            else if (*down < 0)
                *down = k;
        }
    if (*down < *across) /* there is one axis only, or they are in order */
        return;
    int k = *down; /* in the order of the array: the first axis down */
    *down = *across;
    *across = k;
}

static int blocks_along(const struct mer_geometry *g, int k) { return k < 0 ? 1 : g->processes[k]; }

static int thread_at(const struct mer_geometry *g, int down, int i, int across, int j) {
    int place[RANK] = {0};
    if (down >= 0)
        place[down] = i;
    if (across >= 0)
        place[across] = j;
    return mer_geometry_thread(g, place);
}

static long first_of(const struct mer_geometry *g, int k, int c) { return k < 0 ? 0 : g->block[k] * c; }
static long count_of(const struct mer_geometry *g, int k, int c) {
    return k < 0 ? 1 : mer_geometry_count(g, k, c);
}

static void range_text(char text[64], const struct mer_geometry *g, int k, int c) {
    long first = first_of(g, k, c), n = count_of(g, k, c);
    if (k < 0)
        text[0] = 0;
    else if (n == 0)
        snprintf(text, 64, "none");
    else
        snprintf(text, 64, "%ld..%ld", first, first + n - 1);
}

void mer_array_draw(const mer_array *array, FILE *to) {
    mer_array_check(array, "mer_array_draw");
    mer_array_check_memory(array, "mer_array_draw", to, "file");
    const struct mer_geometry *g = array->g;
    int down, across;
    char text[64];
    axes_drawn(g, &down, &across);
    if (down >= 0)
        fprintf(to, "%s: the thread of each block, axis %d down, axis %d across\n",
                mer_call_array(array->number), down, across);
    else
        fprintf(to, "%s: the thread of each block, axis %d across\n", mer_call_array(array->number), across);
    fprintf(to, "%14s", "");
    for (int j = 0; j < blocks_along(g, across); j++) {
        range_text(text, g, across, j);
        fprintf(to, " %12s", text);
    }
    fprintf(to, "\n");
    for (int i = 0; i < blocks_along(g, down); i++) {
        range_text(text, g, down, i);
        fprintf(to, "%14s", text);
        for (int j = 0; j < blocks_along(g, across); j++)
            fprintf(to, " %12d", thread_at(g, down, i, across, j));
        fprintf(to, "\n");
    }
}

/* Writes a name as text of XML. */
static void svg_text(FILE *to, const char *text) {
    for (; *text; text++)
        if (*text == '<' || *text == '&')
            fprintf(to, "&#%d;", *text);
        else
            fputc(*text, to);
}

/* Draws a block.  Hues differ by the golden angle, so that threads near each other get colours far apart. */
static void svg_block(FILE *to, double x, double y, double w, double h, int thread, int threads) {
    fprintf(to,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"hsl(%d,60%%,%d%%)\" "
            "stroke=\"#333\"/>\n",
            x, y, w, h, (int)((long)thread * 137 % 360), threads > 1 ? 78 : 85);
    fprintf(to, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" dominant-baseline=\"middle\">%d</text>\n",
            x + w / 2, y + h / 2, thread);
}

void mer_array_svg(const mer_array *array, FILE *to) {
    mer_array_check(array, "mer_array_svg");
    mer_array_check_memory(array, "mer_array_svg", to, "file");
    const struct mer_geometry *g = array->g;
    int down, across;
    axes_drawn(g, &down, &across);
    double rows = down < 0 ? 1 : (double)(g->block[down] * g->processes[down]);
    double columns = across < 0 ? 1 : (double)(g->block[across] * g->processes[across]);
    double width = 640, height = down < 0 ? 60 : rows / columns * width;
    height = height > 900 ? 900 : height < 40 ? 40 : height;
    fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
            "font-family=\"sans-serif\" font-size=\"14\">\n"
            "<text x=\"10\" y=\"18\">",
            width + 20, height + 40);
    svg_text(to, mer_call_array(array->number));
    fprintf(to, ": %s, axis %d across", mer_type_name(g->type), across);
    if (down >= 0)
        fprintf(to, ", axis %d down", down);
    /* Padding, which no block covers, stays grey. */
    fprintf(
        to,
        "; grey: padding</text>\n<rect x=\"10\" y=\"30\" width=\"%.0f\" height=\"%.0f\" fill=\"#ccc\"/>\n",
        width, height);
    for (int i = 0; i < blocks_along(g, down); i++)
        for (int j = 0; j < blocks_along(g, across); j++) {
            double x = 10 + (double)first_of(g, across, j) / columns * width;
            double y = 30 + (double)first_of(g, down, i) / rows * height;
            double w = (double)count_of(g, across, j) / columns * width;
            double h = (double)count_of(g, down, i) / rows * height;
            if (w > 0 && h > 0)
                svg_block(to, x, y, w, h, thread_at(g, down, i, across, j), THREADS);
        }
    fprintf(to, "</svg>\n");
}
