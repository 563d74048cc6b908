"""What gdb knows of Meridian's programs.

Programs that `meridian cc -g` compiles name this file in the section .debug_gdb_scripts, so that gdb loads it by
itself where it lies in gdb's auto-load path (PREFIX=/usr); else gdb says which line in ~/.gdbinit admits it.

It prints pointers-to-shared as thread, place and phase; lets `print a[5]` show the element of a shared array
wherever it lies on this host, MYTHREAD and THREADS their values, and `info locals' and `bt full' the user's variables
alone.
The layout of a shared object NAME comes from the string mer_shared_NAME (crates/lower/src/describe.rs), the address of
an element from abi.h.
"""

import itertools
import re

import gdb
from gdb.FrameDecorator import FrameDecorator

VIEW_BASE = 0x110000000000
HEAP_OFFSET = 1 << 31
FIXED_BEGIN = 0x400000
ADDRESS_MASK = (1 << 48) - 1
ELEMENTS = itertools.count()


def job(field):
    return int(gdb.parse_and_eval("mer_job." + field))


def running():
    """Whether start-up is over, so that the job is known."""
    try:
        return job("span") != 0
    except gdb.error:
        return False


def bias():
    """Native addresses of the program's static shared objects less their places (runtime/start/image.c)."""
    begin = int(gdb.parse_and_eval("(unsigned long)&__executable_start"))
    return begin - FIXED_BEGIN if begin >= HEAP_OFFSET else 0


