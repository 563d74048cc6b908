//! Cases made of templates: every head of a loop, with every statement before every inner loop or statement.
//! Half of them have outer variables with the names that the loop declares.

use super::cases::Case;

/// Heads of loops; `i` is from 4 to n - 5. The second part is true if one thread runs the loop alone;
/// otherwise each thread writes its own elements.
const HEADS: [(&str, bool); 18] = [
    ("for (int i = 4; i < n - 4; i++) {", true),
    ("for (long i = n - 5; i >= 4; i--) {", true),
    ("for (unsigned i = 4; i <= n - 5u; i += 2) {", true),
    ("for (int i = 4 + MYTHREAD; i < n - 4; i += THREADS) {", false),
    (
        "for (int i = 4 * THREADS; i < n - 4 - THREADS; i += THREADS) { int w = i; { int i = w + MYTHREAD;",
        false,
    ),
    ("for (i1 = 4; i1 < 4 + row[3] % (n - 8); i1++) { int i = i1;", true),
    ("i1 = 4; while (i1 < n - 4) { int i = i1++;", true),
    ("i1 = 3; do { int i = ++i1;", true),
    ("for (ptr r = PTR + 4; r < PTR + (n - 4); r++) { int i = r - PTR;", true),
    (
        "int e = 0, f = 1; list[0] = 5; while (e < f) { int i = list[e++]; if (f < n - 9) { list[f] = f + 5; f++; }",
        true,
    ),
    ("upc_forall (int i = 4; i < n - 4; i++; i) /*= i % THREADS == MYTHREAD */ {", false),
    ("upc_forall (int i = 4; i < n - 4; i++; &a[i]) /*= OWN(i) */ {", false),
    ("upc_forall (long i = 4; i <= n - 5; i += 2; &a[i + 1]) /*= OWN((i + 1)) */ {", false),
    ("upc_forall (int i = n - 5; i >= 4; i--; i + 1) /*= (i + 1) % THREADS == MYTHREAD */ {", false),
    (
        "upc_forall (i1 = 4; i1 != n - 4; i1++; i1 / 3) /*= i1 / 3 % THREADS == MYTHREAD */ { int i = i1;",
        false,
    ),
    ("upc_forall (size_t i = 4; i < n - 4; i++, t1 += 3; i) /*= i % THREADS == MYTHREAD */ {", false),
    ("upc_forall (TARGET *r = a + 4; r < a + (n - 4); r++; r) /*= OWN((r - a)) */ { int i = r - a;", false),
    ("for (int z = 0; z < 2; z++) { upc_forall (int i = 4; i < n - 4; i++; &a[i]) /*= OWN(i) */ {", false),
];

/// Statements before the inner loop.
const FRONTS: [&str; 24] = [
    "",
    "int v = x[i];",
    "int v = iv[i];",
    "int v; v = col[i + 1];",
    "a[i] = i;",
    "a[i] += b[i] & 15;",
    "a[i]++;",
    "u[i] = c[x[i]] & 31;",
    "if (b[i] & 1) continue;",
    "if (flag[i] == 3) s += d[y[i]];",
    "int v = f0(i);",
    "int v = i + 1; v = up[v];",
    "{ int v = x[i]; int t = b[v]; s += t; }",
    "int v = i, t = row[i]; t = t & 3;",
    "shared NODES struct node *q = &nd[x[i]]; s += q->v;",
    "struct node q = nd[y[i]]; s ^= q.k;",
    "ptr p = pp[i]; s += *p;",
    "s += m[i % (R * THREADS)][2];",
    "int v = x[i] % (R * THREADS); s += m[v][2];",
    "unsigned char v = i; long t = a[i];",
    "switch (i & 3) { case 1: s++; break; default: s += b[i - 1]; }",
    "for (int t = 0; t < 2; t++) s += c[i + t];",
    "a[i] = b[i] > c[i] ? b[i] : c[i];",
    "long t = s; if (x[i] > 3 && y[i] > 2) t = d[x[i]] + 77 / dv[y[i]];",
];

