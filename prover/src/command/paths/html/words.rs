//! Literals and edges as people read them: nothing is subtracted that can stand on the other side.

use goatherd_paths::states::Case;
use goatherd_systems::{
    literal::{Linear, Literal, Store, Term, Variable, negated},
    lts::{Edge, EdgeId, Lts, Value, index},
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
    let mut all = conjuncts(&common, names);
    if !others.is_empty() {
        all.push(cases.iter().map(|case| conjuncts(&(case - &common), names).join(" && ")).collect::<Vec<_>>().join(" or "));
    }
    all
}

/// Literals that all hold: two opposite bounds are an equality, disequalities with values in a row a range.
fn conjuncts<'a>(literals: impl IntoIterator<Item = &'a Literal>, names: &[String]) -> Vec<String> {
    let literals: Vec<&Literal> = literals.into_iter().collect();
    let mut words: Vec<String> = Vec::new();
    for found in &literals {
        let word = match found {
            Literal::True => continue,
            Literal::AtMost(term, bound) => {
                let opposite = Literal::AtMost(negated(term), bound.wrapping_neg());
                match (literals.contains(&&opposite), &opposite) {
                    (true, _) if term.first().is_some_and(|(_, coefficient)| *coefficient > 0) => relate(term, "==", *bound, names),
                    (true, Literal::AtMost(term, bound)) => relate(term, "==", *bound, names),
                    _ => literal(found, names),
                }
            }
            Literal::Differs(term, value) => {
                let is_other = |value: i128| literals.contains(&&Literal::Differs(term.clone(), value));
                if is_other(value.wrapping_sub(1)) {
                    continue;
                }
                let last = (*value..i128::MAX).take_while(|value| is_other(*value)).last().unwrap_or(*value);
                if last == *value { literal(found, names) } else { outside(term, [*value, last], names) }
            }
            Literal::False | Literal::Residue(_) => literal(found, names),
        };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

/// Guard and assignments of an edge.
pub fn edge(edge: &Edge, names: &[String]) -> String {
    let assignments: Vec<String> =
        edge.assignments.iter().map(|(variable, value)| format!("{} := {}", name(*variable, names), value.show(names))).collect();
    let guard = conjuncts(&edge.guard, names).join(" && ");
    let guard = if guard.is_empty() { String::new() } else { format!("[{guard}]") };
    [guard, assignments.join(", ")].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
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
    match conjuncts(&guards, names).join(" && ") {
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

/// That the term has none of the values from the first to the last.
fn outside(term: &Term, [first, last]: [i128; 2], names: &[String]) -> String {
    match sides(term, names) {
        (None, Some(right)) => format!("{right} not in {}..{}", last.wrapping_neg(), first.wrapping_neg()),
        (Some(left), Some(right)) if last > 0 => format!("{left} not in {}..{}", shifted(&right, first), shifted(&right, last)),
        (Some(left), Some(right)) => {
            format!("{right} not in {}..{}", shifted(&left, last.wrapping_neg()), shifted(&left, first.wrapping_neg()))
        }
        (left, None) => format!("{} not in {first}..{last}", left.unwrap_or_else(|| "0".to_owned())),
    }
}

/// `sum + value`
fn shifted(sum: &str, value: i128) -> String {
    match value {
        0 => sum.to_owned(),
        1.. => format!("{sum} + {value}"),
        _ => format!("{sum} - {}", value.unsigned_abs()),
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
    use super::{conjuncts, literal, safeguard};
    use goatherd_systems::{literal::Literal, text::read_lts};

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
    #[test]
    fn conjunctions_are_condensed() {
        let names = ["i", "n"].map(String::from);
        let at_most = |i, n, bound| Literal::AtMost(if n == 0 { vec![(0, i)] } else { vec![(0, i), (1, n)] }, bound);
        let differs = |i, n, value| Literal::Differs(if n == 0 { vec![(0, i)] } else { vec![(0, i), (1, n)] }, value);
        for (literals, words) in [
            (vec![at_most(1, 0, 4), at_most(-1, 0, -4)], vec!["i == 4"]),
            (vec![at_most(1, -1, 2), at_most(1, 0, 9), at_most(-1, 1, -2)], vec!["i == n + 2", "i <= 9"]),
            (vec![differs(1, 0, 0), differs(1, 0, 1), differs(1, 0, 3)], vec!["i not in 0..1", "i != 3"]),
            (vec![differs(1, -1, -2), differs(1, -1, -1)], vec!["n not in i + 1..i + 2"]),
            (vec![differs(1, -1, -1), differs(1, -1, 0), differs(1, -1, 1)], vec!["i not in n - 1..n + 1"]),
        ] {
            assert_eq!(conjuncts(&literals, &names), words);
        }
    }
}
