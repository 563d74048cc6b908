"""Distributed arrays and their shifts for Python: a thin layer over meridian/array.h.

    # heat.py, run by: python -m meridian run -n 4 heat.py
    import meridian as m
    u = m.Array((512, 512), "float64")
    u.local[...] = 1.0                 # the part that this process has, a NumPy view without copying
    north = m.cshift(u, 1, axis=0)

All processes run the same program.  What is collective in C is so here: all call it in the same order.  Errors of
the library end the job with a message.  NumPy is needed for `local', `padded', `gather' and `scatter'.
"""

import ctypes
import enum
import math
import operator
import os

from meridian import freeing

RANK = 7
CSHIFT, EOSHIFT_0, EOSHIFT_1, EOSHIFT_SCALAR, EOSHIFT_ARRAY = range(5)
NEWS, SEND = range(2)

# A separate type distinguishes (VALUE, 1), a face with its value, from a pair of faces.
_Kind = enum.IntEnum("_Kind", "PERIODIC VALUE REFLECTING ABSORBING", start=0)
PERIODIC, VALUE, REFLECTING, ABSORBING = _Kind

# In the order of enum mer_type. float128 and complex256 are NumPy's names for C's long double, in any format;
# IEEE's quads, which NumPy lacks, are `quad' and `cquad' here.
_TYPES = ("int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 longdouble quad "
          "complex64 complex128 clongdouble cquad").split()
_NUMPY_NAMES = {"float128": "longdouble", "float96": "longdouble", "complex256": "clongdouble",
                "complex192": "clongdouble"}
_QUADS = {"quad": "V16", "cquad": "V32"}


def prefix():
    """Where Meridian is installed: this package lies in lib/meridian/python/meridian."""
    here = os.path.dirname(os.path.abspath(__file__))
    return os.path.normpath(os.path.join(here, "..", "..", "..", ".."))


def _load():
    path = os.environ.get("MERIDIAN_LIBRARY") or os.path.join(prefix(), "lib", "meridian", "libmeridian.so")
    if not os.path.exists(path):
        raise ImportError(f"meridian: there is no {path}; run `make' (or set MERIDIAN_LIBRARY to libmeridian.so)")
    modules = os.path.join(prefix(), "lib", "meridian")
    if os.path.exists(os.path.join(modules, "libmeridian.so")):
        os.environ.setdefault("MERIDIAN_MODULES", modules)
    return ctypes.CDLL(path)


_c = _load()
_libc = ctypes.CDLL(None)
_long7, _int7 = ctypes.c_long * RANK, ctypes.c_int * RANK


class _Axis(ctypes.Structure):
    _fields_ = [("weight", ctypes.c_double), ("serial", ctypes.c_int), ("order", ctypes.c_int),
                ("processes", ctypes.c_int), ("block", ctypes.c_long), ("halo", ctypes.c_int),
                ("follows", ctypes.c_int)]


class _Spec(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("type", ctypes.c_int), ("rank", ctypes.c_int), ("order", ctypes.c_int),
                ("extent", _long7), ("axis", _Axis * RANK), ("align", ctypes.c_void_p)]


class _Info(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("type", ctypes.c_int), ("size", ctypes.c_size_t), ("rank", ctypes.c_int),
                ("order", ctypes.c_int), ("extent", _long7), ("serial", _int7), ("axis_order", _int7),
                ("processes", _int7), ("block", _long7), ("halo", _int7), ("stride", ctypes.c_ssize_t * RANK),
                ("bytes", ctypes.c_size_t), ("thread", ctypes.c_int), ("place", _int7), ("first", _long7),
                ("count", _long7), ("local", ctypes.c_void_p)]


class _Term(ctypes.Structure):
    _fields_ = [("coefficient", ctypes.c_double), ("offset", _int7), ("old", ctypes.c_int)]


class _Face(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("value", ctypes.c_double)]


