"""Stencils by Devito: "name side million-points-a-second", the best of several rounds, for grids of doubles."""

import itertools

import numpy
from devito import Eq, Grid, Operator, TimeFunction

CASES = (("5-point", 2, (256, 512, 4096)), ("7-point", 3, (64, 256)))

for name, rank, sides in CASES:
    for side in sides:
        grid = Grid(shape=(side,) * rank, dtype=numpy.float64)
        u = TimeFunction(name="u", grid=grid, space_order=2, time_order=1)
        u.data[:] = 1
        t, axes = grid.stepping_dim, grid.dimensions
        total = 0.2 * u[(t, *axes)]
        for k, offset in itertools.product(range(rank), (-1, 1)):
            total += 0.1 * u[(t, *(a + offset * (i == k) for i, a in enumerate(axes)))]
        operator = Operator(Eq(u[(t + 1, *axes)], total))
        steps = max(4, 100_000_000 // side**rank)
        best = 0
        for _ in range(5):
            summary = operator.apply(time_m=0, time_M=steps - 1)
            best = max(best, side**rank * steps / sum(part.time for part in summary.values()) / 1e6)
        print(name, side, round(best))
