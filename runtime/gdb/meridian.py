"""What gdb knows of Meridian's programs.

Programs that `meridian cc -g` compiles name this file in the section .debug_gdb_scripts, so that gdb loads it by
itself where it lies in gdb's auto-load path (PREFIX=/usr); else gdb says which line in ~/.gdbinit admits it.

It prints pointers-to-shared as thread, place and phase. Elements of shared arrays, and what pointers-to-shared point to,
are found wherever they lie on this host, in `print a[5]', `print p->x', `set var', `display', `watch' and conditions.
MYTHREAD and THREADS have their values, and `info locals' and `bt full' show the user's variables alone.
The layout of a shared object NAME comes from the string mer_shared_NAME, the target of a pointer from the name of its
type (crates/lower/src/describe.rs), the address of an element from abi.h.
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
        self.block = int(words[0].split("/")[0])
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


class Command(gdb.Command):
    """A command whose errors are told as those of gdb's own commands are."""

    def invoke(self, text, from_tty):
        try:
            self.run(text, from_tty)
        except gdb.error as error:
            raise gdb.GdbError(str(error))


class View(gdb.Function):
    """$view(p): where this process sees what the pointer-to-shared p points to, as in *(int *)$view(p)."""

    def __init__(self):
        super().__init__("view")

    def invoke(self, pointer):
        return gdb.Value(int(pointer["bits"]) & ADDRESS_MASK).cast(gdb.lookup_type("char").pointer())


def is_local(name):
    try:
        symbol = gdb.lookup_symbol(name)[0]
    except gdb.error:
        return False
    return bool(symbol and symbol.needs_frame)


class Target:
    """What a pointer-to-shared points to: its block size, 0 for indefinite, and its type."""

    NAME = re.compile(r"mer_p?ptr_(\d+)_(\w+)$")
    LETTERS = {"__": "_", "_s": " ", "_p": "*"}

    def __init__(self, block, name):
        self.block = block
        self.type = named_type(name)

    @staticmethod
    def of(kind):
        """None where the type is no pointer-to-shared whose target is known (crates/lower/src/describe.rs)."""
        while kind.code == gdb.TYPE_CODE_TYPEDEF:
            found = Target.NAME.match(kind.name or "")
            if found:
                name = re.sub("_.", lambda pair: Target.LETTERS.get(pair.group(), ""), found.group(2))
                return Target(int(found.group(1)), name)
            kind = kind.target()
        return None

    def element(self, pointer, n):
        """Where this process sees the n-th element from the one that the pointer points to."""
        bits, size = int(pointer["bits"]), self.type.sizeof
        if bits == 0:
            raise gdb.GdbError("a null pointer-to-shared has no target")
        if bits >> 63:  # private memory of a thread
            return (bits & ADDRESS_MASK) + n * size
        thread, address = bits >> 48 & 0x7FFF, bits & ADDRESS_MASK
        span, threads = job("span"), job("threads")
        if self.block:
            phase = int(pointer["phase"]) if self.block > 1 else 0
            row, at = divmod(thread * self.block + phase + n, self.block * threads)
            to, behind = divmod(at, self.block)
            address += (to - thread) * span + (row * self.block + behind - phase) * size
        else:
            address += n * size
        seen_here(address)
        return address


def named_type(name):
    """The type that C calls so where the program stands."""
    stars = len(name) - len(name.rstrip("*"))
    kind = gdb.lookup_type(name[: len(name) - stars].strip())
    for _ in range(stars):
        kind = kind.pointer()
    return kind


def seen_here(address):
    """Refuses shared memory that this process does not see."""
    thread = (address - VIEW_BASE) // job("span")
    if not 0 <= thread < job("threads"):
        raise gdb.GdbError("the pointer-to-shared points to no thread of the job")
    connection = getattr(gdb.selected_inferior(), "connection", None)
    if connection is not None and connection.type == "core":
        raise gdb.GdbError("shared memory is not in a core file: look at it while the program runs")
    try:
        gdb.selected_inferior().read_memory(address, 1)
    except gdb.MemoryError:
        raise gdb.GdbError("the element lies on thread %d, whose memory this process does not see" % thread)


