/* paraffins.id in C, by another method: radicals by Polya's cycle index of S3, paraffins by Otter's formula
 * on the centres (trees with vertices = rooted minus edges). */
#include <stdio.h>
#include <stdlib.h>

#define MOST 40

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 16;
    long r[MOST + 1] = {1}, rooted[MOST + 1] = {0}, edges[MOST + 1] = {0};
    /* r(x) = 1 + x (r^3 + 3 r(x^2) r + 2 r(x^3)) / 6 */
    for (int m = 0; m < n; m++) {
        long a = 0, b = 0, c = m % 3 == 0 ? r[m / 3] : 0;
        for (int i = 0; i <= m; i++) {
            for (int j = 0; i + j <= m; j++)
                a += r[i] * r[j] * r[m - i - j];
            if (i % 2 == 0)
                b += r[i / 2] * r[m - i];
        }
        r[m + 1] = (a + 3 * b + 2 * c) / 6;
    }
    /* Rooted at a carbon: S4 on four radicals.  Rooted at a bond: pairs of radicals that are not empty. */
    for (int m = 0; m < n; m++) {
        long a = 0, b = 0, c = 0, d = 0, e = m % 4 == 0 ? r[m / 4] : 0;
        for (int i = 0; i <= m; i++)
            for (int j = 0; i + j <= m; j++)
                for (int k = 0; i + j + k <= m; k++) {
                    a += r[i] * r[j] * r[k] * r[m - i - j - k];
                    if (k == 0 && i % 2 == 0)
                        b += r[i / 2] * r[j] * r[m - i - j];
                }
        for (int i = 0; i <= m; i += 2)
            if ((m - i) % 2 == 0)
                c += r[i / 2] * r[(m - i) / 2];
        for (int i = 0; i <= m; i += 3)
            d += r[i / 3] * r[m - i];
        rooted[m + 1] = (a + 6 * b + 3 * c + 8 * d + 6 * e) / 24;
    }
    for (int m = 2; m <= n; m++) {
        long pairs = 0;
        for (int i = 1; i < m; i++)
            pairs += r[i] * r[m - i];
        edges[m] = (pairs - (m % 2 == 0 ? r[m / 2] : 0)) / 2; /* bonds with different halves */
    }
    for (int m = 1; m <= n; m++)
        printf("%ld:", rooted[m] - edges[m]);
    puts("Nil");
    return 0;
}
