"""One process: numpy.roll and this library's cshift of a square of doubles, in turns.

It measures itself as the probes do (measure.h), by rounds over all points.
"""

import json
import sys
import time

import numpy
import meridian as m

ROUNDS, WANTED = int(sys.argv[2]), 10 * float(sys.argv[3])


def timed(function, turns):
    begin = time.perf_counter_ns()
    for _ in range(turns):
        function()
    return time.perf_counter_ns() - begin


for n in (4, 16, 64, 256, 1024):
    a = numpy.ones((n, n))
    u = m.Array((n, n))
    v = m.Array(None, like=u)
    u.local[...] = 1
    ways = {"numpy.roll": lambda: numpy.roll(a, -1, 0), "polyshift": lambda: m.cshift(u, 1, 0, out=v)}
    timed(ways["polyshift"], 1)  # so that its array has been touched
    turns = 1
    while timed(ways["numpy.roll"], turns) < WANTED:
        turns *= 2
    for turn in range(ROUNDS):
        for name, way in ways.items():
            point = {"part": "shifts", "series": "cshift", "what": name, "length": n, "processes": 1}
            print(json.dumps({**point, "round": turn, "ns": timed(way, turns) / turns}))
