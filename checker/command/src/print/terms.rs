//! Terms: short ones are written where they are used, long ones by name, which is said before it is used for the first time.

use goatherd_certificates::{
    derivation::{Deduction, FactId, Refutation},
    term::{
        Array, ArrayId, ArrayStore, ArrayVariable, Atom, AtomId, Computation, Linear, LinearId,
        Literal, Sign, Term, Variable,
    },
};
use goatherd_frontend::print::{
    Page,
    program::{integer_name, operation_name, table_name},
};
use std::{cell::RefCell, collections::BTreeSet, mem};

/// The longest term that is written where it is used, in characters.
const SHORT: usize = 32;

/// As wide as the number of a rule: what stands between rules is indented like them.
const RULE: &str = "       ";

/// How every term of a certificate is written.
#[derive(Default)]
pub struct Terms {
    atoms: Vec<Written>,
    linears: Vec<Written>,
    arrays: Vec<Written>,
    /// The terms that have names, in their order in the certificate: what each is, and which of them that mentions.
    named: Vec<(String, Vec<usize>)>,
    /// Which of them have been mentioned since they were last looked at.
    mentioned: RefCell<Vec<usize>>,
    /// Which of them have been defined.
    defined: RefCell<BTreeSet<usize>>,
}

/// How a term is called where it is used: its text, or a name.
#[derive(Clone)]
struct Written {
    mention: String,
    /// The terms whose names are in it.
    names: Vec<usize>,
}

impl Terms {
    pub fn new(terms: &[Term]) -> Self {
        let mut written = Self::default();
        for term in terms {
            match term {
                Term::Atom(atom) => {
                    let text = written.atom_text(atom);
                    let entry = written.entry(text, 'a', written.atoms.len());
                    // An atom is also the next linear term.
                    written.linears.push(entry.clone());
                    written.atoms.push(entry);
                }
                Term::Linear(linear) => {
                    let text = written.linear_text(linear);
                    let entry = written.entry(text, 't', written.linears.len());
                    written.linears.push(entry);
                }
                Term::Array(array) => {
                    let text = written.array_text(array);
                    let entry = written.entry(text, 'A', written.arrays.len());
                    written.arrays.push(entry);
                }
            }
        }
        written
    }

    /// A term of this text, which has just been made: where it is long, it gets a name.
    fn entry(&mut self, text: String, kind: char, position: usize) -> Written {
        let mentioned = mem::take(self.mentioned.get_mut());
        if text.chars().count() <= SHORT {
            return Written {
                mention: text,
                names: mentioned,
            };
        }
        let (name, mention) = (self.named.len(), format!("{kind}{position}"));
        self.named.push((format!("{mention} = {text}"), mentioned));
        Written {
            mention,
            names: vec![name],
        }
    }

    fn mention(&self, written: Option<&Written>, missing: String) -> String {
        written.map_or(missing, |Written { mention, names }| {
            self.mentioned.borrow_mut().extend(names);
            mention.clone()
        })
    }

    pub fn atom(&self, atom: AtomId) -> String {
        self.mention(self.atoms.get(atom.index()), format!("a{}", atom.0))
    }

    pub fn linear(&self, linear: LinearId) -> String {
        self.mention(self.linears.get(linear.index()), format!("t{}", linear.0))
    }

    pub fn array(&self, array: ArrayId) -> String {
        self.mention(self.arrays.get(array.index()), format!("A{}", array.0))
    }

    pub fn literal(&self, literal: Literal) -> String {
        let sign = match literal.sign {
            Sign::AtMostZero => "<=",
            Sign::Zero => "=",
            Sign::NotZero => "!=",
        };
        format!("{} {sign} 0", self.linear(literal.term))
    }

