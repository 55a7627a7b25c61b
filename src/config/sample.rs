//! A `cass.toml` that says every setting in a comment, made from the schema so that it cannot fall behind.

use serde_json::Value;

use super::Config;

/// The sample.
pub fn sample() -> String {
    let schema = serde_json::to_value(schemars::schema_for!(Config)).expect("schemas are data");
    let defaults = toml::Table::try_from(Config::defaults()).expect("settings are plain data");
    let mut text = String::from(
        "# Settings of cass-transpile for the files in and below this folder.\n\
         # Each line in a comment says the default; take the `#` away to change it.\n",
    );
    for (name, table) in properties(&schema) {
        // Written by hand below: it is a list of tables.
        if name == "overrides" {
            continue;
        }
        text.push_str(&format!("\n[{name}]\n"));
        let default = defaults.get(name).and_then(toml::Value::as_table);
        let keys = resolved(&schema, table).map_or_else(Vec::new, properties);
        for (key, about) in keys {
            let value = default.and_then(|table| table.get(key));
            text.push_str(&setting(&schema, key, about, value));
        }
    }
    text + OVERRIDE
}

/// Other rules for some paths, as an example.
const OVERRIDE: &str = "
# Other rules for some paths; later ones win.
# [[overrides]]
# paths = [\"third_party/**\"]
# ignore = [\"all\"]
";

fn setting(schema: &Value, key: &str, about: &Value, value: Option<&toml::Value>) -> String {
    let words = about["description"].as_str().unwrap_or_default();
    let words = words.replace('\n', " ");
    let choices = choices(schema, about);
    let choices = match choices.as_slice() {
        [] => String::new(),
        choices => format!(" One of {}.", choices.join(", ")),
    };
    let shown = value.map_or_else(|| empty(about), ToString::to_string);
    format!("# {words}{choices}\n# {key} = {shown}\n")
}

/// The values that a setting can have, as TOML spells them.
fn choices(schema: &Value, about: &Value) -> Vec<String> {
    let Some(of) = resolved(schema, about) else {
        return Vec::new();
    };
    let alternatives = of["oneOf"].as_array().into_iter().flatten();
    let consts = alternatives.flat_map(|one| {
        let several = one["enum"].as_array().into_iter().flatten();
        several.chain(one.get("const"))
    });
    let listed = of["enum"].as_array().into_iter().flatten();
    listed.chain(consts).map(Value::to_string).collect()
}

/// A value of the right kind for a setting without a default.
fn empty(about: &Value) -> String {
    let is_list = about["type"].to_string().contains("array");
    if is_list { "[]" } else { "\"\"" }.to_owned()
}

/// What a schema, or the definition that it refers to, says.
fn resolved<'v>(schema: &'v Value, about: &'v Value) -> Option<&'v Value> {
    let alternatives = about["anyOf"].as_array().into_iter().flatten();
    let mut references = alternatives
        .chain([about])
        .filter_map(|one| one["$ref"].as_str());
    match references.next() {
        Some(reference) => schema.pointer(reference.trim_start_matches('#')),
        None => Some(about),
    }
}

fn properties(schema: &Value) -> Vec<(&String, &Value)> {
    let properties = schema["properties"].as_object();
    properties.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_is_a_configuration_with_and_without_its_comments() {
        let text = sample();
        let plain: Config = toml::from_str(&text).expect("a configuration");
        assert_eq!(plain, Config::default());
        let lines = text.lines().map(|line| match line.split_once("# ") {
            Some(("", rest)) if rest.contains(" = ") || rest.starts_with("[[") => rest,
            Some(_) => "",
            None => line,
        });
        let lines = lines.filter(|line| !line.ends_with("= \"\""));
        let said = lines.collect::<Vec<_>>().join("\n");
        let said: Config = toml::from_str(&said).unwrap_or_else(|error| panic!("{error}\n{said}"));
        assert_eq!(said.overrides.len(), 1);
        let mut said = Config::defaults().with(said);
        said.overrides.clear();
        assert_eq!(said, Config::defaults());
    }
}
