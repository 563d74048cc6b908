//! Meridian beside its peers, in the report.

use bench::fit::peers;
use bench::results::Results;
use maud::{Markup, html};

use crate::draw::Unit;

/// The section; nothing where no peer was measured.
pub fn section(results: &Results) -> Markup {
    let Some(table) = peers::of(results) else { return html! {} };
    html! {
        h2 id="peers" { "Beside others" }
        p { "The same operation by other systems that are installed here, between two processes of this host, in the same \
            run; and how many times Meridian's time it takes. Plain C copies within one process. Meridian's copies are UPC's \
            non-blocking ones." }
        div.wide {
            table {
                thead { tr { th scope="col" { "operation" } th scope="col" { "Meridian" }
                    @for peer in &table.peers { th scope="col" { (peer) } } } }
                tbody {
                    @for row in &table.rows { tr {
                        th scope="row" { (row.label) } td { (Unit::Time.text(row.ours)) }
                        @for ns in &row.peers {
                            td { @if let Some(ns) = ns { (Unit::Time.text(*ns)) " (" (bench::number(ns / row.ours)) ")" } }
                        }
                    } }
                    tr { th scope="row" { "geometric mean" } td { "1.00" }
                        @for mean in table.means() { td { "(" (bench::number(mean)) ")" } } }
                }
            }
        }
    }
}
