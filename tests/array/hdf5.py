"""HDF5 files of distributed arrays, and h5py on the same files: each reads what the other one has written."""

import os
import sys
import tempfile

import h5py
import numpy
import meridian as m


def check(array, whole, what):
    part = tuple(slice(f, f + n) for f, n in zip(array.first, array.local.shape))
    assert (array.local == whole[part]).all(), what


def alone(function):
    """On process 0, while the others wait."""
    m.barrier()
    if m.thread() == 0:
        function()
    m.barrier()


def written(path):
    """What Meridian writes, h5py shows: the shape of the array, or the reverse."""
    for dtype in ("int8", "uint16", "int32", "int64", "float32", "float64", "longdouble", "complex64", "complex128"):
        for order in "CF":
            whole = (numpy.arange(5 * 7 * 3) % 100).reshape(5, 7, 3).astype(dtype)
            u = m.Array((5, 7, 3), dtype, order=order, halo=1)
            u.scatter(whole)
            u.save_hdf5(path, f"{dtype}/{order}", order)

            def compare():
                with h5py.File(path) as f:
                    there = f[f"{dtype}/{order}"]
                    assert there.dtype == numpy.dtype(dtype), there.dtype
                    assert (there[...] == (whole if order == "C" else whole.T)).all(), (dtype, order)

            alone(compare)
            u.free()


def read(path):
    """What h5py writes, Meridian reads: chunks, compression, the other byte order, never written parts."""
    whole = numpy.random.default_rng(1).random((40, 30))
    made = {
        "plain": {},
        "chunks": {"chunks": (7, 5)},
        "gzip": {"chunks": (8, 30), "compression": "gzip", "shuffle": True},
        "big": {"dtype": ">f8"},
    }

    def make():
        with h5py.File(path, "w") as f:
            for name, how in made.items():
                f.create_dataset(name, data=whole, **how)
            f.create_dataset("empty", (40, 30), "float64", fillvalue=3.5)
            f.create_dataset("mask", data=whole > 0.5)
            f["z"] = whole + 1j * whole

    alone(make)
    for order in "CF":
        u = m.Array((40, 30), "float64", order=order, halo=1)
        for name in made:
            u.local[...] = 0
            u.load_hdf5(path, name)
            check(u, whole, name)
        u.load_hdf5(path, "empty")
        check(u, numpy.full((40, 30), 3.5), "empty")
        t = m.Array((30, 40), "float64", order=order)
        for name in made:
            t.load_hdf5(path, name, "F")
            check(t, whole.T, name + " transposed")
        z = m.Array((40, 30), "complex128", order=order)
        z.load_hdf5(path, "z")
        check(z, whole + 1j * whole, "complex")
        try:
            u.load_hdf5(path, "mask")
        except OSError:
            continue
        sys.exit("a dataset of booleans should have been refused")


def main():
    path = os.path.join(tempfile.gettempdir(), f"meridian-{os.getppid()}.h5")
    written(path)
    read(path)
    alone(lambda: os.unlink(path))


main()
