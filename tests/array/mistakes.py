"""A mistake, named by the argument: the library says what is wrong, and ends the job."""

import sys

import meridian as m

mistake = sys.argv[1]
u = m.Array((8, 8), name="u")
v = m.Array(None, name="v", like=u)
setup = m.Pshift(u, [(m.CSHIFT, 0, 1)])
if mistake == "shape":
    m.cshift(u, 1, out=m.Array((8, 9), name="w"))
elif mistake == "type":
    m.cshift(u, 1, out=m.Array((8, 8), "float32", name="w"))
elif mistake == "layout":
    m.cshift(u, 1, out=m.Array((8, 8), name="w", serial=(1, 0)))
elif mistake == "set-up":
    setup([m.Array((9, 8), name="w")], [u])
elif mistake == "freed":
    setup.free()
    setup([v], [u])
elif mistake == "freed-array":
    v.free()
    m.cshift(u, 1, out=v)
elif mistake == "boundary":
    m.eoshift(u, 1, boundary=u, out=v)
elif mistake == "axis":
    m.cshift(u, 1, axis=2, out=v)
elif mistake == "calls":
    if m.thread() == 0:
        m.cshift(u, 1, out=v)
    else:
        setup([v], [u])
elif mistake == "memory":
    m.Array((1 << 21, 1 << 21), name="huge")
