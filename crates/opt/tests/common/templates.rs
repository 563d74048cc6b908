//! Templates of loops: heads, statements before an inner loop or body, and inner loops or bodies. Each
//! combination is a function of a program. Names are few, so that inner ones hide outer ones.

/// The objects of all loops. `v`, `k` and `n` are objects of the file too: a name that is moved out of its
/// scope then means another object, which no compiler refuses.
const FILE: &str = "\
struct pair { int first, second; };
struct node { int key, value; shared struct node *next; };
shared int a[64 * THREADS], b[64 * THREADS], c[64 * THREADS], parent[64 * THREADS], row[65 * THREADS];
shared [4] int blocks[64 * THREADS];
shared [3] int m[16 * THREADS][3];
shared [] int *list;
shared struct pair pairs[64 * THREADS];
shared struct node *shared bucket[64 * THREADS];
shared double x[64 * THREADS], y[64 * THREADS];
int pk[256], v, k, n;
static int find(int x) { while (parent[x] != x) x = parent[x]; return x; }
static int twice(int x) { return 2 * x; }
";

/// Heads of loops: the declarations before the loop, and the loop up to its body.
const HEADS: &[(&str, &str)] = &[
    ("", "for (int i = 0; i < 64; i++)"),
    ("int i;", "for (i = 0; i < 64; i++)"),
    ("int i;", "for (i = 0; i < n; i++)"),
    ("", "for (int i = 63; i >= 0; i--)"),
    ("int i = 64;", "while (i--)"),
    ("int i = 0;", "for (; i < 64; i += 3)"),
    ("", "for (int i = MYTHREAD; i < 64 * THREADS; i += THREADS)"),
    ("int i;", "for (i = MYTHREAD; i < 64 * THREADS; i += THREADS)"),
    ("", "for (int i = 64 * THREADS - THREADS + MYTHREAD; i >= 0; i -= THREADS)"),
    ("", "for (int i = row[MYTHREAD]; i < row[MYTHREAD + 1]; i++)"),
    ("int i;", "for (i = row[v]; i < row[v + 1]; i++)"),
    ("", "upc_forall (int i = 0; i < 64 * THREADS; i++; i)"),
    ("int i;", "upc_forall (i = 0; i < 64 * THREADS; i++; i)"),
    ("", "upc_forall (int i = 0; i < 64 * THREADS; i++; &a[i])"),
    ("int i;", "upc_forall (i = 1; i < 64 * THREADS - 1; i++; &a[i])"),
    ("", "upc_forall (int i = 0; i < 64 * THREADS; i++; &blocks[i])"),
    ("", "upc_forall (int i = 1; i < 64 * THREADS - 1; i++; &blocks[i])"),
    ("", "upc_forall (int i = 0; i < 16 * THREADS; i++; &m[i][0])"),
    ("", "upc_forall (int i = 64 * THREADS - 1; i >= 0; i--; i)"),
    ("", "upc_forall (int i = 0; i < 64 * THREADS; i += 2; &a[i])"),
    ("int j = 0;", "upc_forall (int i = 0; i < 64 * THREADS; i++, j++; i)"),
    ("int i = 0;", "for (shared int *p = a; p < a + 64; p++, i++)"),
    ("int i = 0;", "upc_forall (shared int *p = a; p < a + 64; p++; p)"),
    ("int i = 0; shared [] int *q = list;", "for (; i < 64; q++, i++)"),
];

/// Statements before an inner loop or body.
const FRONTS: &[&str] = &[
    "",
    "int v = pk[i];",
    "int v = a[i];",
    "int v = twice(i), w = v + 1;",
    "int v; v = pk[i & 63];",
    "v = pk[i & 63];",
    "a[i] = 1;",
    "a[i] += k;",
    "c[pk[i & 63]] = i;",
    "s += v; int v = pk[i & 63];",
    "int k = v; int v = b[k];",
    "{ int v = a[i & 63]; s += b[v]; } int v = pk[1];",
    "enum { v = 3, size = 2 }; s += size;",
    "int v = i; if (v & 1) continue;",
    "double n = x[i & 63]; s += n > 0; int v = 1;",
    "shared struct node *v0 = bucket[i & 63]; int v = v0 != 0;",
    "for (int v = 0; v < 3; v++) s += pk[v];",
    "struct pair v1 = pairs[i & 63]; int v = v1.first;",
    "s += c[v & 63]; int v = pk[i & 63];",
    "struct here { int m; }; shared struct here *u = (shared struct here *)a; int v = u[i & 63].m;",
    "enum small { k = 1, v }; s += b[(enum small)(pk[i & 63])] + b[k];",
    "typedef int pair; pair v = (pair)a[i & 63];",
];

