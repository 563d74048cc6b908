//! Expressions of random loops: numbers of elements, elements, values. None has undefined behaviour: numbers
//! of elements are in range, divisors are not 0, dereferenced pointers are valid.

use super::names::{Means, Names};
use super::world::World;
use crate::random::Random;
use std::collections::BTreeSet;

/// A value and whether it is floating.
#[derive(Clone, Debug)]
pub struct Value {
    /// The text.
    pub text: String,
    /// Whether its type is double.
    pub double: bool,
}

impl Value {
    pub(super) fn integer(text: impl Into<String>) -> Value {
        Value { text: text.into(), double: false }
    }
}

/// The accesses that a thread may make without races.
#[derive(Clone, Debug, Default)]
pub struct Rights {
    /// No other thread accesses anything.
    pub alone: bool,
    /// Objects that iterations write, at their own number plus this offset.
    pub targets: Vec<(&'static str, i32)>,
    /// The number (of a name) of the variable of the iteration.
    pub own: Option<usize>,
}

/// Objects that hold garbage, except at numbers at which the loop has mended them.
#[derive(Clone, Debug, Default)]
pub struct Poison {
    /// Names of the objects.
    pub objects: Vec<&'static str>,
    /// The number of the name of the loop's variable.
    pub counter: Option<usize>,
    /// At the loop's variable they hold right values here.
    pub good: bool,
}

/// A function of the file.
#[derive(Clone, Debug)]
pub struct Function {
    /// The name.
    pub name: String,
    /// The result is the number of an element.
    pub gives_place: bool,
    /// The parameter is a pointer in place of a number.
    pub takes_pointer: bool,
    /// Objects of the file that the function accesses.
    pub touched: BTreeSet<&'static str>,
    /// The function writes shared memory.
    pub writes: bool,
    /// The function writes objects of the file.
    pub effects: bool,
}

/// Makes the text of a file, a line for each statement.
pub struct Maker<'w> {
    pub(super) random: Random,
    pub(super) world: &'w World,
    pub(super) names: Names,
    pub(super) lines: Vec<String>,
    pub(super) indent: usize,
    /// The lines after those that have opened blocks.
    pub(super) opened: Vec<usize>,
    pub(super) rights: Rights,
    pub(super) poison: Poison,
    pub(super) functions: Vec<Function>,
    pub(super) touched: BTreeSet<&'static str>,
    pub(super) writes: bool,
    /// Loops around the statement, within the case.
    pub(super) loops: usize,
    /// Whether `continue` and `break` may stand here.
    pub(super) may_leave: (bool, bool),
    /// In a function: whether its result is the number of an element.
    pub(super) returns: Option<bool>,
}