class _StencilSpec(ctypes.Structure):
    _fields_ = [("terms", ctypes.c_int), ("term", ctypes.POINTER(_Term)), ("rows", ctypes.c_void_p),
                ("context", ctypes.c_void_p), ("radius", _int7), ("face", (_Face * 2) * RANK), ("steps", ctypes.c_int),
                ("kernel", ctypes.c_void_p), ("reassociate", ctypes.c_int)]


class _Shift(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("axis", ctypes.c_int), ("distance", ctypes.c_long),
                ("boundary", ctypes.c_void_p)]


def _declare(name, result, *arguments):
    function = getattr(_c, name)
    function.restype, function.argtypes = result, arguments
    return function


_p, _i, _l, _s = ctypes.c_void_p, ctypes.c_int, ctypes.c_long, ctypes.c_char_p
_create = _declare("mer_array_create", _p, ctypes.POINTER(_Spec))
_like = _declare("mer_array_like", _p, _p, _s)
_free = _declare("mer_array_free", None, _p)
_describe = _declare("mer_array_describe", None, _p, _i, ctypes.POINTER(_Info))
_owner = _declare("mer_array_owner", _i, _p, ctypes.POINTER(_l))
_get = _declare("mer_array_get", None, _p, ctypes.POINTER(_l), _p)
_put = _declare("mer_array_put", None, _p, ctypes.POINTER(_l), _p)
_fill = _declare("mer_array_fill", None, _p, _p)
_mask = _declare("mer_array_mask", None, _p, _p)
_gather = _declare("mer_array_gather", None, _p, _p, _i)
_scatter = _declare("mer_array_scatter", None, _p, _p, _i)
_reduce = _declare("mer_array_reduce", None, _p, _i, _p)
_copy = _declare("mer_array_copy", None, _p, _p)
_save = _declare("mer_array_save", _i, _p, _s)
_load_npy = _declare("mer_array_load", _i, _p, _s)
_save_hdf5 = _declare("mer_array_save_hdf5", _i, _p, _s, _s, _i)
_load_hdf5 = _declare("mer_array_load_hdf5", _i, _p, _s, _s, _i)
_cshift = _declare("mer_cshift", None, _p, _p, _l, _i)
_eoshift = _declare("mer_eoshift", None, _p, _p, _l, _i, _p, _i)
_setup = _declare("mer_pshift_setup", _i, _p, _i, ctypes.POINTER(_Shift))
_pshift = _declare("mer_pshift", None, _i, ctypes.POINTER(_p), ctypes.POINTER(_p), ctypes.POINTER(_p))
_start = _declare("mer_pshift_start", None, _i, ctypes.POINTER(_p), ctypes.POINTER(_p), ctypes.POINTER(_p))
_finish = _declare("mer_pshift_finish", None, _i)
_unset = _declare("mer_pshift_free", None, _i)
_stencil_create = _declare("mer_stencil_create", _p, _p, ctypes.POINTER(_StencilSpec))
_stencil_run = _declare("mer_stencil_run", _p, _p, _p, _p, _l)
_stencil_fetch = _declare("mer_stencil_fetch", None, _p, _p)
_stencil_fetch_start = _declare("mer_stencil_fetch_start", None, _p, _p)
_stencil_fetch_finish = _declare("mer_stencil_fetch_finish", None, _p)
_stencil_free = _declare("mer_stencil_free", None, _p)
_libc.open_memstream.restype = _p
_libc.open_memstream.argtypes = (ctypes.POINTER(_p), ctypes.POINTER(ctypes.c_size_t))
_libc.fclose.argtypes = (_p,)
_libc.free.argtypes = (_p,)


def thread():
    """This process's number, from 0 on."""
    return _c.mer_mythread()


def threads():
    """How many processes the job has."""
    return _c.mer_threads()


def barrier():
    """Wait for all processes."""
    _c.mer_barrier_all()


