//! The JSON schema of a mapping table: what an editor checks while somebody writes one.

use serde_json::{Value, json};

/// JSON schema (draft 2020-12) of the TOML of a table.
pub fn json_schema() -> String {
    let section = |what: &str| json!({ "description": what, "type": "object", "additionalProperties": { "$ref": "#/$defs/Entry" } });
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Mapping table",
        "description": "What names of CUDA become on AMD; .github/MAPPINGS.md explains it.",
        "type": "object",
        "required": ["library"],
        "additionalProperties": false,
        "properties": {
            "library": { "type": "string", "description": "Library the names belong to." },
            "source": { "type": "string", "description": "Where the releases of entries without a source of their own can be checked." },
            "about": { "$ref": "#/$defs/About" },
            "notes": { "type": "object", "description": "Advice that several entries share, by name: `note = \"@name\"`.", "additionalProperties": { "type": "string" } },
            "functions": section("Functions of host or device, by name."),
            "types": section("Types and class templates."),
            "enumerators": section("Enumerators."),
            "macros": section("Macros."),
            "fields": section("Members of structures, by `Struct.member`."),
            "namespaces": section("Namespaces, `a` or `a::b`."),
            "variables": section("Variables."),
            "headers": section("Include paths as CUDA code writes them; `*` matches any text."),
            "patterns": section("Globs over names that share one piece of advice."),
            "rules": { "type": "array", "description": "Rules of a project's own over code; only in tables of your own.", "items": { "$ref": "#/$defs/Rule" } }
        },
        "$defs": { "About": about(), "Entry": entry(), "Argument": argument(), "Rule": rule() }
    });
    let mut text = serde_json::to_string_pretty(&schema).expect("a schema is plain data");
    text.push('\n');
    text
}

fn entry() -> Value {
    let arguments = json!({ "type": "array", "items": { "$ref": "#/$defs/Argument" } });
    json!({
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "hip": { "type": "string", "description": "Target name; absent only when unsupported, empty for an include that goes." },
            "roc": { "type": "string", "description": "Target name when the roc library is chosen." },
            "roc_rocm": span("ROCm releases of the roc target."),
            "roc_args": arguments,
            "support": { "enum": ["review", "unsupported"], "description": "Absent: converts safely." },
            "note": { "type": "string", "description": "Advice; required with `support`. `@name` stands for one of `notes`." },
            "cuda": span("CUDA releases that have the name."),
            "rocm": span("ROCm releases that have the target."),
            "older": older(),
            "args": arguments,
            "forms": forms(&arguments),
            "unless": unless(),
            "result": { "type": "boolean", "description": "What differs is the result: a call whose result is not read needs no review." },
            "context": { "type": "boolean", "description": "The name alone does not say CUDA: it is looked for only in files that do." },
            "include": { "type": "string", "description": "HIP header that the target needs." },
            "source": { "type": "string", "description": "Where the facts can be checked." },
            "override": { "type": "boolean", "description": "Replaces a built-in entry; only in tables of your own." }
        }
    })
}

fn about() -> Value {
    let list =
        |what: &str| json!({ "type": "array", "description": what, "items": { "type": "string" } });
    json!({
        "type": "object",
        "description": "What is known of the library besides its names; only in the tables of the program.",
        "required": ["title"],
        "additionalProperties": false,
        "properties": {
            "title": { "type": "string", "description": "What NVIDIA calls it." },
            "header": { "type": "string", "description": "Header of its counterpart; absent where each name has its own or there is none." },
            "link": list("Linker flags on AMD."),
            "roc_link": list("Linker flags when the roc library is chosen."),
            "prefixes": list("How names of the library begin that a release after the table may have."),
            "stems": list("Literals of which a text that uses the library, and nothing else of CUDA, holds at least one.")
        }
    })
}

fn rule() -> Value {
    json!({
        "type": "object",
        "required": ["pattern", "message"],
        "additionalProperties": false,
        "properties": {
            "pattern": { "type": "string", "description": "Code to look for: `$NAME` is one expression, `$$$NAME` any number of arguments." },
            "message": { "type": "string", "description": "What is the matter." },
            "note": { "type": "string", "description": "What to do about it." },
            "severity": { "enum": ["info", "warning", "error"], "description": "Absent: `info` with a fix, `warning` without." },
            "fix": { "type": "string", "description": "Code to write in its place, with the placeholders of the pattern." }
        }
    })
}

fn older() -> Value {
    json!({
        "type": "array",
        "description": "Spellings of the target in older releases.",
        "items": {
            "type": "object",
            "required": ["below", "hip"],
            "additionalProperties": false,
            "properties": { "below": { "type": "string" }, "hip": { "type": "string" } }
        }
    })
}

fn forms(arguments: &Value) -> Value {
    json!({
        "type": "array",
        "description": "Other targets for calls with a certain number of arguments.",
        "items": {
            "type": "object",
            "required": ["arity"],
            "additionalProperties": false,
            "properties": {
                "arity": { "type": "integer", "minimum": 0, "maximum": 255 },
                "hip": { "type": "string" },
                "rocm": span("ROCm releases of this form."),
                "args": arguments
            }
        }
    })
}

fn unless() -> Value {
    json!({
        "type": "array",
        "description": "Arguments any of which leaves nothing to review.",
        "items": {
            "type": "object",
            "required": ["at", "is"],
            "additionalProperties": false,
            "properties": {
                "at": { "type": "integer", "minimum": 0, "maximum": 255, "description": "Position in the original call, from 0." },
                "is": { "type": "string", "description": "How the argument reads then." }
            }
        }
    })
}

fn span(what: &str) -> Value {
    json!({
        "type": "string",
        "pattern": "^([0-9]+(\\.[0-9]+){0,2})?(\\.\\.([0-9]+(\\.[0-9]+){0,2})?)?$",
        "description": format!("{what} `A`, `A..R` (removed in R) or `..R`.")
    })
}

fn argument() -> Value {
    let verb = |name: &str| json!({ "required": [name] });
    json!({
        "type": "object",
        "required": ["at"],
        "additionalProperties": false,
        "oneOf": [verb("cast"), verb("wrap"), verb("drop"), verb("insert"), verb("replace"), verb("move"), verb("copy")],
        "properties": {
            "at": { "type": "integer", "minimum": 0, "maximum": 255, "description": "Position in the original call, from 0." },
            "cast": { "type": "string", "description": "`reinterpret_cast<T>(argument)`." },
            "wrap": { "type": "string", "description": "`NAME(argument)`." },
            "drop": { "const": true },
            "insert": { "type": "string", "description": "Text in front of the argument; at the call's arity it is appended." },
            "replace": { "type": "string" },
            "when": { "type": "string", "description": "With `replace`: only where the argument reads so." },
            "of": { "type": "integer", "minimum": 0, "description": "With `when`: the position of the argument that is to read so." },
            "move": { "type": "integer", "description": "Position that the argument moves in front of." },
            "copy": { "type": "integer", "description": "Position of an argument whose copy comes in front." }
        }
    })
}