/// Inner loops, and statements in their place.
const INNERS: [&str; 30] = [
    "s = s * 3 + b[x[i]];",
    "a[i] = b[x[i]];",
    "a[i] = b[i - 1] + b[i + 1];",
    "for (int k = row[i]; k < row[i + 1]; k++) s = s * 3 + b[col[k]];",
    "for (int k = row[i]; k < row[i + 1]; k++) { int w = col[k]; if (c[w] & 1) s += d[w] * 3; }",
    "for (int k = row[i]; k < row[i + 1]; k++) { int w = col[k]; if (w > i && w < n - 1) for (int z = row[w]; z < row[w + 1]; z++) s += flag[col[z]]; }",
    "{ int k = i; while (up[k] != k) k = up[k]; a[i] = k; }",
    "{ int k = i, z = 0; while (x[k] % 5 && z++ < 7) k = x[k]; s = s * 3 + k; }",
    "{ int k = x[i]; for (;;) { if (b[k] & 1 || k < 3) break; k = k / 2; } a[i] = k; }",
    "for (shared NODES struct node *p = &nd[i]; p; p = p->q) s = s * 3 + p->v;",
    "{ shared NODES struct node *p = nd[i].q; while (p && p->k % 3) p = p->q; a[i] = p ? p->v : 1; }",
    "for (int k = 0; k < THREADS; k++) s = s * 3 + dir[k][i];",
    "for (int k = 0; k < C; k++) s = s * 3 + m[i % (R * THREADS)][k];",
    "for (int k = 0; k < C; k++) s = s * 3 + m[k % (R * THREADS)][i % C];",
    "{ int w = x[i] % (R * THREADS); for (int k = 0; k < C; k++) s += m[w][k] ^ o[w][C - 1 - k]; }",
    "for (int k = 1; k < R * THREADS - 1; k++) for (int j = 1; j < C - 1; j++) u[j] += m[k - 1][j] + m[k + 1][j] - o[k][j - 1];",
    "for (int k = 0; k < 3; k++) a[i] += b[(i * 7 + k) % n];",
    "{ int k = 0; while (k < (x[i] & 3)) { s += c[k + i]; k++; } }",
    "{ int k = x[i], j = 0; do { k = y[k]; j++; } while (j < 3 && k > 5); a[i] = k; }",
    "if (flag[i] & 1) s += b[x[i]]; else s ^= c[y[i]];",
    "s += f1(i) + f2(x[i]);",
    "for (int k = 0; k < 3; k++) s = s * 3 + f3(y[i]);",
    "{ ptr p = pp[i], w = pv[i]; s = s * 3 + *p - *w; }",
    "for (ptr p = PTR + i; p < PTR + i + 3; p++) s = s * 3 + *p;",
    "{ ptr p = PTR + i; for (int k = 0; k < 3; k++) s = s * 3 + *p++; p -= 2; s += p - PTR; }",
    "s += b[i] && c[x[i]] > 3 ? d[y[x[i]]] : 100 / dv[i];",
    "if (a[i] < i) a[i] = i;",
    "u[x[i]] += b[i]; u[y[i]]++;",
    "for (int k = i; k > i - 3; k--) { if (b[k] % 3 == 1) break; s = s * 3 + c[k]; }",
    "sum_of(i, &s);",
];