def _each(value, rank):
    """One value for each axis: the one that is given, or those of a sequence."""
    values = list(value) if hasattr(value, "__len__") else [value] * rank
    if len(values) != rank:
        raise ValueError(f"{len(values)} values for {rank} axes")
    return values


def _whole(number, bits=32):
    """A whole number that a C integer of so many bits holds; ctypes would cut it off."""
    number = operator.index(number)
    if not -1 << bits - 1 <= number < 1 << bits - 1:
        raise OverflowError(f"{number} is out of range")
    return number


def _axis(array, axis):
    """An axis of the array; from -1 on down it is counted from the last one, as NumPy does."""
    axis, rank = _whole(axis), len(array.shape)
    return axis + rank if -rank <= axis < 0 else axis


def _dtype(dtype):
    """The name of an element type, from ours, from NumPy's names and types ("f8", numpy.int32), or from Python's types."""
    name = getattr(dtype, "__name__", None) or str(dtype)
    name = _NUMPY_NAMES.get(name, name)
    if name not in _TYPES:
        name = {"float": "float64", "int": "int64", "complex": "complex128"}.get(name) or _numpy_name(dtype)
    if name not in _TYPES:
        raise TypeError(f"no element type {dtype}; there are: {', '.join(_TYPES)}")
    return name


def _numpy_name(dtype):
    """NumPy's name for what it takes for a type of this machine's byte order; None where it does not, or is not there."""
    try:
        import numpy
        found = numpy.dtype(dtype)
    except (ImportError, TypeError):
        return None
    return _NUMPY_NAMES.get(found.name, found.name) if found.isnative else None


def _handle(array):
    """What C has for an Array."""
    if not isinstance(array, Array):
        raise TypeError(f"a {type(array).__name__} where a meridian.Array has to stand")
    return array.handle


def _bytes(text):
    """A name or a path for C, where a null character would end it; None stays."""
    text = None if text is None else os.fsencode(text)
    if text is not None and b"\0" in text:
        raise ValueError(f"a null character in {text!r}")
    return text


def _order(order):
    """C's number of a memory order."""
    if order not in ("C", "F"):
        raise ValueError(f"order {order!r}; it has to be 'C' or 'F'")
    return "CF".index(order)


_words = None  # an array of a word for each process


def _exchange(word):
    """The words that all processes give.  Collective."""
    global _words
    if _words is None:
        spec = _Spec(name=b"words", type=1 + _TYPES.index("int64"), rank=1)
        spec.extent[0], spec.axis[0] = threads(), _Axis(order=SEND, processes=threads())
        _words = _create(ctypes.byref(spec))
    words = (ctypes.c_int64 * threads())(word)
    _put(_words, _long7(thread()), words)
    barrier()
    for process in range(threads()):
        _get(_words, _long7(process), ctypes.byref(words, 8 * process))
    barrier()
    return list(words)


_records = freeing.Records(_exchange, _free)


