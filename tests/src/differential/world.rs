//! The objects of a file of loops, their first values, and the sum of all their values after each case.

use crate::random::Random;
use std::fmt::Write;

/// Elements of a data array.
pub const DATA_TYPES: [&str; 9] =
    ["int", "int", "unsigned", "long", "short", "signed char", "unsigned char", "double", "unsigned long"];
/// Elements that serve as indices.
const INDEX_TYPES: [&str; 6] = ["int", "int", "long", "unsigned", "short", "unsigned char"];
const LAYOUTS: [&str; 11] = ["", "", "", "[1]", "[2]", "[3]", "[5]", "[N]", "[*]", "[]", "[N]"];
const ROW_LAYOUTS: [&str; 6] = ["[C]", "[C]", "[R * C]", "[2 * C]", "[]", ""];
/// The use of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Any values.
    Data,
    /// Numbers of elements.
    Index,
    /// Element i is at most i.
    Parent,
    /// Bounds of the rows of a graph, in `col`.
    Row,
    /// Any values, private.
    Private,
    /// Numbers of elements, private.
    PrivateIndex,
    /// Bounds of rows, private.
    PrivateRow,
}

/// An array of N elements for each thread.
#[derive(Clone, Debug)]
pub struct Array {
    /// The name.
    pub name: &'static str,
    /// The use.
    pub role: Role,
    /// The type of the elements.
    pub element: &'static str,
    /// The layout as written.
    pub layout: &'static str,
    /// Allocated at start, and named by a pointer.
    pub heap: bool,
    strict: bool,
}

impl Array {
    /// Whether the array is shared.
    pub fn is_shared(&self) -> bool {
        !matches!(self.role, Role::Private | Role::PrivateIndex | Role::PrivateRow)
    }

    /// The type of an element as the target of a pointer.
    pub fn target(&self) -> String {
        let layout = if self.layout == "[*]" { "[N]" } else { self.layout };
        let strict = if self.strict { "strict " } else { "" };
        let shared = if self.is_shared() { format!("{strict}shared {layout} ") } else { String::new() };
        shared.replace("  ", " ") + self.element
    }

    /// A condition of the model: element `index` has affinity to the thread.
    pub fn owned(&self, index: &str) -> String {
        match self.layout {
            "[]" => "MYTHREAD == 0".into(),
            "" | "[1]" => format!("({index}) % THREADS == MYTHREAD"),
            "[*]" | "[N]" => format!("({index}) / N % THREADS == MYTHREAD"),
            block => {
                format!("({index}) / {} % THREADS == MYTHREAD", block.trim_matches(['[', ']']))
            }
        }
    }

    fn declaration(&self) -> String {
        let (target, name) = (self.target(), self.name);
        let length = if self.layout == "[]" || !self.is_shared() { "N * MAX" } else { "N * DIM" };
        match (self.is_shared(), self.heap) {
            (false, _) => format!("static {target} {name}[{length}];\n"),
            (true, true) => format!("static {target} *{name};\n"),
            _ if self.layout == "[*]" => {
                format!("{} {name}[{length}];\n", target.replace("shared [N]", "shared [*]"))
            }
            _ => format!("{target} {name}[{length}];\n"),
        }
    }
}

/// A matrix of R rows for each thread, and C columns.
#[derive(Clone, Debug)]
pub struct Matrix {
    /// The name.
    pub name: &'static str,
    /// The type of the elements.
    pub element: &'static str,
    layout: &'static str,
}

impl Matrix {
    /// A condition of the model: the first element of row `index` has affinity to the thread.
    pub fn owned(&self, index: &str) -> String {
        match self.layout {
            "[]" => "MYTHREAD == 0".into(),
            "" => format!("({index}) * C % THREADS == MYTHREAD"),
            block => format!("({index}) * C / ({}) % THREADS == MYTHREAD", block.trim_matches(['[', ']'])),
        }
    }
}

