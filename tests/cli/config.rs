//! `cass.toml`: where it is found, what it decides, and what is said of mistakes in it.

use crate::common::{GONE, SAFE, Tree};

#[test]
fn the_nearest_configuration_holds_and_the_command_line_wins() {
    let tree = Tree::new(&[
        (
            "cass.toml",
            "[rules]\nignore = [\"CASS003\"]\n[files]\nexclude = [\"src/old\"]\n[translate]\nnaming = \"hip\"\n",
        ),
        ("src/gone.cu", GONE),
        ("src/old/gone.cu", GONE),
        ("other/cass.toml", ""),
        ("other/gone.cu", GONE),
    ]);
    assert_eq!(tree.run(&["check", "src"]).code, 0);
    assert_eq!(tree.run(&["check", "other"]).code, 1);
    assert_eq!(tree.run(&["check", "src", "--isolated"]).code, 1);
    assert_eq!(tree.run(&["check", "src", "--error", "CASS003"]).code, 1);
    assert_eq!(
        tree.run(&["check", "other", "--config", "cass.toml"]).code,
        0
    );
    tree.run(&["src", "out"]);
    assert!(tree.path("out/gone.hip").is_file() && !tree.path("out/old").exists());
}

#[test]
fn overrides_hold_for_their_paths_from_wherever_the_run_starts() {
    let tree = Tree::new(&[
        (
            "cass.toml",
            "[[overrides]]\npaths = [\"lib/vendor/**\"]\nignore = [\"api\"]\n",
        ),
        ("lib/vendor/gone.cu", GONE),
        ("lib/own.cu", GONE),
    ]);
    for root in [".", "lib"] {
        let out = tree.run(&["check", root]).out;
        assert!(out.contains("own.cu:1") && !out.contains("vendor"), "{out}");
    }
    assert_eq!(tree.run(&["check", "lib/vendor"]).code, 0);
    assert_eq!(tree.run(&["check", "lib/vendor/gone.cu"]).code, 0);
}

#[test]
fn mistakes_in_the_configuration_are_explained() {
    let tree = Tree::new(&[("cass.toml", "[rules]\nignor = []\n"), ("a.cu", SAFE)]);
    let wrong = tree.run(&["check", "a.cu"]);
    assert_eq!(wrong.code, 2);
    assert!(
        wrong
            .err
            .contains("cass.toml:2:1: unknown key `ignor`; did you mean `ignore`?"),
        "{}",
        wrong.err
    );
}

#[test]
fn the_settings_can_be_seen_and_are_a_configuration_themselves() {
    let tree = Tree::new(&[
        ("cass.toml", "[translate]\nwarp = \"native\"\n"),
        ("a.cu", SAFE),
    ]);
    let shown = tree.run(&[
        "check",
        "a.cu",
        "--show-config",
        "--rocm",
        "7.0",
        "--error",
        "warp",
    ]);
    assert_eq!(shown.code, 0);
    for line in [
        "warp = \"native\"",
        "rocm = \"7.0\"",
        "launch = \"keep\"",
        "fail-on = \"warning\"",
        "error = [\"warp\"]",
    ] {
        assert!(shown.out.contains(line), "{line} is not in {}", shown.out);
    }
    tree.write("again/cass.toml", shown.out.as_bytes());
    tree.write("again/a.cu", SAFE.as_bytes());
    assert_eq!(tree.run(&["check", "again"]).code, 0);
}