class Layout:
    """Of a static shared object: its block size, 0 for indefinite, and its dimensions."""

    def __init__(self, name, text):
        self.name = name
        words = text.split()
        threads = job("threads")
        self.block = int(words[0])
        self.dims = [int(w[:-1]) * threads if w.endswith("T") else int(w) for w in words[1:]]

    @staticmethod
    def of(name):
        """None where the name is no static shared object's."""
        text = gdb.lookup_static_symbol("mer_shared_" + name) or gdb.lookup_global_symbol("mer_shared_" + name)
        return Layout(name, text.value().string()) if text else None

    def place(self):
        return int(gdb.parse_and_eval("(unsigned long)&" + self.name)) - bias()

    def element_type(self):
        whole = gdb.parse_and_eval(self.name).type.strip_typedefs()
        return whole.target() if self.dims else whole

    def size(self):
        return self.element_type().sizeof

    def address(self, indices):
        """Where this process sees the element."""
        n = 0
        for index, dim in zip(indices, self.dims):
            if not 0 <= index < dim:
                raise gdb.GdbError("%s has no element %d: the dimension is %d" % (self.name, index, dim))
            n = n * dim + index
        threads = job("threads")
        thread, row, phase = 0, 0, n
        if self.block:
            row, phase = divmod(n, self.block)
            row, thread = divmod(row, threads)
        offset = (row * self.block + phase) * self.size()
        return VIEW_BASE + thread * job("span") + self.place() + offset

    def subscripts(self, thread, offset):
        """The element that lies there in the part of a thread."""
        if not self.dims:
            return ""
        row, phase = divmod(offset // self.size(), self.block or 1 << 62)
        n = (row * job("threads") + thread) * self.block + phase
        text = ""
        for dim in reversed(self.dims):
            n, index = divmod(n, dim)
            text = "[%d]%s" % (index, text)
        return text


def place_text(thread, place):
    """What lies at a place of a thread's part of the memory: `&a[5]', or an address."""
    if place < HEAP_OFFSET:
        try:
            symbol = gdb.execute("info symbol 0x%x" % (place + bias()), to_string=True)
            found = re.match(r"(\w+)(?: \+ (\d+))? in section", symbol)
            if found:
                layout = Layout.of(found.group(1))
                offset = int(found.group(2) or 0)
                if layout:
                    return "&%s%s" % (found.group(1), layout.subscripts(thread, offset))
                return "&%s + %d" % (found.group(1), offset)
        except gdb.error:
            pass
    return "0x%x" % place


class PointerPrinter:
    """mer_ptr and mer_pptr."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        bits = int(self.value["bits"])
        if bits == 0:
            return "NULL"
        if not running():
            return "0x%x" % bits
        thread = bits >> 48 & 0x7FFF
        if bits >> 63:
            return "<thread %d, private 0x%x>" % (thread, bits & ADDRESS_MASK)
        place = (bits & ADDRESS_MASK) - VIEW_BASE - thread * job("span")
        phase = ""
        if any(field.name == "phase" for field in self.value.type.fields()):
            phase = ", phase %d" % int(self.value["phase"])
        return "<thread %d%s, %s>" % (thread, phase, place_text(thread, place))


def printer(value):
    name = value.type.strip_typedefs().tag
    return PointerPrinter(value) if name in ("mer_ptr", "mer_pptr") else None


class View(gdb.Function):
    """$view(p): where this process sees what the pointer-to-shared p points to, as in *(int *)$view(p)."""

    def __init__(self):
        super().__init__("view")

    def invoke(self, pointer):
        return gdb.Value(int(pointer["bits"]) & ADDRESS_MASK).cast(gdb.lookup_type("char").pointer())


def closing(text, start):
    """Behind the bracket that closes the one at start; 0: none."""
    depth = 0
    for at in range(start, len(text)):
        depth += {"[": 1, "]": -1}.get(text[at], 0)
        if depth == 0:
            return at + 1
    return 0


def is_local(name):
    try:
        symbol = gdb.lookup_symbol(name)[0]
    except gdb.error:
        return False
    return bool(symbol and symbol.needs_frame)


def translated(text):
    """An expression with its shared elements as what they are in this process."""
    out, at = "", 0
    for token in re.finditer(r'"(?:\\.|[^"])*"|\'(?:\\.|[^\'])*\'|(?:\.|->|::)\s*\w+|[A-Za-z_]\w*', text):
        if token.start() < at:
            continue
        name = token.group()
        layout = Layout.of(name) if re.match(r"[A-Za-z_]\w*$", name) and not is_local(name) else None
        if not layout:
            continue
        indices, end = [], token.end()
        while len(indices) < len(layout.dims) and text[end:].lstrip().startswith("["):
            start = text.index("[", end)
            behind = closing(text, start)
            if not behind:
                break
            indices.append(int(gdb.parse_and_eval(translated(text[start + 1 : behind - 1]))))
            end = behind
        if len(indices) < len(layout.dims):
            continue  # the array as a whole: the part that this thread owns
        variable = "mer_element%d" % (next(ELEMENTS) % 64)
        place = gdb.Value(layout.address(indices)).cast(layout.element_type().pointer())
        gdb.set_convenience_variable(variable, place)
        out, at = out + text[at : token.start()] + "(*$" + variable + ")", end
    return out + text[at:]


class Print(gdb.Command):
    """Print value of expression EXP; elements of shared arrays are found wherever they lie on this host.

The options and formats are those of gdb's own command: see "help call"."""

    def __init__(self):
        super().__init__("print", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, text, from_tty):
        options = re.match(r"(?:\s*(?:/\w+|-\w+(?:\s+(?:on|off|unlimited|\d+))?|--)(?=\s|$))*\s*", text).group()
        expression = text[len(options) :]
        if expression and running():
            expression = translated(expression)
        gdb.execute("call %s%s" % (options, expression), from_tty)


class Shared(gdb.Function):
    """$shared("a[5]"): the element of a shared array, in conditions and displays."""

    def __init__(self):
        super().__init__("shared")

    def invoke(self, text):
        return gdb.parse_and_eval(translated(text.string()))


class Locals(gdb.Command):
    """All local variables of the selected frame but those of Meridian's own."""

    def __init__(self):
        super().__init__("info locals", gdb.COMMAND_STATUS)

    def invoke(self, text, from_tty):
        frame = gdb.selected_frame()
        try:
            block = frame.block()
        except RuntimeError:
            raise gdb.GdbError("No symbol table info available.")
        shown = 0
        while block and block.superblock and not block.is_global and not block.is_static:
            for symbol in block:
                if symbol.is_variable and not symbol.is_argument and not symbol.name.startswith("mer_"):
                    value = symbol.value(frame) if symbol.needs_frame else symbol.value()
                    print("%s = %s" % (symbol.name, value.format_string()))
                    shown += 1
            if block.function:
                break
            block = block.superblock
        if not shown:
            print("No locals.")


class OwnLocals(FrameDecorator):
    """A frame in `bt full', and for editors that ask gdb for locals, without Meridian's own variables."""

    def frame_locals(self):
        kept = [each for each in super().frame_locals() or () if not str(each.symbol()).startswith("mer_")]
        return kept or None


class OwnLocalsFilter:
    def __init__(self):
        self.name, self.priority, self.enabled = "meridian", 100, True
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        return map(OwnLocals, frames)


class Launcher(gdb.Breakpoint):
    """Where a program becomes `meridian run' (runtime/start/relaunch.c): until it is back as thread 0, breakpoints are
    off. The launcher has a `main' too, and none of the program's lines."""

    def __init__(self, relaunch):
        super().__init__("mer_relaunch", internal=True)
        self.relaunch = relaunch

    def stop(self):
        self.relaunch.kept = [each for each in gdb.breakpoints() if each.enabled and each.number > 0]
        for each in [*self.relaunch.kept, self]:
            each.enabled = False
        return False


class Relaunch:
    """A program with several threads that gdb starts becomes `meridian run', whose first child is thread 0: that is
    followed, and the others run free."""

    def __init__(self):
        self.mode = None
        self.kept = []
        self.launcher = None
        gdb.events.new_objfile.connect(self.loaded)
        gdb.events.cont.connect(self.continued)

    def continued(self, _):
        # The runtime may be in a library that is loaded only now.
        if self.launcher is None and gdb.lookup_global_symbol("mer_relaunch"):
            self.launcher = Launcher(self)

    def loaded(self, event):
        program = gdb.current_progspace().filename
        if not program or event.new_objfile.filename != program:
            return
        if program.endswith("/meridian") and self.mode is None:
            self.mode = gdb.parameter("follow-fork-mode")
            gdb.execute("set follow-fork-mode child")
        elif not program.endswith("/meridian") and self.mode is not None:
            gdb.execute("set follow-fork-mode " + self.mode)
            self.mode = None
            kept, self.kept = self.kept, []
            for each in filter(gdb.Breakpoint.is_valid, kept):
                try:
                    each.enabled = True
                except gdb.error:
                    # It is on, but has a place in the launcher yet; gdb looks for its places next.
                    pass


def load():
    if any(getattr(p, "__name__", "") == "meridian_pointers" for p in gdb.pretty_printers):
        return
    printer.__name__ = "meridian_pointers"
    gdb.pretty_printers.append(printer)
    for part in (View, Print, Shared, Locals, OwnLocalsFilter, Relaunch):
        part()
    for name, field in (("MYTHREAD", "mythread"), ("THREADS", "threads"), ("MYPROC", "mythread"), ("PROCS", "threads")):
        gdb.execute("macro define %s (mer_job.%s)" % (name, field))
    # The inline functions of Meridian's headers have lines too, where `step' would stop.
    gdb.execute("skip -gfi */meridian/*.h", to_string=True)


load()
