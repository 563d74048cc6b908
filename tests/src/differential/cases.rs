//! Cases: one or two loops of one thread, or of all threads, which share out the iterations; the bodies are
//! random. Also functions that the loops call.

use super::maker::{Function, Maker, Poison, Rights};
use super::names::Means;

/// The functions of a case. All threads run each step after the one before it.
#[derive(Clone, Debug)]
pub struct Case {
    /// The functions of its steps.
    pub text: Vec<String>,
    /// Number of steps.
    pub steps: usize,
}

/// Kinds of cases that can be switched off, because their faults are known.
#[derive(Clone, Copy, Debug)]
pub struct Kinds {
    /// Objects hold garbage until the loop mends them.
    pub poison: bool,
    /// Inner declarations may hide outer ones.
    pub shadows: bool,
}

impl Maker<'_> {
    /// The functions of a file.
    pub fn make_functions(&mut self) -> Vec<String> {
        let mut text = Vec::new();
        for number in 0..6 {
            self.names = Default::default();
            self.touched.clear();
            self.writes = false;
            self.indent = 0;
            let alone = self.random.one_in(3);
            // Functions that these loops call do not touch objects that loops of all threads write.
            let targets =
                ["a", "b", "c", "d", "nd", "m", "o", "u", "sx", "flag", "dir"].map(|name| (name, 0));
            self.rights = Rights { alone, targets: targets.to_vec(), own: None };
            let gives_place = self.random.one_in(2);
            let pointed = &self.world.arrays[self.world.pointed];
            let takes_pointer = alone && self.random.one_in(3);
            let parameter = self.fresh();
            self.names.enter();
            let (kind, target) = (self.random.pick(&["int", "int", "long", "unsigned"]), pointed.target());
            let (list, means) = match takes_pointer {
                true => (format!("{target} *{parameter}"), Means::Other),
                false => (format!("{kind} {parameter}"), Means::Place),
            };
            let result = if gives_place { "int" } else { "long" };
            let inline = self.random.pick(&["", "", "inline "]);
            let name = format!("f{number}");
            self.returns = Some(gives_place);
            self.open(format!("static {inline}{result} {name}({list})"));
            self.names.declare(parameter, means);
            if takes_pointer {
                self.touch(pointed.name);
                let value =
                    if pointed.element == "double" { "small(*#)" } else { "*#" }.replace('#', parameter);
                self.line(format!("h = h * 3 + {value};"));
                self.touch("h");
            }
            let count = self.random.below(3);
            self.may_leave = (false, false);
            self.statements(count, 1);
            let result = self.result(gives_place);
            self.line(format!("return {result};"));
            self.close("");
            self.returns = None;
            let touched = self.touched.clone();
            let effects = self.writes || ["g", "h", "u"].iter().any(|name| touched.contains(name));
            self.functions.push(Function {
                name,
                gives_place,
                takes_pointer,
                touched,
                writes: self.writes,
                effects,
            });
            text.append(&mut self.lines);
        }
        text
    }

    /// The case with this number.
    pub fn make_case(&mut self, number: usize, kinds: Kinds) -> Case {
        let steps = 1 + usize::from(self.random.one_in(5));
        for step in 0..steps {
            self.names = Default::default();
            self.poison = Poison::default();
            self.rights = Rights::default();
            self.names.apart = !kinds.shadows;
            self.indent = 0;
            self.loops = 0;
            self.names.enter();
            self.open(format!("static void case{number}_{step}(int n)"));
            self.names.declare("n", Means::Length);
            match self.random.below(10) {
                0..5 => self.alone(kinds),
                5..8 => self.forall(),
                8 => self.strided(),
                _ => self.rows(),
            }
            self.put_all();
            self.close("");
        }
        Case { text: std::mem::take(&mut self.lines), steps }
    }

    /// Adds the values of the function's variables to the case's result.
    fn put_all(&mut self) {
        for (name, means) in self.names.with(|means| means != Means::Other) {
            match means {
                Means::Pointer(array) => {
                    let of = self.world.arrays[array].name;
                    if !self.names.hides(of) {
                        self.line(format!("put({name} - {of});"));
                    }
                }
                Means::Node => {}
                _ => self.line(format!("put({name});")),
            }
        }
    }

    fn accumulators(&mut self) {
        for (kind, means) in
            [("long", Means::Integer), ("unsigned", Means::Integer), ("double", Means::Double)]
        {
            if self.random.one_in(2) {
                let name = self.fresh();
                let value = self.random.pick(&["0", "1", "n"]);
                self.declare(kind, name, value, means);
            }
        }
        for _ in 0..self.random.below(3) {
            self.line_declaration();
        }
    }

    fn line_declaration(&mut self) {
        let name = self.fresh();
        let first = self.random.pick(&["5", "MYTHREAD + 4", "7"]);
        self.declare("int", name, first, Means::Place);
    }

    /// Loops of one thread.
    fn alone(&mut self, kinds: Kinds) {
        self.rights.alone = true;
        let who = self.random.pick(&["0", "THREADS - 1", "THREADS / 2", "(THREADS > 1)"]);
        self.line(format!("if (MYTHREAD != {who}) return;"));
        self.accumulators();
        for _ in 0..1 + self.random.below(2) {
            let poisoned = kinds.poison && self.random.one_in(3);
            self.single(poisoned);
        }
    }

    /// A loop of one thread, with statements before it.
    fn single(&mut self, poisoned: bool) {
        let name = self.fresh();
        let repeat = self.random.one_in(8);
        if repeat {
            let name = self.fresh();
            self.open(format!("for (int {name} = 0; {name} < 2; {name}++)"));
            self.names.declare(name, Means::Fixed);
        } else {
            self.open("");
        }
        if poisoned {
            self.poisoned(name);
        } else {
            self.plain(name);
        }
        self.close("");
    }

    /// A loop of one thread.
    pub(super) fn plain(&mut self, name: &'static str) {
        let kind = self.random.pick(&["int", "int", "int", "long", "unsigned", "short"]);
        let bound = match self.random.below(5) {
            0 => format!("(int)(4 + ({}) % ({} - 7))", self.place(2), self.length()),
            1 => format!("4 + ({} - 8) / 2", self.length()),
            _ => format!("{} - 4", self.length()),
        };
        let bound = if bound.contains(name) { "N * THREADS - 4".to_owned() } else { bound };
        let outside = self.random.one_in(4);
        let declared = if outside { String::new() } else { format!("{kind} ") };
        if outside {
            self.line(format!("{kind} {name};"));
        }
        let mut end = "";
        self.names.enter();
        let number = self.names.declare(name, Means::Near);
        match self.random.below(10) {
            0..4 => self.open(format!("for ({declared}{name} = 4; {name} < {bound}; {name}++)")),
            4 => self.open(format!("for ({declared}{name} = 5; {name} < {bound}; {name} += 2)")),
            5 => self.open(format!("for ({declared}{name} = N * THREADS - 5; {name} >= 4; {name}--)")),
            6 => self.open(format!(
                "for ({declared}{name} = 4 + MYTHREAD % 3; {name} < {bound}; {name} += THREADS)"
            )),
            7 => {
                if !outside {
                    self.line(format!("{declared}{name} = 4;"));
                }
                if outside {
                    self.line(format!("{name} = 4;"));
                }
                self.open(format!("while ({name} < {bound})"));
                end = "++";
            }
            8 => {
                self.line(format!("{}{name} = 4;", if outside { "" } else { &declared }));
                self.open("do");
                end = "do";
            }
            _ => self.queue(name, number, outside),
        }
        self.loop_body(number, (end.is_empty(), true));
        match end {
            "++" => {
                if self.names.of_number(number).is_some() {
                    self.line(format!("{name}++;"));
                } else {
                    self.line("break;");
                }
                self.close("");
            }
            "do" => {
                self.close(&format!(" while (++{name} < N * THREADS - 4);"));
            }
            _ => self.close(""),
        }
        if outside {
            self.line(format!("put({name});"));
        }
        self.names.leave();
    }

    /// The body of a loop.
    fn loop_body(&mut self, _number: usize, leave: (bool, bool)) {
        self.loops = 1;
        self.may_leave = leave;
        let count = 1 + self.random.below(4);
        self.statements(count, 2);
        self.may_leave = (false, false);
        self.loops = 0;
    }

    /// A search through a list that grows.
    fn queue(&mut self, name: &'static str, number: usize, outside: bool) {
        self.line("int first = 0, last = 1;");
        self.line("list[0] = 6;");
        match self.random.below(2) {
            0 => self.open("while (first < last)"),
            _ => self.open("for (; first != last;)"),
        }
        let declared = if outside { "" } else { "int " };
        if !outside {
            self.names.repeat(number);
        }
        self.line(format!("{declared}{name} = list[first++];"));
        if self.can_read("x") {
            self.touch("x");
            self.open("for (int z = 0; z < 2; z++)");
            self.line(format!("int to = 4 + x[{name} + z] % (N * THREADS - 8);"));
            self.line("if (last < 40 && last < N * THREADS && (to + z) % 3) list[last++] = to;");
            self.close("");
        }
    }

    /// Chooses the objects that the iterations of all threads write, each at its own number.
    fn targets(&mut self) {
        for name in ["a", "b", "c", "d", "nd"] {
            if self.random.one_in(3) {
                let offset = self.random.pick(&[0, 0, 0, 1, -1, 2]);
                self.rights.targets.push((name, offset));
            }
        }
    }

    /// A `upc_forall`.
    fn forall(&mut self) {
        self.targets();
        self.accumulators();
        let outer = self.random.one_in(6);
        if outer {
            let name = self.fresh();
            self.open(format!("for (int {name} = 0; {name} < 2; {name}++)"));
            self.names.declare(name, Means::Fixed);
        } else {
            self.open("");
        }
        if self.random.one_in(6) {
            self.forall_by_pointer()
        } else {
            self.forall_by_number()
        }
        self.close("");
    }

    fn forall_by_number(&mut self) {
        let name = self.fresh();
        let kind = self.random.pick(&["int", "int", "int", "long", "unsigned", "size_t"]);
        let outside = self.random.one_in(4);
        let declared = if outside { String::new() } else { format!("{kind} ") };
        if outside {
            self.line(format!("{kind} {name};"));
        }
        let (low, high) =
            (4 + self.random.below(3), self.random.pick(&["N * THREADS - 4", "N * THREADS - 5"]));
        let step = self.random.pick(&[1, 1, 1, 2, 3, 5]);
        let clauses = match self.random.below(7) {
            0 if matches!(kind, "int" | "long") => {
                format!("{declared}{name} = {high} - 1; {name} >= {low}; {name} -= {step}")
            }
            1 => format!("{declared}{name} = {low}; {name} != {high}; {name}++"),
            2 => format!("{declared}{name} = {low}; {name} <= {high} - 1; {name} += {step}"),
            3 => format!("{declared}{name} = {low}; {high} > {name}; ++{name}"),
            _ => format!("{declared}{name} = {low}; {name} < {high}; {name} += {step}"),
        };
        let beside = self.names.with(|means| means == Means::Integer);
        let beside = beside.first().filter(|(other, _)| other != name && self.random.one_in(8)).cloned();
        self.names.enter();
        let mut clauses = clauses;
        if let Some((other, _)) = beside {
            clauses += &format!(", {other} += 3");
            self.names.declare(&other, Means::Other);
        }
        let number = self.names.declare(name, Means::Near);
        let array = &self.world.arrays[self.random.below(5)];
        let offset = self.random.pick(&[0, 0, 1, -1, 2]);
        let at = self.plus(name, offset);
        let (affinity, owned) = match self.random.below(8) {
            0..3 if !self.names.hides(array.name) => (format!("&{}[{at}]", array.name), array.owned(&at)),
            3 if !self.names.hides(array.name) => (format!("{} + {at}", array.name), array.owned(&at)),
            4 => ("continue".to_owned(), "1".to_owned()),
            5 => (format!("{name} / 3"), format!("({name} / 3) % THREADS == MYTHREAD")),
            // Numbers below zero: unsigned ones wrap around.
            6 => {
                let number = ["# - 9u", "# - sizeof(short) * 4", "# - 6ul", "# + 3u"];
                let affinity = self.random.pick(&number).replace('#', name);
                let owned = format!("(({affinity}) % THREADS + THREADS) % THREADS == MYTHREAD");
                (affinity, owned)
            }
            _ => (at.clone(), format!("({at}) % THREADS == MYTHREAD")),
        };
        if affinity == "continue" {
            self.rights.targets.clear();
        }
        self.rights.own = Some(number);
        self.open(format!("upc_forall ({clauses}; {affinity}) /*= {owned} */"));
        self.loop_body(number, (true, false));
        self.close("");
        self.names.leave();
        self.rights.own = None;
    }

    fn forall_by_pointer(&mut self) {
        let number = self.random.below(4);
        let array = &self.world.arrays[number];
        let (name, at) = (self.fresh(), self.fresh());
        if self.names.hides(array.name) || name == array.name || at == array.name || name == at {
            return self.forall_by_number();
        }
        self.touch(array.name);
        let (of, target) = (array.name, array.target());
        let clauses = match self.random.below(3) {
            0 => format!("{target} *{name} = &{of}[5]; {name} != &{of}[N * THREADS - 5]; {name}++"),
            1 => format!("{target} *{name} = {of} + 4; {name} < {of} + N * THREADS - 4; {name} += 1"),
            _ => format!("{target} *{name} = &{of}[4]; {name} <= &{of}[N * THREADS - 5]; ++{name}"),
        };
        self.names.enter();
        self.names.declare(name, Means::Other);
        let owned = array.owned(&format!("({name} - {of})"));
        let affinity = self.random.pick(&["#", "#", "&*#", "&#[0]"]).replace('#', name);
        self.open(format!("upc_forall ({clauses}; {affinity}) /*= {owned} */"));
        if self.random.one_in(2) {
            self.line(format!("int {at} = {name} - {of};"));
            let own = self.names.declare(at, Means::Near);
            self.rights.own = Some(own);
        }
        let value = if array.element == "double" { format!("*{name} / 2") } else { format!("*{name} + 3") };
        self.rights.targets.retain(|target| target.0 != of);
        self.rights.targets.push((of, 0));
        self.line(format!("*{name} = {value};"));
        self.loop_body(0, (true, false));
        self.close("");
        self.names.leave();
        self.rights.own = None;
    }

    /// A loop with step THREADS.
    fn strided(&mut self) {
        self.targets();
        self.accumulators();
        self.open("");
        let name = self.fresh();
        let kind = self.random.pick(&["int", "int", "long", "unsigned"]);
        self.names.enter();
        let number = self.names.declare(name, Means::Near);
        let first = self.random.pick(&["MYTHREAD + 4 * THREADS", "4 + MYTHREAD", "6 * THREADS + MYTHREAD"]);
        let mut end = "";
        match self.random.below(5) {
            0 if kind != "unsigned" => self.open(format!(
                "for ({kind} {name} = N * THREADS - 4 * THREADS - 1 - MYTHREAD; {name} >= 4; {name} -= THREADS)"
            )),
            1 => {
                self.line(format!("{kind} {name} = {first};"));
                self.open(format!("while ({name} < N * THREADS - 4)"));
                end = "+=";
            }
            _ => self.open(format!("for ({kind} {name} = {first}; {name} < N * THREADS - 4; {name} += THREADS)")),
        }
        self.rights.own = Some(number);
        self.loop_body(number, (end.is_empty(), true));
        if end == "+=" {
            let step = match self.names.of_number(number) {
                Some(_) => format!("{name} += THREADS;"),
                None => "break;".into(),
            };
            self.line(step);
        }
        self.close("");
        self.names.leave();
        self.rights.own = None;
        self.close("");
    }

    /// Loops over the rows of a matrix.
    fn rows(&mut self) {
        let which = self.random.below(self.world.matrices.len());
        let (matrix, other) = (&self.world.matrices[which], &self.world.matrices[1 - which]);
        self.rights.targets.push((matrix.name, 0));
        self.accumulators();
        self.open("");
        let (name, column) = (self.fresh(), self.fresh());
        if name == column {
            self.line(";");
            return self.close("");
        }
        self.names.enter();
        let number = self.names.declare(name, Means::Fixed);
        let (affinity, owned) = match self.random.below(3) {
            0 => (name.to_owned(), format!("{name} % THREADS == MYTHREAD")),
            1 => (format!("&{}[{name}][0]", other.name), other.owned(name)),
            _ => (format!("&{}[{name}][0]", matrix.name), matrix.owned(name)),
        };
        self.rights.own = Some(number);
        self.open(format!(
            "upc_forall (int {name} = 1; {name} < R * THREADS - 1; {name}++; {affinity}) /*= {owned} */"
        ));
        let repeat = self.random.one_in(4);
        if repeat {
            self.open("for (int z = 0; z < 2; z++)");
        }
        self.names.enter();
        self.names.declare(column, Means::Fixed);
        let head = match self.random.below(4) {
            0 => format!("for (int {column} = C - 2; {column} > 0; {column}--)"),
            1 => format!("for (int {column} = 1; {column} < C - 1 && {column} < {name} + 4; {column}++)"),
            _ => format!("for (int {column} = 1; {column} < C - 1; {column}++)"),
        };
        self.open(head);
        for _ in 0..1 + self.random.below(2) {
            let near = |maker: &mut Self| {
                let row = maker.random.pick(&[0, 0, 1, -1]);
                let aside = maker.random.pick(&[0, 0, 1, -1]);
                let (row, aside) = (maker.plus(name, row), maker.plus(column, aside));
                let subscripts =
                    maker.random.pick(&["[#][@]", "[#][@]", "[(@) % (R * THREADS)][(#) % C]", "[#][3]"]);
                other.name.to_owned() + &subscripts.replace('#', &row).replace('@', &aside)
            };
            let (one, two) = (near(self), near(self));
            let target = format!("{}[{name}][{column}]", matrix.name);
            let value = match self.random.below(4) {
                0 => format!("({one} > {two} ? {one} : {two})"),
                1 => one,
                _ => format!("{one} / 2 + {two} / 2"),
            };
            let value = match (other.element == "double", matrix.element == "double") {
                (true, false) => format!("small({value})"),
                _ => value,
            };
            let operator =
                if matrix.element == "double" { "=" } else { self.random.pick(&["=", "+=", "^="]) };
            self.line(format!("{target} {operator} {value};"));
        }
        self.loops = 2;
        self.may_leave = (true, true);
        if self.random.one_in(2) {
            self.statement(1);
        }
        self.may_leave = (false, false);
        self.loops = 0;
        self.close("");
        self.names.leave();
        if repeat {
            self.close("");
        }
        self.close("");
        self.names.leave();
        self.rights.own = None;
        self.close("");
    }
}
