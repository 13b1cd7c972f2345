//! Answers as text and as JSON.

use crate::command::Exit;
use goatherd_automata::{alphabet::Alphabet, automaton::State, inclusion::InclusionWitness, timbuk::Document, tree::Tree};
use goatherd_frontend::escape;
use serde_json::{Value, json};
use std::time::Instant;

/// Trees of more nodes are written with each subtree once.
const LONGEST_TERM: u64 = 1000;

/// Who reads an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// A person.
    Text,
    /// A program.
    Json,
}

impl Format {
    /// What an argument `--json` asks for.
    pub fn new(json: bool) -> Self {
        if json { Self::Json } else { Self::Text }
    }
}

/// A tree that is shown.
#[derive(Debug)]
pub struct Shown {
    text: String,
    size: u64,
}

impl Shown {
    /// This tree.
    pub fn new(tree: &Tree, alphabet: &Alphabet) -> Self {
        Self { text: tree.display(alphabet, LONGEST_TERM).to_string(), size: tree.size() }
    }
}

/// The answer to a question.
#[derive(Debug)]
pub enum Answer {
    /// Included, and this shows it.
    Included {
        /// The checked witness.
        witness: InclusionWitness,
    },
    /// Not included: this tree is in the difference.
    NotIncluded {
        /// The tree.
        tree: Shown,
    },
    /// No tree is accepted.
    Empty,
    /// This tree is accepted.
    NotEmpty {
        /// The tree.
        tree: Shown,
    },
    /// There is no answer.
    Undecided {
        /// Why.
        reason: String,
    },
}

impl Answer {
    /// The exit status.
    pub fn exit(&self) -> Exit {
        match self {
            Self::Included { .. } | Self::Empty => Exit::Done,
            Self::NotIncluded { .. } | Self::NotEmpty { .. } => Exit::Unsafe,
            Self::Undecided { .. } => Exit::Unknown,
        }
    }

    /// What is printed; the time is that since `start`.
    pub fn text(&self, format: Format, start: Instant) -> String {
        if format == Format::Json {
            let mut value = self.json();
            value["milliseconds"] = json!(start.elapsed().as_secs_f64() * 1e3);
            return escape::json(&format!("{value:#}\n"));
        }
        match self {
            Self::Included { witness } => {
                let (kind, pairs) = kind(witness);
                format!("included\n  shown by: {kind} with {pairs} pairs, checked\n")
            }
            Self::NotIncluded { tree } => format!("not included\n  {}\n", tree.text),
            Self::Empty => "empty\n".to_owned(),
            Self::NotEmpty { tree } => format!("not empty\n  {}\n", tree.text),
            Self::Undecided { reason } => format!("undecided: {reason}\n"),
        }
    }

    fn json(&self) -> Value {
        match self {
            Self::Included { witness } => {
                let (kind, pairs) = kind(witness);
                json!({ "answer": "yes", "witness": { "kind": kind, "pairs": pairs } })
            }
            Self::Empty => json!({ "answer": "yes" }),
            Self::NotIncluded { tree } | Self::NotEmpty { tree } => {
                json!({ "answer": "no", "tree": { "term": tree.text, "size": tree.size } })
            }
            Self::Undecided { reason } => json!({ "answer": "undecided", "reason": reason }),
        }
    }
}

/// The kind of a witness, and how many pairs it has.
fn kind(witness: &InclusionWitness) -> (&'static str, usize) {
    match witness {
        InclusionWitness::Simulation { pairs, .. } => ("simulation", pairs.len()),
        InclusionWitness::Antichain(pairs) => ("antichain", pairs.len()),
        InclusionWitness::Covering(pairs) => ("covering", pairs.len()),
    }
}

/// A witness in full, with the names of states.
pub fn witness_text(witness: &InclusionWitness, left: &Document, right: &Document) -> String {
    let on_left = |state: &State| left.states[state.index()].clone();
    let on_right = |state: &State| right.states[state.index()].clone();
    let sets = |pairs: &[(State, Vec<State>)]| -> Vec<Value> {
        pairs.iter().map(|(state, set)| json!([on_left(state), set.iter().map(on_right).collect::<Vec<_>>()])).collect()
    };
    let kind = kind(witness).0;
    let value = match witness {
        InclusionWitness::Simulation { pairs, unreached } => json!({
            "kind": kind,
            "pairs": pairs.iter().map(|(one, other)| json!([on_left(one), on_right(other)])).collect::<Vec<_>>(),
            "unreached": unreached.iter().map(on_left).collect::<Vec<_>>(),
        }),
        InclusionWitness::Antichain(pairs) | InclusionWitness::Covering(pairs) => json!({ "kind": kind, "pairs": sets(pairs) }),
    };
    escape::json(&format!("{value}\n"))
}
