//! The rooms of the emulated GPU: each uses those in front of it, and nothing else.

use std::collections::BTreeMap;

use crate::modules::{modules, uses};
use crate::sources_below;

/// From what is known before anything runs to what runs it.
const ROOMS: &[&str] = &[
    "model", "memory", "wave", "lanes", "ops", "decode", "launch",
];

/// Where a room stands in the order; `None` for what is no room of the GPU.
fn order(module: &[String]) -> Option<usize> {
    let [outer, room, ..] = module else {
        return None;
    };
    (outer == "device").then(|| ROOMS.iter().position(|it| it == room))?
}

/// The uses of a room by one in front of it: `decode/text -> launch/grid (work)`.
fn upward(sources: &BTreeMap<String, String>) -> Vec<String> {
    let modules = modules(sources);
    let mut wrong = Vec::new();
    for (here, module) in &modules {
        let Some(own) = order(here) else { continue };
        for (target, name) in uses(&modules, here, module) {
            // What the GPU offers to the host stands above its rooms.
            let is_above = match order(&target) {
                Some(other) => other > own,
                None => !target.is_empty(),
            };
            if is_above {
                wrong.push(format!(
                    "{} -> {} ({name})",
                    here.join("/"),
                    target.join("/")
                ));
            }
        }
    }
    wrong
}

#[test]
fn rooms_of_the_emulated_gpu_use_those_in_front_of_them() {
    let sources = sources_below("emulator/src");
    let rooms = sources.keys().filter_map(|file| {
        let mut parts = file.split('/');
        (parts.next() == Some("device")).then(|| parts.next())?
    });
    let other: Vec<&str> = rooms
        .filter(|room| *room != "mod.rs" && !ROOMS.contains(room))
        .collect();
    assert!(other.is_empty(), "no rooms of the GPU: {other:?}");
    let wrong = upward(&sources);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_use_of_what_stands_above_is_seen() {
    let file = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let tree = BTreeMap::from([
        file("lib.rs", "pub mod device;\npub mod host;"),
        file("host/mod.rs", "pub fn error() {}"),
        file(
            "device/mod.rs",
            "mod decode;\nmod wave;\npub use wave::Wave;",
        ),
        file(
            "device/wave/mod.rs",
            "use crate::device::decode::decode;\nuse crate::host;\npub struct Wave;\nfn f() { decode(host::error()) }",
        ),
        file(
            "device/decode/mod.rs",
            "use crate::device::wave::Wave;\npub fn decode(wave: Wave) {}",
        ),
    ]);
    assert_eq!(
        upward(&tree),
        [
            "device/wave -> device/decode (decode)",
            "device/wave -> host (host::error)",
        ]
    );
}
