//! What the program takes for streams of the library, and what compilers may take for its functions: what is then assumed
//! (`spec/program.md#assumed`).

use super::Elaborator;
use crate::lower::{
    assumptions::Assumption,
    tree::{Base, Expression, ExpressionKind},
};

/// Functions that compilers call where the source copies a struct, fills an array or calls another function: an object of such a name is called then.
const CALLED_UNASKED: [&str; 16] = [
    "abort", "calloc", "fputc", "fputs", "fwrite", "memcmp", "memcpy", "memmove", "memset", "putchar", "puts", "stpcpy", "strchr",
    "strcmp", "strcpy", "strlen",
];

impl Elaborator<'_> {
    /// What a function of the library takes for a stream: is it one?
    pub(super) fn note_stream(&mut self, stream: &Expression) {
        let mut stream = stream;
        while let ExpressionKind::Convert(inner) = &stream.kind {
            stream = inner;
        }
        let is_open = match &stream.kind {
            ExpressionKind::Read(place) => matches!(place.base, Base::Global(id) if place.displacement == 0 && self.streams.contains(&id)),
            _ => stream.is_null(),
        };
        if !is_open && !(self.is_model)(stream.offset) {
            self.assumptions.insert(Assumption::Streams);
        }
    }

    /// What the program defines and compilers may take for functions of the library, which they call where the source does not: it has their names. Inside
    /// of its file that holds of what has internal linkage, too.
    pub(super) fn judge_names(&mut self) {
        for (name, definition) in &self.definitions {
            if !(self.is_model)(definition.span.start) && crate::models::is_of_library(name) {
                self.assumptions.insert(Assumption::Ordinary((*name).to_owned()));
            }
        }
        for object in &self.globals {
            if CALLED_UNASKED.contains(&&*object.value.name) {
                self.assumptions.insert(Assumption::Ordinary(object.value.name.clone()));
            }
        }
    }
}
