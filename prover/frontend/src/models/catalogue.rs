//! The models, by name.

/// Names with their texts, in the order of the names.
pub(super) const MODELS: [(&str, &str); 2] = [("strchr", include_str!("c/strchr.c")), ("strlen", include_str!("c/strlen.c"))];
