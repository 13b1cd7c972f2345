//! The table of terms, and which terms rules may name.

use goatherd_certificates::{
    derivation::{Deduction, Refutation, Rule},
    term::{Array, ArrayId, Atom, AtomId, LinearId, Term},
};
use goatherd_checker::term::Arena;

/// How many terms of each kind a table has.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// Atoms.
    pub atoms: u32,
    /// Linear terms.
    pub linears: u32,
    /// Arrays.
    pub arrays: u32,
}

impl Known {
    /// All terms of an arena.
    pub fn of(arena: &Arena) -> Self {
        let count = |has: &dyn Fn(u32) -> bool| (0..u32::MAX).find(|id| !has(*id)).unwrap_or(0);
        Self {
            atoms: count(&|id| arena.atom(AtomId(id)).is_ok()),
            linears: count(&|id| arena.linear(LinearId(id)).is_ok()),
            arrays: count(&|id| arena.array(ArrayId(id)).is_ok()),
        }
    }

    /// Are all terms of the rule among these?
    pub fn has(&self, rule: &Rule) -> bool {
        let linear = |id: &LinearId| id.0 < self.linears;
        let hints = |hints: &[Refutation]| hints.iter().flat_map(|hint| &hint.deductions).all(|deduction| self.has_all(deduction));
        match rule {
            Rule::Step { refuted } => refuted.iter().flat_map(|(_, hint)| &hint.deductions).all(|deduction| self.has_all(deduction)),
            Rule::StepDecided { choice, hints: given, .. } => choice.is_none() && hints(given),
            Rule::Split { literal } => linear(&literal.term),
            Rule::Infeasible { refutation } => refutation.deductions.iter().all(|deduction| self.has_all(deduction)),
            Rule::AddScapegoat { integers, hints: given, .. } => integers.iter().all(|(_, id)| linear(id)) && hints(given),
            Rule::Subsume { matching, hints: given, .. } => {
                matching.integers.iter().all(linear) && matching.arrays.iter().all(|id| id.0 < self.arrays) && hints(given)
            }
            Rule::Let { term } => linear(term),
            Rule::Drop { .. } | Rule::Descent { .. } | Rule::End | Rule::Unfold { .. } | Rule::Steps { .. } | Rule::Twin { .. } => true,
        }
    }

    fn has_all(&self, deduction: &Deduction) -> bool {
        match deduction {
            Deduction::Combine(_) | Deduction::Tighten { .. } => true,
            Deduction::Axiom(atom)
            | Deduction::ReadSame { atom, .. }
            | Deduction::ReadOther { atom, .. }
            | Deduction::Bits { atom, .. }
            | Deduction::Evaluate { atom, .. } => atom.0 < self.atoms,
            Deduction::Congruence { left, right, .. } => left.0.max(right.0) < self.atoms,
            Deduction::Convert { atom, value, .. } => atom.0 < self.atoms && value.0 < self.linears,
            Deduction::Case(literal) => literal.term.0 < self.linears,
        }
    }
}

/// All terms of an arena, each behind those that it mentions, so that each has the id that it has there.
pub fn table(arena: &Arena) -> Vec<Term> {
    let mut table = Vec::new();
    let mut arrays = 0;
    for id in (0..).map(LinearId) {
        let Ok(linear) = arena.linear(id) else { break };
        let atom = arena.as_atom(id).ok().flatten();
        if let Some(Atom::Select { array, .. }) = atom {
            push_arrays(arena, &mut table, &mut arrays, array.0 + 1);
        }
        table.push(atom.map_or_else(|| Term::Linear(linear.clone()), |atom| Term::Atom(atom.clone())));
    }
    push_arrays(arena, &mut table, &mut arrays, u32::MAX);
    table
}

fn push_arrays(arena: &Arena, table: &mut Vec<Term>, pushed: &mut u32, end: u32) {
    while *pushed < end
        && let Ok(array) = arena.array(ArrayId(*pushed))
    {
        table.push(Term::Array(Array::clone(array)));
        *pushed += 1;
    }
}