class Array:
    """A distributed array.  dtype: NumPy's, by name or as such; also "quad" and "cquad", IEEE's quad and its complex,
    whose elements are 16 and 32 bytes to NumPy ("V16").  weight, serial, axis_order, processes, block, halo: one for all
    axes, or one for each; order: "C" or "F".  align: lay the axes as those of that Array are; follows: for each axis the
    one of that Array which it follows, if that is not the one of the same number.  Collective."""

    def __init__(self, shape, dtype="float64", name=None, order="C", weight=0, serial=0, axis_order=NEWS, processes=0,
                 block=0, halo=0, like=None, align=None, follows=None):
        _records.look()
        if like is not None:
            self.handle = _like(_handle(like), _bytes(name or None))
        else:
            shape = list(shape) if hasattr(shape, "__len__") else [shape]
            dtype = _dtype(dtype)
            if not 1 <= len(shape) <= RANK:
                raise ValueError(f"rank {len(shape)}; it has to be 1 to {RANK}")
            spec = _Spec(name=_bytes(name or None), type=1 + _TYPES.index(dtype), rank=len(shape),
                         order=_order(order), align=_handle(align) if align is not None else None)
            fields = [_each(v, len(shape)) for v in (serial, axis_order, processes, block, halo)]
            weights = _each(weight, len(shape))
            followed = [-1] * len(shape) if follows is None else _each(follows, len(shape))
            if follows is not None:
                if align is None:
                    raise ValueError("follows names axes of align, which is not given")
                followed = [_axis(align, axis) for axis in followed]
            for k, extent in enumerate(shape):
                spec.extent[k] = _whole(extent, 64)
                axis = [_whole(f[k], 64 if f is fields[3] else 32) for f in fields]
                spec.axis[k] = _Axis(weights[k], *axis, 1 + followed[k])
            self.handle = _create(ctypes.byref(spec))
        info = self.info()
        self._record = _records.add(self.handle, info.bytes)
        self.shape = tuple(info.extent[:info.rank])
        self.dtype = _TYPES[info.type - 1]
        self.order = "CF"[info.order]

    def __del__(self):
        if hasattr(self, "_record"):
            self._record.gone = True

    def __len__(self):
        return self.shape[0]

    @property
    def ndim(self):
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self):
        """The number of elements, those of all processes together."""
        return math.prod(self.shape)

    def info(self, of=None):
        """struct mer_array_info, of this process or of another one."""
        info = _Info()
        _describe(self.handle, thread() if of is None else of, ctypes.byref(info))
        return info

    def _view(self, with_halo):
        import numpy
        info = self.info()
        rank = info.rank
        strides, halo = tuple(info.stride[:rank]), info.halo[:rank]
        extents = [b + 2 * h for b, h in zip(info.block[:rank], halo)] if with_halo else info.count[:rank]
        if not info.local:  # there are no elements; a block of padding is like those of the others
            return numpy.zeros(extents, self._numpy(), self.order)
        start = info.local - sum(s * h for s, h in zip(strides, halo))
        memory = (ctypes.c_char * info.bytes).from_address(start)
        memory.array = self  # which lives as long as the view
        return numpy.ndarray(tuple(extents), self._numpy(), memory, 0 if with_halo else info.local - start, strides)

    def _numpy(self):
        """The dtype that NumPy has for the elements."""
        return _QUADS.get(self.dtype, self.dtype)

    def _elements(self, value):
        """A NumPy array of one element of this type, from a number, or from a quad's bytes."""
        import numpy
        if self.dtype in _QUADS and len(value if isinstance(value, bytes) else numpy.array(value).tobytes()) != \
                numpy.dtype(self._numpy()).itemsize:
            raise TypeError(f"{value!r} for an array of {self.dtype}, whose elements are given as their bytes")
        return numpy.array([value], self._numpy())

    @property
    def local(self):
        """The elements that this process has: a NumPy view, valid until the array is freed."""
        return self._view(False)

    @local.setter
    def local(self, elements):  # also called by `u.local += 1', which has done its work already
        self._view(False)[...] = elements

    @property
    def padded(self):
        """The same with halo and padding: a whole block, also where a process has no element."""
        return self._view(True)

    @padded.setter
    def padded(self, elements):
        self._view(True)[...] = elements

    def __array__(self, *_arguments, **_named):
        raise TypeError("NumPy cannot take a distributed array: local is the part of this process, gather() the whole")

    def __repr__(self):
        return f"<meridian.Array {self.shape} {self.dtype}>"

    @property
    def first(self):
        """The index of local's first element."""
        info = self.info()
        return tuple(info.first[:info.rank])

    def owner(self, *index):
        """The process that has the element."""
        return _owner(self.handle, self._index(index))

    def __getitem__(self, index):
        import numpy
        value = numpy.zeros(1, self._numpy())
        _get(self.handle, self._index(index), value.ctypes.data)
        return value[0]

    def __setitem__(self, index, value):
        _put(self.handle, self._index(index), self._elements(value).ctypes.data)

    def fill(self, value):
        """Every element becomes this value.  Collective."""
        _fill(self.handle, self._elements(value).ctypes.data)

    def mask(self):
        """For each element of this process's block, whether it is one of the array: False where it is padding."""
        import numpy
        info = self.info()
        mask = numpy.zeros(info.block[:info.rank], bool, self.order)
        _mask(self.handle, mask.ctypes.data)
        return mask

    def _index(self, index):
        index = index if isinstance(index, tuple) else (index,)
        if len(index) != len(self.shape):
            raise IndexError(f"{len(index)} indices for an array of rank {len(self.shape)}")
        for axis, (i, n) in enumerate(zip(index, self.shape)):
            if isinstance(i, slice):
                raise TypeError("an index is a whole number for each axis; local has slices, of this process's part")
            if not -n <= _whole(i, 64) < n:
                raise IndexError(f"index {i} of axis {axis}, which has {n} elements")
        return _long7(*[i + n if i < 0 else i for i, n in zip(map(operator.index, index), self.shape)])

    def gather(self, root=0):
        """The whole array on process root; None on the others.  Collective."""
        import numpy
        whole = numpy.empty(self.shape, self._numpy(), self.order) if thread() == root else None
        _gather(self.handle, whole.ctypes.data if whole is not None else None, _whole(root))
        return whole

    def scatter(self, whole, root=0):
        """Every process gets its part of the array on process root.  Collective."""
        import numpy
        data = None
        if thread() == root:
            if numpy.iscomplexobj(whole) and numpy.dtype(self._numpy()).kind != "c":
                raise TypeError(f"complex numbers for an array of {self.dtype}")
            if self.dtype in _QUADS and numpy.asarray(whole).dtype != self._numpy():
                raise TypeError(f"an array of {numpy.asarray(whole).dtype} for one of {self.dtype}, which NumPy has as "
                                f"{self._numpy()}")
            whole = numpy.require(whole, self._numpy(), "C" if self.order == "C" else "F")
            if whole.shape != self.shape:
                raise ValueError(f"an array of shape {whole.shape} for one of shape {self.shape}")
            data = whole.ctypes.data
        _scatter(self.handle, data, _whole(root))

    def _reduced(self, how):
        import numpy
        if self.dtype in _QUADS:
            value = numpy.zeros(1, self._numpy())
            _reduce(self.handle, how, value.ctypes.data)
            return value[0]
        kind = numpy.dtype(self.dtype).kind
        wide = {"i": "int64", "u": "uint64", "f": "float64", "c": "complex128"}[kind]
        value = numpy.zeros(1, numpy.promote_types(self.dtype, wide))
        _reduce(self.handle, how, value.ctypes.data)
        return value[0]

    def sum(self):
        """The sum of all elements, on every process.  Collective."""
        return self._reduced(0)

    def min(self):
        """The least element, on every process.  Collective."""
        return self._reduced(1)

    def max(self):
        """The largest element, on every process.  Collective."""
        return self._reduced(2)

    def copy_from(self, other):
        """Take over the elements of an array of the same shape, whatever its layout.  Collective."""
        _copy(self.handle, _handle(other))

    def save(self, path):
        """Write a .npy file, all processes together.  Collective."""
        self._check(_save(self.handle, _bytes(path)), path)

    def load(self, path):
        """Read a .npy file of the same shape and type.  Collective."""
        self._check(_load_npy(self.handle, _bytes(path)), path)

    def save_hdf5(self, path, name, order="C"):
        """Write the dataset of this name into an HDF5 file, all processes together.  Its shape in the file is that of
        this array; with order="F" the axes stand in reverse, as HDF5's Fortran interface has them.  Collective."""
        self._check(_save_hdf5(self.handle, _bytes(path), _bytes(name), _order(order)), path)

    def load_hdf5(self, path, name, order="C"):
        """Read such a dataset, of the same shape and type.  Collective."""
        self._check(_load_hdf5(self.handle, _bytes(path), _bytes(name), _order(order)), path)

    @staticmethod
    def _check(error, path):
        if error:
            raise OSError(error, os.strerror(error), os.fspath(path))

    def free(self):
        """Give the memory back now; views of it are invalid from here on.  Collective."""
        _free(self.handle)
        if self.handle is not None:
            _records.remove(self._record)
        self.handle = None

    def _text(self, function):
        buffer, length = ctypes.c_void_p(), ctypes.c_size_t()
        stream = _libc.open_memstream(ctypes.byref(buffer), ctypes.byref(length))
        getattr(_c, function)(ctypes.c_void_p(self.handle), ctypes.c_void_p(stream))
        _libc.fclose(stream)
        text = ctypes.string_at(buffer, length.value).decode()
        _libc.free(buffer)
        return text

    def __str__(self):
        return self._text("mer_array_print")

    def draw(self):
        """Which process has which block, as text."""
        return self._text("mer_array_draw")

    def svg(self):
        """The same as a picture."""
        return self._text("mer_array_svg")


