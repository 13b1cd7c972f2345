//! Is an object as a schema of `spec/schemas` says? Used by the tests of both commands.

use serde_json::{Map, Value};
use std::{fs, path::Path};

/// The object is one of this schema, whose name it gives.
pub fn assert_valid(schema: &str, object: &Value) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|folder| folder.join("spec/schemas")).find(|folder| folder.is_dir());
    let text = fs::read_to_string(folder.expect("the schemas").join(format!("{schema}.json"))).unwrap();
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
    let Some(fields) = value.as_object() else {
        return Ok(());
    };
    for (name, field) in fields {
        let schema = keywords["properties"].get(name).ok_or_else(|| format!("there is a field {name}"))?;
        validate(root, schema, field).map_err(|wrong| format!("{name}: {wrong}"))?;
    }
    let missing = keywords["required"].as_array().expect("names").iter().find(|name| !fields.contains_key(name.as_str().expect("a name")));
    missing.map_or(Ok(()), |name| Err(format!("there is no field {name}")))
}