impl<'w> Maker<'w> {
    /// A maker for a file with the objects of `world`.
    pub fn new(random: Random, world: &'w World) -> Maker<'w> {
        Maker {
            random,
            world,
            names: Names::default(),
            lines: Vec::new(),
            indent: 1,
            opened: Vec::new(),
            rights: Rights::default(),
            poison: Poison::default(),
            functions: Vec::new(),
            touched: BTreeSet::new(),
            writes: false,
            loops: 0,
            may_leave: (false, false),
            returns: None,
        }
    }

    /// Whether an object of the file can be read anywhere here.
    pub(super) fn can_read(&self, name: &'static str) -> bool {
        !self.names.hides(name)
            && !self.poison.objects.contains(&name)
            && (self.rights.alone || self.rights.targets.iter().all(|target| target.0 != name))
    }

    pub(super) fn touch(&mut self, name: &'static str) -> &'static str {
        self.touched.insert(name);
        name
    }

    /// The number of elements, in a form that can be written here.
    pub(super) fn length(&mut self) -> String {
        let names = self.names.with(|means| means == Means::Length);
        match names.first() {
            Some((name, _)) if !self.random.one_in(4) => name.clone(),
            _ => "(N * THREADS)".into(),
        }
    }

    fn offset(&mut self) -> i32 {
        self.random.pick(&[0, 0, 0, 1, 1, -1, 2, -3, 3])
    }

    /// A sum with a constant, in one of its spellings.
    pub(super) fn plus(&mut self, name: &str, offset: i32) -> String {
        match (offset, self.random.below(4)) {
            (0, _) => name.into(),
            (_, 0) if offset > 0 => format!("{offset} + {name}"),
            _ if offset < 0 => format!("{name} - {}", -offset),
            _ => format!("{name} + {offset}"),
        }
    }

    /// The loop's variable, at which poisoned objects are right.
    pub(super) fn good(&self) -> Option<String> {
        let name = self.names.of_number(self.poison.counter?)?;
        self.poison.good.then_some(name)
    }

    /// The number of an element.
    pub fn place(&mut self, depth: usize) -> String {
        let near = self.names.with(|means| means == Means::Near);
        let places = self.names.with(|means| matches!(means, Means::Place | Means::Fixed));
        if let Some(name) = self.good().filter(|_| self.random.one_in(2)) {
            let objects = self.poison.objects.clone();
            let of: Vec<_> = objects.iter().filter(|o| matches!(**o, "x" | "y" | "col" | "iv")).collect();
            if let Some(object) = of.first().filter(|object| !self.names.hides(object)) {
                return format!("{}[{name}]", self.touch(object));
            }
        }
        match self.random.below(12) {
            0..4 if !near.is_empty() => {
                let (name, _) = &near[self.random.below(near.len())];
                let offset = self.offset();
                self.plus(name, offset)
            }
            4..6 if !places.is_empty() => places[self.random.below(places.len())].0.clone(),
            6..9 if depth > 0 => self.indirect(depth - 1),
            9 if depth > 0 => self.place_of_function(depth - 1),
            10 => {
                let value = self.value(depth.min(1));
                let length = self.length();
                let cast = if value.double { "(int)small" } else { "(unsigned)" };
                format!("{cast}({}) % {length}", value.text)
            }
            11 if !near.is_empty() => {
                let (name, length) = (near[0].0.clone(), self.length());
                format!("({name} * {} + {}) % {length}", self.random.pick(&[3, 7, 11]), self.random.below(9))
            }
            _ if !near.is_empty() => near[self.random.below(near.len())].0.clone(),
            _ if !places.is_empty() => places[self.random.below(places.len())].0.clone(),
            _ => self.random.below(16).to_string(),
        }
    }

    /// The number of an element, read from memory.
    fn indirect(&mut self, depth: usize) -> String {
        let object = self.random.pick(&["x", "x", "y", "col", "up", "iv", "row"]);
        if !self.can_read(object) {
            return self.place(0);
        }
        let place = self.place(depth);
        format!("{}[{place}]", self.touch(object))
    }

    fn place_of_function(&mut self, depth: usize) -> String {
        match self.call(true, false, depth) {
            Some(call) => call,
            None => self.indirect(depth),
        }
    }

    /// A call of a function of the file that may be called here. A function with effects is called in a
    /// statement of its own, because the order of evaluation is undefined.
    pub(super) fn call(&mut self, gives_place: bool, effects: bool, depth: usize) -> Option<String> {
        let allowed = |function: &&Function| {
            let alike = function.gives_place == gives_place && function.effects == effects;
            let fits = alike && !self.names.hides(&function.name);
            let accesses = function.touched.iter().all(|name| {
                !self.poison.objects.contains(name)
                    && (self.rights.alone || self.rights.targets.iter().all(|target| target.0 != *name))
            });
            fits && accesses && (self.rights.alone || !function.writes) && self.returns.is_none()
        };
        let candidates: Vec<_> = self.functions.iter().filter(allowed).cloned().collect();
        if candidates.is_empty() {
            return None;
        }
        let function = candidates[self.random.below(candidates.len())].clone();
        self.writes |= function.writes;
        let argument = match function.takes_pointer {
            true => self.pointer(depth)?,
            false => self.place(depth.min(1)),
        };
        Some(format!("{}({argument})", function.name))
    }

    /// A pointer to an element of the array that pointers point to.
    pub(super) fn pointer(&mut self, depth: usize) -> Option<String> {
        let pointed = &self.world.arrays[self.world.pointed];
        if !self.rights.alone && self.rights.targets.iter().any(|target| target.0 == pointed.name) {
            return None;
        }
        let name = pointed.name;
        if let Some(counter) = self.good().filter(|_| self.random.one_in(2)) {
            let objects = self.poison.objects.clone();
            let of: Vec<_> = objects.iter().filter(|o| matches!(**o, "pp" | "pv")).collect();
            if let Some(object) = of.first().filter(|object| !self.names.hides(object)) {
                return Some(format!("{}[{counter}]", self.touch(object)));
            }
        }
        let object = self.random.pick(&["pp", "pp", "pv"]);
        if self.random.one_in(2) && self.can_read(object) {
            let place = self.place(depth);
            self.touch(name);
            return Some(format!("{}[{place}]", self.touch(object)));
        }
        if self.names.hides(name) {
            return None;
        }
        let place = self.place(depth);
        self.touch(name);
        Some(if self.random.one_in(2) { format!("&{name}[{place}]") } else { format!("{name} + {place}") })
    }

    /// An element that the loop writes, at the iteration's own number.
    pub(super) fn own_element(&mut self) -> Option<Value> {
        let own = self.names.of_number(self.rights.own?)?;
        let targets = self.rights.targets.clone();
        let (name, offset) = *targets.get(self.random.below(targets.len().max(1)))?;
        if self.names.hides(name) {
            return None;
        }
        self.touch(name);
        let at = self.plus(&own, offset);
        if let Some(matrix) = self.world.matrices.iter().find(|matrix| matrix.name == name) {
            let column = self.place(0);
            let text = format!("{name}[{own}][({column}) % C]");
            return Some(Value { text, double: matrix.element == "double" });
        }
        if name == "nd" {
            return Some(Value::integer(format!("nd[{at}].{}", self.random.pick(&["v", "k", "f", "t[2]"]))));
        }
        let double = self.world.arrays.iter().any(|array| array.name == name && array.element == "double");
        let text = match self.random.below(6) {
            0 => format!("(*({name} + ({at})))"),
            1 => format!("(&{name}[{own}])[{offset}]"),
            _ => format!("{name}[{at}]"),
        };
        Some(Value { text, double })
    }

    /// An element, or a member of one, that can be read here.
    pub fn element(&mut self, depth: usize) -> Value {
        for _ in 0..8 {
            if let Some(element) = self.try_element(depth) {
                return element;
            }
        }
        Value::integer("3")
    }

    fn try_element(&mut self, depth: usize) -> Option<Value> {
        match self.random.below(17) {
            0..7 => self.array_element(depth),
            7 | 8 => self.by_pointer(depth),
            9 => self.member(depth),
            10 => self.matrix_element(depth),
            11 if self.can_read("dir") => {
                let [t, e] = [self.place(0), self.place(depth)];
                self.touch("dir");
                Some(Value::integer(format!("dir[({t}) % THREADS][{e}]")))
            }
            12 if self.can_read("flag") => {
                let place = self.place(depth);
                Some(Value::integer(format!("{}[{place}]", self.touch("flag"))))
            }
            13 if self.can_read("sx") => Some(Value::integer(self.touch("sx"))),
            14 => self.own_element(),
            15 if !self.names.hides("g") => Some(Value::integer(self.touch("g"))),
            _ => self.array_element(depth),
        }
    }

    fn array_element(&mut self, depth: usize) -> Option<Value> {
        let array = &self.world.arrays[self.random.below(self.world.arrays.len())];
        if !self.can_read(array.name) {
            return None;
        }
        let place = self.place(depth);
        let name = self.touch(array.name);
        let text = match self.random.below(9) {
            0 => format!("(*({name} + ({place})))"),
            1 => format!("(&{name}[{place}])[0]"),
            _ => format!("{name}[{place}]"),
        };
        Some(Value { text, double: array.element == "double" })
    }

    fn by_pointer(&mut self, depth: usize) -> Option<Value> {
        let pointers = self.names.with(|means| matches!(means, Means::Pointer(_)));
        if let (false, false) = (pointers.is_empty(), self.random.one_in(4)) {
            let (name, means) = pointers[self.random.below(pointers.len())].clone();
            let Means::Pointer(array) = means else { return None };
            let array = &self.world.arrays[array];
            if !self.rights.alone && self.rights.targets.iter().any(|target| target.0 == array.name) {
                return None;
            }
            self.touch(array.name);
            let offset = self.offset();
            let text = if offset == 0 { format!("*{name}") } else { format!("{name}[{offset}]") };
            return Some(Value { text, double: array.element == "double" });
        }
        let pointer = self.pointer(depth)?;
        let double = self.world.arrays[self.world.pointed].element == "double";
        Some(Value { text: format!("*({pointer})"), double })
    }

    fn member(&mut self, depth: usize) -> Option<Value> {
        if !self.rights.alone && self.rights.targets.iter().any(|target| target.0 == "nd") {
            return None;
        }
        let member = self.random.pick(&["v", "k", "f", "t[1]"]);
        let nodes = self.names.with(|means| means == Means::Node);
        self.touch("nd");
        if let (Some((name, _)), true) = (nodes.first(), self.random.one_in(2)) {
            return Some(Value::integer(format!("{name}->{member}")));
        }
        if self.names.hides("nd") {
            return None;
        }
        Some(Value::integer(format!("nd[{}].{member}", self.place(depth))))
    }

    /// An element at a row and a column of a matrix.
    pub(super) fn matrix_element(&mut self, depth: usize) -> Option<Value> {
        let matrix = &self.world.matrices[self.random.below(self.world.matrices.len())];
        if !self.can_read(matrix.name) {
            return None;
        }
        let [row, column] = [self.place(depth), self.place(0)];
        let name = self.touch(matrix.name);
        let column = self.random.pick(&["2", "0", "#", "#"]).replace('#', &format!("({column}) % C"));
        let text = format!("{name}[({row}) % (R * THREADS)][{column}]");
        Some(Value { text, double: matrix.element == "double" })
    }

    /// Any value.
    pub fn value(&mut self, depth: usize) -> Value {
        if depth == 0 {
            let numbers =
                self.names.with(|means| !matches!(means, Means::Pointer(_) | Means::Node | Means::Other));
            return match self.random.below(8) {
                0..3 if !numbers.is_empty() => {
                    let (text, means) = numbers[self.random.below(numbers.len())].clone();
                    Value { text, double: means == Means::Double }
                }
                3 => Value::integer(self.random.below(20).to_string()),
                4 => self.quotient(),
                _ => self.element(1),
            };
        }
        let (x, y) = (self.value(depth - 1), self.value(depth - 1));
        let double = x.double || y.double;
        let (x, y) = (x.text, y.text);
        let text = match self.random.below(12) {
            0 => format!("({x} > {y} ? {x} : {y})"),
            1 => format!("({x} > {y} ? {y} : 2)"),
            2 if !double => format!("({x} ^ {y})"),
            3 if !double => format!("({x} & 7) * ({y})"),
            4 => return Value::integer(format!("({x} < {y})")),
            5 => return Value::integer(format!("({x} && {y})")),
            6 if !double => format!("twice({x})"),
            7 if !double => format!("({x}) % 13"),
            8 => match self.call(false, false, depth - 1) {
                Some(call) => return Value::integer(call),
                None => format!("({x} - {y})"),
            },
            9 if double => format!("({x} / 4 + {y} / 2)"),
            10 => format!("({y} - {x})"),
            _ => format!("({x} + {y})"),
        };
        Value { text, double }
    }

    /// A quotient whose divisor is read from memory.
    fn quotient(&mut self) -> Value {
        let counter = self.good().filter(|_| self.poison.objects.contains(&"dv") && !self.names.hides("dv"));
        let at = match counter {
            Some(counter) => counter,
            None if self.can_read("dv") => self.place(0),
            None => return Value::integer("5"),
        };
        let operator = self.random.pick(&["/", "%"]);
        Value::integer(format!(
            "{} {operator} {}[{at}]",
            self.random.pick(&["100", "77", "1000"]),
            self.touch("dv")
        ))
    }

    /// A condition.
    pub fn condition(&mut self) -> String {
        let depth = self.random.below(2);
        let value = self.value(depth);
        let operator = self.random.pick(&["< 7", "> 3", "!= 0", "% 3", "& 1", "% 5 != 2"]);
        match (value.double, self.random.below(6)) {
            (true, _) => format!("{} > 2", value.text),
            (_, 0) => format!("{} < {}", value.text, self.value(0).text),
            (_, 1) => {
                let other = self.value(0);
                let joint = self.random.pick(&["&&", "||"]);
                format!("({} {operator}) {joint} {} > 4", value.text, other.text)
            }
            _ => format!("({}) {operator}", value.text),
        }
    }
}