TOKEN = re.compile(
    r"""\s*(?:(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(?P<name>[$A-Za-z_][\w$]*)|(?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)
    |(?P<sign>->|\+\+|--|<<=|>>=|<<|>>|[<>=!+\-*/%&|^]=|&&|\|\||::|.))""",
    re.VERBOSE,
)


class Translation:
    """An expression with its shared objects as they are in this process.

    gdb takes an element `a[3]' of a shared array for that of this thread's part, and knows no target of a
    pointer-to-shared. So each operand that names one or goes through one becomes `(*$mer_elementN)', a pointer to
    it where this process sees it; all else stays as it is. Operands are read as C's grammar has them: a primary
    expression, what stands behind it (`[i]', `.m', `->m', calls), and the unary operators in front."""

    UNARY = {"*", "&", "-", "+", "!", "~", "++", "--"}

    def __init__(self, text):
        self.tokens = [(each.lastgroup, each.group(each.lastgroup)) for each in TOKEN.finditer(text.strip())]
        self.at = 0
        self.found = False
        self.places = {}

    def peek(self):
        return self.tokens[self.at][1] if self.at < len(self.tokens) else None

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def expression(self, ends):
        """Operands and the operators between them, up to a token of `ends'."""
        parts = []
        while self.peek() is not None and self.peek() not in ends:
            parts.append(self.operand())
            while self.peek() is not None and self.peek() not in ends and not self.begins_operand(parts):
                if self.peek() == "@" and "$mer_element" in parts[-1]:
                    raise gdb.GdbError("`@' goes on in the memory of one thread: print the elements one by one")
                parts.append(self.take()[1])
        return " ".join(parts)

    def begins_operand(self, parts):
        """Whether the next token begins an operand: behind an operator anything does."""
        kind, text = self.tokens[self.at]
        behind_operator = not re.match(r"[\w$)\]'\"]", parts[-1][-1])
        return behind_operator or kind in ("name", "number", "text") or text == "("

    def operand(self):
        kind, text = self.tokens[self.at]
        if kind == "sign" and text in self.UNARY:
            self.take()
            inner = self.operand() if self.peek() is not None else ""
            if text == "*" and inner:
                return self.through(inner, 0) or "*" + inner
            return text + (" " if text in ("+", "-", "&") else "") + inner
        return self.behind(self.primary())

    def primary(self):
        kind, text = self.take()
        if text == "(":
            inner = self.expression({")"})
            if self.peek() == ")":
                self.take()
            if self.is_type(inner) and self.peek() is not None:
                return "(" + inner + ")" + self.operand()
            return self.sum_of_pointer(inner) or "(" + inner + ")"
        if kind == "name" and not is_local(text):
            return self.element(text) or text
        return text

    def behind(self, operand):
        """An operand with the postfix operators behind it."""
        while self.peek() in ("[", ".", "->", "(", "++", "--", "::"):
            text = self.take()[1]
            if text == "[":
                index = self.expression({"]"})
                if self.peek() == "]":
                    self.take()
                target = self.through(operand, lambda: int(gdb.parse_and_eval(index)))
                operand = target or "%s[%s]" % (operand, index)
            elif text == "(":
                operand += "(" + self.expression({")"}) + ")"
                if self.peek() == ")":
                    self.take()
            elif text == "->":
                target = self.through(operand, 0)
                operand = (target + "." if target else operand + "->") + self.take()[1]
            elif text in (".", "::"):
                operand += text + (self.take()[1] if self.peek() is not None else "")
            else:
                operand += text
        return operand

    @staticmethod
    def is_type(text):
        try:
            named_type(text.strip())
            return True
        except gdb.error:
            return False

    def element(self, name):
        """The element of the static shared array `name' with as many subscripts as follow; None where there are
        too few: the array as a whole is the part that this thread owns."""
        layout = Layout.of(name)
        if not layout:
            return None
        start, indices = self.at, []
        while len(indices) < len(layout.dims) and self.peek() == "[":
            self.take()
            indices.append(self.expression({"]"}))
            if self.peek() != "]":
                break
            self.take()
        if len(indices) < len(layout.dims):
            self.at = start
            seen_here(VIEW_BASE + job("mythread") * job("span") + layout.place())
            return None
        address = layout.address([int(gdb.parse_and_eval(index)) for index in indices])
        seen_here(address)
        return self.object(address, layout.element_type())

    def through(self, pointer, n):
        """The n-th element from where a pointer-to-shared points to; None for other operands."""
        try:
            value = gdb.parse_and_eval(pointer)
        except gdb.error:
            return None
        if value.type.strip_typedefs().tag not in ("mer_ptr", "mer_pptr"):
            return None
        target = Target.of(value.type)
        if target is None:
            raise gdb.GdbError("the type that %s points to is not known: it has no name, or is not compiled with -g" % pointer)
        return self.object(target.element(value, n() if callable(n) else n), target.type)

    def sum_of_pointer(self, text):
        """`p + n' or `p - n' in parentheses, as a pointer-to-shared; None for others."""
        found = re.match(r"(.+?) ([+-]) ([^+\-]+)$", text)
        try:
            value = gdb.parse_and_eval(found.group(1)) if found else None
        except gdb.error:
            return None
        if value is None or value.type.strip_typedefs().tag not in ("mer_ptr", "mer_pptr"):
            return None
        n = int(gdb.parse_and_eval(found.group(2) + found.group(3)))
        target = Target.of(value.type)
        return target and "(&" + self.object(target.element(value, n), target.type) + ")"

    def object(self, address, kind):
        self.found = True
        variable = "$mer_element%d" % (next(ELEMENTS) % 64)
        gdb.set_convenience_variable(variable[1:], gdb.Value(address).cast(kind.pointer()))
        self.places[variable] = "(%s)0x%x" % (kind.pointer(), address)
        return "(*" + variable + ")"


