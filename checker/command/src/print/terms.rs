//! Terms: short ones are written where they are used, long ones by name and once in a list.

use goatherd_certificates::{
    derivation::{Deduction, FactId, Refutation},
    term::{
        Array, ArrayId, ArrayVariable, Atom, AtomId, Linear, LinearId, Literal, Sign, Term,
        Variable,
    },
};
use goatherd_frontend::print::{
    Page,
    program::{integer_name, operation_name, table_name},
};

/// The longest term that is written where it is used, in characters.
const SHORT: usize = 32;

/// How every term of a certificate is written.
#[derive(Default)]
pub struct Terms {
    atoms: Vec<Written>,
    linears: Vec<Written>,
    arrays: Vec<Written>,
}

/// A term's own text, and how it is called where it is used: the same, or a name.
struct Written {
    text: String,
    mention: String,
}

impl Terms {
    pub fn new(terms: &[Term]) -> Self {
        let mut written = Self::default();
        for term in terms {
            match term {
                Term::Atom(atom) => {
                    let entry = Written::new(written.atom_text(atom), 'a', written.atoms.len());
                    // An atom is also the next linear term.
                    written.linears.push(Written {
                        text: entry.mention.clone(),
                        mention: entry.mention.clone(),
                    });
                    written.atoms.push(entry);
                }
                Term::Linear(linear) => {
                    let entry =
                        Written::new(written.linear_text(linear), 't', written.linears.len());
                    written.linears.push(entry);
                }
                Term::Array(array) => {
                    let entry = Written::new(written.array_text(array), 'A', written.arrays.len());
                    written.arrays.push(entry);
                }
            }
        }
        written
    }

    pub fn atom(&self, atom: AtomId) -> String {
        self.atoms
            .get(atom.index())
            .map_or_else(|| format!("a{}", atom.0), |written| written.mention.clone())
    }

    pub fn linear(&self, linear: LinearId) -> String {
        self.linears.get(linear.index()).map_or_else(
            || format!("t{}", linear.0),
            |written| written.mention.clone(),
        )
    }

    pub fn array(&self, array: ArrayId) -> String {
        self.arrays.get(array.index()).map_or_else(
            || format!("A{}", array.0),
            |written| written.mention.clone(),
        )
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

    /// The terms that have names.
    pub fn definitions(&self, page: &mut Page) {
        let named = [&self.atoms, &self.linears, &self.arrays]
            .into_iter()
            .flatten()
            .filter(|written| written.text != written.mention);
        let mut named = named.peekable();
        if named.peek().is_some() {
            page.line(0, "Terms");
            for Written { text, mention } in named {
                page.line(1, format!("{mention} = {text}"));
            }
            page.line(0, "");
        }
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
            Atom::Apply {
                operation,
                kind,
                left,
                right,
            } => {
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
            Array::Store {
                array,
                index,
                value,
            } => {
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

impl Written {
    fn new(text: String, kind: char, position: usize) -> Self {
        let mention = if text.chars().count() <= SHORT {
            text.clone()
        } else {
            format!("{kind}{position}")
        };
        Self { text, mention }
    }
}