/// Inner loops and statements for a loop of one thread alone.
const ALONE: [&str; 14] = [
    "b[x[i]] += i;",
    "if (i < b[x[i]]) b[x[i]] = i;",
    "b[x[i]] = i; c[x[i]] = s;",
    "{ int k = i; while (up[k] != k) { int w = up[k]; up[k] = up[w]; k = w; } s += k; }",
    "for (int k = row[i]; k < row[i + 1]; k++) { int w = col[k]; if (flag[w] == 0) { flag[w] = 1; s += b[w]; } }",
    "for (int k = 0; k < C; k++) m[i % (R * THREADS)][k] = o[i % (R * THREADS)][k] + 1;",
    "for (int k = 0; k < R * THREADS; k++) for (int j = 0; j < C; j++) m[k][j] = o[k][C - 1 - j];",
    "b[i + 1] = b[i] + 1;",
    "s += c[x[i]]; x[i + 1] = y[i];",
    "s += *pp[i]; pp[i + 1] = &PTR[x[i]];",
    "nd[i].v += nd[x[i]].v;",
    "if (nd[i].q) { nd[y[i]].v = s; nd[i].q = nd[i].q->q; }",
    "dir[x[i] % THREADS][i] += s;",
    "for (int k = row[i]; k < row[i + 1]; k++) if (b[col[k]] > i) b[col[k]] = i;",
];

/// The number of cases.
pub const ALL: usize = HEADS.len() * FRONTS.len() * (INNERS.len() + ALONE.len());

/// Functions of templates.
pub const FUNCTIONS: [&str; 6] = [
    "static int f0(int k) { return x[k]; }",
    "static int f1(int i) { while (up[i] != i) i = up[i]; return i; }",
    "static int f2(int v) { if (v & 1) return col[v]; int k = x[v]; return y[k]; }",
    "static int f3(int s) { int i = 0, k = s; for (; i < 3; i++) { if (flag[k] == 2) return i; k = x[k]; } return k; }",
    "static void add(long *s, long v) { *s = *s * 3 + v; }",
    "static void sum_of(int k, long *s) { add(s, b[k]); }",
];

/// The case with this number. `own` is the model's condition for the owner of `a[%]`. `words`: an element of
/// `a` as the target of a pointer, the array that pointers point to, the layout of nodes.
pub fn case(number: usize, at: usize, own: &dyn Fn(&str) -> String, words: [&str; 3]) -> Case {
    let (head, alone) = HEADS[number % HEADS.len()];
    let front = FRONTS[number / HEADS.len() % FRONTS.len()];
    let inner = number / HEADS.len() / FRONTS.len();
    let inner = match INNERS.get(inner) {
        Some(inner) => inner,
        None if alone => ALONE[inner - INNERS.len()],
        None => return Case { text: Vec::new(), steps: 0 },
    };
    let mut head = head.to_owned();
    if let Some((before, rest)) = head.clone().split_once("OWN(") {
        let (index, behind) = rest.split_once(") */").unwrap_or((rest, ""));
        head = format!("{before}{} */{behind}", own(index));
    }
    let mut text = vec![format!("static void case{at}_0(int n) {{")];
    let mut line = |line: &str| {
        let [target, pointed, nodes] = words;
        let line = line.replace("TARGET", target).replace("PTR", pointed).replace("NODES", nodes);
        text.push(format!("    {}", line.replace("shared  ", "shared ")));
    };
    if alone {
        line("if (MYTHREAD != THREADS / 2) return;");
    }
    line("long s = 0, t1 = 0; int i1 = 0;");
    if (number / 3).is_multiple_of(2) {
        line("int v = MYTHREAD, k = 2, t = 1, j = 3, w = 4, i = MYTHREAD + 5; long p = 0, q = 0;");
        line("s += v + k + t + j + w + i + p + q;");
    }
    let opened = head.matches('{').count() - head.matches('}').count();
    // A head on a line of its own, before which statements may stand.
    line(&head);
    line(&format!("    {front}"));
    line(&format!("    {inner}"));
    let last = if head.contains("do {") { "} while (i1 < n - 5);" } else { "}" };
    line(&format!("{}{last}", "}".repeat(opened - 1)));
    line("put(s + i1 + t1);");
    text.push("}".into());
    Case { text, steps: 1 }
}
