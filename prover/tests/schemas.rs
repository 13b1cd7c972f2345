//! What `--json` prints has the form that `spec/schemas` says, of answers of every kind.

use serde_json::{Map, Value};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A folder of this test with this C file.
fn folder(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("schemas").join(name);
    drop(fs::remove_dir_all(&path));
    fs::create_dir_all(&path).unwrap();
    fs::write(path.join("x.c"), text).unwrap();
    fs::write(path.join("goatherd.toml"), "[[task]]\nfiles = \"*.c\"\n").unwrap();
    path
}

fn goatherd(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_goatherd")).args(arguments).current_dir(folder).stdin(Stdio::null()).output().expect("the command")
}

/// The object is one of this schema, whose name it gives.
fn assert_valid(schema: &str, object: &Value) {
    let text = fs::read_to_string(workspace().join("spec/schemas").join(format!("{schema}.json"))).unwrap();
    let root: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{schema}: {error}"));
    if let Err(wrong) = validate(&root, &root, object) {
        panic!("{schema}: {wrong}\n{object:#}");
    }
    let named = object["schema"].as_str().map(|name| name.replace('/', "-"));
    assert!(named.is_none_or(|name| name == schema), "{schema}");
}

/// Is the value as the schema says? Of JSON Schema, this knows what the schemas here use, and nothing that it does not know is passed over.
fn validate(root: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    let keywords: &Map<String, Value> = schema.as_object().expect("a schema");
    for (keyword, says) in keywords {
        let holds = match keyword.as_str() {
            "$schema" | "title" | "description" | "$defs" | "required" | "additionalProperties" => true,
            "$ref" => {
                let target = says.as_str().and_then(|name| root.pointer(name.strip_prefix('#')?)).expect("a definition");
                validate(root, target, value)?;
                true
            }
            "type" => match says {
                Value::Array(types) => types.iter().any(|name| is_of_type(name, value)),
                name => is_of_type(name, value),
            },
            "const" => value == says,
            "enum" => says.as_array().is_some_and(|values| values.contains(value)),
            "minimum" => value.as_f64().is_none_or(|number| number >= says.as_f64().expect("a number")),
            "pattern" => {
                assert_eq!(says, "^[0-9a-f]{64}$");
                value.as_str().is_none_or(|text| text.len() == 64 && text.bytes().all(|digit| b"0123456789abcdef".contains(&digit)))
            }
            "items" => {
                value.as_array().into_iter().flatten().try_for_each(|item| validate(root, says, item))?;
                true
            }
            "propertyNames" => {
                let mut names = value.as_object().into_iter().flat_map(Map::keys);
                names.try_for_each(|name| validate(root, says, &Value::from(name.as_str())))?;
                true
            }
            "anyOf" | "oneOf" => {
                let matching = says.as_array().expect("schemas").iter().filter(|schema| validate(root, schema, value).is_ok()).count();
                if keyword == "oneOf" { matching == 1 } else { matching > 0 }
            }
            "properties" => {
                properties(root, keywords, value)?;
                true
            }
            unknown => panic!("the keyword {unknown}"),
        };
        if !holds {
            return Err(format!("{keyword} {says} does not hold of {value}"));
        }
    }
    if !keywords.contains_key("properties")
        && let Some(of_each) = keywords.get("additionalProperties")
    {
        value.as_object().into_iter().flat_map(Map::values).try_for_each(|field| validate(root, of_each, field))?;
    }
    Ok(())
}

fn is_of_type(name: &Value, value: &Value) -> bool {
    match name.as_str().expect("a type") {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        unknown => panic!("the type {unknown}"),
    }
}

