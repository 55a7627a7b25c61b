//! `chips`: what `--target` takes, and what is known of it.

use serde_json::Value;

use crate::common::Tree;

#[test]
fn every_chip_is_one_that_target_takes() {
    let tree = Tree::new(&[("a.cu", "int f();\n")]);
    let listed: Value = serde_json::from_str(&tree.run(&["chips", "--output-format", "json"]).out)
        .expect("it is JSON");
    let chips = listed.as_array().expect("a list");
    assert!(chips.len() >= 40, "{} chips", chips.len());
    let targets: Vec<&str> = chips
        .iter()
        .filter_map(|it| it["target"].as_str())
        .collect();
    let checked = tree.run(&["check", "a.cu", "--target", &targets.join(",")]);
    assert_eq!(checked.code, 0, "{}", checked.err);
    let table = tree.run(&["chips"]).out;
    assert_eq!(table.lines().count(), chips.len() + 1);
}

#[test]
fn a_product_leads_to_its_chip() {
    let tree = Tree::new(&[]);
    for (asked, target, wave) in [
        ("MI300X", "gfx942", 64),
        ("rx 7900 xtx", "gfx1100", 32),
        ("gfx90a:xnack-", "gfx90a", 64),
    ] {
        let listed: Value =
            serde_json::from_str(&tree.run(&["chips", asked, "--output-format", "json"]).out)
                .expect("it is JSON");
        assert_eq!(listed.as_array().map(Vec::len), Some(1), "{asked}");
        assert_eq!(listed[0]["target"], target);
        assert_eq!(listed[0]["wavefront"], wave);
    }
    let unknown = tree.run(&["chips", "gfx909a"]);
    assert_eq!(unknown.code, 2);
    assert!(
        unknown.err.contains("did you mean `gfx90"),
        "{}",
        unknown.err
    );
}