/// The objects of a file.
#[derive(Clone, Debug)]
pub struct World {
    /// Arrays, shared ones first.
    pub arrays: Vec<Array>,
    /// Matrices.
    pub matrices: Vec<Matrix>,
    /// Layout of the array of structs.
    pub nodes: &'static str,
    /// The data array that pointers in shared and private memory point to.
    pub pointed: usize,
    n: usize,
    rows: usize,
    columns: usize,
}

impl World {
    /// Draws the objects of a file.
    pub fn new(random: &mut Random) -> World {
        let mut arrays = Vec::new();
        let n = random.pick(&[20, 24, 35]);
        let mut add = |name, role, random: &mut Random| {
            let element = match role {
                Role::Data | Role::Private => random.pick(&DATA_TYPES),
                Role::Index | Role::PrivateIndex | Role::Parent => random.pick(&INDEX_TYPES),
                Role::Row | Role::PrivateRow => random.pick(&["int", "int", "long", "unsigned", "short"]),
            };
            let shared = !matches!(role, Role::Private | Role::PrivateIndex | Role::PrivateRow);
            let layout = if shared { random.pick(&LAYOUTS) } else { "" };
            let heap = shared && !matches!(layout, "[]" | "[*]") && random.one_in(6);
            let strict = role == Role::Data && random.one_in(40);
            arrays.push(Array { name, role, element, layout, heap, strict });
        };
        for name in ["a", "b", "c", "d"] {
            add(name, Role::Data, random);
        }
        for name in ["x", "y", "col"] {
            add(name, Role::Index, random);
        }
        add("up", Role::Parent, random);
        add("row", Role::Row, random);
        add("u", Role::Private, random);
        add("iv", Role::PrivateIndex, random);
        add("pr", Role::PrivateRow, random);
        let matrix = |name, random: &mut Random| Matrix {
            name,
            element: random.pick(&DATA_TYPES),
            layout: random.pick(&ROW_LAYOUTS),
        };
        let (first, mut second) = (matrix("m", random), matrix("o", random));
        if !random.one_in(3) {
            second.layout = first.layout;
        }
        World {
            arrays,
            matrices: vec![first, second],
            nodes: random.pick(&["", "", "[2]", "[N]", "[]"]),
            pointed: random.below(4),
            n,
            rows: random.pick(&[2, 3, 5]),
            // A counter along a row is the number of an element of the arrays too, even with one thread.
            columns: random.pick(&[5, 9, n - 2]),
        }
    }

    /// The objects for templates: integers only, and no pointers to the first array, which templates write.
    pub fn of_templates(random: &mut Random) -> World {
        let mut world = World::new(random);
        let elements = world.arrays.iter_mut().map(|array| &mut array.element);
        for element in elements.chain(world.matrices.iter_mut().map(|matrix| &mut matrix.element)) {
            if *element == "double" {
                *element = "long";
            }
        }
        world.pointed = 1 + random.below(3);
        // Nests in loops over all elements walk whole matrices.
        (world.n, world.rows, world.columns) = (20, 2, random.pick(&[5, 9]));
        world
    }

    /// The index of an array.
    pub fn array(&self, name: &str) -> usize {
        self.arrays.iter().position(|array| array.name == name).unwrap_or(0)
    }

    /// The names of the private objects, of which the model keeps a copy for each thread.
    pub const PRIVATE: [&str; 8] = ["u", "iv", "pr", "pv", "list", "g", "h", "digest"];

