//! The struct types and typedefs of a program, read from its text.
//!
//! Like [`crate::entry`], this reads the plain forms that the programs use and stands apart from the front end.

use std::collections::BTreeMap;

/// The named types of a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StructTypes {
    /// What stands between the braces, by tag.
    bodies: BTreeMap<String, String>,
    /// What a typedef's name stands for: a type with its stars, `struct node *`.
    typedefs: BTreeMap<String, String>,
}

/// A field of a struct, or of a struct that lies in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// How it is named from the outermost struct: `link.next`.
    pub path: String,
    /// What it holds.
    pub kind: FieldKind,
}

/// What a field holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldKind {
    /// An integer of any value of its type.
    Integer,
    /// 0 or 1.
    Boolean,
    /// A pointer to the struct of this tag.
    Pointer(String),
    /// A pointer to something else.
    OtherPointer,
}

impl StructTypes {
    /// Reads all definitions of a program.
    pub fn read(program: &str) -> Self {
        let text = plain(program);
        let mut types = Self::default();
        for (start, _) in text.match_indices('{') {
            let mut words = text[..start].split_whitespace().rev();
            if let (Some(tag), Some("struct")) = (words.next(), words.next()) {
                types.bodies.insert(tag.to_owned(), braced(&text[start..]).to_owned());
            }
        }
        for (start, _) in text.match_indices("typedef ") {
            let text = &text[start + "typedef ".len()..];
            let body = text.find('{').filter(|brace| text.find(';').is_none_or(|end| *brace < end));
            let (front, rest) = match body {
                Some(brace) => (&text[..brace], &text[brace + braced(&text[brace..]).len() + 2..]),
                None => ("", text),
            };
            let definition = format!("{front}{}", rest.split(';').next().unwrap_or_default());
            if let Some((meaning, name)) = split_name(&definition) {
                types.typedefs.insert(name.to_owned(), meaning.to_owned());
            }
        }
        types
    }

    /// The tag of the struct that a type points to, if it is a pointer to one.
    pub fn pointee(&self, type_name: &str) -> Option<String> {
        self.resolve(type_name).strip_suffix('*')?.strip_prefix("struct ").map(|tag| tag.trim().to_owned()).filter(|tag| !tag.contains('*'))
    }

    /// All fields of a struct, by their order; nothing where it is not defined or has a field of a form that is not known.
    pub fn fields(&self, tag: &str) -> Option<Vec<Field>> {
        let mut fields = Vec::new();
        for declaration in self.bodies.get(tag)?.split(';').map(str::trim).filter(|declaration| !declaration.is_empty()) {
            if declaration.contains(['[', ':', '(', '{']) {
                return None;
            }
            let mut declarators = declaration.split(',');
            let (base, first) = split_name(declarators.next()?)?;
            let plain_base = base.trim_end_matches('*').trim_end();
            fields.extend(self.declared(base, first)?);
            for declarator in declarators {
                let name = declarator.trim_start_matches(['*', ' ']);
                fields.extend(self.declared(&format!("{plain_base}{}", &declarator[..declarator.len() - name.len()]), name.trim())?);
            }
        }
        Some(fields)
    }

    /// The fields that one declarator makes: one, or those of a struct that lies inside.
    fn declared(&self, type_name: &str, name: &str) -> Option<Vec<Field>> {
        let resolved = self.resolve(type_name);
        let kind = match (resolved.strip_prefix("struct "), resolved.ends_with('*')) {
            (Some(tag), false) => {
                let inner = self.fields(tag)?;
                return Some(inner.into_iter().map(|field| Field { path: format!("{name}.{}", field.path), ..field }).collect());
            }
            (_, true) => self.pointee(&resolved).map_or(FieldKind::OtherPointer, FieldKind::Pointer),
            (None, false) if resolved == "_Bool" => FieldKind::Boolean,
            (None, false) => FieldKind::Integer,
        };
        Some(vec![Field { path: name.to_owned(), kind }])
    }

    /// A type without typedefs and qualifiers, its stars at the end and without spaces: `struct node**`.
    fn resolve(&self, type_name: &str) -> String {
        let stars = "*".repeat(type_name.matches('*').count());
        let words: Vec<&str> = type_name.split([' ', '*', '\t', '\n']).filter(|word| !matches!(*word, "" | "const")).collect();
        let base = words.join(" ");
        match self.typedefs.get(&base) {
            // A typedef of a struct by a name that is its own typedef's cannot occur in C, so that this ends.
            Some(meaning) if *meaning != base => format!("{}{stars}", self.resolve(meaning)),
            _ => format!("{base}{stars}"),
        }
    }
}

/// The text without comments and lines of the preprocessor.
fn plain(program: &str) -> String {
    let mut text = String::new();
    let mut rest = program;
    while let Some((before, comment)) = rest.split_once("/*") {
        text.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, rest)| rest);
    }
    text.push_str(rest);
    let mut plain = String::new();
    let mut in_directive = false;
    for line in text.lines() {
        in_directive |= line.trim_start().starts_with('#');
        if !in_directive {
            plain.push_str(line.split("//").next().unwrap_or_default());
            plain.push('\n');
        }
        in_directive &= line.ends_with('\\');
    }
    plain
}

/// What stands between the brace that the text begins with and its partner.
fn braced(text: &str) -> &str {
    let mut depth = 0_u32;
    for (position, character) in text.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 1 => return &text[1..position],
            '}' => depth -= 1,
            _ => {}
        }
    }
    ""
}

/// The type and the name that a declaration ends with.
pub fn split_name(declaration: &str) -> Option<(&str, &str)> {
    let declaration = declaration.trim();
    let start = declaration.rfind(['*', ' ', '\t', '\n'])? + 1;
    Some((declaration[..start].trim(), &declaration[start..])).filter(|(_, name)| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{Field, FieldKind, StructTypes};

    const PROGRAM: &str = "#define X struct lost { \\\n int a; }\n\
        struct link { struct entry *next, **back; };\n\
        struct entry { int key; /* { */ _Bool red; struct link link; };\n\
        typedef struct entry Entry;\n\
        typedef struct tree { const void *key; struct tree *left, *right; } *Tree;\n";

    fn field(path: &str, kind: FieldKind) -> Field {
        Field { path: path.into(), kind }
    }

    #[test]
    fn reads_fields_also_of_inner_structs() {
        let types = StructTypes::read(PROGRAM);
        let expected = vec![
            field("key", FieldKind::Integer),
            field("red", FieldKind::Boolean),
            field("link.next", FieldKind::Pointer("entry".into())),
            field("link.back", FieldKind::OtherPointer),
        ];
        assert_eq!(types.fields("entry"), Some(expected));
        assert_eq!(types.fields("lost"), None);
    }

    #[test]
    fn resolves_typedefs() {
        let types = StructTypes::read(PROGRAM);
        assert_eq!(types.pointee("const Entry *"), Some("entry".to_owned()));
        assert_eq!(types.pointee("Tree"), Some("tree".to_owned()));
        assert_eq!(types.pointee("Tree *"), None);
        assert_eq!(types.pointee("Entry"), None);
        assert_eq!(types.pointee("char *"), None);
    }

    #[test]
    fn refuses_fields_of_other_forms() {
        assert_eq!(StructTypes::read("struct s { int a[2]; };").fields("s"), None);
        assert_eq!(StructTypes::read("struct s { unsigned red : 1; };").fields("s"), None);
    }
}
