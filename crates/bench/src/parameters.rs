//! The parameters of a conduit, in a machine profile and in the head of a file of results: those of LogGP,
//! and the costs of Split-C's stores.

use serde::{Deserialize, Serialize};

/// LogGP parameters in nanoseconds, for the reader and for predictions; they change no setting.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// o
    pub overhead: f64,
    /// L
    pub latency: f64,
    /// g
    pub gap: f64,
    /// G
    pub byte: f64,
    /// The time of a core's switch from one thread of a job to another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switch: Option<f64>,
    /// The growth of that time if the number of threads of a core, four at first, doubles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switch_growth: Option<f64>,
    /// The costs of stores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stores: Option<Stores>,
}

impl Parameters {
    /// Returns all numbers, with their names.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let own = [
            ("overhead", self.overhead),
            ("latency", self.latency),
            ("gap", self.gap),
            ("byte", self.byte),
            ("switch", self.switch.unwrap_or(0.0)),
            ("switch_growth", self.switch_growth.unwrap_or(0.0)),
        ];
        let stores = self.stores.map(|stores| {
            [
                ("stores.overhead", stores.overhead),
                ("stores.gap", stores.gap),
                ("stores.sync", stores.sync),
                ("stores.bulk", stores.bulk),
                ("stores.byte", stores.byte),
            ]
        });
        own.into_iter().chain(stores.into_iter().flatten())
    }
}

/// The costs of Split-C's stores on a conduit, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Stores {
    /// The time that a processor spends on the start of a store of a word.
    pub overhead: f64,
    /// The time of each of many stores of a word.
    pub gap: f64,
    /// The agreement of all processors that all has arrived.
    pub sync: f64,
    /// The time of a bulk store without its bytes.
    pub bulk: f64,
    /// The time of a bulk store for each byte.
    pub byte: f64,
}

impl Stores {
    /// Returns the time of a bulk store.
    pub fn bulk_of(&self, bytes: f64) -> f64 {
        self.bulk + self.byte * bytes
    }
}