/// Inner loops and bodies.
const INNERS: &[&str] = &[
    "s += m[v][2];",
    "s += m[v & 15][k & 1] + m[pk[v]][2];",
    "s += b[v & 63] + b[i & 63];",
    "int k = 0; while (parent[k]) k = parent[k];",
    "int k = v; while (parent[k] != k && k != 7) { s += 1; k = parent[k]; }",
    "for (int k = row[v & 63]; k < row[(v & 63) + 1]; k++) s += b[k];",
    "for (int k = row[i & 63]; k < row[(i & 63) + 1]; k++) { int u = c[k]; if (a[u] > 0) s += b[u] / a[u]; }",
    "for (k = 0; k < 4; k++) s += b[pk[v & 63] + k];",
    "for (int v = 0; v < 4; v++) s += m[v][1] + pk[v];",
    "int u = b[v & 63]; if (u > 3) continue; c[u & 63] = u;",
    "for (int k = 0; k < 8; k++) { if (b[k] > v) break; s += b[k]; }",
    "b[i] = find(parent[i & 63]);",
    "s += find(v & 63);",
    "s += pairs[v & 63].first + pairs[i & 63].second;",
    "shared struct node *k = bucket[v & 63]; while (k && k->key != v) k = k->next; s += k != 0;",
    "if (b[v & 63] < v) b[v & 63] = v;",
    "y[i & 63] = x[i & 63] * 2; y[v & 63] += 1;",
    "for (int k = 0; k < 3; k++) for (int v = 0; v < 3; v++) m[k][v] = m[v][k] + n;",
    "s += list[v & 7] + list[i & 7];",
    "int w = pk[v & 63]; { int v = pk[w & 63]; s += b[v & 63]; } s += b[v & 63];",
    "s += b[sizeof v] + blocks[v & 63] + blocks[(v & 63) + 1];",
    "int w = c[v & 63]; for (int k = row[i & 63]; k < row[(i & 63) + 1]; k += w) s += b[k];",
    "int w = 2; for (int k = 0; k < 8; k += w) { int v = c[k]; if (v > 0) s += b[v & 63]; }",
    "for (int w = v; w < 8; w++) s += a[w] + m[w][v & 1];",
];

/// The function of a combination.
fn function(number: usize, head: &(&str, &str), front: &str, inner: &str) -> String {
    let (before, head) = head;
    format!("int f{number}(void) {{ int s = 0; {before} {head} {{ {front} {inner} }} return s + v; }}\n")
}

fn program(functions: &str) -> String {
    format!("# 1 \"t\"\n#pragma upc relaxed\n{FILE}{functions}")
}

/// All combinations, a program for each head and front.
#[allow(dead_code, reason = "each test uses a part of the templates")]
pub fn programs() -> impl Iterator<Item = String> {
    HEADS.iter().flat_map(|head| {
        FRONTS.iter().map(move |front| {
            let functions = (0..).zip(INNERS).map(|(number, inner)| function(number, head, front, inner));
            program(&functions.collect::<String>())
        })
    })
}

/// One combination of each head and front, with another inner loop or body each time.
#[allow(dead_code, reason = "each test uses a part of the templates")]
pub fn sample() -> String {
    let mut functions = String::new();
    for (h, head) in HEADS.iter().enumerate() {
        for (f, front) in FRONTS.iter().enumerate() {
            let inner = INNERS[(5 * h + 8 * f) % INNERS.len()];
            functions += &function(h * FRONTS.len() + f, head, front, inner);
        }
    }
    program(&functions)
}
