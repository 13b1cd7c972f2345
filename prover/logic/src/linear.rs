//! Linear arithmetic beyond differences: the simplex method of Dutertre and de Moura (CAV 2006), on exact fractions.

use crate::{
    context::Context,
    facts::{Ground, Part},
    form::{Form, common_divisor},
    meter::Meter,
    rational::Rational,
};
use std::{cmp::Ordering, collections::BTreeMap};

/// So many pivots are tried; systems of path predicates take a few.
const PIVOTS: usize = 400;
/// Greater systems are not tried: unknowns and forms together.
const VARIABLES: usize = 400;

/// Steps of a meter for one entry that is computed.
const COMPUTED: usize = 4;

/// What the simplex method finds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    /// The parts add up to a positive constant.
    Contradiction(Vec<Part>),
    /// Values of the nodes, not all of them integers, that satisfy all bounds.
    Model(BTreeMap<usize, Rational>),
    /// The system is too large, or it cannot be paid for.
    Unknown,
}

/// A bound of a variable, and the edge that it comes from.
#[derive(Clone, Copy, Debug)]
struct Limit {
    value: i128,
    edge: usize,
}

/// A node of the context, or a form over nodes.
#[derive(Clone, Copy, Debug)]
struct Variable {
    lower: Option<Limit>,
    upper: Option<Limit>,
    value: Rational,
}

impl Variable {
    const FREE: Self = Self { lower: None, upper: None, value: Rational::ZERO };
}

/// Basic variables as linear combinations of the others.
#[derive(Default)]
struct Tableau {
    variables: Vec<Variable>,
    /// By basic variable: coefficients of nonbasic ones.
    rows: BTreeMap<usize, BTreeMap<usize, Rational>>,
}

/// Looks for a contradiction among the edges of the context, over the rationals. The tableau is paid for by its size, each pivot also by the
/// entries that it changes.
pub(super) fn solve(context: &Context) -> Answer {
    let mut tableau = Tableau::default();
    if !context.meter.pay(context.edges.len() * (1 + context.sums.len())) {
        return Answer::Unknown;
    }
    let Some(nodes) = tableau.load(context) else { return Answer::Unknown };
    match tableau.solve(&context.meter) {
        None => Answer::Unknown,
        Some(None) => Answer::Model(nodes.iter().map(|(node, variable)| (*node, tableau.variables[*variable].value)).collect()),
        Some(Some(edges)) => match parts(context, &edges) {
            Some(parts) => Answer::Contradiction(parts),
            None => Answer::Unknown,
        },
    }
}

/// Multiplies the fractions up to integers.
fn parts(context: &Context, edges: &[(usize, Rational)]) -> Option<Vec<Part>> {
    let mut scale: i128 = 1;
    for (_, factor) in edges {
        scale = scale.checked_mul(factor.denominator / common_divisor(scale, factor.denominator))?;
    }
    let mut parts = Vec::new();
    for (edge, factor) in edges {
        let multiplier = factor.numerator.checked_mul(scale / factor.denominator)?;
        let edge = context.edges[*edge];
        parts.push(Part { ground: Ground::Fact(edge.fact), multiplier: multiplier.checked_mul(edge.factor)? });
    }
    Some(parts)
}

impl Tableau {
    /// A variable for each node that an edge mentions, and one for each form that is more than a node.
    fn load(&mut self, context: &Context) -> Option<BTreeMap<usize, usize>> {
        let mut nodes: BTreeMap<usize, usize> = BTreeMap::new();
        let mut forms: BTreeMap<Vec<(usize, i128)>, usize> = BTreeMap::new();
        for (number, edge) in context.edges.iter().enumerate() {
            let mut form = context.expanded(edge.from).plus(&context.expanded(edge.to), -1)?;
            let is_opposite = form.summands.first()?.1 < 0;
            if is_opposite {
                form = form.negated()?;
            }
            for (node, _) in &form.summands {
                nodes.entry(*node).or_insert_with(|| {
                    self.variables.push(Variable::FREE);
                    self.variables.len() - 1
                });
            }
            let variable = match form.summands.as_slice() {
                [(node, 1)] => *nodes.get(node)?,
                summands => {
                    if let Some(variable) = forms.get(summands) {
                        *variable
                    } else {
                        self.variables.push(Variable::FREE);
                        let variable = self.variables.len() - 1;
                        let row = summands.iter().map(|(node, coefficient)| Some((*nodes.get(node)?, Rational::integer(*coefficient))));
                        self.rows.insert(variable, row.collect::<Option<_>>()?);
                        forms.insert(form.summands, variable);
                        variable
                    }
                }
            };
            let variable = &mut self.variables[variable];
            if is_opposite {
                let value = edge.bound.checked_neg()?;
                if variable.lower.is_none_or(|known| known.value < value) {
                    variable.lower = Some(Limit { value, edge: number });
                }
            } else if variable.upper.is_none_or(|known| known.value > edge.bound) {
                variable.upper = Some(Limit { value: edge.bound, edge: number });
            }
        }
        if self.variables.len() > VARIABLES {
            return None;
        }
        for variable in (0..self.variables.len()).filter(|variable| !self.rows.contains_key(variable)).collect::<Vec<_>>() {
            let Variable { lower, upper, .. } = self.variables[variable];
            let value = match (lower, upper) {
                (Some(lower), _) if lower.value > 0 => lower.value,
                (_, Some(upper)) if upper.value < 0 => upper.value,
                _ => 0,
            };
            self.variables[variable].value = Rational::integer(value);
        }
        for row in self.rows.keys().copied().collect::<Vec<_>>() {
            self.variables[row].value = self.row_value(row)?;
        }
        Some(nodes)
    }

