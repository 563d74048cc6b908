"""One gdb over all threads of a job: the commands of `meridian gdb' (crates/launch/src/session.rs).

Thread t of the job is inferior t + 1. The launcher starts the threads, which wait before main, and then gdb, whose
first command attaches to all of them (`meridian-attach'). gdb stops all threads together, and continues all together.

meridian.py, which is loaded first, prints pointers and elements of shared arrays.
"""

import os
import re

import gdb

# Files of the runtime, and Meridian's headers with their inline functions: their frames are not the program's.
OURS = re.compile(r"^/meridian/|/meridian/.*\.h$")


class Session:
    """The threads of the job, and the events of gdb since the last command that continued them.

    stop: the event that has stopped all threads; None if an end has. stopped: the gdb thread of that event.
    ended: the events of threads that have ended."""

    def __init__(self):
        self.pids = []
        self.begun = False
        self.stop = None
        self.stopped = None
        self.ended = []

    def inferiors(self):
        """The inferiors of the threads that have not ended, by thread. gdb may not have reported an end yet: then the
        process is a zombie, without registers."""
        numbered = ((each.num - 1, each) for each in gdb.inferiors())
        return {
            thread: each
            for thread, each in sorted(numbered, key=lambda pair: pair[0])
            if thread < len(self.pids) and each.pid != 0 and not is_zombie(each.pid)
        }

    def inferior(self, thread):
        if not 0 <= thread < len(self.pids):
            raise gdb.GdbError("There is no thread %d in a job of %d." % (thread, len(self.pids)))
        found = self.inferiors().get(thread)
        if found is None:
            raise gdb.GdbError("Thread %d has ended." % thread)
        return found

    def thread(self):
        """The selected thread of the job; None before the first has been attached to."""
        number = gdb.selected_inferior().num - 1
        return number if number < len(self.pids) else None

    def on_stop(self, event):
        self.stop, self.stopped = event, gdb.selected_thread()

    def on_exited(self, event):
        self.ended.append(event)


SESSION = Session()


def is_zombie(pid):
    try:
        with open("/proc/%d/stat" % pid) as status:
            return status.read().rpartition(")")[2].split()[0] in "ZX"
    except OSError:
        return True


def quietly(command):
    return gdb.execute(command, to_string=True)


class Silence:
    """No reports of stops and of the selected inferior while it lasts, which `to_string' does not keep back."""

    SETTING = "suppress-cli-notifications"  # gdb 12 and newer

    def __enter__(self):
        self.set("on")

    def __exit__(self, *_):
        self.set("off")

    def set(self, value):
        try:
            quietly("set %s %s" % (self.SETTING, value))
        except gdb.error:
            pass


def select(inferior):
    """Makes an inferior's main thread the selected one."""
    threads = sorted(inferior.threads(), key=lambda each: each.num)
    if not threads:
        raise gdb.GdbError("Thread %d has ended." % (inferior.num - 1))
    threads[0].switch()


def ranges(numbers):
    """Numbers as text: 0-2, 5."""
    numbers, parts = sorted(numbers), []
    for number in numbers:
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(str(a) if a == b else "%d-%d" % (a, b) for a, b in parts)


def threads_text(numbers):
    return ("thread " if len(numbers) == 1 else "threads ") + ranges(numbers)


def counted(count, one="", many=""):
    """A number of threads as the subject of a verb in its two forms."""
    return ("1 thread %s" % one if count == 1 else "%d threads %s" % (count, many)).rstrip()


def make_inferiors(count):
    program = re.sub(r'(["\\])', r"\\\1", gdb.current_progspace().filename)
    if count > 1:
        quietly('add-inferior -copies %d -no-connection -exec "%s"' % (count - 1, program))


def name_threads():
    """gdb shows the names in `info threads' and when a thread stops."""
    for thread, inferior in SESSION.inferiors().items():
        for each in inferior.threads():
            each.name = "thread %d" % thread if each.num == 1 else "of thread %d" % thread


class Command(gdb.Command):
    def __init__(self, name, kind=gdb.COMMAND_RUNNING, **more):
        super().__init__(name, kind, **more)

    def invoke(self, text, from_tty):
        try:
            self.run(text.strip(), from_tty)
        except gdb.error as error:
            raise gdb.GdbError(str(error))


class Attach(Command):
    """Attach to the threads of a job, which wait before main: their process numbers, by thread."""

    def __init__(self):
        super().__init__("meridian-attach")

    def run(self, text, _):
        SESSION.pids = [int(word) for word in text.split()]
        try:
            with Silence():
                self.attach()
        except gdb.error as error:
            gdb.write("meridian gdb: error: %s\n" % error, gdb.STDERR)
            quietly("set confirm off")
            gdb.execute("quit 1")
        name_threads()
        select(SESSION.inferior(0))
        self.show_main()
        print("%s before main: set breakpoints, and `run'." % counted(len(SESSION.pids), "waits", "wait"))

    @staticmethod
    def show_main():
        """Makes the file of main the one of `break LINE' and `list': the threads wait in one of the C library's."""
        try:
            quietly("list main,main")
        except gdb.error:
            pass  # the program has no lines

    @staticmethod
    def attach():
        make_inferiors(len(SESSION.pids))
        for thread, pid in enumerate(SESSION.pids):
            quietly("inferior %d" % (thread + 1))
            try:
                quietly("attach %d" % pid)
            except gdb.error as error:
                raise gdb.error(
                    "gdb cannot attach to thread %d (process %d): %s. A container needs the capability SYS_PTRACE, and "
                    "/proc/sys/kernel/yama/ptrace_scope must be 0 or 1." % (thread, pid, str(error).rstrip("."))
                )