/// The fields of an object: each is named by the schema, and what is required is there.
fn properties(root: &Value, keywords: &Map<String, Value>, value: &Value) -> Result<(), String> {
    assert_eq!(keywords["additionalProperties"], false);
    let Some(fields) = value.as_object() else { return Ok(()) };
    for (name, field) in fields {
        let schema = keywords["properties"].get(name).ok_or_else(|| format!("there is a field {name}"))?;
        validate(root, schema, field).map_err(|wrong| format!("{name}: {wrong}"))?;
    }
    let missing = keywords["required"].as_array().expect("names").iter().find(|name| !fields.contains_key(name.as_str().expect("a name")));
    missing.map_or(Ok(()), |name| Err(format!("there is no field {name}")))
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

/// Programs of every verdict, by name.
fn programs() -> [(&'static str, String); 6] {
    let example = |name: &str| fs::read_to_string(workspace().join("examples").join(name)).unwrap();
    let unknown = "extern void __VERIFIER_assert(int);\nextern int __VERIFIER_nondet_int(void);\nvoid test(unsigned a, unsigned b)\n\
        { unsigned x = a * a * b + b; __VERIFIER_assert(x != 3123456789u || a != 77777u * b); }\n";
    let vacuous = "extern void __VERIFIER_assert(int);\nextern void __VERIFIER_assume(int);\nvoid test(int x) { __VERIFIER_assume(x != x); __VERIFIER_assert(0); }\n";
    [
        ("proved", example("strcpy.c")),
        ("unsafe", example("strcpy.buggy.c")),
        ("unsafe-list", example("list-append.buggy.c")),
        ("unknown", unknown.to_owned()),
        ("vacuous", vacuous.to_owned()),
        ("input", String::from("void test(void) { __asm__(\"nop\"); }\n")),
    ]
}

#[test]
fn reports_are_as_their_schemas_say() {
    for (name, text) in programs() {
        let folder = folder(name, &text);
        let report = json(&goatherd(&folder, &["prove", "x.c", "--json", "--steps", "2000", "--solver", "builtin", "--witness", "w.yml"]));
        assert_valid("goatherd-prove-1", &report);
        let expected = name.split('-').next().unwrap().replace("vacuous", "proved");
        assert_eq!(report["verdict"], expected.as_str(), "{report:#}");
        assert_valid("goatherd-archive-1", &json(&goatherd(&folder, &["archive", "verify", "--json"])));
        fs::write(folder.join("goatherd.toml"), "[[task]]\nfiles = \"*.c\"\nname = \"n\"\nsteps = 2000\n").unwrap();
        assert_valid("goatherd-batch-1", &json(&goatherd(&folder, &["batch", "--json"])));
        fs::write(folder.join("results.csv"), "file,A\nx.c,true\n").unwrap();
        assert_valid("goatherd-compare-1", &json(&goatherd(&folder, &["compare", "results.csv", "--json", "--", "--steps=2000"])));
        let verify = ["archive", "verify", "--json", "--source", "--statement", "statement.json"];
        assert_valid("goatherd-archive-1", &json(&goatherd(&folder, &verify)));
        let read = |path: &str| fs::read(folder.join(path)).ok().map(|bytes| serde_json::from_slice::<Value>(&bytes).unwrap());
        let (record, statement) = (read("proofs/tasks/x.c/test@n.json"), read("statement.json"));
        assert_eq!((record.is_some(), statement.is_some()), (expected == "proved", name == "proved"));
        if let Some(record) = &record {
            assert_valid("goatherd-record-1", record);
        }
        if let Some(statement) = &statement {
            assert_valid("proofs-1", statement);
        }
    }
}

#[test]
fn what_certify_prints_is_as_the_schema_says() {
    let queries = ["(declare-const p Bool)(assert p)(check-sat)(assert (not p))(check-sat)", "(assert false)(check-sat)"];
    for (number, query) in queries.into_iter().enumerate() {
        let folder = folder(&format!("certify-{number}"), "");
        fs::write(folder.join("q.smt2"), query).unwrap();
        for more in [&[][..], &["--steps", "0"]] {
            assert_valid("goatherd-certify-1", &json(&goatherd(&folder, &[&["certify", "q.smt2", "--json"], more].concat())));
        }
    }
}

#[test]
fn analyses_are_as_their_schemas_say() {
    let folder = folder("analyses", &fs::read_to_string(workspace().join("examples/strlen.c")).unwrap());
    let example = |name: &str| workspace().join("examples").join(name).to_string_lossy().into_owned();
    for system in ["paths/merging-sort.lts", "paths/gcd.lts"] {
        let system = example(system);
        let paths = ["paths", &system, "--json", "-o", "p.goat", "--graph", "graph.json"];
        assert_valid("goatherd-paths-1", &json(&goatherd(&folder, &paths)));
        let red_black = ["paths", &system, "--json", "-o", "rb.goat", "--strategy", "red-black"];
        assert_valid("goatherd-paths-1", &json(&goatherd(&folder, &red_black)));
        let graph = fs::read(folder.join("graph.json")).unwrap();
        assert_valid("goatherd-graph-1", &serde_json::from_slice(&graph).unwrap());
        for more in [&[][..], &["--cover", "edges"]] {
            let draw = [&["draw", "p.goat", "--max-length", "30", "--count", "5", "--json", "--no-inputs"], more].concat();
            assert_valid("goatherd-draw-1", &json(&goatherd(&folder, &draw)));
        }
    }
    for model in ["last-cell.trees", "last-cell.buggy.trees"] {
        for more in [&[][..], &["--steps", "20"]] {
            let model = example(&format!("trees/{model}"));
            let trees = [&["trees", &model, "--json"], more].concat();
            assert_valid("goatherd-trees-1", &json(&goatherd(&folder, &trees)));
        }
    }
}

#[test]
fn what_auditors_ask_is_as_the_schemas_say() {
    let folder = folder("audit", &programs()[0].1);
    fs::write(folder.join("q.smt2"), "(declare-const p Bool)(assert p)(assert (not p))(check-sat)").unwrap();
    let model = workspace().join("examples/trees/last-cell.trees").to_string_lossy().into_owned();
    let system = workspace().join("examples/paths/gcd.lts").to_string_lossy().into_owned();
    for made in [
        &["prove", "x.c", "-o", "c.goat"][..],
        &["trees", &model, "-o", "t.goat"],
        &["paths", &system, "-o", "p.goat"],
        &["certify", "q.smt2", "-o", "f.goat"],
    ] {
        assert_eq!(goatherd(&folder, made).status.code(), Some(0), "{made:?}");
    }
    for certificate in ["c.goat", "t.goat", "p.goat", "f.goat"] {
        assert_valid("goatherd-explain-1", &json(&goatherd(&folder, &["explain", certificate, "--json"])));
    }
    // A line that is covered, refuted and blamed.
    let text = &programs()[0].1;
    for line in (1..=text.lines().count()).step_by(3) {
        assert_valid("goatherd-explain-1", &json(&goatherd(&folder, &["explain", "c.goat", "--json", "--at", &line.to_string()])));
    }
    assert_eq!(goatherd(&folder, &["prove", "x.c", "-o", "d.goat", "--checks", "overflow"]).status.code(), Some(0));
    assert_valid("goatherd-diff-1", &json(&goatherd(&folder, &["diff", "c.goat", "d.goat", "--json"])));
    assert_valid("goatherd-crosscheck-1", &json(&goatherd(&folder, &["crosscheck", "c.goat", "--command", "true", "--json"])));
}

#[test]
fn what_no_schema_names_is_refused() {
    let folder = folder("more", &programs()[0].1);
    let mut report = json(&goatherd(&folder, &["prove", "x.c", "--json"]));
    report["more"] = Value::from(1);
    let refused = std::panic::catch_unwind(|| assert_valid("goatherd-prove-1", &report));
    assert!(refused.is_err());
}
