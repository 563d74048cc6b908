"""The Python package against NumPy: numpy.roll, slices for end-off shifts, gathered whole arrays, files."""

import os
import sys
import tempfile

import numpy
import meridian as m
from meridian import arrays


def end_off(whole, shift, boundary, axis):
    result = numpy.roll(whole, -shift, axis)
    n = whole.shape[axis]
    free = [slice(None)] * whole.ndim
    if shift:
        free[axis] = slice(max(n - shift, 0), None) if shift > 0 else slice(0, min(-shift, n))
        result[tuple(free)] = numpy.expand_dims(boundary, axis) if isinstance(boundary, numpy.ndarray) else boundary
    return result


def check(array, whole, what):
    part = tuple(slice(f, f + n) for f, n in zip(array.first, array.local.shape))
    assert (array.local == whole[part]).all(), what


def stencils():
    whole = numpy.random.default_rng(5).random((13, 11))
    u = m.Array((13, 11), halo=2)
    v = m.Array(None, like=u)
    u.scatter(whole)
    s = m.Stencil(u, [(0.5, (0, 0)), (0.25, (-1, 0)), (0.25, (0, 2))], steps=1)
    u, v = s.run(u, v, 3)
    for _ in range(3):
        whole = 0.5 * whole + 0.25 * numpy.roll(whole, 1, 0) + 0.25 * numpy.roll(whole, -2, 1)
    check(u, whole, "stencil")
    s.free()
    s = m.Stencil(u, [(1.0, (1, 0)), (-0.5, "old")], [((m.VALUE, 3.0), (m.VALUE, 3.0)), (m.REFLECTING, m.REFLECTING)])
    before = v.gather(0)
    u, v = s.run(u, v)
    if m.thread() == 0:
        whole = -0.5 * before + numpy.vstack([whole[1:], numpy.full((1, 11), 3.0)])
    result = u.gather(0)
    assert result is None or (result == whole).all(), "stencil of two levels"
    s.free()
    for dtype in ("int16", "complex128", "longdouble"):
        whole = (numpy.arange(13 * 11).reshape(13, 11) % 9).astype(dtype)
        a = m.Array((13, 11), dtype, halo=(2, 1))
        b = m.Array(None, like=a)
        a.scatter(whole)
        faces = [(m.PERIODIC, m.PERIODIC), ((m.VALUE, 4), (m.VALUE, -3))]
        s = m.Stencil(a, [(2, (0, 0)), (-1, (2, 0)), (1, (0, 1))], faces)
        a, b = s.run(a, b, 3)
        for _ in range(3):
            beside = numpy.hstack([whole[:, 1:], numpy.full((13, 1), -3, dtype)])
            whole = 2 * whole - numpy.roll(whole, -2, 0) + beside
        check(a, whole, "stencil of " + dtype)
        s.free()
    s = m.Stencil(v, [(1.0, (1, 0)), (1.0, (0, -1))])
    v.local = m.thread() + 1.0
    s.fetch(v)
    fetched = v.padded.copy()
    v.padded = m.thread() + 1.0
    s.fetch_start(v)
    s.fetch_finish()
    near = tuple(slice(1, n + 3) for n in v.local.shape)
    assert (v.padded[near] == fetched[near]).all(), "fetch in two calls"
    s.free()
    cube = numpy.random.default_rng(7).random((6, 7, 9))
    u, v = m.Array(cube.shape, halo=1), m.Array(cube.shape, halo=1)
    u.scatter(cube)
    near = [(i, j, k) for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1)]
    terms = [([0.5, 0.04, 0.02, 0.01][sum(map(abs, o))], o) for o in near]
    s = m.Stencil(u, terms, reassociate=True)
    u, v = s.run(u, v)
    result = u.gather(0)
    sums = sum(c * numpy.roll(cube, [-x for x in o], (0, 1, 2)) for c, o in terms)
    assert result is None or numpy.allclose(result, sums, 1e-13), "sums in any order"
    s.free()


def refused(call, error=TypeError):
    try:
        call()
    except error:
        return
    sys.exit(f"an argument should have been refused by a {error.__name__}")