def passed_signal():
    """Returns the signal that the job gets when it goes on: the one that has stopped it, unless gdb keeps that signal.
    Selects the thread that gets it."""
    event, thread = SESSION.stop, SESSION.stopped
    if not isinstance(event, gdb.SignalEvent) or thread is None or not thread.is_valid():
        return "0"
    table = quietly("info signals " + event.stop_signal).strip().splitlines()[-1].split()
    if table[3:4] != ["Yes"]:
        return "0"
    thread.switch()
    return event.stop_signal


class Continue(Command):
    """Continue all threads of the job, until one of them stops or dies.

With a number N, the breakpoint at which the thread has stopped is passed N - 1 times."""

    def __init__(self):
        super().__init__("continue")

    def run(self, text, from_tty):
        if text:
            points = getattr(SESSION.stop, "breakpoints", None)
            if not points:
                raise gdb.GdbError("The thread has not stopped at a breakpoint.")
            points[0].ignore_count = int(gdb.parse_and_eval(text)) - 1
        if from_tty and SESSION.inferiors():
            print("Continuing.")
        resume()


def death(event):
    """Returns a sentence about a thread that has ended by a signal or with an exit code other than 0; else none."""
    code = getattr(event, "exit_code", None)
    how = "by a signal" if code is None else "with exit code %d" % code
    return None if code == 0 else "Thread %d has ended %s." % (event.inferior.num - 1, how)


def resume():
    """Continues all threads. gdb stops them at each end of a thread; they go on unless that was a death."""
    SESSION.begun = True
    while True:
        live = SESSION.inferiors()
        if not live:
            raise gdb.GdbError("All threads of the job have ended. Quit, and start `meridian gdb' again.")
        if SESSION.thread() not in live:
            select(next(iter(live.values())))
        signal = passed_signal()
        SESSION.stop, SESSION.ended = None, []
        gdb.execute("signal " + signal)
        if SESSION.stop or not SESSION.ended:
            return
        live = SESSION.inferiors()
        if not live:
            end_job()
            print("All threads of the job have ended.")
            return
        deaths = list(filter(None, map(death, SESSION.ended)))
        if deaths:
            select(next(iter(live.values())))
            print("%s %s left, and stopped." % (" ".join(deaths), counted(len(live), "is", "are")))
            return


class Run(Command):
    """Start the threads of the job, which wait before main."""

    def __init__(self):
        super().__init__("run")

    def run(self, text, _from_tty):
        if SESSION.begun:
            raise gdb.GdbError("The job runs already. To begin again, quit, and start `meridian gdb' again.")
        if text:
            raise gdb.GdbError("The program's arguments stand in the command line of `meridian gdb'.")
        resume()


class Start(Run):
    """Start the threads of the job, which wait before main, until one of them is in main."""

    def __init__(self):
        Command.__init__(self, "start")

    def run(self, text, from_tty):
        if not SESSION.begun and not text:
            gdb.execute("tbreak main")
        super().run(text, from_tty)


def end_job():
    """Ends all processes of the job, and lets go of those that have ended by themselves."""
    numbers = [str(each.num) for each in gdb.inferiors() if each.pid != 0]
    with Silence():
        for number in numbers:
            try:
                quietly("meridian-kill-inferiors " + number)
            except gdb.error:
                pass  # gdb has not reported its end yet, and the launcher ends what is left


def confirm(question):
    """Asks the user, if there is a terminal and gdb is set to ask."""
    if not gdb.parameter("confirm") or not os.isatty(0):
        return
    answer = input("%s (y or n) " % question)
    if answer.strip().lower() not in ("y", "yes"):
        raise gdb.GdbError("Not confirmed.")


def on_exiting(_):
    """Ends the job when gdb ends in another way than by `quit', such as the end of a batch."""
    end_job()


class Kill(Command):
    """End all threads of the job."""

    def __init__(self):
        super().__init__("kill")

    def run(self, _text, _from_tty):
        if not SESSION.inferiors():
            raise gdb.GdbError("The program is not being run.")
        confirm("End all threads of the job?")
        end_job()
        print("The job has been ended.")


def number_of(text):
    try:
        return int(gdb.parse_and_eval(text))
    except gdb.error:
        raise gdb.GdbError("`%s' is not the number of a thread of the job." % text)