def _fits(number, dtype):
    """Whether an array of this type can have the number, rounded where it is not a whole one."""
    import numpy
    if not numpy.can_cast(numpy.min_scalar_type(number), dtype, "same_kind"):
        return False
    return numpy.dtype(dtype).kind not in "iu" or numpy.iinfo(dtype).min <= number <= numpy.iinfo(dtype).max


def _value(array, boundary):
    """(kind, pointer, what keeps it) of a boundary: an Array, a number, or None for zero."""
    if boundary is None:
        return EOSHIFT_0, None, None
    if isinstance(boundary, Array):
        return EOSHIFT_ARRAY, boundary.handle, boundary
    import numpy
    if numpy.ndim(boundary):
        raise TypeError(f"a boundary of {numpy.ndim(boundary)} dimensions; it has to be a number or an Array")
    if array.dtype not in _QUADS and not _fits(boundary, array.dtype):
        raise TypeError(f"a boundary of {boundary!r} for an array of {array.dtype}")
    value = array._elements(boundary)
    return EOSHIFT_SCALAR, value.ctypes.data, value


def cshift(array, shift, axis=0, out=None):
    """out[i] = array[i + shift] along the axis, modulo its extent; numpy.roll by -shift.  Without out it is a new Array.
    Collective."""
    out = Array(None, like=array) if out is None else out
    _cshift(_handle(out), _handle(array), _whole(shift, 64), _axis(array, axis))
    return out


