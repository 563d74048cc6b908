//! Statements of random loops, a line for each.

use super::maker::{Maker, Value};
use super::names::Means;
use super::world::Role;

impl Maker<'_> {
    pub(super) fn line(&mut self, text: impl AsRef<str>) {
        self.lines.push(format!("{:width$}{}", "", text.as_ref(), width = self.indent * 4));
    }

    pub(super) fn open(&mut self, head: impl AsRef<str>) {
        self.line(format!("{} {{", head.as_ref()).trim_start());
        self.indent += 1;
        self.names.enter();
        self.opened.push(self.lines.len());
    }

    pub(super) fn close(&mut self, tail: &str) {
        self.indent -= 1;
        let declares = !self.names.is_empty();
        self.names.leave();
        let first = self.opened.pop().unwrap_or_default();
        let head = first.checked_sub(1).and_then(|at| self.lines.get(at)).map_or("", |line| line.trim());
        let single = self.lines.len() == first + 1 && !self.lines[first].trim().starts_with("if");
        let plain = ["for ", "while ", "if ", "upc_forall "].iter().any(|word| head.starts_with(word));
        if single && plain && !declares && tail.is_empty() && self.random.one_in(2) {
            let head = self.lines[first - 1].trim_end_matches(" {").to_owned();
            self.lines[first - 1] = head;
            return;
        }
        self.line(format!("}}{tail}"));
    }

    /// A name that the innermost scope does not have.
    pub(super) fn fresh(&mut self) -> &'static str {
        let free = self.names.free();
        self.random.pick(&free)
    }

    /// Makes `count` statements, nested up to this depth.
    pub(super) fn statements(&mut self, count: usize, depth: usize) {
        for _ in 0..count {
            self.statement(depth);
        }
    }

    /// A statement.
    pub fn statement(&mut self, depth: usize) {
        match self.random.below(33) {
            0..5 => self.sum(),
            5..8 => self.declaration(),
            8..13 => self.write(),
            13..15 if depth > 0 => self.branch(depth - 1),
            15..21 if depth > 0 => self.inner_loop(depth - 1),
            21 => self.leave(),
            22 if depth > 0 => self.choice(depth - 1),
            23 => self.private_write(),
            24 => self.extremum(),
            25 => self.pair(),
            26 => self.whole(),
            27 => self.step(),
            28 => self.global(),
            29 if depth > 0 => self.graph(),
            30 if self.rights.alone && self.random.one_in(4) => self.line("upc_fence;"),
            31 | 32 => self.effect(),
            _ => self.write(),
        }
    }

    /// An assignment of a value to an object; `double`: its type.
    fn assign(&mut self, object: &str, double: bool, operator: &str, value: Value) {
        let text = if value.double && !double { format!("small({})", value.text) } else { value.text };
        self.line(format!("{object} {operator} {text};"));
    }

    /// Adds to a variable, or declares one.
    fn sum(&mut self) {
        let numbers = self.names.with(|means| matches!(means, Means::Integer | Means::Double));
        if numbers.is_empty() {
            return self.declaration();
        }
        let (name, means) = numbers[self.random.below(numbers.len())].clone();
        let depth = self.random.below(3);
        let value = self.value(depth);
        match self.random.below(8) {
            _ if means == Means::Double => {
                let text = format!("{name} / 2 + {}", value.text);
                self.line(format!("{name} = {text};"));
            }
            0 => self.assign(&name, false, "^=", value),
            1 | 2 => self.assign(&name, false, "+=", value),
            3 => self.line(format!("{name}++;")),
            4 => self.assign(&name, false, "=", value),
            _ => self.assign(&name, false, &format!("= {name} * 3 +"), value),
        }
    }

    fn declaration(&mut self) {
        let depth = self.random.below(3);
        match self.random.below(9) {
            0..3 => {
                let value = self.value(depth);
                let (kind, means) = match value.double {
                    true => ("double", Means::Double),
                    false => {
                        (self.random.pick(&["int", "long", "unsigned", "short", "long"]), Means::Integer)
                    }
                };
                let name = self.fresh();
                self.declare(kind, name, &value.text, means);
            }
            3..7 => {
                let kind = self.random.pick(&["int", "int", "unsigned", "long"]);
                let (place, name) = (self.place(2), self.fresh());
                if self.random.one_in(5) {
                    let value = if self.random.one_in(2) { "0" } else { "-1" };
                    self.line(format!("{kind} {name};"));
                    self.line(format!(
                        "{name} = {};",
                        self_free(&place, name).unwrap_or(value.trim_start_matches('-'))
                    ));
                    self.names.declare(name, Means::Place);
                } else {
                    self.declare(kind, name, &place, Means::Place);
                }
            }
            7 => self.pointer_declaration(),
            _ => {
                let (place, name) = (self.place(depth), self.fresh());
                if self.names.hides("nd") {
                    return self.sum();
                }
                self.touch("nd");
                let kind = format!("shared {} struct node *", self.world.nodes);
                self.declare(&kind, name, &format!("&nd[{place}]"), Means::Node);
            }
        }
    }

    /// A declaration with a first value. A value may not contain the variable's own name, which would mean
    /// the variable itself: another value then takes its place.
    pub(super) fn declare(&mut self, kind: &str, name: &str, value: &str, means: Means) {
        let value = match self_free(value, name) {
            Some(value) => value.to_owned(),
            None if means == Means::Node => "&nd[7]".into(),
            None => "7".into(),
        };
        let star = if kind.ends_with('*') { "" } else { " " };
        self.line(format!("{kind}{star}{name} = {value};"));
        self.names.declare(name, means);
    }

    fn pointer_declaration(&mut self) {
        let near = self.names.with(|means| means == Means::Near);
        let number = self.random.below(self.world.arrays.len());
        let array = &self.world.arrays[number];
        let (Some((at, _)), true) = (near.first().cloned(), self.can_read(array.name)) else {
            return self.sum();
        };
        let name = self.fresh();
        if name == array.name || name == at {
            return self.sum();
        }
        self.touch(array.name);
        let target = array.target();
        let value = match self.random.below(2) {
            0 => format!("&{}[{at}]", array.name),
            _ => format!("{} + {at}", array.name),
        };
        self.line(format!("{target} *{name} = {value};"));
        self.names.declare(name, Means::Pointer(number));
    }

    /// A statement that writes an element of shared memory.
    fn write(&mut self) {
        if !self.rights.alone {
            let Some(own) = self.own_element() else { return self.private_write() };
            return self.write_to(&own.text, own.double);
        }
        self.writes = true;
        match self.random.below(15) {
            14 => self.atomic(),
            0..6 => {
                let number = self.random.below(4);
                let array = &self.world.arrays[number];
                if self.names.hides(array.name) {
                    return self.sum();
                }
                let place = self.place(2);
                let object = format!("{}[{place}]", self.touch(array.name));
                self.write_to(&object, array.element == "double");
            }
            6 => self.write_index(),
            7 if !self.poison.objects.contains(&"flag") => {
                let (place, value) = (self.place(1), self.value(1));
                self.object("flag", &format!("flag[{place}]"), value);
            }
            8 => {
                let (place, value) = (self.place(1), self.value(1));
                let member = self.random.pick(&["v", "k", "f", "t[0]"]);
                self.object("nd", &format!("nd[{place}].{member}"), value);
            }
            9 => {
                let pointed = &self.world.arrays[self.world.pointed];
                if let Some(pointer) = self.pointer(1) {
                    self.write_to(&format!("(*({pointer}))"), pointed.element == "double");
                }
            }
            10 => {
                if let Some(element) = self.matrix_element(1) {
                    self.write_to(&element.text, element.double);
                }
            }
            11 => {
                let (t, e, value) = (self.place(0), self.place(1), self.value(1));
                self.object("dir", &format!("dir[({t}) % THREADS][{e}]"), value);
            }
            12 => {
                let pointers = self.names.with(|means| {
                    matches!(means, Means::Pointer(array) if self.world.arrays[array].role == Role::Data)
                });
                let Some((name, Means::Pointer(array))) = pointers.first().cloned() else {
                    return self.sum();
                };
                let offset = self.random.pick(&[0, 1, -1]);
                let double = self.world.arrays[array].element == "double";
                self.touch(self.world.arrays[array].name);
                self.write_to(&format!("{name}[{offset}]"), double);
            }
            _ => {
                let value = self.value(1);
                self.object("sx", "sx", value);
            }
        }
    }

    /// An atomic operation on an element. A new variable has the value before.
    fn atomic(&mut self) {
        let number = self.random.below(4);
        let array = &self.world.arrays[number];
        let (name, element) = (array.name, array.element);
        if !matches!(element, "int" | "long" | "double") || self.names.hides(name) {
            return self.sum();
        }
        let place = self.place(2);
        let object = format!("{}[{place}]", self.touch(name));
        let (value, old) = (self.value(1), self.fresh());
        if self_free(&object, old).is_none() || self_free(&value.text, old).is_none() {
            return self.sum();
        }
        let double = element == "double";
        let value = if value.double && !double { format!("small({})", value.text) } else { value.text };
        let op =
            self.random.pick(if double { &["ADD", "SET", "MAX"] } else { &["ADD", "XOR", "SET", "MAX"] });
        self.line(format!("{element} {old};"));
        self.line(format!("FETCH({element}, {old}, {op}, {object}, {value})"));
        self.names.declare(old, if double { Means::Double } else { Means::Integer });
    }

    /// Writes an object of integer type, unless its name is hidden.
    fn object(&mut self, name: &'static str, object: &str, value: Value) {
        if self.names.hides(name) {
            return self.sum();
        }
        self.touch(name);
        let operator = self.random.pick(&["=", "=", "+=", "^="]);
        self.assign(object, false, operator, value);
    }

    fn write_to(&mut self, object: &str, double: bool) {
        let depth = self.random.below(3);
        let value = self.value(depth);
        match self.random.below(9) {
            0 | 1 => self.assign(object, double, "+=", value),
            2 if !double => self.line(format!("{object}++;")),
            3 if !double => self.assign(object, double, "^=", value),
            4 if double => self.assign(object, double, &format!("= {object} / 2 +"), value),
            5 => {
                let condition = self.condition();
                let text =
                    if value.double && !double { format!("small({})", value.text) } else { value.text };
                self.line(format!("if ({condition}) {object} = {text};"));
            }
            6 if !double => self.line(format!("{object}--;")),
            7 => self.assign(object, double, "-=", value),
            _ => self.assign(object, double, "=", value),
        }
    }

    /// Writes the number of an element, a bound, a pointer or a divisor.
    fn write_index(&mut self) {
        let object = self.random.pick(&["x", "x", "y", "col", "iv", "up", "row", "pp", "pv", "dv"]);
        if self.names.hides(object) {
            return self.sum();
        }
        self.touch(object);
        let (place, value) = (self.place(1), self.place(1));
        match object {
            "dv" => {
                let value = self.value(1);
                let text = if value.double { "3".into() } else { format!("1 + ({} & 7)", value.text) };
                self.line(format!("dv[{place}] = {text};"));
            }
            "pp" | "pv" => {
                let pointed = self.world.arrays[self.world.pointed].name;
                if !self.names.hides(pointed) {
                    self.touch(pointed);
                    self.line(format!("{object}[{place}] = &{pointed}[{value}];"));
                }
            }
            "up" => {
                if self.can_read("up") {
                    self.line(format!("up[{place}] = up[up[{place}]];"));
                }
            }
            "row" => {
                let near = self.names.with(|means| means == Means::Near);
                if let Some((name, _)) = near.first() {
                    let offset = self.random.pick(&[0, 1, 2]);
                    let bound = self.random.below(3);
                    self.line(format!("row[{name} + {offset}] = {name} + {bound};"));
                }
            }
            _ => self.line(format!("{object}[{place}] = {value};")),
        }
    }

    fn private_write(&mut self) {
        if self.names.hides("u") {
            return self.sum();
        }
        let (place, value) = (self.place(1), self.value(1));
        let double = self.world.arrays[self.world.array("u")].element == "double";
        self.touch("u");
        let operator = self.random.pick(&["=", "=", "+="]);
        self.assign(&format!("u[{place}]"), double, operator, value);
    }

    fn global(&mut self) {
        let (name, value) = (self.random.pick(&["g", "h"]), self.value(1));
        self.object(name, name, value);
    }

    /// Writes the larger or smaller one of an element and a value.
    fn extremum(&mut self) {
        let element = match self.rights.alone {
            true => {
                self.writes = true;
                let array = &self.world.arrays[self.random.below(4)];
                if self.names.hides(array.name) {
                    return self.sum();
                }
                let place = self.place(2);
                Value {
                    text: format!("{}[{place}]", self.touch(array.name)),
                    double: array.element == "double",
                }
            }
            false => match self.own_element() {
                Some(element) => element,
                None => return self.sum(),
            },
        };
        let numbers = self
            .names
            .with(|means| matches!(means, Means::Near | Means::Place | Means::Fixed | Means::Integer));
        let value = match numbers.first() {
            Some((name, _)) => name.clone(),
            None => "9".into(),
        };
        let (object, operator) = (element.text, self.random.pick(&["<", ">", "<=", ">="]));
        match self.random.below(3) {
            0 => self.line(format!("{object} = {value} {operator} {object} ? {value} : {object};")),
            1 => self.line(format!("if ({object} {operator} {value}) {object} = {value};")),
            _ => self.line(format!("if ({value} {operator} {object}) {object} = {value};")),
        }
    }

    /// Two writes at the same number.
    fn pair(&mut self) {
        if !self.rights.alone {
            return self.write();
        }
        self.writes = true;
        let place = self.place(2);
        for name in ["a", "b"] {
            let array = &self.world.arrays[self.world.array(name)];
            if !self.names.hides(name) {
                let value = self.value(1);
                self.touch(array.name);
                self.assign(&format!("{name}[{place}]"), array.element == "double", "=", value);
            }
        }
    }

    /// Copies a struct as a whole.
    fn whole(&mut self) {
        if !self.can_read("nd") {
            return self.sum();
        }
        let (from, name) = (self.place(1), self.fresh());
        if self_free(&from, name).is_none() || name == "nd" {
            return self.sum();
        }
        self.touch("nd");
        self.open("");
        self.line(format!("struct node {name} = nd[{from}];"));
        self.names.declare(name, Means::Other);
        let value = self.value(1);
        self.assign(&format!("{name}.v"), false, "+=", value);
        if self.rights.alone && !self.names.hides("nd") {
            // A node's successor has a higher number, so that there are no rings.
            self.writes = true;
            let to = self.place(1);
            self.line(format!("{name}.q = nd[{to}].q;"));
            self.line(format!("nd[{to}] = {name};"));
        }
        self.touch("h");
        self.line(format!("h = h * 3 + {name}.v + {name}.f;"));
        self.close("");
    }

    /// A pointer that moves forth and back, or the number of an element that changes.
    fn step(&mut self) {
        let pointers = self.names.with(|means| matches!(means, Means::Pointer(_)));
        let places = self.names.with(|means| means == Means::Place);
        if let (Some((name, means)), true) = (pointers.first(), self.random.one_in(2)) {
            let Means::Pointer(array) = *means else { return };
            let array = &self.world.arrays[array];
            if self.names.hides("h")
                || !self.rights.alone && self.rights.targets.iter().any(|t| t.0 == array.name)
            {
                return self.sum();
            }
            self.touch(array.name);
            self.touch("h");
            let value =
                if array.element == "double" { format!("small(*{name}++)") } else { format!("*{name}++") };
            self.line(format!("h = h * 3 + {value};"));
            self.line(format!("{name}--;"));
        } else if let Some((name, _)) = places.first() {
            let place = self.place(2);
            self.line(format!("{name} = {place};"));
        } else {
            self.declaration();
        }
    }

    /// A call that has effects.
    fn effect(&mut self) {
        let gives_place = self.random.one_in(2);
        let Some(call) = self.call(gives_place, true, 1) else { return self.sum() };
        let name = self.fresh();
        if self_free(&call, name).is_none() {
            return self.sum();
        }
        let means = if gives_place { Means::Place } else { Means::Integer };
        self.declare(if gives_place { "int" } else { "long" }, name, &call, means);
    }

    fn branch(&mut self, depth: usize) {
        let condition = self.condition();
        self.open(format!("if ({condition})"));
        let count = 1 + self.random.below(2);
        self.statements(count, depth);
        if self.random.one_in(3) {
            self.close(" else {");
            self.indent += 1;
            self.names.enter();
            self.opened.push(self.lines.len());
            self.statements(1, depth);
        }
        self.close("");
    }

    fn choice(&mut self, depth: usize) {
        let value = self.value(1);
        if value.double {
            return self.branch(depth);
        }
        let leave = self.may_leave;
        self.may_leave = (false, false);
        self.open(format!("switch ((int)({}) & 3)", value.text));
        self.line("case 0:");
        self.open("");
        self.statements(1, depth);
        self.close("");
        let end = self.random.pick(&["break;", ";"]);
        self.line(end);
        self.line("case 1:");
        self.open("");
        self.statements(1, depth);
        self.close("");
        self.line("break;");
        self.line("default:");
        self.open("");
        self.statements(1, depth);
        self.close("");
        self.close("");
        self.may_leave = leave;
    }

    /// A jump out of the iteration, the loop or the function.
    fn leave(&mut self) {
        let condition = self.condition();
        match (self.may_leave, self.returns) {
            (_, Some(gives_place)) if self.random.one_in(2) => {
                let result = self.result(gives_place);
                self.line(format!("if ({condition}) return {result};"));
            }
            ((true, _), _) if !self.random.one_in(3) => self.line(format!("if ({condition}) continue;")),
            ((_, true), _) => self.line(format!("if ({condition}) break;")),
            _ => self.sum(),
        }
    }

    /// The expression that a function returns.
    pub(super) fn result(&mut self, gives_place: bool) -> String {
        if gives_place {
            return self.place(2);
        }
        let value = self.value(2);
        if value.double { format!("small({})", value.text) } else { value.text }
    }
}

/// The text, unless it contains this name.
pub(super) fn self_free<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    (!text.split(|c| !is_word(c)).any(|word| word == name)).then_some(text)
}