class Thread(Command):
    """Select the thread of the job with this number (MYTHREAD); without a number, show the selected one.

The selected frame is the innermost of the program's: if the thread is in a call of the runtime, the caller."""

    def __init__(self):
        super().__init__("meridian-thread", gdb.COMMAND_STACK)

    def run(self, text, _):
        if text:
            select(SESSION.inferior(number_of(text)))
            select_programs()
        place = (SESSION.thread(), len(SESSION.pids), gdb.selected_inferior().pid)
        print("[thread %d of %d, process %d]" % place)
        if SESSION.begun:
            gdb.execute("frame")


def is_programs(frame):
    """Returns true if a frame is one of the program's, false if it is one of the runtime's or of a library's. A library
    is the program's if its sources are in the present directory."""
    name, symtab = frame.name(), frame.find_sal().symtab
    if name is None or name.startswith(("mer_", "_start", "__libc_start")):
        return False
    if symtab is None:
        return frame.type() == gdb.NORMAL_FRAME and gdb.solib_name(frame.pc()) is None
    if OURS.search(symtab.filename):
        return False
    return symtab.objfile.filename == gdb.current_progspace().filename or symtab.fullname().startswith(os.getcwd())


def select_programs():
    """Selects the selected thread's innermost frame that is the program's, if there is one."""
    frame = gdb.newest_frame()
    while frame is not None and not is_programs(frame):
        frame = frame.older()
    if frame is not None:
        frame.select()


def place(frame):
    sal = frame.find_sal()
    name = "%s ()" % frame.name() if frame.name() else "0x%x" % frame.pc()
    return "%s at %s:%d" % (name, sal.symtab.filename, sal.line) if sal.symtab else name


def stack():
    """Returns the selected thread's frames as texts. Frames in a call of the runtime or of a library count as one, the
    function that the program has called: in its course threads differ."""
    frame, texts, called = gdb.newest_frame(), [], None
    while frame is not None:
        if frame.type() == gdb.SIGTRAMP_FRAME:
            texts.append("<signal handler called>")
        elif is_programs(frame):
            if not texts and called:
                texts.append("%s ()" % called)
            texts.append(place(frame))
            if frame.name() == "main":
                return tuple(texts)
        else:
            called = frame.name() or "??"
        frame = frame.older()
    return tuple(texts) or ("outside main",)


def keeping_selected(action):
    """Runs a function that selects threads, and selects the present one again."""
    thread = gdb.selected_thread()
    frame = gdb.selected_frame() if thread is not None else None
    try:
        action()
    finally:
        if thread is not None and thread.is_valid():
            thread.switch()
            if frame.is_valid():
                frame.select()


class Backtraces(Command):
    """Print the stacks of all threads of the job; threads with equal ones are named together.

Calls inside the runtime and libraries are left out: `thread apply all bt' prints these too."""

    def __init__(self):
        super().__init__("meridian-bt", gdb.COMMAND_STACK)

    def run(self, _text, _from_tty):
        keeping_selected(self.show)

    @staticmethod
    def show():
        stacks = {}
        for thread, inferior in SESSION.inferiors().items():
            select(inferior)
            stacks.setdefault(stack(), []).append(thread)
        if not stacks:
            raise gdb.GdbError("No thread of the job is left.")
        for frames, threads in sorted(stacks.items(), key=lambda pair: pair[1]):
            print("%s of %d:" % (threads_text(threads), len(SESSION.pids)))
            for number, frame in enumerate(frames):
                print("  #%d  %s" % (number, frame))


class Threads(Command):
    """List the threads of the job, with their processes and where each of them is. A star marks the selected one."""

    def __init__(self):
        super().__init__("meridian-threads", gdb.COMMAND_STACK)

    def run(self, _text, _from_tty):
        selected = SESSION.thread()
        keeping_selected(lambda: self.show(selected))

    @staticmethod
    def show(selected):
        live = SESSION.inferiors()
        for thread in range(len(SESSION.pids)):
            mark, where = " ", "ended"
            if thread in live:
                mark = "*" if thread == selected else " "
                select(live[thread])
                frames = stack()
                where = "process %d  %s" % (live[thread].pid, " in ".join(frames[:2]))
            print("%s thread %d  %s" % (mark, thread, where))


class BeforeQuit(Command):
    """End all threads of the job before gdb ends. To be called by `quit' alone."""

    def __init__(self):
        super().__init__("meridian-before-quit")

    def run(self, _text, from_tty):
        if SESSION.inferiors():
            confirm("Quitting ends the job of %s. Quit anyway?" % counted(len(SESSION.pids)))
        end_job()


def load():
    quietly("alias meridian-kill-inferiors = kill inferiors")
    commands = (Attach, Continue, Run, Start, Kill, Thread, Threads, Backtraces, BeforeQuit)
    for each in commands:
        each()
    gdb.execute("define hook-quit\nmeridian-before-quit\nend")
    gdb.events.stop.connect(SESSION.on_stop)
    gdb.events.exited.connect(SESSION.on_exited)
    if hasattr(gdb.events, "gdb_exiting"):
        gdb.events.gdb_exiting.connect(on_exiting)
    for each in ("schedule-multiple on", "print inferior-events off", "print thread-events off"):
        gdb.execute("set " + each)


load()
