"""Stencils by Devito, beside stencils.upc: nanoseconds an element and step, on grids of doubles.

It prints samples as the probes do (measure.h), one grid after another; the coefficients, and the values and steps
of a check, are those of stencils.h.
"""

import itertools
import json
import os
import sys

import numpy
from devito import Eq, Grid, Operator, TimeFunction

ROUNDS, WANTED, QUICK = int(sys.argv[2]), 10 * float(sys.argv[3]), sys.argv[4] == "quick"
CASES = (
    ("5-point", 2, 256),
    ("5-point", 2, 512),
    ("5-point", 2, 4096),
    ("7-point", 3, 64),
    ("wave", 3, 64),
    ("27-point", 3, 64),
    ("7-point", 3, 256),
    ("wave", 3, 256),
    ("27-point", 3, 256),
)
STEPS = 8
PROCESSES = int(os.environ["OMP_NUM_THREADS"])


def level(name, rank, side):
    """The unknown, as Devito has it: a wave's has the two levels before it."""
    grid = Grid(shape=(side,) * rank, dtype=numpy.float64)
    return TimeFunction(name="u", grid=grid, space_order=2, time_order=2 if name == "wave" else 1)


def one_step(name, rank, u):
    """The operator of one step."""
    t, axes = u.grid.stepping_dim, u.grid.dimensions
    total = -0.1 * u[(t - 1, *axes)] if name == "wave" else 0
    for offset in itertools.product((-1, 0, 1), repeat=rank):
        aside = sum(map(abs, offset))
        if aside < 2 or name == "27-point":
            total += (0.05 - 0.01 * aside) * u[(t, *(a + o for a, o in zip(axes, offset)))]
    return Operator(Eq(u[(t + 1, *axes)], total))


def check(name, rank, side, u, operator):
    """Says what the squares add up to after some steps from values that all systems begin with."""
    first = 1 if name == "wave" else 0  # the step's number, behind the levels that there are
    start = sum(f * i for f, i in zip((7, 3, 5), numpy.ogrid[(slice(side),) * rank]))
    u.data[:] = 0
    u.data[first] = start % 16 / 16
    operator.apply(time_m=first, time_M=first + STEPS - 1)
    squares = float(numpy.sum(u.data[(first + STEPS) % (first + 2)] ** 2))
    print(json.dumps({"check": f"{name}, side {side}", "value": squares}))
    u.data[:] = 0


def tuned(operator):
    """The sizes of blocks that Devito finds best; none in two dimensions, where it has no blocks."""
    operator.apply(time_m=1, time_M=50, autotune="aggressive")
    return dict(operator._state["autotuning"][-1].get("tuned", {}))


for name, rank, side in CASES:
    if QUICK and side**rank >= 1e6:
        continue
    u = level(name, rank, side)
    operator = one_step(name, rank, u)
    check(name, rank, side, u, operator)
    blocks = tuned(operator)

    def seconds(steps):
        """What so many steps take, by Devito's own clock."""
        summary = operator.apply(time_m=1, time_M=steps, **blocks)
        return sum(part.time for part in summary.values())

    steps = 4
    while seconds(steps) * 1e9 < WANTED:
        steps *= 2
    for turn in range(ROUNDS):
        ns = seconds(steps) * 1e9 / (side**rank * steps)
        point = {"part": "stencils", "series": name, "what": "one step", "side": side, "processes": PROCESSES}
        print(json.dumps({**point, "round": turn, "ns": ns}), flush=True)
