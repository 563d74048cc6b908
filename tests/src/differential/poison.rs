//! Loops whose indices, pointers or divisors hold garbage in some elements:
//!
//! - until the loop itself mends them, an iteration or more ahead;
//! - if the loop does not use them, which a flag or the value itself tells;
//! - or after the iteration in which the loop is left.
//!
//! So if compiled code evaluates such a use earlier than the program does, it faults.

use super::maker::{Maker, Poison};
use super::names::Means;

/// The garbage values of poisoned objects; the first one can be told from a right value.
const POISONS: [(&str, &[&str]); 6] = [
    ("x", &["255", "-0x7ffffff0", "-1", "N * 8000 + 7", "1 << 30"]),
    ("col", &["255", "-0x7ffffff0", "-1", "N * 8000 + 7"]),
    ("iv", &["255", "-0x7ffffff0", "-9", "N * 800000 + 7"]),
    ("dv", &["0"]),
    ("pp", &["0", "nowhere"]),
    ("pv", &["0", "nowhere"]),
];

/// The places in which objects hold garbage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Where {
    /// In all iterations but the first ones, until earlier iterations mend them.
    Ahead,
    /// In elements without a flag. Some are mended, and get one.
    NotFlagged,
    /// In every third element; the value is checked before its use.
    Checked,
    /// From the iteration in which the loop is left on.
    Behind,
}

/// Each as often as it is to be drawn.
const PLACES: [Where; 7] = [
    Where::Ahead,
    Where::Ahead,
    Where::Ahead,
    Where::NotFlagged,
    Where::NotFlagged,
    Where::Checked,
    Where::Behind,
];

impl Maker<'_> {
    /// A loop of one thread, in which some objects hold garbage.
    pub(super) fn poisoned(&mut self, name: &'static str) {
        let (object, garbage) = self.random.pick(&POISONS);
        let pointed = self.world.arrays[self.world.pointed].name;
        if self.hidden(object) || [object, pointed].contains(&name) {
            return self.plain(name);
        }
        let lies = self.random.pick(&PLACES);
        let garbage = if lies == Where::Checked { garbage[0] } else { self.random.pick(garbage) };
        let ahead = self.random.pick(&[1, 1, 2, 3]);
        self.touch(object);
        let value = self.right(object, "z");
        self.begin(object, lies, &value, garbage, ahead);
        let kind = self.random.pick(&["int", "int", "long", "unsigned"]);
        self.names.enter();
        let number = self.names.declare(name, Means::Near);
        let good = matches!(lies, Where::Ahead | Where::Behind);
        self.poison = Poison { objects: vec![object], counter: Some(number), good };
        if matches!(lies, Where::NotFlagged | Where::Behind) {
            self.poison.objects.push("flag");
        }
        let mended = self.right(object, &format!("{name} + {ahead}"));
        let mend = match self.random.below(5) {
            0 => format!("*({object} + {name} + {ahead}) = {mended};"),
            1 => format!("(&{object}[{name}])[{ahead}] = {mended};"),
            _ => format!("{object}[{name} + {ahead}] = {mended};"),
        };
        let mends = matches!(lies, Where::Ahead | Where::NotFlagged);
        let by_step = lies == Where::Ahead && self.random.one_in(6);
        let first = if by_step { format!("{}, ", mend.trim_end_matches(';')) } else { String::new() };
        let in_head = lies == Where::Behind && self.random.one_in(2);
        let goes_on = if in_head { format!(" && flag[{name}]") } else { String::new() };
        self.open(format!("for ({kind} {name} = 4; {name} < N * THREADS - 4{goes_on}; {first}{name}++)"));
        if lies == Where::Behind && !in_head {
            self.line(format!("if (!flag[{name}]) break;"));
        }
        self.loops = 1;
        self.may_leave = (by_step || !mends, true);
        let early = mends && !by_step && self.random.one_in(3);
        if early {
            self.mend(&mend, name, ahead, lies);
        }
        let count = 1 + self.random.below(2);
        self.uses(count, object, lies, number);
        if mends && !early && !by_step {
            self.may_leave = (false, false);
            match self.names.of_number(number) {
                Some(_) if !self.hidden(object) => self.mend(&mend, name, ahead, lies),
                _ => self.line("break;"),
            }
        } else {
            self.may_leave = (true, true);
            self.uses(1, object, lies, number);
        }
        self.loops = 0;
        self.may_leave = (false, false);
        self.close("");
        self.names.leave();
        self.poison = Poison::default();
        self.line(format!("for (int z = 0; z < N * THREADS; z++) {object}[z] = {value};"));
    }

    /// A right value for the element of an object with this number.
    fn right(&mut self, object: &str, at: &str) -> String {
        match object {
            "dv" => format!("1 + ({at}) % 7"),
            "pp" | "pv" => {
                let pointed = self.world.arrays[self.world.pointed].name;
                self.touch(pointed);
                format!("&{pointed}[({at}) * 3 % (N * THREADS)]")
            }
            _ => format!("({at}) * {} % (N * THREADS)", self.random.pick(&[1, 3, 7])),
        }
    }

    /// Gives an object its first values.
    fn begin(&mut self, object: &str, lies: Where, value: &str, garbage: &str, ahead: usize) {
        let last = 5 + self.random.below(12);
        let right = match lies {
            Where::Ahead => format!("z < {}", 4 + ahead),
            Where::NotFlagged | Where::Checked => "z % 3".into(),
            Where::Behind => format!("z < {last}"),
        };
        self.open("for (int z = 0; z < N * THREADS; z++)");
        self.line(format!("{object}[z] = {right} ? {value} : {garbage};"));
        if matches!(lies, Where::NotFlagged | Where::Behind) {
            self.line(format!("flag[z] = ({right}) != 0;"));
        }
        self.close("");
    }

    fn hidden(&self, object: &str) -> bool {
        let pointed = self.world.arrays[self.world.pointed].name;
        self.names.hides(object) || self.names.hides(pointed) || self.names.hides("flag")
    }

    /// Mends the element that an iteration ahead uses.
    fn mend(&mut self, mend: &str, name: &str, ahead: usize, lies: Where) {
        if lies == Where::NotFlagged {
            let condition = self.random.pick(&["& 1", "% 3 == 1", "% 5 != 2"]);
            self.open(format!("if ({name} {condition})"));
            self.line(mend);
            self.line(format!("flag[{name} + {ahead}] = 1;"));
            self.close("");
        } else {
            self.line(mend);
        }
    }

    /// Statements, some of which use the right values of `object`.
    fn uses(&mut self, count: usize, object: &'static str, lies: Where, number: usize) {
        for _ in 0..count {
            let guard = match (self.names.of_number(number), lies) {
                (Some(name), Where::NotFlagged) if !self.names.hides("flag") => format!("flag[{name}]"),
                (Some(name), Where::Checked) if !self.hidden(object) => match object {
                    "dv" | "pp" | "pv" => format!("{object}[{name}]"),
                    _ => format!("{object}[{name}] < N * THREADS && {object}[{name}] >= 0"),
                },
                _ => {
                    self.statements(1, 2);
                    continue;
                }
            };
            self.open(format!("if ({guard})"));
            self.poison.good = true;
            self.statements(1, 2);
            self.poison.good = false;
            self.close("");
        }
    }
}