    /// A refutation: its deductions, each of which adds facts to those of the predicate.
    pub fn refutation(&self, refutation: &Refutation) -> String {
        let deduction = |deduction: &Deduction| match deduction {
            Deduction::Combine(summands) => {
                let summand = |(fact, coefficient): &(FactId, i128)| match coefficient {
                    1 => format!("f{}", fact.0),
                    _ => format!("{coefficient} f{}", fact.0),
                };
                summands.iter().map(summand).collect::<Vec<_>>().join(" + ")
            }
            Deduction::Tighten { bound, disequality } => {
                format!("tighten f{} by f{}", bound.0, disequality.0)
            }
            Deduction::Axiom(atom) => format!("range of {}", self.atom(*atom)),
            Deduction::Congruence { left, right, .. } => {
                format!("{} = {}", self.atom(*left), self.atom(*right))
            }
            Deduction::Evaluate { atom, values } => {
                let values: Vec<String> =
                    values.iter().map(|(value, _)| value.to_string()).collect();
                format!("{} at {}", self.atom(*atom), values.join(", "))
            }
            Deduction::ReadSame { atom, .. } => {
                format!("{} reads what was stored", self.atom(*atom))
            }
            Deduction::ReadOther { atom, .. } => {
                format!("{} reads what was there before", self.atom(*atom))
            }
            Deduction::Convert { atom, value, .. } => {
                format!(
                    "{} is {}, the one value of its type",
                    self.atom(*atom),
                    self.linear(*value)
                )
            }
            Deduction::Bits { atom, .. } => format!("bits of {}", self.atom(*atom)),
            Deduction::Case(literal) => format!("suppose {}", self.literal(*literal)),
        };
        format!(
            " [{}]",
            refutation
                .deductions
                .iter()
                .map(deduction)
                .collect::<Vec<_>>()
                .join("; ")
        )
    }

    /// Writes a line, after what the names in it stand for that have not been in a line before.
    pub fn line(&self, page: &mut Page, level: usize, line: &str) {
        let (mut open, mut defined) = (self.mentioned.take(), self.defined.borrow_mut());
        let mut new = BTreeSet::new();
        while let Some(name) = open.pop() {
            if defined.insert(name)
                && let Some((_, mentioned)) = self.named.get(name)
            {
                new.insert(name);
                open.extend(mentioned);
            }
        }
        // A term stands behind those that it mentions.
        let margin = if level == 0 { RULE } else { "" };
        for (definition, _) in new.iter().filter_map(|name| self.named.get(*name)) {
            page.line(level, format!("{margin}term {definition}"));
        }
        page.line(level, line);
    }

    fn atom_text(&self, atom: &Atom) -> String {
        match atom {
            Atom::Variable(Variable { sort: None, number }) => format!("x{number}"),
            Atom::Variable(Variable {
                sort: Some(sort),
                number,
            }) => format!("{}#{number}", integer_name(*sort)),
            Atom::Select { array, index } => {
                format!("{}[{}]", self.array(*array), self.linear(*index))
            }
            Atom::Quotient { divisor, argument } => {
                format!("floor(({}) / {divisor})", self.linear(*argument))
            }
            Atom::Apply(Computation {
                operation,
                kind,
                left,
                right,
            }) => {
                format!(
                    "({})(({}) {} ({}))",
                    integer_name(*kind),
                    self.linear(*left),
                    operation_name(*operation),
                    self.linear(*right)
                )
            }
        }
    }

    fn linear_text(&self, linear: &Linear) -> String {
        let mut text = String::new();
        for (atom, coefficient) in &linear.summands {
            let sign = if *coefficient < 0 { "-" } else { "+" };
            let sign = if text.is_empty() {
                sign.trim_start_matches('+').to_owned()
            } else {
                format!(" {sign} ")
            };
            let factor = if coefficient.unsigned_abs() == 1 {
                String::new()
            } else {
                format!("{} ", coefficient.unsigned_abs())
            };
            text.extend([sign, factor, self.atom(*atom)]);
        }
        match linear.constant {
            constant if text.is_empty() => constant.to_string(),
            0 => text,
            constant if constant < 0 => format!("{text} - {}", constant.unsigned_abs()),
            constant => format!("{text} + {constant}"),
        }
    }

    fn array_text(&self, array: &Array) -> String {
        match array {
            Array::Variable(ArrayVariable { sort, number }) => {
                format!("{}[]#{number}", integer_name(*sort))
            }
            Array::Store(ArrayStore {
                array,
                index,
                value,
            }) => {
                format!(
                    "{} with [{}] = {}",
                    self.array(*array),
                    self.linear(*index),
                    self.linear(*value)
                )
            }
            Array::Constant(value) => format!("all {}", self.linear(*value)),
            Array::Table(table) => table_name(*table),
        }
    }
}
