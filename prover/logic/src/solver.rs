//! Which reasoning answers: our own, Z3 beyond it, or both compared.

use goatherd_certificates::term::Literal;
use goatherd_checker::term::Arena;
use std::{
    collections::BTreeMap,
    fmt,
    str::FromStr,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

/// What decides entailments that the closure of a context does not show.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Backend {
    /// Nothing else.
    #[default]
    Builtin,
    /// Z3 names literals that contradict each other; a refutation is then derived from them alone.
    Z3,
    /// As [`Backend::Z3`]; besides, Z3 is asked about everything that the closure shows, and must not contradict it.
    Both,
}

/// A name that is none of `builtin`, `z3` and `both`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownBackend;

impl fmt::Display for UnknownBackend {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the solver is one of builtin, z3, both")
    }
}

impl std::error::Error for UnknownBackend {}

impl FromStr for Backend {
    type Err = UnknownBackend;

    fn from_str(name: &str) -> Result<Self, UnknownBackend> {
        match name {
            "builtin" => Ok(Self::Builtin),
            "z3" => Ok(Self::Z3),
            "both" => Ok(Self::Both),
            _ => Err(UnknownBackend),
        }
    }
}

/// Z3 was to answer, but is not there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unavailable;

impl fmt::Display for Unavailable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Z3 is not there")
    }
}

impl std::error::Error for Unavailable {}

/// A question that the closure and Z3 answer differently: one of them is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Disagreement {
    /// What the closure refutes and Z3 satisfies.
    pub literals: Vec<Literal>,
    /// The same in words, with Z3's values.
    pub description: String,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the solvers disagree: {}", self.description)
    }
}

impl std::error::Error for Disagreement {}

/// What Z3 says of literals.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Those at these positions contradict each other.
    Contradiction(Vec<usize>),
    /// They hold together for these values.
    Model(String),
    /// Nothing.
    None,
}

/// Asks Z3 whether the literals hold together. It is handed over, not called by name: only an executable that names it loads libz3, which
/// takes longer than most proofs do.
pub type AskZ3 = fn(&Arena, &[Literal]) -> Answer;

/// Answers what contexts over one arena cannot, and remembers its answers and the first disagreement.
#[derive(Debug, Default)]
pub struct Solver {
    backend: Backend,
    /// There unless the backend does without.
    z3: Option<AskZ3>,
    disagreement: Arc<OnceLock<Disagreement>>,
    answers: Mutex<BTreeMap<Vec<Literal>, Answer>>,
}

impl Solver {
    /// Z3 itself is started by the first question. By default, the built-in reasoning answers alone.
    pub fn new(backend: Backend, z3: Option<AskZ3>) -> Result<Self, Unavailable> {
        match (backend, z3) {
            (Backend::Builtin, _) => Ok(Self::default()),
            (Backend::Z3 | Backend::Both, None) => Err(Unavailable),
            (Backend::Z3 | Backend::Both, Some(_)) => Ok(Self { backend, z3, ..Self::default() }),
        }
    }

    /// The same for contexts over another arena: without the answers, with the same memory of disagreements.
    #[must_use]
    pub fn for_another_arena(&self) -> Self {
        Self { backend: self.backend, z3: self.z3, disagreement: Arc::clone(&self.disagreement), answers: Mutex::default() }
    }

    /// What decides.
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// The first question on which the answers differ.
    pub fn disagreement(&self) -> Option<&Disagreement> {
        self.disagreement.get()
    }

    /// What Z3 says of the literals.
    pub(super) fn answer(&self, arena: &Arena, literals: &[Literal]) -> Answer {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = answers.get(literals) {
            return known.clone();
        }
        let answer = self.z3.map_or(Answer::None, |ask| ask(arena, literals));
        answers.insert(literals.to_vec(), answer.clone());
        answer
    }

    /// Compares with Z3 that the literals, which the closure refutes, cannot hold together.
    pub(super) fn compare(&self, arena: &Arena, predicate: &[Literal], assumptions: &[Literal]) {
        if self.backend != Backend::Both {
            return;
        }
        let literals: Vec<Literal> = predicate.iter().chain(assumptions).copied().collect();
        if let Answer::Model(model) = self.answer(arena, &literals) {
            let terms = literals.iter().map(|literal| format!("{:?} {:?}", literal.sign, arena.linear(literal.term)));
            let description = format!("the closure refutes {:?}, which Z3 satisfies by {model}", terms.collect::<Vec<_>>());
            self.disagreement.get_or_init(|| Disagreement { literals, description });
        }
    }
}
