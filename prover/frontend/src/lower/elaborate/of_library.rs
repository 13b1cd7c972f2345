//! What the program takes for streams of the library, and what compilers may take for its functions: what is then assumed
//! (`spec/program.md#assumed`).

use super::{Elaborator, GlobalState};
use crate::lower::{
    assumptions::Assumption,
    tree::{Base, Expression, ExpressionKind, GlobalId},
};

/// Functions that compilers call where the source copies a struct, fills an array or calls another function, and those that the library calls: an object
/// of such a name is called then.
const CALLED_UNASKED: [&str; 19] = [
    "abort", "calloc", "fputc", "free", "malloc", "realloc", "fputs", "fwrite", "memcmp", "memcpy", "memmove", "memset", "putchar", "puts",
    "stpcpy", "strchr", "strcmp", "strcpy", "strlen",
];

/// Objects of the library: what a program has under such a name is what the library's functions then look at.
const OBJECTS: [&str; 17] = [
    "__environ",
    "_environ",
    "daylight",
    "environ",
    "errno",
    "optarg",
    "opterr",
    "optind",
    "optopt",
    "program_invocation_name",
    "program_invocation_short_name",
    "signgam",
    "stderr",
    "stdin",
    "stdout",
    "timezone",
    "tzname",
];

/// The name that something has in its file: where several files mix names up, all but one of them get a number (`link`).
fn own_name(name: &str) -> &str {
    match name.rsplit_once("__") {
        Some((own, number)) if !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit()) => own,
        _ => name,
    }
}

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

    /// The library's functions use what is called `stdout` without being told: is it still a stream?
    pub(super) fn judge_streams(&mut self) {
        let may_change = |id: &GlobalId| self.suspicions.assigned.contains(id) || self.globals[*id].value.addressed;
        if self.streams.iter().any(may_change) {
            self.assumptions.insert(Assumption::Streams);
        }
    }

    /// What the program defines and compilers may take for functions of the library, which they call where the source does not: it has their names. Inside
    /// of its file that holds of what has internal linkage, too.
    pub(super) fn judge_names(&mut self) {
        for (name, definition) in &self.definitions {
            let name = own_name(name);
            if !(self.is_model)(definition.span.start) && crate::models::is_of_library(name) {
                self.assumptions.insert(Assumption::Ordinary(name.to_owned()));
            }
        }
        for (id, object) in self.globals.iter().enumerate() {
            let name = own_name(&object.value.name);
            let is_own = !matches!(object.state, GlobalState::Undefined) && !self.streams.contains(&id);
            let is_known = CALLED_UNASKED.contains(&name) || OBJECTS.contains(&name);
            if is_own && is_known && !(self.is_model)(object.value.offset) {
                self.assumptions.insert(Assumption::Ordinary(name.to_owned()));
            }
        }
    }
}
