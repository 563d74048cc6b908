"""Heat in a plate, as heat.c: the left edge is kept at 1, the right one at 0, and no heat passes the other two.  Process 0
compares the plate with what NumPy makes of it alone, and draws it if it is told a file:

    PYTHONPATH=$(pkg-config --variable=python meridian) python3 -m meridian run -n 4 heat.py plate.png
"""

import struct
import sys
import zlib

import numpy
import meridian as m

N, STEPS, K = 96, 500, 0.2


def serial():
    """The terms are added in the order in which the stencil has them, so that the bits are the same."""
    u = numpy.zeros((N, N))
    for _ in range(STEPS):
        p = numpy.pad(u, 1, mode="edge")
        p[:, 0], p[:, -1] = 1, 0
        u = (1 - 4 * K) * u + K * p[:-2, 1:-1] + K * p[2:, 1:-1] + K * p[1:-1, :-2] + K * p[1:-1, 2:]
    return u


def draw(path, u):
    """A grey picture as PNG: white is 1."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = numpy.zeros((N, N + 1), numpy.uint8)  # each row begins with the number of its filter, which is 0
    rows[:, 1:] = 255 * u
    head = struct.pack(">IIBBBBB", N, N, 8, 0, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows.tobytes()))
                   + chunk(b"IEND", b""))


def main():
    plate = m.Array((N, N), name="plate", halo=4)  # wide enough for four steps an exchange
    after = m.Array(None, name="next", like=plate)
    plate.fill(0)
    terms = [(1 - 4 * K, (0, 0)), (K, (-1, 0)), (K, (1, 0)), (K, (0, -1)), (K, (0, 1))]
    heat = m.Stencil(plate, terms, [(m.REFLECTING, m.REFLECTING), ((m.VALUE, 1), (m.VALUE, 0))])
    plate, after = heat.run(plate, after, STEPS)
    whole = plate.gather(0)
    if m.thread() == 0:
        right = (whole == serial()).all()
        print(f"heat: {STEPS} steps of a plate of {N} x {N}, mean {whole.mean():.6f}, {'ok' if right else 'WRONG'}")
        if len(sys.argv) > 1:
            draw(sys.argv[1], whole)
        if not right:
            sys.exit(1)


main()
