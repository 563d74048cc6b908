//! The machine under Id90 in the report: its operations beside tables 6-3 and 6-4 of the thesis.

use bench::fit::tam;
use bench::results::Results;
use maud::{Markup, html};

use crate::draw::Unit;

/// The section; empty if the machine was not measured.
pub fn section(results: &Results) -> Markup {
    let (local, remote) = (tam::local(results), tam::remote(results));
    let time = |ns: f64| Unit::Time.text(ns);
    html! {
        @if !local.is_empty() || !remote.is_empty() {
            h2 id="tam" { "The machine under Id90" }
            p { "What forks, posts, fetches and stores of the threaded abstract machine cost: tables 6-3 and 6-4 of von \
                Eicken's thesis. A fork, and a post that enables a thread, is here with the stop of that thread." }
        }
        @if !local.is_empty() {
            div.wide {
                table {
                    thead { tr { th scope="col" { "operation" } th scope="col" { "here" } th scope="col" { "goal" }
                        th scope="col" { "CM-5, cycles" } } }
                    tbody { @for row in &local { tr {
                        th scope="row" { (row.operation) } td { (time(row.ns)) }
                        td { @if let Some(goal) = row.goal { (time(goal)) } }
                        td.paper-value { (row.cycles) }
                    } } }
                }
            }
        }
        @if !remote.is_empty() {
            div.wide {
                table {
                    thead { tr { th scope="col" { "conduit" } th scope="col" { "a remote ifetch" }
                        th scope="col" { "a round trip of active messages" } th scope="col" { "round trips" } } }
                    tbody { @for far in &remote { tr {
                        th scope="row" { (far.conduit) } td { (time(far.ifetch)) } td { (time(far.round_trip)) }
                        td { (bench::number(far.ifetch / far.round_trip)) }
                    } } }
                }
            }
            p { "On the CM-5 a remote ifetch takes " (tam::REMOTE_CYCLES) " cycles of the processors, which compute \
                meanwhile." }
        }
    }
}
