//! Literals and edges as people read them: nothing is subtracted that can stand on the other side.

use goatherd::paths::{
    literal::{Linear, Literal, Store, Term, Variable, negated},
    lts::{Edge, EdgeId, Lts, Value, index},
    states::Case,
};

/// A literal, such as `i < n` for `i - n <= -1`.
pub fn literal(literal: &Literal, names: &[String]) -> String {
    match literal {
        Literal::AtMost(term, bound) => match (sides(term, names), bound) {
            ((None, Some(right)), _) => format!("{right} >= {}", bound.wrapping_neg()),
            ((Some(left), None), _) => format!("{left} <= {bound}"),
            ((Some(left), Some(right)), -1) => format!("{left} < {right}"),
            ((Some(left), Some(right)), bound) => compare(&left, "<=", &right, *bound),
            ((None, None), _) => literal.show(names).to_string(),
        },
        Literal::Differs(term, value) => relate(term, "!=", *value, names),
        Literal::True | Literal::False | Literal::Residue(_) => literal.show(names).to_string(),
    }
}

/// What holds at a state: the literals of its one case, or what all of its cases have in common and how they differ.
pub fn cases(cases: &[Case], names: &[String]) -> Vec<String> {
    let Some((first, others)) = cases.split_first() else { return Vec::new() };
    let common = others.iter().fold(first.clone(), |common, case| &common & case);
    let words = |case: &mut dyn Iterator<Item = &Literal>| case.map(|known| literal(known, names)).collect::<Vec<_>>();
    let mut all = words(&mut common.iter());
    if !others.is_empty() {
        all.push(cases.iter().map(|case| words(&mut case.difference(&common)).join(" && ")).collect::<Vec<_>>().join(" or "));
    }
    all
}

/// Guard and assignments of an edge.
pub fn edge(edge: &Edge, names: &[String]) -> String {
    let assignments: Vec<String> =
        edge.assignments.iter().map(|(variable, value)| format!("{} := {}", name(*variable, names), value.show(names))).collect();
    let guard = conjunction(&edge.guard, names);
    let guard = if guard.is_empty() { String::new() } else { format!("[{guard}]") };
    [guard, assignments.join(", ")].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The literals, with `&&`. Two bounds that are an equality are one.
fn conjunction(literals: &[Literal], names: &[String]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut literals = literals.iter().peekable();
    while let Some(first) = literals.next() {
        let part = if let Literal::AtMost(term, bound) = first {
            let opposite = Literal::AtMost(negated(term), bound.wrapping_neg());
            let is_equality = literals.next_if(|next| **next == opposite).is_some();
            if is_equality { relate(term, "==", *bound, names) } else { literal(first, names) }
        } else {
            literal(first, names)
        };
        if *first != Literal::True && !parts.contains(&part) {
            parts.push(part);
        }
    }
    parts.join(" && ")
}

/// What a state must not satisfy: the guards of the path, in terms of the values before it. Those on values that nothing is known of are left
/// out.
pub fn safeguard(path: &[EdgeId], lts: &Lts, names: &[String]) -> String {
    let mut store = Store::new();
    let mut guards = Vec::new();
    let is_known = |literal: &Literal| literal.term().iter().all(|(variable, _)| index(*variable) < lts.variables.len());
    for edge in path {
        let Edge { guard, assignments, .. } = &lts.edges[*edge];
        guards.extend(guard.iter().filter_map(|literal| literal.substitute(&store).ok()).filter(is_known));
        let values: Vec<(Variable, Linear)> = assignments
            .iter()
            .map(|(variable, value)| match value {
                Value::Exact(value) => (*variable, value.substitute(&store).unwrap_or_default()),
                Value::Where(_) | Value::Unknown => (*variable, Linear::variable(Variable::MAX)),
            })
            .collect();
        store.extend(values);
    }
    match conjunction(&guards, names) {
        guards if guards.is_empty() => "not this way".to_owned(),
        guards => format!("not ({guards})"),
    }
}

/// `term relation value`
fn relate(term: &Term, relation: &str, value: i128, names: &[String]) -> String {
    match sides(term, names) {
        (None, Some(right)) => format!("{right} {relation} {}", value.wrapping_neg()),
        (Some(left), Some(right)) => compare(&left, relation, &right, value),
        (left, None) => format!("{} {relation} {value}", left.unwrap_or_else(|| "0".to_owned())),
    }
}

/// `left relation right + value`, without subtraction.
fn compare(left: &str, relation: &str, right: &str, value: i128) -> String {
    match value {
        0 => format!("{left} {relation} {right}"),
        1.. => format!("{left} {relation} {right} + {value}"),
        _ => format!("{left} + {} {relation} {right}", value.unsigned_abs()),
    }
}

/// The positive summands, and the negative ones without their sign.
fn sides(term: &Term, names: &[String]) -> (Option<String>, Option<String>) {
    let side = |sign: i128| {
        let summands = term.iter().filter(|(_, coefficient)| coefficient.signum() == sign);
        let summands: Vec<String> = summands.map(|(variable, coefficient)| summand(*variable, coefficient.unsigned_abs(), names)).collect();
        (!summands.is_empty()).then(|| summands.join(" + "))
    };
    (side(1), side(-1))
}

fn summand(variable: Variable, coefficient: u128, names: &[String]) -> String {
    let name = name(variable, names);
    if coefficient == 1 { name } else { format!("{coefficient}*{name}") }
}

fn name(variable: Variable, names: &[String]) -> String {
    names.get(index(variable)).cloned().unwrap_or_else(|| format!("variable {variable}"))
}

#[cfg(test)]
mod tests {
    use super::{literal, safeguard};
    use goatherd::paths::{literal::Literal, text::read_lts};

    #[test]
    fn safeguards_are_of_the_values_before() {
        let text = "variables x y\ninitial 1\nfinal 4\n1 -> 2: x := x + 1\n2 -> 3: [x < y] y := *\n3 -> 4: [y == 0 && x != 3]\n";
        let lts = read_lts(text).unwrap();
        assert_eq!(safeguard(&[0, 1, 2], &lts, &lts.names()), "not (x + 2 <= y && x != 2)");
    }

    #[test]
    fn nothing_is_subtracted() {
        let names = ["i", "n"].map(String::from);
        for (found, words) in [
            (Literal::AtMost(vec![(0, 1), (1, -1)], -1), "i < n"),
            (Literal::AtMost(vec![(0, -1), (1, 1)], 0), "n <= i"),
            (Literal::AtMost(vec![(0, -2)], -4), "2*i >= 4"),
            (Literal::AtMost(vec![(0, 1), (1, -1)], -3), "i + 3 <= n"),
            (Literal::Differs(vec![(0, 1), (1, -1)], 2), "i != n + 2"),
            (Literal::Differs(vec![(0, 1)], 0), "i != 0"),
        ] {
            assert_eq!(literal(&found, &names), words);
        }
    }
}
