"""Stencils by Devito, beside stencils.upc: nanoseconds an element and step, on grids of doubles.

It measures itself as the probes do (probe.h), by rounds over all points.
"""

import itertools
import json
import os
import sys

import numpy
from devito import Eq, Grid, Operator, TimeFunction

ROUNDS, WANTED, QUICK = int(sys.argv[2]), 10 * float(sys.argv[3]), sys.argv[4] == "quick"
CASES = (("5-point", 2, 256), ("5-point", 2, 512), ("5-point", 2, 4096), ("7-point", 3, 64), ("7-point", 3, 256))
PROCESSES = int(os.environ["OMP_NUM_THREADS"])


def heat(rank, side):
    """The operator of one step, and the seconds that so many steps of it take."""
    grid = Grid(shape=(side,) * rank, dtype=numpy.float64)
    u = TimeFunction(name="u", grid=grid, space_order=2, time_order=1)
    u.data[:] = 1
    t, axes = grid.stepping_dim, grid.dimensions
    total = 0.2 * u[(t, *axes)]
    for k, offset in itertools.product(range(rank), (-1, 1)):
        total += 0.1 * u[(t, *(a + offset * (i == k) for i, a in enumerate(axes)))]
    operator = Operator(Eq(u[(t + 1, *axes)], total))
    return lambda steps: sum(part.time for part in operator.apply(time_m=0, time_M=steps - 1).values())


for name, rank, side in CASES:
    if QUICK and side**rank >= 1e6:
        continue
    seconds, steps = heat(rank, side), 4
    while seconds(steps) * 1e9 < WANTED:
        steps *= 2
    for turn in range(ROUNDS):
        ns = seconds(steps) * 1e9 / (side**rank * steps)
        point = {"part": "stencils", "series": name, "what": "one step", "side": side, "processes": PROCESSES}
        print(json.dumps({**point, "round": turn, "ns": ns}))
