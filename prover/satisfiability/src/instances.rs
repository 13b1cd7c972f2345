//! Instances of what holds of choices and arrays, enough of them to decide most formulas: each element that is read is related to what was stored, and to
//! what is read of equal arrays and at equal indices (Stump, Barrett, Dill and Levitt, "A decision procedure for an extensional theory of arrays", 2001).

use goatherd_certificates::formula::{Domain, Expression, ExpressionId, Inference, Signed};
use goatherd_queries::table::ExpressionTable;
use std::collections::{BTreeMap, BTreeSet};

/// No more elements are looked at: their pairs are.
const MOST_ELEMENTS: usize = 1500;

/// There would be too many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooMany;

/// Clauses, and why they hold.
pub type Instances = Vec<(Vec<Signed>, Inference)>;

/// The instances for all expressions of the table, which gets those that they mention.
pub fn instances(table: &mut ExpressionTable) -> Result<Instances, TooMany> {
    let mut building = Building { table, clauses: Vec::new() };
    let mut links = building.choices();
    links.extend(building.differences());
    let reads = building.reads(&links)?;
    building.stored(&reads);
    building.linked(&links, &reads);
    building.congruences(&reads);
    Ok(building.clauses)
}

/// Instances that are being collected.
struct Building<'a> {
    table: &'a mut ExpressionTable,
    clauses: Instances,
}

/// By array, the elements that are read: index and expression.
type Reads = BTreeMap<ExpressionId, BTreeMap<ExpressionId, ExpressionId>>;