def mistakes():
    """What C would take for something else."""
    u = m.Array((8, 8), name="u", halo=1)
    v, edge = m.Array(None, like=u), m.Array(8)
    for call in (lambda: m.Array((1 << 64) + 8), lambda: m.Array(8, processes=(1 << 32) + 1),
                 lambda: m.cshift(u, 1 << 64, out=v), lambda: m.cshift(u, 1, 1 << 32, out=v),
                 lambda: u[1 << 64, 0], lambda: u.gather(1 << 32), lambda: u.scatter(None, 1 << 32),
                 lambda: m.Pshift(u, [(m.CSHIFT, 0, 1 << 64)]), lambda: m.Stencil(u, [(1.0, (1 << 32, 0))]),
                 lambda: m.Stencil(u, [(1.0, (0, 0))], steps=1 << 32)):
        refused(call, OverflowError)
    p = m.Pshift(u, [(m.EOSHIFT_SCALAR, 0, 1)])
    q = m.Pshift(u, [(m.EOSHIFT_ARRAY, 0, 1, edge)])
    refused(lambda: p([v], [u], [edge]))
    refused(lambda: q([v], [u], [1.0]))
    refused(lambda: m.eoshift(u, 1, numpy.zeros(8), out=v))
    refused(lambda: m.Stencil(numpy.zeros(8), [(1.0, (0,))]))
    refused(lambda: m.Pshift(numpy.zeros(8), [(m.CSHIFT, 0, 1)]))
    refused(lambda: u.scatter(numpy.zeros((8, 8), complex), m.thread()))
    for call in (lambda: p([v], [u], [1.0, 2.0]), lambda: m.Stencil(u, [(1.0, (0, 0))], [(m.VALUE, m.VALUE)] * 3),
                 lambda: m.Stencil(u, [(1.0, (0, 0))], [(m.VALUE,)] * 2), lambda: u.save("a\0b"),
                 lambda: u.save_hdf5("a", "b\0c"), lambda: u.load_hdf5("a", "b", "K"), lambda: m.Array(8, name="a\0b")):
        refused(call, ValueError)
    p.free()
    q.free()


def as_numpy_is_used():
    """What programs do with NumPy's arrays."""
    u = m.Array(numpy.array([5, 7]), float, name="u")
    u.local = 2
    u.local += 1
    u.local[...] *= u.local
    check(u, numpy.full((5, 7), 9.0), "local on the left of an assignment")
    h = m.Array(numpy.int64(6), halo=1)
    h.padded = 4
    assert (h.local == 4).all() and repr(u) == "<meridian.Array (5, 7) float64>"
    for call in (lambda: numpy.array(u), lambda: numpy.asarray(h), lambda: u[0:2, 0],
                 lambda: u.copy_from(numpy.zeros((5, 7))),
                 lambda: m.cshift(u, 1, out=numpy.zeros((5, 7))), lambda: m.Array(5, like=7)):
        refused(call)
    refused(lambda: m.Array((4, 4), order="K"), ValueError)
    s = m.Stencil(h, [(1.0, (1,))], [m.REFLECTING])
    h, old = s.run(h, m.Array(None, like=h))
    check(h, numpy.full(6, 4.0), "one kind for both faces")
    s = m.Stencil(h, [(1.0, (1,)), (1.0, (-1,))], [(m.VALUE, 2)])
    h, old = s.run(h, old)
    check(h, numpy.array([6.0, 8.0, 8.0, 8.0, 8.0, 6.0]), "one face with its value for both")
    s = m.Stencil(h, [(1.0, (1,)), (1.0, (-1,))], [(m.VALUE, m.REFLECTING)])
    h, old = s.run(h, old)
    check(h, numpy.array([8.0, 14.0, 16.0, 16.0, 14.0, 14.0]), "a pair of kinds")
    small = m.Array(5, "uint8")
    for value in (256, -1, 0.5):
        refused(lambda: m.eoshift(small, 1, value))


def let_go():
    """Arrays that no process refers to any more are freed, and no others, whoever refers to them."""
    before = len(arrays._records)
    u = m.Array((300, 7), "int32", name="u")
    u.local[...] = m.thread()
    kept, views, w = [], [], None
    for i in range(400):
        v = m.cshift(u, i, axis=0)
        if m.thread() == i % 3:
            kept.append((i, v))
        if i % 50 == 7:
            views.append((i, v.local))
    del v
    large = m.Array((3000, 3000), name="large")
    for _ in range(5):
        large = m.cshift(large, 1)
        assert len(arrays._records) - before < 500
    for i in range(800):
        v = m.eoshift(u, i, axis=1)
    whole = u.gather(0)
    for i, v in kept:
        w = v.local.copy()
        assert v.handle in [r.handle for r in arrays._records.records] and w.shape == u.local.shape
    for i in range(400):
        expected = m.cshift(u, i, axis=0)
        for _, v in [k for k in kept if k[0] == i] + [k for k in views if k[0] == i]:
            assert ((v if isinstance(v, numpy.ndarray) else v.local) == expected.local).all(), "an array that is referred to"
    assert len(arrays._records) - before < 1000, len(arrays._records)  # at most 400 are in use, of 1605
    del kept, views, v, w, expected
    for i in range(800):
        v = m.cshift(u, i)
    assert len(arrays._records) - before < 120, len(arrays._records)
    assert whole is None or whole.shape == (300, 7)