def eoshift(array, shift, boundary=None, axis=0, out=None):
    """The same end-off; the boundary is zero, a number, or an Array of one rank less.  Collective."""
    out = Array(None, like=array) if out is None else out
    kind, pointer, kept = _value(array, boundary)
    _eoshift(_handle(out), _handle(array), _whole(shift, 64), kind, pointer, _axis(array, axis))
    del kept
    return out


class Pshift:
    """Shifts that are done together: a list of (kind, axis, distance), for EOSHIFT_ARRAY with a boundary Array as
    fourth.  p(results, sources, boundaries) does them; start and finish are the same in two calls.  Collective."""

    def __init__(self, prototype, shifts):
        _handle(prototype)
        self.prototype, self.n, self.kinds = prototype, len(shifts), [s[0] for s in shifts]
        rows = (_Shift * self.n)(*[_Shift(_whole(s[0]), _axis(prototype, s[1]), _whole(s[2], 64),
                                          s[3].handle if len(s) > 3 else None) for s in shifts])
        self.id = _setup(prototype.handle, self.n, rows)

    def _arguments(self, results, sources, boundaries):
        if len(results) != self.n or len(sources) != self.n:
            raise ValueError(f"the set-up has {self.n} shifts")
        kept = [_value(self.prototype, b) for b in boundaries or [None] * self.n]
        if len(kept) != self.n:
            raise ValueError(f"{len(kept)} boundaries for {self.n} shifts")
        for i, (kind, (given, _, _)) in enumerate(zip(self.kinds, kept)):
            if {kind, given} == {EOSHIFT_SCALAR, EOSHIFT_ARRAY}:
                wanted = "an Array" if kind == EOSHIFT_ARRAY else "a number"
                raise TypeError(f"the boundary of shift {i} has to be {wanted}")
        pointers = _p * self.n
        return (self.id, pointers(*map(_handle, results)), pointers(*map(_handle, sources)),
                pointers(*[k[1] for k in kept])), kept

    def __call__(self, results, sources, boundaries=None):
        arguments, _kept = self._arguments(results, sources, boundaries)
        _pshift(*arguments)

    def start(self, results, sources, boundaries=None):
        arguments, kept = self._arguments(results, sources, boundaries)
        self._kept = kept, list(results), list(sources)
        _start(*arguments)

    def finish(self):
        _finish(self.id)
        self._kept = None

    def free(self):
        _unset(self.id)