/// The schema takes what the program takes, and refuses what it refuses.
#[test]
fn the_schema_of_the_configuration_is_that_of_the_program() {
    let tree = Tree::new(&[("a.cu", SAFE)]);
    let schema = serde_json::from_str(&tree.run(&["schema", "config"]).out).expect("JSON");
    let validator = jsonschema::draft202012::new(&schema).expect("the schema is one");
    let shown = tree
        .run(&["check", ".", "--show-config", "--error", "warp"])
        .out;
    for (text, is_good) in [
        (shown.as_str(), true),
        ("", true),
        (
            "[translate]\nlaunch = \"ggl\"\nfix-level = \"safe\"\nrocm = \"7.0\"\n",
            true,
        ),
        (
            "[[overrides]]\npaths = [\"lib/**\"]\nignore = [\"api\"]\n",
            true,
        ),
        ("[translate]\nlaunch = \"gll\"\n", false),
        ("[translate]\nlanch = \"ggl\"\n", false),
        ("[check]\nfail-on = \"fatal\"\n", false),
        ("[rules]\nignore = \"api\"\n", false),
        ("[[overrides]]\npath = [\"lib/**\"]\n", false),
        ("[files]\nno_ignore = true\n", false),
    ] {
        tree.write("cass.toml", text.as_bytes());
        let value: toml::Value = toml::from_str(text).expect("TOML");
        let value = serde_json::to_value(value).expect("JSON");
        assert_eq!(validator.is_valid(&value), is_good, "the schema on {text}");
        let code = tree.run(&["check", "a.cu"]).code;
        assert_eq!(code == 0, is_good, "the program on {text}");
    }
}

#[test]
fn the_schemas_of_reports_and_tables_are_printed() {
    let tree = Tree::new(&[]);
    for of in ["report", "config", "mappings", "verify"] {
        let schema = tree.run(&["schema", of]);
        let value: serde_json::Value = serde_json::from_str(&schema.out).expect("JSON");
        assert!(value["properties"].is_object(), "{of}");
        let id = match option_env!("CASS_DOCS_URL") {
            Some(site) => format!("{site}/schemas/{of}.json"),
            None => format!("urn:cass-transpile:schema:{of}"),
        };
        assert_eq!(value["$id"], id);
        jsonschema::draft202012::new(&value).expect("the schema is one");
    }
}

#[test]
fn chips_and_releases_that_there_are_not_are_usage_errors() {
    let tree = Tree::new(&[("a.cu", SAFE)]);
    for (arguments, hint) in [
        (["--target", "gfx90"], "gfx90a"),
        (["--target", "nonsense"], "is no chip"),
        (["--target", "gfx1100:xnack+"], "has no features"),
        (["--rocm", "6.9"], "`6.4` and `7.0`"),
    ] {
        let done = tree.run(&[&["check", "a.cu"], &arguments[..]].concat());
        assert_eq!(done.code, 2, "{arguments:?}: {}", done.err);
        assert!(done.err.contains(hint), "{arguments:?}: {}", done.err);
    }
    for (line, hint) in [
        ("target = [\"MI250\", \"gfx90\"]", "gfx90a"),
        ("rocm = \"99.0\"", "`10.1`"),
    ] {
        tree.write("cass.toml", format!("[translate]\n{line}\n").as_bytes());
        let done = tree.run(&["check", "a.cu"]);
        assert_eq!(done.code, 2, "{line}: {}", done.err);
        assert!(
            done.err.contains("cass.toml") && done.err.contains(hint),
            "{}",
            done.err
        );
    }
}

#[test]
fn a_chip_is_meant_by_its_features_and_products_too() {
    let text = "__global__ void k() { __shared__ float a[32768]; }\n";
    let tree = Tree::new(&[("a.cu", text)]);
    let found = |target: &str| {
        let done = tree.run(&["check", "a.cu", "--select", "lds-limit", "--target", target]);
        done.out.matches("CASS404").count()
    };
    for target in [
        "gfx90a",
        "gfx90a:xnack-",
        "gfx942:sramecc+:xnack-",
        "gfx1036",
        "gfx1010",
        "gfx90c",
        "MI250",
        "RX 7900 XTX",
        "mi300x",
    ] {
        assert_eq!(found(target), 1, "{target}");
    }
    for target in ["gfx950", "MI355X"] {
        assert_eq!(found(target), 0, "{target}");
    }
}