def types():
    """NumPy's own names of types, and quads, which it has not: 16 bytes each, of which 1 is 3fff and zeros."""
    for dtype, wanted in ((numpy.longdouble, "longdouble"), (numpy.dtype("clongdouble"), "clongdouble"),
                          (numpy.dtype("complex64"), "complex64"), (numpy.uint16, "uint16"),
                          ("f8", "float64"), (float, "float64"), (complex, "complex128"), (int, "int64"), (numpy.dtype(">f8"), None), ("bool", None)):
        if wanted is None:
            refused(lambda: m.Array(10, dtype))
            continue
        whole = (numpy.arange(10) * 3).astype(dtype)
        u = m.Array(10, dtype)
        assert u.dtype == wanted and u.local.dtype == whole.dtype, dtype
        u.scatter(whole)
        m.eoshift(u, 2, 1, out=u)
        check(u, end_off(whole, 2, 1, 0), dtype)
        m.Pshift(u, [(m.EOSHIFT_1, 0, 10)])([u], [u])
        check(u, numpy.ones(10, dtype), "one")
        assert u.sum() == 10, "sum"
    one, two = bytes(14) + b"\xff\x3f", bytes(15) + b"\x40"
    whole = numpy.array([two, one] * 6, "V16").reshape(4, 3)
    u = m.Array((4, 3), "quad")
    u.scatter(whole)
    m.eoshift(u, 1, two, out=u)
    check(u, end_off(whole, 1, numpy.void(two), 0), "quads")
    m.Pshift(u, [(m.EOSHIFT_1, 1, 3)])([u], [u])
    check(u, numpy.full((4, 3), one, "V16"), "quad one")
    m.barrier()
    u[3, 2] = two
    m.barrier()
    assert (u[3, 2].tobytes(), u.max().tobytes()) == (two, two) and u.sum().tobytes()[-2:] == b"\x02\x40", "quads"
    refused(lambda: u.fill(1.0))
    refused(lambda: m.eoshift(u, 1, 2.0))
    refused(lambda: u.scatter(numpy.zeros((4, 3)), m.thread()))


def layouts():
    """Arrays that are aligned, and the padding of blocks."""
    u = m.Array((9, 14), "int32", weight=(1, 4), name="u")
    e = m.Array(14, "float64", align=u, follows=1)
    t = m.Array((14, 9), "int8", order="F", align=u, follows=(-1, 0))
    same = m.Array((5, 14), "int8", align=u)
    for i in range(9):
        for j in range(14):
            assert t.owner(j, i) == u.owner(i, j) and (i > 4 or same.owner(i, j) == u.owner(i, j)), "align"
    assert all(e.owner(j) == u.owner(0, j) for j in range(14)), "an axis less"
    for call in (lambda: m.Array(14, follows=0), lambda: m.Array((9, 14), align=u, follows=(0,))):
        refused(call, ValueError)
    u.fill(7)
    assert (u.local == 7).all()
    for a in (u, t, m.Array((2, 1), "int16"), m.Array((3, 3), processes=1)):
        mask = a.mask()
        part = a.local.shape
        inside = numpy.zeros(mask.shape, bool)
        inside[tuple(slice(n) for n in part)] = True
        assert (mask == inside).all(), "mask"
        a.padded[mask] = 3
        a.padded[~mask] = 4
        assert a.sum() == 3 * a.size, "the mask of what is padded"


