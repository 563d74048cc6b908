/* Pictures as PNG files, without a library: the data is stored, not compressed. */
#ifndef PICTURE_H
#define PICTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned picture_crc(unsigned crc, const unsigned char *at, size_t n) {
    crc = ~crc;
    for (size_t i = 0; i < n; i++) {
        crc ^= at[i];
        for (int b = 0; b < 8; b++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320U : 0);
    }
    return ~crc;
}

static void picture_word(unsigned char *at, unsigned w) {
    at[0] = (unsigned char)(w >> 24), at[1] = (unsigned char)(w >> 16);
    at[2] = (unsigned char)(w >> 8), at[3] = (unsigned char)w;
}

static void picture_chunk(FILE *to, const char *type, const unsigned char *data, size_t n) {
    unsigned char head[8], tail[4];
    picture_word(head, (unsigned)n);
    memcpy(head + 4, type, 4);
    picture_word(tail, picture_crc(picture_crc(0, head + 4, 4), data, n));
    fwrite(head, 1, 8, to);
    fwrite(data, 1, n, to);
    fwrite(tail, 1, 4, to);
}

/* rgb: three bytes a point, row by row. Returns 0, or -1 after a message. */
static int picture_write(const char *path, int width, int height, const unsigned char *rgb) {
    size_t row = 3 * (size_t)width + 1, raw = row * (size_t)height, n = 2, a = 1, b = 0;
    unsigned char head[13] = {0}, *lines = malloc(raw), *out = malloc(raw + raw / 65535 * 5 + 64);
    FILE *to = fopen(path, "wb");
    if (!to || !lines || !out) {
        perror(path);
        return -1;
    }
    for (int y = 0; y < height; y++) {
        lines[row * (size_t)y] = 0;
        memcpy(lines + row * (size_t)y + 1, rgb + (row - 1) * (size_t)y, row - 1);
    }
    out[0] = 0x78, out[1] = 1;
    for (size_t done = 0, part; done < raw; done += part) {
        part = raw - done < 65535 ? raw - done : 65535;
        out[n++] = done + part == raw;
        out[n++] = (unsigned char)part, out[n++] = (unsigned char)(part >> 8);
        out[n++] = (unsigned char)~part, out[n++] = (unsigned char)(~part >> 8);
        memcpy(out + n, lines + done, part);
        n += part;
    }
    for (size_t i = 0; i < raw; i++) {
        a = (a + lines[i]) % 65521;
        b = (b + a) % 65521;
    }
    picture_word(out + n, (unsigned)(b << 16 | a));
    picture_word(head, (unsigned)width);
    picture_word(head + 4, (unsigned)height);
    head[8] = 8, head[9] = 2;
    fwrite("\x89PNG\r\n\x1a\n", 1, 8, to);
    picture_chunk(to, "IHDR", head, 13);
    picture_chunk(to, "IDAT", out, n + 4);
    picture_chunk(to, "IEND", head, 0);
    free(lines);
    free(out);
    return fclose(to);
}

/* A square of numbers from low (blue) over 0.5 (white) to high (red). */
__attribute__((unused)) static int picture_of(const char *path, const double *u, int rows, int columns,
                                              double low, double high) {
    unsigned char *rgb = malloc(3 * (size_t)rows * (size_t)columns), *at = rgb;
    if (!rgb)
        return -1;
    for (int i = 0; i < rows * columns; i++) {
        double x = (u[i] - low) / (high - low);
        x = x < 0 ? 0 : x > 1 ? 1 : x;
        *at++ = (unsigned char)(x < 0.5 ? 510 * x : 255);
        *at++ = (unsigned char)(x < 0.5 ? 510 * x : 510 * (1 - x));
        *at++ = (unsigned char)(x < 0.5 ? 255 : 510 * (1 - x));
    }
    int error = picture_write(path, columns, rows, rgb);
    free(rgb);
    return error;
}

#endif