impl Building<'_> {
    fn all(&self) -> impl Iterator<Item = (ExpressionId, Expression)> + use<> {
        (0..).map(ExpressionId).zip(self.table.expressions.clone())
    }

    /// `left = right`, written as it has to be: the left side first.
    fn equation(&mut self, left: ExpressionId, right: ExpressionId) -> ExpressionId {
        self.table.add(Expression::Equal { left, right })
    }

    fn select(&mut self, array: ExpressionId, index: ExpressionId) -> ExpressionId {
        self.table.add(Expression::Select { array, index })
    }

    /// What a choice is equal to. Returns the equations of arrays.
    fn choices(&mut self) -> BTreeSet<ExpressionId> {
        let mut equations = BTreeSet::new();
        for (id, expression) in self.all() {
            let Expression::IfThenElse { condition, then, otherwise } = expression else { continue };
            let domain = self.table.domain(id);
            if domain == Domain::Boolean {
                continue;
            }
            let mut sides = vec![(then, Signed::Fails(condition)), (otherwise, Signed::Holds(condition))];
            // Then the clause is that of the first, whatever the condition.
            sides.truncate(if then == otherwise { 1 } else { 2 });
            for (value, unless) in sides {
                let equality = self.equation(id, value);
                self.clauses.push((vec![unless, Signed::Holds(equality)], Inference::Choice { equality }));
                if domain == Domain::Array {
                    equations.insert(equality);
                }
            }
        }
        equations
    }

    /// Arrays that are not equal differ somewhere. Returns the equations of arrays.
    fn differences(&mut self) -> BTreeSet<ExpressionId> {
        let mut equations = BTreeSet::new();
        for (equality, expression) in self.all() {
            let Expression::Equal { left, right } = expression else { continue };
            if self.table.domain(left) != Domain::Array {
                continue;
            }
            let index = self.table.add(Expression::Witness { left, right });
            let (one, other) = (self.select(left, index), self.select(right, index));
            let elements = self.equation(one, other);
            let clause = vec![Signed::Holds(equality), Signed::Fails(elements)];
            self.clauses.push((clause, Inference::Extensionality { equality, elements }));
            equations.insert(equality);
        }
        equations
    }

    /// The elements that are looked at: what is read of an array is read of those that it is made of; of those that are linked by an equation, all that
    /// is read of any, or stored in it.
    fn reads(&mut self, links: &BTreeSet<ExpressionId>) -> Result<Reads, TooMany> {
        let mut groups = Groups::default();
        let mut linked = BTreeSet::new();
        for (id, expression) in self.all() {
            match expression {
                Expression::Store { array, .. } => groups.join(id, array),
                Expression::Equal { left, right } if links.contains(&id) => {
                    groups.join(left, right);
                    linked.insert(left);
                }
                _ => {}
            }
        }
        let linked: BTreeSet<ExpressionId> = linked.into_iter().map(|array| groups.find(array)).collect();
        let mut indices: BTreeMap<ExpressionId, BTreeSet<ExpressionId>> = BTreeMap::new();
        let mut arrays: BTreeMap<ExpressionId, BTreeSet<ExpressionId>> = BTreeMap::new();
        for (id, expression) in self.all() {
            match expression {
                Expression::Select { array, index } | Expression::Store { array, index, .. } => {
                    indices.entry(groups.find(array)).or_default().insert(index)
                }
                _ => false,
            };
            if self.table.domain(id) == Domain::Array {
                arrays.entry(groups.find(id)).or_default().insert(id);
            }
        }
        let (mut open, mut reads, mut count) = (Vec::new(), Reads::new(), 0);
        for group in &linked {
            for array in &arrays[group] {
                open.extend(indices.get(group).into_iter().flatten().map(|index| (*array, *index)));
            }
        }
        open.extend(
            self.all().filter_map(
                |(_, expression)| if let Expression::Select { array, index } = expression { Some((array, index)) } else { None },
            ),
        );
        while let Some((array, index)) = open.pop() {
            if reads.get(&array).is_some_and(|read| read.contains_key(&index)) {
                continue;
            }
            count += 1;
            if count > MOST_ELEMENTS {
                return Err(TooMany);
            }
            let element = self.select(array, index);
            reads.entry(array).or_default().insert(index, element);
            if let Expression::Store { array: below, .. } = self.table.expressions[array.index()] {
                open.push((below, index));
            }
        }
        Ok(reads)
    }

    /// What is read of a store, and of an array of one value.
    fn stored(&mut self, reads: &Reads) {
        for (array, read) in reads {
            for (index, element) in read {
                match self.table.expressions[array.index()] {
                    Expression::Store { array: below, index: at, value } => {
                        let indices = self.equation(at, *index);
                        let equality = self.equation(*element, value);
                        self.clauses
                            .push((vec![Signed::Fails(indices), Signed::Holds(equality)], Inference::ReadSame { equality, indices }));
                        if at != *index {
                            let equality = self.equation(*element, reads[&below][index]);
                            self.clauses
                                .push((vec![Signed::Holds(indices), Signed::Holds(equality)], Inference::ReadOther { equality, indices }));
                        }
                    }
                    Expression::Fill(value) => {
                        let equality = self.equation(*element, value);
                        self.clauses.push((vec![Signed::Holds(equality)], Inference::ReadFill { equality }));
                    }
                    _ => {}
                }
            }
        }
    }

    /// Equal arrays have equal elements.
    fn linked(&mut self, links: &BTreeSet<ExpressionId>, reads: &Reads) {
        for link in links {
            let Expression::Equal { left, right } = self.table.expressions[link.index()] else { continue };
            for (index, element) in reads.get(&left).into_iter().flatten() {
                let Some(other) = reads.get(&right).and_then(|read| read.get(index)) else { continue };
                if left == right {
                    continue;
                }
                let equality = self.equation(*element, *other);
                let inference = Inference::SameElement { equality, premises: vec![*link] };
                self.clauses.push((vec![Signed::Fails(*link), Signed::Holds(equality)], inference));
            }
        }
    }

    /// Elements at equal indices are equal. Of what is stored, chosen or of one value that follows from its parts.
    fn congruences(&mut self, reads: &Reads) {
        for (array, read) in reads {
            if !matches!(self.table.expressions[array.index()], Expression::Constant(_)) {
                continue;
            }
            let read: Vec<(ExpressionId, ExpressionId)> = read.iter().map(|(index, element)| (*index, *element)).collect();
            for (position, (index, element)) in read.iter().enumerate() {
                for (other_index, other) in &read[position + 1..] {
                    let indices = self.equation(*index, *other_index);
                    let equality = self.equation(*element, *other);
                    let inference = Inference::SameElement { equality, premises: vec![indices] };
                    self.clauses.push((vec![Signed::Fails(indices), Signed::Holds(equality)], inference));
                }
            }
        }
    }
}

/// Expressions that belong together (union-find).
#[derive(Default)]
struct Groups(BTreeMap<ExpressionId, ExpressionId>);

impl Groups {
    fn find(&mut self, id: ExpressionId) -> ExpressionId {
        let (mut last, mut path) = (id, Vec::new());
        while let Some(next) = self.0.get(&last).copied() {
            path.push(last);
            last = next;
        }
        for id in path {
            self.0.insert(id, last);
        }
        last
    }

    fn join(&mut self, one: ExpressionId, other: ExpressionId) {
        let (one, other) = (self.find(one), self.find(other));
        if one != other {
            self.0.insert(one.max(other), one.min(other));
        }
    }
}