def damaged(path, good):
    """A file that is cut off, or whose head says something else, is refused, and so is a pipe."""
    def changed(old, new):
        return good.replace(old, new.ljust(len(old)))
    for bad in (b"", good[:8], good[:60], good[:-1], good[:6] + b"\2\0\xff\xff\xff\xff" + good[12:],
                changed(b"(12, 10,)", b"(-2, 10)"), changed(b"(12, 10,)", b"(12, 10"), changed(b"<f8", b"|O"),
                changed(b"<f8", b">f8"), changed(b"'descr'", b"'dexxx'"), changed(b"(12, 10,)", b"(120,)")):
        if m.thread() == 0:
            with open(path, "wb") as file:
                file.write(bad)
        m.barrier()
        refused(lambda: m.Array((12, 10)).load(path), OSError)
        m.barrier()
    if m.thread() == 0:
        os.unlink(path)
        os.mkfifo(path)
    m.barrier()
    refused(lambda: m.Array((12, 10)).load(path), OSError)
    m.barrier()


def main():
    stencils()
    mistakes()
    as_numpy_is_used()
    let_go()
    types()
    layouts()
    random = numpy.random.default_rng(m.threads())
    for dtype in ("int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 longdouble complex64 complex128 "
                  "clongdouble").split():
        many = tuple(int(n) for n in random.integers(1, 5, random.integers(4, m.RANK + 1)))
        for shape in (((17,), (9, 14), (3, 5, 8))[random.integers(3)], many):
            order = random.choice(["C", "F"])
            whole = (random.random(shape) * 100).astype(dtype)
            u = m.Array(shape, dtype, name="u", order=str(order), halo=int(random.integers(2)),
                        axis_order=[int(n) for n in random.integers(0, 2, len(shape))],
                        serial=[int(n == 0) for n in random.integers(0, 5, len(shape))])
            u.scatter(whole)
            check(u, whole, "scatter")
            for axis in range(len(shape)):
                shift = int(random.integers(-20, 20))
                v = m.cshift(u, shift, axis)
                check(v, numpy.roll(whole, -shift, axis), "cshift")
                m.eoshift(u, shift, 3, axis, out=v)
                check(v, end_off(whole, shift, 3, axis), "eoshift")
                v.free()
            back = u.gather()
            assert back is None or (back == whole).all(), "gather"
            u.free()
    u = m.Array((12, 10), "float64", name="u")
    edge = m.Array(10, "float64")
    whole = numpy.arange(120.0).reshape(12, 10)
    u.scatter(whole)
    edge.local[...] = edge.first[0] + numpy.arange(edge.local.size)
    v, w = m.Array(None, like=u), m.Array(None, like=u)
    p = m.Pshift(u, [(m.CSHIFT, 1, 1), (m.EOSHIFT_ARRAY, 0, -2, edge)])
    p([v, w], [u, u], [None, edge])
    check(v, numpy.roll(whole, -1, 1), "pshift")
    check(w, end_off(whole, -2, numpy.arange(10.0), 0), "pshift with a boundary array")
    p.start([v, w], [w, u], [None, edge])
    p.finish()
    p.free()
    check(m.cshift(u, 3, axis=-1), numpy.roll(whole, -3, -1), "cshift along the last axis")
    m.Pshift(u, [(m.EOSHIFT_0, -2, 5)])([v], [u])
    check(v, end_off(whole, 5, 0, 0), "pshift along the last axis but one")
    assert u[3, -1] == whole[3, -1] and u[numpy.int32(-12), 0] == whole[0, 0]
    assert (len(u), u.ndim, u.size) == (12, 2, 120) and "cshift" in dir(m)
    assert u.owner(-1, -1) == u.owner(11, 9)
    for index in ((12, 0), (0, -11), (1,)):
        refused(lambda: u[index], IndexError)
    path = os.path.join(tempfile.gettempdir(), f"meridian-{os.getppid()}.npy")
    u.save(path)
    f = m.Array((12, 10), "float64", order="F")
    f.load(path)
    check(f, whole, "load")
    m.barrier()
    if m.thread() == 0:
        assert (numpy.load(path) == whole).all(), "numpy.load"
        numpy.save(path, numpy.asfortranarray(whole * 2))
    m.barrier()
    u.load(path)
    check(u, whole * 2, "numpy.save in Fortran order")
    m.barrier()
    u.save(path)
    good = b""
    if m.thread() == 0:
        with open(path, "rb") as file:
            good = file.read()
    m.barrier()
    damaged(path, good)
    if m.thread() == 0:
        os.unlink(path)
        assert "float64 12 x 10" in str(u) and "<svg" in u.svg() and "axis" in u.draw()
    refused(lambda: m.Array((3, 3), "float16"))
    whole = m.Array((6,), "int32")
    refused(lambda: m.eoshift(whole, 1, boundary=1.5))
    m.eoshift(whole, 1, boundary=-7)


main()
