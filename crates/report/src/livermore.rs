//! The Livermore kernels in the report: the table of each kernel, and the aggregates beside the paper's.

use bench::fit::livermore::{self, VERSIONS};
use bench::results::Results;
use maud::{Markup, html};

/// Table 1 of the paper on UPC for the Cray X1, in MFLOPS: the geometric means of C and of translated UPC.
const X1: (f64, f64) = (160.0, 115.0);

/// The section; empty if the kernels were not measured.
pub fn section(results: &Results) -> Markup {
    let kernels = livermore::of(results);
    let Some(all) = livermore::aggregates(&kernels) else { return html! {} };
    let rate = bench::number;
    html! {
        h2 id="livermore" { "The Livermore kernels" }
        p { "Millions of operations a second, and the speed beside plain C (1 is as fast): figure 10 and table 1 of the X1 \
            paper. The same source is compiled by the C compiler alone, as UPC with private arrays, and as UPC with shared \
            arrays that lie on the thread which computes." }
        div.wide {
            table {
                thead {
                    tr { th {} th colspan="3" scope="colgroup" { "rate" } th colspan="2" scope="colgroup" { "beside plain C" } }
                    tr { th scope="col" { "kernel" } @for name in VERSIONS { th scope="col" { (name) } }
                        @for name in &VERSIONS[1..] { th scope="col" { (name) } } }
                }
                tbody {
                    @for kernel in &kernels { tr {
                        th scope="row" { (kernel.name) }
                        @for value in kernel.rates { td { (rate(value)) } }
                        @for speed in &kernel.speeds[1..] { td { (format!("{speed:.2}")) } }
                    } }
                    tr {
                        th scope="row" { "geometric mean" }
                        @for version in &all { td { (rate(version.rate)) } }
                        @for version in &all[1..] { td { (format!("{:.2}", version.speed)) } }
                    }
                    tr {
                        th scope="row" { "Cray X1" }
                        td.paper-value { (X1.0) } td.paper-value { (X1.1) } td {}
                        td.paper-value { (format!("{:.2}", X1.1 / X1.0)) } td {}
                    }
                }
            }
        }
    }
}

/// The conclusion, for the summary.
pub fn sentence(results: &Results) -> Option<String> {
    let [_, private, shared] = livermore::aggregates(&livermore::of(results))?;
    Some(format!(
        "Translated, the Livermore kernels reach {:.2} of the speed of plain C in the geometric mean, and {:.2} in the worst \
         case (kernel {}). On shared arrays of the thread's own they reach {:.2}, and {:.2} in the worst case (kernel {}).",
        private.speed, private.least.1, private.least.0, shared.speed, shared.least.1, shared.least.0
    ))
}