    fn row_value(&self, row: usize) -> Option<Rational> {
        self.rows[&row].iter().try_fold(Rational::ZERO, |sum, (variable, factor)| sum.plus(factor.times(self.variables[*variable].value)?))
    }

    /// The edges of a contradiction with their factors, or none where the values satisfy all bounds; none at all on overflow, or where it cannot be
    /// paid for.
    #[allow(clippy::option_option)]
    fn solve(&mut self, meter: &Meter) -> Option<Option<Vec<(usize, Rational)>>> {
        // A node whose own bounds contradict each other has been found by the closure of differences.
        for _ in 0..PIVOTS {
            let Some((row, limit, is_below)) = self.violated()? else { return Some(None) };
            // Bland's rule: the first variable that can move the right way.
            let movable = self.rows[&row].iter().find(|(variable, factor)| {
                let grows = (factor.sign() > 0) == is_below;
                let Variable { lower, upper, value } = self.variables[**variable];
                let bound = if grows { upper } else { lower };
                bound.is_none_or(|bound| Rational::integer(bound.value) != value)
            });
            match movable {
                Some((variable, _)) => {
                    let variable = *variable;
                    if !meter.pay(self.steps_of_pivot(row, variable)) {
                        return None;
                    }
                    self.pivot(row, variable, Rational::integer(limit.value))?;
                }
                None => return Some(Some(self.conflict(row, limit, is_below)?)),
            }
        }
        None
    }

    /// The first basic variable outside its bounds: which bound, and whether it is below it.
    #[allow(clippy::option_option)]
    fn violated(&self) -> Option<Option<(usize, Limit, bool)>> {
        for row in self.rows.keys() {
            let Variable { lower, upper, value } = self.variables[*row];
            if let Some(lower) = lower
                && value.compare(Rational::integer(lower.value))? == Ordering::Less
            {
                return Some(Some((*row, lower, true)));
            }
            if let Some(upper) = upper
                && value.compare(Rational::integer(upper.value))? == Ordering::Greater
            {
                return Some(Some((*row, upper, false)));
            }
        }
        Some(None)
    }

    /// No variable of the row can move: its bounds contradict the row's.
    fn conflict(&self, row: usize, limit: Limit, is_below: bool) -> Option<Vec<(usize, Rational)>> {
        let mut edges = vec![(limit.edge, Rational::integer(1))];
        for (variable, factor) in &self.rows[&row] {
            let Variable { lower, upper, .. } = self.variables[*variable];
            let bound = if (factor.sign() > 0) == is_below { upper? } else { lower? };
            let factor = if factor.sign() > 0 { *factor } else { factor.negated()? };
            edges.push((bound.edge, factor));
        }
        Some(edges)
    }

    /// The rows that are looked at, and the entries that are computed.
    fn steps_of_pivot(&self, row: usize, variable: usize) -> usize {
        let changed = self.rows.values().filter(|coefficients| coefficients.contains_key(&variable)).count();
        1 + self.rows.len() + COMPUTED * changed * self.rows[&row].len()
    }

    /// Makes `row` nonbasic, at the given value, and `variable` basic instead.
    fn pivot(&mut self, row: usize, variable: usize, target: Rational) -> Option<()> {
        let mut old = self.rows.remove(&row)?;
        let factor = old.remove(&variable)?;
        let step = target.minus(self.variables[row].value)?.over(factor)?;
        self.variables[row].value = target;
        self.variables[variable].value = self.variables[variable].value.plus(step)?;
        // variable = (row - rest) / factor
        let mut new = BTreeMap::from([(row, Rational::integer(1).over(factor)?)]);
        for (other, coefficient) in old {
            new.insert(other, coefficient.over(factor)?.negated()?);
        }
        for (basic, coefficients) in &mut self.rows {
            let Some(factor) = coefficients.remove(&variable) else { continue };
            self.variables[*basic].value = self.variables[*basic].value.plus(factor.times(step)?)?;
            for (other, coefficient) in &new {
                let entry = coefficients.entry(*other).or_insert(Rational::ZERO);
                *entry = entry.plus(factor.times(*coefficient)?)?;
            }
            coefficients.retain(|_, coefficient| coefficient.sign() != 0);
        }
        self.rows.insert(variable, new);
        Some(())
    }
}

impl Context {
    /// The node over nodes of atoms.
    fn expanded(&self, node: usize) -> Form {
        let sum = self.sums.iter().find(|sum| sum.node == node);
        sum.map_or_else(|| Form::node(node), |sum| sum.form.as_ref().clone())
    }
}
