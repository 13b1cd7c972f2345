//! The certificate's table of terms: what the evidence mentions, renumbered densely in the order in which it is first mentioned.

use goatherd_certificates::{
    configuration::{Address, FieldState, Folded, ObjectState, Slot, Template},
    derivation::{Choice, Deduction, Matching, Proof, Refutation, Rule},
    term::{Array, ArrayId, ArrayStore, ArrayVariable, Atom, AtomId, Computation, Linear, LinearId, Literal, Scope, Term, Variable},
};
use goatherd_checker::{
    configuration::Configuration,
    rejection::Rejection,
    term::{Arena, SORTS},
};
use std::collections::BTreeMap;

/// The proof with its terms renumbered, and the table.
pub fn renumber(arena: &Arena, proof: &Proof) -> Result<(Vec<Term>, Proof), Rejection> {
    let mut table = Table { arena, terms: Vec::new(), atoms: BTreeMap::new(), linears: BTreeMap::new(), arrays: BTreeMap::new(), count: 0 };
    let proof = table.proof(proof)?;
    Ok((table.terms, proof))
}

/// Renumbers the terms of refutations alone, and makes their table.
pub fn renumber_refutations<'a>(arena: &Arena, refutations: impl IntoIterator<Item = &'a mut Refutation>) -> Result<Vec<Term>, Rejection> {
    let mut table = Table { arena, terms: Vec::new(), atoms: BTreeMap::new(), linears: BTreeMap::new(), arrays: BTreeMap::new(), count: 0 };
    refutations.into_iter().try_for_each(|refutation| table.refutation(refutation))?;
    Ok(table.terms)
}

/// The variables of a scope, in the order in which a substitution lists their terms.
pub fn variables(scope: &Scope) -> (Vec<Variable>, Vec<ArrayVariable>) {
    let sorts = [None].into_iter().chain(SORTS.map(Some));
    let integers = sorts.zip(&scope.integers).flat_map(|(sort, count)| (0..*count).map(move |number| Variable { sort, number }));
    let arrays =
        SORTS.into_iter().zip(&scope.arrays).flat_map(|(sort, count)| (0..*count).map(move |number| ArrayVariable { sort, number }));
    (integers.collect(), arrays.collect())
}

/// These terms for the variables of a template without symbols, whose objects have the names that they have in the configuration.
pub fn matching(template: &Configuration, integers: Vec<LinearId>, arrays: Vec<ArrayId>) -> Matching {
    let objects = template.members.iter().map(|member| member.objects.iter().flatten().map(|state| state.object).collect()).collect();
    Matching { integers, arrays, objects, ..Matching::default() }
}

struct Table<'a> {
    arena: &'a Arena,
    terms: Vec<Term>,
    /// An atom is also a linear term.
    atoms: BTreeMap<AtomId, (AtomId, LinearId)>,
    linears: BTreeMap<LinearId, LinearId>,
    arrays: BTreeMap<ArrayId, ArrayId>,
    /// How many linear terms there are.
    count: u32,
}

