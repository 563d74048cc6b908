//! Loops inside the loops.

use super::maker::Maker;
use super::names::Means;

impl Maker<'_> {
    /// A loop with few iterations, or as many as a value in memory says, or a walk along values in memory.
    pub(super) fn inner_loop(&mut self, depth: usize) {
        if self.loops > 3 {
            return self.statement(0);
        }
        self.loops += 1;
        let leave = self.may_leave;
        match self.random.below(14) {
            0..3 => self.counted(depth),
            3..5 => self.row(depth),
            5..7 => self.roots(depth),
            7..9 => self.walk(depth),
            9 | 10 => self.chain(depth),
            11 => self.columns(depth),
            12 => self.stroll(depth),
            _ => self.elements(depth),
        }
        self.may_leave = leave;
        self.loops -= 1;
    }

    fn body(&mut self, depth: usize, leave: (bool, bool)) {
        self.may_leave = leave;
        let count = 1 + self.random.below(2);
        self.statements(count, depth);
    }

    fn counted(&mut self, depth: usize) {
        let name = self.fresh();
        let place = self.place(1);
        let head = match self.random.below(7) {
            0 => format!("for (int {name} = 3; {name} > 0; {name}--)"),
            1 => format!("for (unsigned {name} = 0; {name} < {}; {name}++)", 1 + self.random.below(4)),
            2 if !place.contains(name) => {
                format!("for (int {name} = 0; {name} < (int)({place}) % 4; {name}++)")
            }
            3 => format!("for (long {name} = 0; {name} < 5; {name} += 2)"),
            4 if !place.contains(name) => {
                format!("for (int {name} = 1, end = ({place}) % 5; {name} < end; ++{name})")
            }
            _ => format!("for (int {name} = 0; {name} < {}; {name}++)", 1 + self.random.below(4)),
        };
        self.names.enter();
        self.names.declare(name, Means::Fixed);
        self.open(head);
        if self.random.one_in(3) {
            let inside = self.fresh();
            if inside != name {
                self.declare("int", inside, &format!("{name} + 2"), Means::Place);
            }
        }
        self.body(depth, (true, true));
        self.close("");
        self.names.leave();
    }

    /// The columns of a row of a graph.
    fn row(&mut self, depth: usize) {
        let near = self.names.with(|means| means == Means::Near);
        let row = self.random.pick(&["row", "row", "pr"]);
        let col = if row == "pr" { "iv" } else { "col" };
        let (Some((of, _)), true, true) = (near.first().cloned(), self.can_read(row), self.can_read(col))
        else {
            return self.counted(depth);
        };
        self.touch(row);
        self.touch(col);
        let kind = self.random.pick(&["int", "long", "int"]);
        let name = self.fresh();
        if name == of {
            return self.counted(depth);
        }
        let head = match self.random.below(5) {
            0 => format!("for ({kind} {name} = {row}[{of} + 1]; {name} > {row}[{of}]; {name}--)"),
            1 => {
                format!("for ({kind} {name} = {row}[{of}], last = {row}[{of} + 1]; {name} < last; {name}++)")
            }
            2 => format!(
                "for ({kind} {name} = {row}[{of}]; {name} < {row}[{of} + 1] && {name} < 99; {name} += 2)"
            ),
            _ => format!("for ({kind} {name} = {row}[{of}]; {name} < {row}[{of} + 1]; {name}++)"),
        };
        self.names.enter();
        self.names.declare(name, Means::Fixed);
        self.open(head);
        let leave = (true, self.random.one_in(3));
        let inside = self.fresh();
        if inside != name && !self.names.hides(col) {
            self.line(format!("int {inside} = {col}[{name}];"));
            self.names.declare(inside, Means::Place);
        }
        self.body(depth, leave);
        self.close("");
        self.names.leave();
    }

    /// A walk to the root of a tree.
    fn roots(&mut self, depth: usize) {
        if !self.can_read("up") {
            return self.counted(depth);
        }
        let (name, place) = (self.fresh(), self.place(1));
        self.open("");
        self.declare("int", name, &place, Means::Place);
        self.touch("up");
        let body = self.random.one_in(3);
        match self.random.below(4) {
            0 => self.line(format!("while (up[{name}] != {name}) {name} = up[{name}];")),
            1 => self.line(format!("for (; up[{name}] < {name}; {name} = up[{name}]) ;")),
            2 => self.line(format!("while ({name} != up[{name}]) {{ {name} = up[up[{name}]]; }}")),
            _ => {
                self.open("for (;;)");
                self.line(format!("int old = {name};"));
                self.line(format!("{name} = up[old];"));
                self.line(format!("if ({name} == old) break;"));
                if body && !self.names.hides("h") {
                    self.touch("h");
                    self.line(format!("h = h * 3 + {name};"));
                }
                self.close("");
            }
        }
        self.may_leave = (false, false);
        self.statements(1, depth);
        self.close("");
    }

    /// A walk of a few steps from number to number.
    fn walk(&mut self, depth: usize) {
        let object = self.random.pick(&["x", "y", "col"]);
        if !self.can_read(object) {
            return self.counted(depth);
        }
        let (place, most) = (self.place(1), 1 + self.random.below(6));
        let name = self.fresh();
        if name == object {
            return self.counted(depth);
        }
        self.open("");
        self.declare("int", name, &place, Means::Place);
        let steps = self.random.pick(&["r", "z"]);
        self.line(format!("int {steps} = 0;"));
        let stop = self.condition();
        self.touch(object);
        match self.random.below(5) {
            0 => {
                self.open(format!("while ({steps}++ < {most} && {object}[{name}] % 5 != 2)"));
                self.line(format!("{name} = {object}[{name}];"));
                self.body(depth, (true, true));
                self.close("");
            }
            1 => {
                self.open("do");
                self.line(format!("{name} = {object}[{name}];"));
                self.body(depth, (false, true));
                self.close(&format!(" while (++{steps} < {most} && !({stop}));"));
            }
            2 => {
                self.open("for (;;)");
                self.line(format!("if (++{steps} > {most} || {object}[{name}] % 3 == 1) break;"));
                self.line(format!("{name} = {object}[{object}[{name}]];"));
                self.body(depth, (true, true));
                self.close("");
            }
            3 => {
                self.open(format!("for (; {steps} < {most}; {steps}++, {name} = {object}[{name}])"));
                self.body(depth, (true, true));
                self.close("");
            }
            _ => {
                self.open(format!("while ({steps} < {most})"));
                self.line(format!("{name} = {object}[{name}];"));
                self.line(format!("{steps}++;"));
                self.body(depth, (true, true));
                self.close("");
            }
        }
        self.close("");
    }

    /// A walk along a list of nodes.
    fn chain(&mut self, depth: usize) {
        let place = self.place(1);
        if !self.can_read("nd") || !self.rights.alone && self.rights.targets.iter().any(|t| t.0 == "nd") {
            return self.counted(depth);
        }
        self.touch("nd");
        let kind = format!("shared {} struct node *", self.world.nodes);
        self.open("");
        let name = self.fresh();
        let first = match super::statements::self_free(&place, name) {
            Some(place) => format!("&nd[{place}]"),
            None => "&nd[6]".into(),
        };
        self.line(format!("{kind}{name} = {first};"));
        self.names.declare(name, Means::Other);
        self.line("int most = 9;");
        match self.random.below(3) {
            0 => {
                self.open(format!("while ({name} && {name}->v % 7 != 3 && most-- > 0)"));
                self.names.declare(name, Means::Node);
                self.body(depth, (false, true));
                self.names.declare(name, Means::Other);
                self.line(format!("{name} = {name}->q;"));
            }
            1 => {
                self.open(format!("for (; {name} && most--; {name} = {name}->q)"));
                self.names.declare(name, Means::Node);
                self.body(depth, (true, true));
            }
            _ => {
                self.open(format!("while ({name} && --most)"));
                self.names.declare(name, Means::Node);
                self.line(format!("if ({name}->k & 1) break;"));
                self.names.declare(name, Means::Other);
                self.line(format!("{name} = {name}->q;"));
            }
        }
        self.close("");
        self.close("");
    }

    /// A loop over columns or rows of a matrix.
    fn columns(&mut self, depth: usize) {
        let matrix = &self.world.matrices[self.random.below(self.world.matrices.len())];
        if !self.can_read(matrix.name) || self.names.hides("h") {
            return self.counted(depth);
        }
        let (row, name) = (self.place(1), self.fresh());
        let inside = if row.contains(name) { "6".to_owned() } else { row };
        self.touch(matrix.name);
        self.touch("h");
        let value = match self.random.below(4) {
            0 => format!("{}[({inside}) % (R * THREADS)][C - 1 - {name}]", matrix.name),
            1 => format!("{}[({name} + {inside}) % (R * THREADS)][{name}]", matrix.name),
            _ => format!("{}[({inside}) % (R * THREADS)][{name}]", matrix.name),
        };
        let value = if matrix.element == "double" { format!("small({value})") } else { value };
        self.names.enter();
        self.names.declare(name, Means::Other);
        self.open(format!("for (int {name} = 0; {name} < C; {name}++)"));
        if self.names.hides("h") {
            self.line(";");
        } else {
            self.line(format!("h = h * 3 + {value};"));
        }
        self.may_leave = (true, true);
        if self.random.one_in(3) {
            self.statement(depth.min(1));
        }
        self.close("");
        self.names.leave();
    }

    /// A loop over the elements from a number on, or over those that a directory names.
    fn elements(&mut self, depth: usize) {
        let near = self.names.with(|means| means == Means::Near);
        let Some((of, _)) = near.first().cloned() else { return self.counted(depth) };
        let name = self.fresh();
        if name == of {
            return self.counted(depth);
        }
        let head = match self.random.below(4) {
            0 if self.can_read("dir") && !self.names.hides("h") => {
                self.touch("dir");
                self.touch("h");
                self.line(format!(
                    "for (int {name} = 0; {name} < THREADS; {name}++) h = h * 3 + dir[{name}][{of}];"
                ));
                return;
            }
            1 => format!("for (int {name} = {of}; {name} > {of} - 3; {name}--)"),
            2 => format!("for (long {name} = {of} - 2; {name} <= {of} + 1; {name} += 1)"),
            _ => format!("for (int {name} = {of}; {name} < {of} + 3; {name}++)"),
        };
        self.names.enter();
        self.names.declare(name, Means::Fixed);
        self.open(head);
        let inside = self.fresh();
        if inside != name {
            self.declare("int", inside, name, Means::Place);
        }
        self.body(depth, (true, true));
        self.close("");
        self.names.leave();
    }

    /// A loop of a pointer through the memory of one thread.
    fn stroll(&mut self, depth: usize) {
        let number = self.random.below(4);
        let array = &self.world.arrays[number];
        let name = self.fresh();
        let steps = match array.layout {
            "" | "[1]" => "THREADS",
            "[]" => self.random.pick(&["1", "2"]),
            _ => return self.elements(depth),
        };
        if !self.can_read(array.name) || self.names.hides("h") || name == array.name || name == "h" {
            return self.elements(depth);
        }
        self.touch(array.name);
        self.touch("h");
        let (of, target) = (array.name, array.target());
        let (before, behind) = if array.element == "double" { ("small(", ")") } else { ("", "") };
        let first = self.random.pick(&["0", "MYTHREAD", "THREADS / 2"]);
        self.open("");
        self.line(format!("{target} *{name} = {of} + {first};"));
        self.names.declare(name, Means::Other);
        match self.random.below(3) {
            0 => {
                self.open(format!("for (int z = 0; z < N / 2; z++, {name} += {steps})"));
                self.line(format!("h = h * 3 + {before}*{name}{behind};"));
            }
            1 if steps == "1" => {
                self.open(format!("while ({name} < {of} + N)"));
                self.line(format!("h = h * 3 + {before}*{name}++{behind};"));
            }
            _ => {
                self.open("for (int z = N / 2; z > 0; z--)");
                self.line(format!("h = h * 3 + {before}{name}[0]{behind};"));
                self.line(format!("{name} += {steps};"));
            }
        }
        self.close("");
        self.line(format!("h ^= {name} - {of};"));
        self.close("");
    }

    /// A loop with the form of a graph search.
    pub(super) fn graph(&mut self) {
        if !(self.can_read("row") && self.can_read("col")) || self.loops > 2 {
            return self.statement(1);
        }
        let near = self.names.with(|means| means == Means::Near);
        let Some((of, _)) = near.first().cloned() else { return self.statement(1) };
        self.touch("row");
        self.touch("col");
        let leave = self.may_leave;
        self.loops += 1;
        let condition = self.condition();
        self.open(format!("if ({condition})"));
        self.line(format!("int from = row[{of}], to = row[{of} + 1];"));
        let name = self.fresh();
        self.names.enter();
        self.names.declare(name, Means::Fixed);
        self.open(format!("for (int {name} = from; {name} < to; {name}++)"));
        let inside = self.fresh();
        if inside != name && !self.names.hides("col") {
            self.line(format!("int {inside} = col[{name}];"));
            self.names.declare(inside, Means::Place);
        }
        self.may_leave = (true, false);
        let condition = self.condition();
        self.open(format!("if ({condition})"));
        self.statements(2, 0);
        self.close("");
        self.statements(1, 0);
        self.close("");
        self.names.leave();
        self.close("");
        self.loops -= 1;
        self.may_leave = leave;
    }
}
