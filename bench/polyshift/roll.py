"""One process: numpy.roll and this library's cshift of a square of doubles, in turns."""

import statistics
import time

import numpy
import meridian as m


def timed(function, turns):
    begin = time.perf_counter()
    for _ in range(turns):
        function()
    return (time.perf_counter() - begin) / turns * 1e9


for n in (4, 16, 64, 256, 1024):
    a = numpy.ones((n, n))
    u = m.Array((n, n))
    v = m.Array(None, like=u)
    u.local[...] = 1
    turns = max(3, 2000000 // (n * n + 20000))
    rows = []
    for _ in range(15):
        rows.append((timed(lambda: numpy.roll(a, -1, 0), turns), timed(lambda: m.cshift(u, 1, 0, out=v), turns)))
    roll, shift = (statistics.median(r[i] for r in rows) for i in (0, 1))
    print(f"roll {n:8} {roll:11.1f} {shift:11.1f} {statistics.median(r[0] / r[1] for r in rows):7.2f}")