    /// Declarations of all objects, and the functions that all cases use, as UPC.
    pub fn text(&self) -> String {
        let mut text = format!("#define N {}\n#define R {}\n#define C {}\n", self.n, self.rows, self.columns);
        text += "#define MAX 8\n";
        for array in &self.arrays {
            text += &array.declaration();
        }
        let target = self.arrays[self.pointed].target();
        for matrix in &self.matrices {
            let Matrix { name, element, layout } = matrix;
            let rows = if *layout == "[]" { "R * MAX" } else { "R * DIM" };
            let _ = writeln!(text, "shared {layout} {element} {name}[{rows}][C];");
        }
        let nodes = self.nodes;
        let length = if nodes == "[]" { "N * MAX" } else { "N * DIM" };
        let _ = write!(
            text,
            "struct node {{ long v; short k; unsigned f : 5; char t[3]; shared {nodes} struct node *q; }};\n\
             shared {nodes} struct node nd[{length}];\n\
             typedef {target} *ptr;\n\
             shared ptr pp[N * DIM];\n\
             shared int dv[N * DIM], flag[N * DIM];\n\
             static ptr pv[N * MAX];\n\
             typedef shared [] long *part;\n\
             shared part dir[DIM];\n\
             shared long sx;\n\
             static int g, list[N * MAX];\n\
             static long h;\n\
             static unsigned long digest;\n\
             shared unsigned long sums[DIM];\n\
             static ptr nowhere;\n"
        );
        text += FUNCTIONS;
        text += &self.fill();
        text += &self.hash();
        text
    }

    /// Allocations at start.
    pub fn setup(&self) -> String {
        let mut text = String::new();
        for array in self.arrays.iter().filter(|array| array.heap) {
            let block = match array.layout {
                "" => "1",
                block => block.trim_matches(['[', ']']),
            };
            let (name, target, element) = (array.name, array.target(), array.element);
            let _ = writeln!(
                text,
                "    {name} = ({target} *)ALLOC(N * THREADS / ({block}) + 1, ({block}) * sizeof({element}));"
            );
        }
        text
    }

    /// The function that gives all objects their first values of a case.
    fn fill(&self) -> String {
        let mut body = String::new();
        for (number, array) in self.arrays.iter().enumerate() {
            let name = array.name;
            let value = match array.role {
                Role::Data | Role::Private if array.element == "double" => {
                    format!("some(k + {number}, e) % 1000")
                }
                Role::Data | Role::Private => format!("({}) some(k + {number}, e)", array.element),
                Role::Index | Role::PrivateIndex => format!("some(k + {number}, e) % n"),
                Role::Parent => "e < 3 ? e : (e - 1 - some(k, e) % 3)".into(),
                Role::Row | Role::PrivateRow => "(e * 2 + some(k, e) % 3) % n".into(),
            };
            let value = if array.is_shared() { value } else { value.replace("(k", "(k + MYTHREAD * 5") };
            let head = match array.is_shared() {
                true => format!("upc_forall (int e = 0; e < n; e++; &{name}[e]) /*= 1 */"),
                false => "for (int e = 0; e < n; e++)".into(),
            };
            let _ = write!(body, "    {head}\n        {name}[e] = {value};\n");
        }
        for (number, matrix) in self.matrices.iter().enumerate() {
            let Matrix { name, element, .. } = matrix;
            let most = if *element == "double" { " % 1000" } else { "" };
            let _ = write!(
                body,
                "    upc_forall (int e = 0; e < R * THREADS; e++; e) /*= 1 */\n        for (int j = 0; j < C; j++)\n            \
                 {name}[e][j] = ({element}) (some(k + {number} + 20, e * C + j){most});\n"
            );
        }
        let pointed = self.arrays[self.pointed].name;
        format!(
            "static void fill(int k, int n) {{\n{body}    upc_forall (int e = 0; e < n; e++; &nd[e]) /*= 1 */ {{\n        \
             nd[e].v = some(k + 31, e);\n        nd[e].k = (short) some(k + 32, e);\n        \
             nd[e].f = e;\n        nd[e].t[1] = 3;\n        \
             nd[e].q = e + 5 < n && e % 7 ? &nd[e + 1 + some(k, e) % 4] : 0;\n    }}\n    \
             upc_forall (int e = 0; e < n; e++; e) /*= 1 */ {{\n        \
             pp[e] = &{pointed}[some(k + 33, e) % n];\n        dv[e] = 1 + some(k + 34, e) % 9;\n        \
             flag[e] = some(k + 35, e) % 4;\n    }}\n    for (int e = 0; e < n; e++) {{\n        \
             pv[e] = &{pointed}[some(k + 36 + MYTHREAD, e) % n];\n        list[e] = 0;\n    }}\n    \
             for (int e = 0; e < n; e++)\n        dir[MYTHREAD][e] = some(k + 37 + MYTHREAD, e);\n    \
             if (MYTHREAD == 0)\n        sx = k;\n    g = k % 5 + MYTHREAD;\n    h = k * 3 - MYTHREAD;\n    \
             digest = 0;\n}}\n"
        )
    }