def translated(text):
    """An expression with its shared objects as what they are in this process."""
    translation = Translation(text)
    result = translation.expression(set())
    return result if translation.found else text


class Print(Command):
    """Print value of expression EXP; elements of shared arrays are found wherever they lie on this host.

The options and formats are those of gdb's own command: see "help call"."""

    def __init__(self):
        super().__init__("print", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def run(self, text, from_tty):
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


def escaped(text):
    return text.replace("\\", "\\\\").replace('"', '\\"')


def may_be_shared(text):
    """Whether an expression, of a place that the program may not have come to yet, may name a shared object."""
    names = re.findall(r"[A-Za-z_]\w*", text)
    through = re.search(r"->|\[|(?:^|[^\w)\]\s])\s*\*", text)
    return bool(through) or any(gdb.lookup_static_symbol("mer_shared_" + name) for name in names)


def on_breakpoint(point):
    """A condition is evaluated by gdb itself, which does not come to commands: $shared stands around it."""
    condition = point.condition
    if condition and "$shared(" not in condition and may_be_shared(condition):
        point.condition = '$shared("%s")' % escaped(condition)


class SetVariable(Command):
    """Evaluate expression EXP and assign result to variable VAR; elements of shared arrays may be either."""

    def __init__(self):
        super().__init__("set variable", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def run(self, text, _):
        gdb.parse_and_eval(translated(text) if running() else text)


class Watch(Command):
    """Stop when the value of an expression is written, read, or either. Of a shared object only accesses of the thread
    under gdb count: other threads are other processes.

    The options are those of gdb's own command."""

    def __init__(self, name, kind):
        super().__init__(name, gdb.COMMAND_BREAKPOINTS, gdb.COMPLETE_EXPRESSION)
        self.kind = kind

    def run(self, text, _):
        options, expression, condition = re.match(r"((?:\s*-\w+)*\s*)(.*?)(\s+if\s.*)?$", text).groups()
        if running():
            translation = Translation(expression)
            result = translation.expression(set())
            if translation.found:
                expression = re.sub(r"\$mer_element\d+", lambda name: translation.places[name.group()], result)
                print("Of this thread's accesses: other threads are other processes.")
        gdb.Breakpoint(options + expression + (condition or ""), gdb.BP_WATCHPOINT, self.kind)


class Displays:
    """The expressions of `display', shown at each stop. gdb's own command would evaluate them itself."""

    def __init__(self):
        self.shown, self.count = {}, 0
        gdb.events.stop.connect(lambda _: self.show())

    def add(self, form, text):
        self.count += 1
        self.shown[self.count] = (form, text)
        if running():
            self.show([self.count])

    def remove(self, numbers):
        for number in numbers or list(self.shown):
            if self.shown.pop(int(number), None) is None:
                raise gdb.GdbError("There is no display number %s." % number)

    def show(self, numbers=None):
        for number in numbers or list(self.shown):
            form, text = self.shown[number]
            head = "%d: %s%s" % (number, form and form + " ", text)
            try:
                if form and form[-1] in "is":
                    print(head + "\n" + gdb.execute("x%s %s" % (form, translated(text)), to_string=True), end="")
                else:
                    value = gdb.execute("output%s %s" % (form and form + " ", translated(text)), to_string=True)
                    print("%s = %s" % (head, value))
            except gdb.error:
                pass  # not an expression of this frame's

    def listing(self):
        for number, (form, text) in self.shown.items():
            print("%d:   y  %s%s" % (number, form and form + " ", text))
        if not self.shown:
            print("There are no auto-display expressions now.")


class Display(Command):
    """Print value of expression EXP each time the program stops; elements of shared arrays and what pointers-to-shared
    point to are found wherever they lie on this host. With no argument, show all of them now."""

    def __init__(self, displays):
        super().__init__("display", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)
        self.displays = displays

    def run(self, text, _):
        form, text = re.match(r"\s*(/\w+)?\s*(.*)$", text).groups()
        if text:
            self.displays.add(form or "", text)
        else:
            self.displays.show()


class Undisplay(Command):
    """Cancel expressions that are displayed when the program stops, by their numbers; without numbers all."""

    def __init__(self, name, displays):
        super().__init__(name, gdb.COMMAND_DATA)
        self.displays = displays

    def run(self, text, _):
        self.displays.remove(text.split())


class InfoDisplay(Command):
    """Expressions to display when the program stops, with their numbers."""

    def __init__(self, displays):
        super().__init__("info display", gdb.COMMAND_STATUS)
        self.displays = displays

    def run(self, _text, _from_tty):
        self.displays.listing()


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
    for part in (View, Print, SetVariable, Shared, Locals, OwnLocalsFilter, Relaunch):
        part()
    displays = Displays()
    Display(displays)
    InfoDisplay(displays)
    for name in ("undisplay", "delete display"):
        Undisplay(name, displays)
    for name, kind in (("watch", gdb.WP_WRITE), ("rwatch", gdb.WP_READ), ("awatch", gdb.WP_ACCESS)):
        Watch(name, kind)
    gdb.events.breakpoint_created.connect(on_breakpoint)
    gdb.events.breakpoint_modified.connect(on_breakpoint)
    for name, field in (("MYTHREAD", "mythread"), ("THREADS", "threads"), ("MYPROC", "mythread"), ("PROCS", "threads")):
        gdb.execute("macro define %s (mer_job.%s)" % (name, field))
    # The inline functions of Meridian's headers have lines too, where `step' would stop.
    gdb.execute("skip -gfi */meridian/*.h", to_string=True)


load()