fn next(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

impl Table<'_> {
    fn next_linear(&mut self) -> LinearId {
        self.count += 1;
        LinearId(self.count - 1)
    }

    fn atom(&mut self, id: AtomId) -> Result<(AtomId, LinearId), Rejection> {
        if let Some(known) = self.atoms.get(&id) {
            return Ok(*known);
        }
        let atom = match self.arena.atom(id)?.clone() {
            Atom::Variable(variable) => Atom::Variable(variable),
            Atom::Select { array, index } => Atom::Select { array: self.array(array)?, index: self.linear(index)? },
            Atom::Quotient { divisor, argument } => Atom::Quotient { divisor, argument: self.linear(argument)? },
            Atom::Apply(Computation { operation, kind, left, right }) => {
                Atom::Apply(Computation { operation, kind, left: self.linear(left)?, right: self.linear(right)? })
            }
        };
        let ids = (AtomId(next(self.atoms.len())), self.next_linear());
        self.terms.push(Term::Atom(atom));
        self.atoms.insert(id, ids);
        Ok(ids)
    }

    fn linear(&mut self, id: LinearId) -> Result<LinearId, Rejection> {
        if let Some(known) = self.linears.get(&id) {
            return Ok(*known);
        }
        let linear = self.arena.linear(id)?.clone();
        let renumbered = if let (0, [(atom, 1)]) = (linear.constant, linear.summands.as_slice()) {
            self.atom(*atom)?.1
        } else {
            let mut summands = Vec::new();
            for (atom, coefficient) in linear.summands {
                summands.push((self.atom(atom)?.0, coefficient));
            }
            summands.sort_unstable();
            self.terms.push(Term::Linear(Linear { constant: linear.constant, summands }));
            self.next_linear()
        };
        self.linears.insert(id, renumbered);
        Ok(renumbered)
    }

    fn array(&mut self, id: ArrayId) -> Result<ArrayId, Rejection> {
        if let Some(known) = self.arrays.get(&id) {
            return Ok(*known);
        }
        let array = match self.arena.array(id)?.clone() {
            Array::Store(ArrayStore { array, index, value }) => {
                Array::Store(ArrayStore { array: self.array(array)?, index: self.linear(index)?, value: self.linear(value)? })
            }
            Array::Constant(value) => Array::Constant(self.linear(value)?),
            array @ (Array::Variable(_) | Array::Table(_)) => array,
        };
        let renumbered = ArrayId(next(self.arrays.len()));
        self.terms.push(Term::Array(array));
        self.arrays.insert(id, renumbered);
        Ok(renumbered)
    }

    fn literal(&mut self, literal: Literal) -> Result<Literal, Rejection> {
        Ok(Literal { term: self.linear(literal.term)?, ..literal })
    }

    fn linears(&mut self, ids: &[LinearId]) -> Result<Vec<LinearId>, Rejection> {
        ids.iter().map(|id| self.linear(*id)).collect()
    }

    fn slot(&mut self, slot: Slot) -> Result<Slot, Rejection> {
        Ok(match slot {
            Slot::Integer(term) => Slot::Integer(self.linear(term)?),
            Slot::Pointer(Address { object, index, byte }) => Slot::Pointer(Address { object, index: self.linear(index)?, byte }),
            Slot::Forgotten | Slot::Uninitialised | Slot::Null | Slot::Folded(_) | Slot::Last(_) => slot,
        })
    }

    fn proof(&mut self, proof: &Proof) -> Result<Proof, Rejection> {
        Ok(Proof {
            k: proof.k,
            lengths: proof.lengths,
            lemmas: proof.lemmas.clone(),
            sorts: proof.sorts.clone(),
            templates: proof.templates.iter().map(|template| self.template(template)).collect::<Result<_, _>>()?,
            roots: self.rules(&proof.roots)?,
            derivations: proof.derivations.iter().map(|rules| self.rules(rules)).collect::<Result<_, _>>()?,
        })
    }

    fn template(&mut self, template: &Template) -> Result<Template, Rejection> {
        let mut template = template.clone();
        for literal in &mut template.predicate {
            *literal = self.literal(*literal)?;
        }
        for member in &mut template.members {
            member.consumed = self.slot(member.consumed)?;
            for (_, slot) in &mut member.registers {
                *slot = self.slot(*slot)?;
            }
            for ObjectState { lower, upper, fields, .. } in &mut member.objects {
                (*lower, *upper) = (self.linear(*lower)?, self.linear(*upper)?);
                for FieldState { cells, rest } in fields {
                    for slot in cells {
                        *slot = self.slot(*slot)?;
                    }
                    *rest = rest.map(|rest| self.array(rest)).transpose()?;
                }
            }
            for Folded { above, same, below, .. } in &mut member.folded {
                (*above, *same, *below) = (self.slot(*above)?, self.slot(*same)?, self.slot(*below)?);
            }
        }
        Ok(template)
    }

    fn rules(&mut self, rules: &[Rule]) -> Result<Vec<Rule>, Rejection> {
        rules.iter().map(|rule| self.rule(rule)).collect()
    }

    fn rule(&mut self, rule: &Rule) -> Result<Rule, Rejection> {
        let mut rule = rule.clone();
        match &mut rule {
            Rule::Step { refuted } => {
                for (_, refutation) in refuted {
                    self.refutation(refutation)?;
                }
            }
            Rule::StepDecided { choice, hints, .. } => {
                match choice {
                    Some(Choice::Value(value)) => *value = self.linear(*value)?,
                    Some(Choice::Allocation { lower, fields }) => {
                        *lower = self.linear(*lower)?;
                        for (cells, rest) in fields {
                            *cells = self.linears(cells)?;
                            *rest = rest.map(|rest| self.array(rest)).transpose()?;
                        }
                    }
                    None => {}
                }
                self.refutations(hints)?;
            }
            Rule::Split { literal } => *literal = self.literal(*literal)?,
            Rule::Infeasible { refutation } => self.refutation(refutation)?,
            Rule::AddScapegoat { integers, hints, .. } => {
                for (_, value) in integers {
                    *value = self.linear(*value)?;
                }
                self.refutations(hints)?;
            }
            Rule::Subsume { matching, hints, .. } => {
                let Matching { integers, arrays, .. } = matching;
                *integers = self.linears(integers)?;
                for array in arrays {
                    *array = self.array(*array)?;
                }
                self.refutations(hints)?;
            }
            Rule::Let { term } => *term = self.linear(*term)?,
            Rule::Drop { .. } | Rule::Descent { .. } | Rule::Twin { .. } | Rule::End | Rule::Unfold { .. } | Rule::Steps { .. } => {}
        }
        Ok(rule)
    }

    fn refutations(&mut self, hints: &mut [Refutation]) -> Result<(), Rejection> {
        hints.iter_mut().try_for_each(|refutation| self.refutation(refutation))
    }

    fn refutation(&mut self, refutation: &mut Refutation) -> Result<(), Rejection> {
        for deduction in &mut refutation.deductions {
            match deduction {
                Deduction::Combine(_) | Deduction::Tighten { .. } => {}
                Deduction::Axiom(atom)
                | Deduction::ReadSame { atom, .. }
                | Deduction::ReadOther { atom, .. }
                | Deduction::Bits { atom, .. }
                | Deduction::Evaluate { atom, .. } => {
                    *atom = self.atom(*atom)?.0;
                }
                Deduction::Congruence { left, right, .. } => (*left, *right) = (self.atom(*left)?.0, self.atom(*right)?.0),
                Deduction::Convert { atom, value, .. } => (*atom, *value) = (self.atom(*atom)?.0, self.linear(*value)?),
                Deduction::Case(literal) => *literal = self.literal(*literal)?,
            }
        }
        Ok(())
    }
}