    /// The function that adds up all values.
    fn hash(&self) -> String {
        let mut body = String::new();
        for (number, array) in self.arrays.iter().enumerate() {
            let name = array.name;
            let (head, salt) = match array.is_shared() {
                true => (format!("upc_forall (int e = 0; e < n; e++; &{name}[e]) /*= MYTHREAD == 0 */"), ""),
                false => ("for (int e = 0; e < n; e++)".into(), " + MYTHREAD * 1000"),
            };
            let bits = if array.element == "double" { "bits" } else { "" };
            let _ = write!(
                body,
                "    {head}\n        s += mix({number}00000 + e{salt}, (unsigned long){bits}({name}[e]));\n"
            );
        }
        for (number, matrix) in self.matrices.iter().enumerate() {
            let Matrix { name, element, .. } = matrix;
            let bits = if *element == "double" { "bits" } else { "" };
            let _ = write!(
                body,
                "    upc_forall (int e = 0; e < R * THREADS; e++; &{name}[e][0]) /*= MYTHREAD == 0 */\n        \
                 for (int j = 0; j < C; j++)\n            \
                 s += mix(3{number}00000 + e * C + j, (unsigned long){bits}({name}[e][j]));\n"
            );
        }
        format!(
            "static unsigned long hash(int n) {{\n    unsigned long s = 0;\n{body}    \
             upc_forall (int e = 0; e < n; e++; &nd[e]) /*= MYTHREAD == 0 */\n        \
             s += mix(5000000 + e, nd[e].v * 31 + nd[e].k * 7 + nd[e].f * 3 + nd[e].t[1]);\n    \
             for (int e = 0; e < n; e++)\n        s += mix(6000000 + e + MYTHREAD * 1000, dir[MYTHREAD][e]);\n    \
             if (MYTHREAD == 0)\n        s += sx;\n    \
             return s + mix(7000000 + MYTHREAD, g + h * 3 + digest * 7);\n}}\n"
        )
    }
}

/// Functions without shared accesses: random numbers, and sums of values.
const FUNCTIONS: &str = "
static unsigned some(unsigned k, unsigned e) {
    unsigned z = (k * 40503u + e * 2654435761u) ^ 0x5bd1e995u;
    z = (z ^ z >> 15) * 0x2c1b3c6du;
    z = (z ^ z >> 12) * 0x297a2d39u;
    return z >> 9;
}
static unsigned long mix(unsigned long e, unsigned long v) {
    v = (v ^ (e + 1) * 0x9e3779b97f4a7c15UL) * 0xbf58476d1ce4e5b9UL;
    v = (v ^ v >> 27) * 0x94d049bb133111ebUL;
    return v ^ v >> 31;
}
static unsigned long bits(double v) {
    unsigned long b = 0;
    if (v == v && v != 0)
        memcpy(&b, &v, sizeof b);
    return b;
}
static void put(double v) { digest = mix(digest, bits(v)); }
static int twice(int v) { return 2 * v; }
static int small(double v) { return v > -50 && v < 50 ? (v < 0 ? -v : v) : 1; }
";
