//! Notes and edits of the tables, walked together: no edit writes what its own note calls wrong, and what a note limits goes to a helper.

use cass_transpile::compat::{Helper, find, helpers};
use cass_transpile::engine::{Session, translate};
use cass_transpile::mapping::{ApiEntry, ApiTable, ArgEdit, Kind, Verb};
use cass_transpile::options::Options;
use cass_transpile::text::SourceFile;

use crate::rows::refuse;

/// The edits of an entry, those of its forms among them.
fn edits(entry: &ApiEntry) -> impl Iterator<Item = &ArgEdit<'static>> {
    entry
        .args
        .iter()
        .chain(entry.forms.iter().flat_map(|form| &form.args))
}

/// What an edit writes.
fn written(edit: &ArgEdit<'static>) -> Option<&'static str> {
    match edit.verb {
        Verb::Insert(text) | Verb::Replace { text, .. } => Some(text),
        _ => None,
    }
}

/// Why an edit does what the note of its entry calls wrong.
fn contradiction(entry: &ApiEntry, edit: &ArgEdit<'static>) -> Option<String> {
    let note = entry.note?;
    let says = |words: &str| note.to_lowercase().contains(&words.to_lowercase());
    if let Some(text) = written(edit)
        && (says(&format!("replace {text}")) || says(&format!("{text} is wrong")))
    {
        return Some(format!(
            "{}: writes {text}, which its note wants replaced",
            entry.cuda
        ));
    }
    if says("converted for inference") {
        return Some(format!(
            "{}: is written for inference, whatever the call is for",
            entry.cuda
        ));
    }
    let is_settled = || {
        entry
            .unless
            .iter()
            .any(|unless| unless.at == edit.at && note.contains(unless.is))
    };
    let drops_half = matches!(edit.verb, Verb::Drop) && says("right for") && says(" only");
    (drops_half && !is_settled()).then(|| {
        format!(
            "{}: drops argument {}, which its note calls right for some only",
            entry.cuda, edit.at
        )
    })
}

/// Whether a note says that AMD's function does a part of what CUDA's does by its arguments.
fn is_limited(entry: &ApiEntry) -> bool {
    let note = entry.note.unwrap_or_default();
    [
        "alpha = 1 and beta = 0 only",
        "ignores alpha",
        "only after",
        "must be 1.0 there",
        "right for CUDNN_TENSOR_NCHW",
    ]
    .iter()
    .any(|words| note.contains(words))
}

/// The helper for a name, and how many arguments it takes.
fn helper_for(name: &str) -> Option<(&'static Helper, usize)> {
    let function = format!("cass_{name}");
    let helper = find(&function)?;
    let (_, parameters) = helper.text.split_once(&format!(" {function}("))?;
    let (parameters, _) = parameters.split_once(')')?;
    Some((helper, parameters.split(',').count()))
}

/// A call with these arguments as translation leaves it.
fn translated(session: &Session, name: &str, arguments: &[String]) -> String {
    let text = format!(
        "#include <cudnn.h>\nvoid f() {{ {name}({}); }}\n",
        arguments.join(", ")
    );
    let source = SourceFile::new("f.cu", text.into_bytes());
    let outcome = translate(&source, session);
    String::from_utf8_lossy(&outcome.output.unwrap_or_else(|| source.bytes.clone())).into_owned()
}

#[test]
fn no_edit_writes_what_its_note_calls_wrong() {
    let table = ApiTable::builtin();
    let problems: Vec<String> = table
        .iter()
        .flat_map(|hit| {
            edits(hit.entry)
                .filter_map(|edit| contradiction(hit.entry, edit))
                .collect::<Vec<_>>()
        })
        .collect();
    refuse(&problems);
}

#[test]
fn what_a_note_limits_goes_to_a_helper_unless_a_literal_settles_it() {
    let session = Session::new(Options::default(), ApiTable::builtin());
    let mut problems = Vec::new();
    let mut seen = 0;
    for hit in session
        .table
        .iter()
        .filter(|hit| hit.entry.kind == Kind::Function && hit.entry.library == "dnn")
    {
        let entry = hit.entry;
        if !is_limited(entry) {
            continue;
        }
        seen += 1;
        let Some((_, arity)) = helper_for(entry.cuda) else {
            problems.push(format!(
                "{}: its note limits it, and no helper does the rest",
                entry.cuda
            ));
            continue;
        };
        let arguments: Vec<String> = (0..arity).map(|at| format!("a{at}")).collect();
        let by_helper = format!("cass_{}({})", entry.cuda, arguments.join(", "));
        let output = translated(&session, entry.cuda, &arguments);
        if !output.contains(&by_helper) {
            problems.push(format!("{}: {output}", entry.cuda));
        }
        for unless in &entry.unless {
            let mut settled = arguments.clone();
            unless.is.clone_into(&mut settled[usize::from(unless.at)]);
            let output = translated(&session, entry.cuda, &settled);
            if !output.contains(&format!("{}(", entry.hip.unwrap_or_default()))
                || output.contains("cass_")
            {
                problems.push(format!("{} with {}: {output}", entry.cuda, unless.is));
            }
        }
    }
    assert!(seen >= 15, "the notes of {seen} rows limit them");
    refuse(&problems);
}

#[test]
fn helpers_for_rows_of_cudnn_are_named_after_them() {
    let problems: Vec<String> = helpers()
        .filter(|helper| helper.name.starts_with("cass_cudnn_"))
        .flat_map(|helper| helper.replaces.iter().map(move |name| (helper, *name)))
        .filter(|(helper, name)| !helper.provides.contains(&format!("cass_{name}").as_str()))
        .map(|(helper, name)| format!("{} has nothing for {name}", helper.name))
        .collect();
    refuse(&problems);
}

/// A helper takes a name with the arguments that cuDNN has today; a call with as many as an older one had is the tables'.
#[test]
fn a_form_of_a_name_that_has_a_helper_is_the_tables() {
    let session = Session::new(Options::default(), ApiTable::builtin());
    let arguments =
        |count: usize| -> Vec<String> { (0..count).map(|at| format!("a{at}")).collect() };
    let name = "cudnnSetRNNDescriptor";
    let newer = translated(&session, name, &arguments(10));
    assert!(
        newer.contains("cass_cudnnSetRNNDescriptor(a0, a1,"),
        "{newer}"
    );
    let older = translated(&session, name, &arguments(8));
    assert!(
        older.contains("miopenSetRNNDescriptor_V2(a0, a1,"),
        "{older}"
    );
}
