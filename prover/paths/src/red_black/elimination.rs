//! Symbols that no variable holds any more are eliminated from what is known of them.

use goatherd_logic::paths::conjunction::Conjunction;
use goatherd_systems::literal::{Linear, Literal, Store, Term, Variable, negated, sum};
use std::collections::BTreeSet;

/// Pairs of bounds that are added up to eliminate one symbol.
const PAIRS: usize = 64;

/// The same about `kept`, exact on integers; where no such elimination is known, what cannot be said without a symbol is lost.
pub fn eliminate(mut facts: Conjunction, kept: &BTreeSet<Variable>) -> Conjunction {
    let mut lost = BTreeSet::new();
    while !facts.is_contradictory() {
        // Differences are closed: what is only in them can go.
        let entangled = facts.entangled().into_iter().find(|symbol| !kept.contains(symbol) && !lost.contains(symbol));
        let Some(symbol) = entangled else { break };
        match without(&facts, symbol, kept) {
            Some(without) => facts = without,
            None => drop(lost.insert(symbol)),
        }
    }
    facts.retain(kept);
    facts
}

fn mentions(literal: &Literal, symbol: Variable) -> bool {
    literal.term().iter().any(|(other, _)| *other == symbol)
}

fn without(facts: &Conjunction, symbol: Variable, kept: &BTreeSet<Variable>) -> Option<Conjunction> {
    let literals = facts.literals();
    let (with, rest): (Vec<&Literal>, Vec<&Literal>) = literals.iter().partition(|literal| mentions(literal, symbol));
    if let Some(value) = value(&with, symbol, kept) {
        let store = Store::from([(symbol, value)]);
        let with = with.iter().map(|literal| literal.substitute(&store)).collect::<Result<Vec<_>, _>>().ok()?;
        return Some(Conjunction::default().with(rest.into_iter().chain(&with)));
    }
    let coefficient = |term: &[(Variable, i128)]| term.iter().find(|(other, _)| *other == symbol).map_or(0, |(_, factor)| *factor);
    let mut above: Vec<(&Term, i128)> = Vec::new();
    let mut below: Vec<(&Term, i128)> = Vec::new();
    let mut has_others = false;
    for literal in &with {
        match literal {
            Literal::AtMost(term, bound) if coefficient(term) == 1 => above.push((term, *bound)),
            Literal::AtMost(term, bound) if coefficient(term) == -1 => below.push((term, *bound)),
            // Bounds say so already.
            Literal::Differs(term, value) if is_outside(facts, term, *value) => {}
            // One more value that it must not have, among infinitely many.
            Literal::Differs(term, _) if coefficient(term).abs() == 1 => has_others = true,
            _ => return None,
        }
    }
    if above.is_empty() || below.is_empty() {
        return Some(Conjunction::default().with(rest));
    }
    if has_others || above.len() * below.len() > PAIRS {
        return None;
    }
    let mut sums = Vec::new();
    for (upper, upper_bound) in &above {
        for (lower, lower_bound) in &below {
            sums.push(Literal::at_most(sum(upper, lower, 1).ok()?, upper_bound.checked_add(*lower_bound)?));
        }
    }
    Some(Conjunction::default().with(rest.into_iter().chain(&sums)))
}

fn is_outside(facts: &Conjunction, term: &Term, value: i128) -> bool {
    facts.greatest(term).is_some_and(|greatest| greatest < value) || facts.least(term).is_some_and(|least| least > value)
}

/// What the symbol is equal to: of kept symbols if possible.
fn value(with: &[&Literal], symbol: Variable, kept: &BTreeSet<Variable>) -> Option<Linear> {
    let mut found = None;
    for literal in with {
        let Literal::AtMost(term, bound) = literal else { continue };
        let Some((_, factor)) = term.iter().find(|(other, factor)| *other == symbol && factor.abs() == 1) else { continue };
        let opposite = Literal::AtMost(negated(term), bound.checked_neg()?);
        if !with.contains(&&opposite) {
            continue;
        }
        // factor * symbol + rest = bound
        let rest: Term = term.iter().filter(|(other, _)| *other != symbol).map(|(other, own)| (*other, -own * factor)).collect();
        let is_kept = rest.iter().all(|(other, _)| kept.contains(other));
        let value = Linear { term: rest, constant: bound.checked_mul(*factor)? };
        if is_kept {
            return Some(value);
        }
        found.get_or_insert(value);
    }
    found
}