#[test]
fn each_file_follows_the_nearest_configuration() {
    let tree = Tree::new(&[
        ("a/gone.cu", GONE),
        ("a/gen/gone.cu", GONE),
        ("b/gone.cu", GONE),
    ]);
    tree.write("cass.toml", b"[rules]\nerror = [\"CASS003\"]\n");
    tree.write(
        "a/cass.toml",
        b"[files]\nexclude = [\"gen\"]\n[rules]\nignore = [\"CASS003\"]\n",
    );
    // From above, from the folder and for the file itself it is the same.
    assert_eq!(tree.run(&["check", "a"]).code, 0);
    assert_eq!(tree.run(&["check", "a/gone.cu"]).code, 0);
    let all = tree.run(&["check", "--output-format", "concise"]);
    assert_eq!(all.out.lines().count(), 1, "{}", all.out);
    assert!(all.out.starts_with("b/gone.cu:1:24: error"), "{}", all.out);
    let alone = tree.run(&["check", "--isolated", "--output-format", "concise"]);
    assert_eq!(alone.out.lines().count(), 3, "{}", alone.out);
    // Translation settings and thresholds are those of the folder as well.
    tree.write(
        "a/cass.toml",
        b"[translate]\nlaunch = \"ggl\"\n[check]\nfail-on = \"error\"\n",
    );
    let launch = "#include <cuda_runtime.h>\n__global__ void k() {}\nvoid f() { k<<<1, 2>>>(); }\n";
    tree.write("a/l.cu", launch.as_bytes());
    tree.write("b/l.cu", launch.as_bytes());
    tree.run(&[".", "out", "-q"]);
    assert!(tree.read("out/a/l.cu").contains("hipLaunchKernelGGL(k"));
    assert!(tree.read("out/b/l.cu").contains("k<<<1, 2>>>()"));
    tree.write("a/cass.toml", b"[chekc]\n");
    let wrong = tree.run(&["check"]);
    assert!(
        wrong.code == 2 && wrong.err.contains("a/cass.toml:1:"),
        "{}",
        wrong.err
    );
}

#[test]
fn single_settings_are_given_on_the_command_line() {
    let tree = Tree::new(&[("gone.cu", GONE)]);
    tree.write(
        "cass.toml",
        b"[translate]\nwarp = \"logical32\"\nrocm = \"7.0\"\n",
    );
    let shown = tree.run(&[
        "check",
        "--show-config",
        "--config",
        "translate.warp=native",
        "--config",
        "check.fail-on = \"error\"",
    ]);
    for line in ["warp = \"native\"", "fail-on = \"error\"", "rocm = \"7.0\""] {
        assert!(shown.out.contains(line), "{}", shown.out);
    }
    assert_eq!(
        tree.run(&["check", "--config", "rules.ignore=['CASS003']"])
            .code,
        0
    );
    for (wrong, says) in [
        ("translate.wrap=native", "did you mean `warp`"),
        ("translate.warp=big", "unknown variant `big`"),
        ("rules.ignore=['CASS0O3']", "did you mean"),
    ] {
        let done = tree.run(&["check", "--config", wrong]);
        assert!(
            done.code == 2 && done.err.contains(says),
            "{wrong}: {}",
            done.err
        );
    }
}

#[test]
fn init_writes_a_file_that_changes_nothing_and_writes_over_none() {
    let tree = Tree::new(&[("gone.cu", GONE)]);
    let before = tree.run(&["check", "--show-config"]).out;
    assert_eq!(tree.run(&["init"]).code, 0);
    let schema =
        option_env!("CASS_DOCS_URL").map(|site| format!("#:schema {site}/schemas/config.json"));
    let first = tree.read("cass.toml").lines().next().map(str::to_owned);
    assert_eq!(first.filter(|line| line.starts_with("#:")), schema);
    let after = tree.run(&["check", "--show-config"]).out;
    let settings = |text: &str| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(settings(&before), settings(&after));
    assert!(tree.read("cass.toml").contains("# warp = \"logical32\""));
    assert_eq!(tree.run(&["init"]).code, 2);
    assert_eq!(tree.run(&["init", "--stdout"]).out, tree.read("cass.toml"));
}