def _faces(pair, axis):
    """The two faces of an axis, from a pair or from one for both."""
    if not hasattr(pair, "__len__"):
        return pair, pair
    if len(pair) != 2:
        raise ValueError(f"{len(pair)} faces of axis {axis}; there are 2")
    one = isinstance(pair[0], _Kind) and not isinstance(pair[1], _Kind) and not hasattr(pair[1], "__len__")
    return (tuple(pair),) * 2 if one else pair


class Stencil:
    """new(i) = sum of coefficient * u(i + offset): terms is a list of (coefficient, offset), an offset having one number
    for each axis, or "old" for the element of the level before.  faces: for each axis a pair of faces, each a kind or
    (kind, value), or one for both; None: all are periodic.  The arrays need a halo as wide as the stencil reaches.
    reassociate: sums may be made in any order, which is faster with many terms, and results differ by rounding.
    Collective."""

    def __init__(self, prototype, terms, faces=None, steps=0, reassociate=False):
        _handle(prototype)
        table = (_Term * len(terms))()
        for row, (coefficient, offset) in zip(table, terms):
            row.coefficient, row.old = coefficient, offset == "old"
            if offset != "old":
                row.offset[:len(prototype.shape)] = [_whole(o) for o in _each(offset, len(prototype.shape))]
        spec = _StencilSpec(terms=len(terms), term=table, steps=_whole(steps), reassociate=bool(reassociate))
        if faces and len(faces) != len(prototype.shape):
            raise ValueError(f"faces of {len(faces)} axes for {len(prototype.shape)}")
        for axis, pair in enumerate(faces or []):
            for side, face in enumerate(_faces(pair, axis)):
                spec.face[axis][side] = _Face(*(face if isinstance(face, tuple) else (face, 0)))
        self.handle = _stencil_create(prototype.handle, ctypes.byref(spec))

    def run(self, u, old, steps=1):
        """So many steps; gives the array that has the newest level, and the other one."""
        newest = _stencil_run(self.handle, _handle(u), _handle(old), _whole(steps, 64))
        return (u, old) if newest == u.handle else (old, u)

    def fetch(self, u):
        """Bring u's halo up to date, faces included, for programs that compute on u.padded.  Collective."""
        _stencil_fetch(self.handle, _handle(u))

    def fetch_start(self, u):
        """The same in two calls, between which the program computes what needs no halo, into other arrays."""
        self._fetched = u
        _stencil_fetch_start(self.handle, _handle(u))

    def fetch_finish(self):
        _stencil_fetch_finish(self.handle)
        self._fetched = None

    def free(self):
        _stencil_free(self.handle)
        self.handle = None
