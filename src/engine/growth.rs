//! The work grows with the file and never with its square: the shapes of `tests/bench/shapes.rs`, counted.

#[path = "../../tests/bench/shapes.rs"]
mod shapes;

use crate::engine::{Session, translate};
use crate::mapping::ApiTable;
use crate::options::Options;
use crate::syntax::work::looks;
use crate::text::SourceFile;

/// The exponent that a shape may have, by bytes.
const LIMIT: f64 = 1.2;

#[test]
fn no_shape_of_a_file_costs_its_square() {
    let session = Session::new(Options::default(), ApiTable::builtin());
    let measure = |shape: &shapes::FileShape, size: usize| {
        let source = SourceFile::new(shape.path, (shape.text)(size).into_bytes());
        let tokens = looks(|| drop(translate(&source, &session)));
        (source.bytes.len() as f64, tokens as f64)
    };
    let mut steep = Vec::new();
    for shape in shapes::FILES {
        let (small, large) = (
            measure(shape, shape.start / 8),
            measure(shape, shape.start / 2),
        );
        let exponent = (large.1 / small.1.max(1.0)).ln() / (large.0 / small.0).ln();
        if exponent > LIMIT {
            steep.push(format!("{}: {exponent:.2}", shape.name));
        }
    }
    assert!(steep.is_empty(), "{steep:#?}");
}
