//! The parameters of a program's entry function, read from its text.
//!
//! This reads the plain forms that the examples and the test programs use, and nothing else; it stands apart from the front end so
//! that a mistake there cannot hide here.

use crate::struct_types::{StructTypes, split_name};

/// The entry function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its parameters, in order.
    pub parameters: Vec<Parameter>,
}

/// One parameter of the entry function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parameter {
    /// An integer.
    Integer {
        /// Its type as written.
        type_name: String,
        /// Its name.
        name: String,
    },
    /// An array input: `struct { T *X; <int> n_X; }`.
    Array {
        /// The tag of the struct.
        struct_name: String,
        /// The type of the elements as written.
        element: String,
        /// The name X of the pointer field.
        pointer: String,
        /// The parameter's name.
        name: String,
    },
    /// A pointer to a struct: NULL or an object of its own, a tree of them where the struct points to itself.
    Object {
        /// Its type as written, a pointer or a typedef of one.
        type_name: String,
        /// The tag of the struct.
        struct_name: String,
        /// Its name.
        name: String,
    },
}

impl Entry {
    /// The function `void NAME(...)` or `int NAME(...)` of a text; nothing where it is missing or has a parameter of another form.
    pub fn find(text: &str, name: &str) -> Option<Self> {
        let (_, rest) = ["void", "int"].iter().find_map(|result| text.split_once(&format!("{result} {name}(")))?;
        let (list, _) = rest.split_once(')')?;
        let list = list.trim();
        if list.is_empty() || list == "void" {
            return Some(Self { parameters: Vec::new() });
        }
        let types = StructTypes::read(text);
        let parameters = list.split(',').map(|parameter| Parameter::read(text, &types, parameter)).collect::<Option<_>>()?;
        Some(Self { parameters })
    }
}

impl Parameter {
    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Self::Integer { name, .. } | Self::Array { name, .. } | Self::Object { name, .. } => name,
        }
    }

    fn read(text: &str, types: &StructTypes, parameter: &str) -> Option<Self> {
        let (type_name, name) = split_name(parameter)?;
        let (type_name, name) = (type_name.to_owned(), name.to_owned());
        if let Some(struct_name) = types.pointee(&type_name) {
            return Some(Self::Object { type_name, struct_name, name });
        }
        if type_name.contains('*') {
            return None;
        }
        match type_name.strip_prefix("struct ") {
            None => Some(Self::Integer { type_name, name }),
            Some(tag) => {
                let (element, pointer) = pointer_field(text, tag)?;
                Some(Self::Array { struct_name: tag.to_owned(), element, pointer, name })
            }
        }
    }
}

/// T and X of the field `T *X` of a struct that also has a field `n_X`.
fn pointer_field(text: &str, tag: &str) -> Option<(String, String)> {
    let (_, body) = text.split_once(&format!("struct {tag} {{"))?;
    let (body, _) = body.split_once('}')?;
    let fields: Vec<&str> = body.split(';').map(str::trim).collect();
    let (element, pointer) = fields.iter().find_map(|field| field.rsplit_once('*'))?;
    let length = format!(" n_{pointer}");
    fields.iter().any(|field| field.ends_with(&length)).then(|| (element.trim().to_owned(), pointer.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::{Entry, Parameter};

    #[test]
    fn reads_arrays_and_integers() {
        let text = "struct str {\n    const char *s;\n    int n_s;\n};\nvoid test(struct str a, unsigned char c) {}";
        let array = Parameter::Array { struct_name: "str".into(), element: "const char".into(), pointer: "s".into(), name: "a".into() };
        let integer = Parameter::Integer { type_name: "unsigned char".into(), name: "c".into() };
        assert_eq!(Entry::find(text, "test"), Some(Entry { parameters: vec![array, integer] }));
    }

    #[test]
    fn reads_pointers_to_structs() {
        let text = "typedef struct node { struct node *next; } *list;\nvoid test(struct node *p, list q) {}";
        let object =
            |type_name: &str, name: &str| Parameter::Object { type_name: type_name.into(), struct_name: "node".into(), name: name.into() };
        assert_eq!(Entry::find(text, "test"), Some(Entry { parameters: vec![object("struct node *", "p"), object("list", "q")] }));
    }

    #[test]
    fn refuses_other_forms() {
        assert_eq!(Entry::find("void test(int *p) {}", "test"), None);
        assert_eq!(Entry::find("struct s { int a; };\nvoid test(struct s a) {}", "test"), None);
        assert_eq!(Entry::find("int main(void) {}", "test"), None);
    }
}
