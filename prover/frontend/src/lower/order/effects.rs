//! What calls do to what their callers can see.

use super::{
    cells::{self, Cell},
    choices::Keepers,
    endless,
    events::{self, Kind},
    holders::Holders,
    parts::{blocks, each_expression, each_part, expressions},
    roots::{Region, Roots},
};
use crate::lower::{
    tree::{
        Base, Builtin, Comparison, Expression, ExpressionKind, FunctionId, Place, Statement, StatementKind, Unit, Variable, VariableId,
    },
    types::{CType, Records, is_signed, width},
};
use goatherd_certificates::program::Operation;
use std::collections::BTreeSet;

/// What evaluating something does.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Effects {
    pub(super) reads: BTreeSet<Cell>,
    pub(super) writes: BTreeSet<Cell>,
    /// The program may end there without failing, or stay there for ever: nothing that comes later happens.
    pub(super) ends: bool,
    /// It may fail.
    pub(super) fails: bool,
    /// Memory may be allocated, which is lost where nothing comes later.
    pub(super) allocates: bool,
}

impl Effects {
    pub(super) fn add(&mut self, other: Self) {
        self.reads.extend(other.reads);
        self.writes.extend(other.writes);
        self.ends |= other.ends;
        self.fails |= other.fails;
        self.allocates |= other.allocates;
    }
}

/// Per function, what a call of it does.
pub(super) type Summaries = Vec<Option<Effects>>;

/// A function, and all that is known around it.
pub(super) struct Scene<'a> {
    pub(super) unit: &'a Unit,
    pub(super) records: &'a Records,
    holders: &'a Holders,
    summaries: &'a Summaries,
    pub(super) function: FunctionId,
    pub(super) roots: Roots,
    /// Variables beyond those of the source, that hold parts of expressions.
    temporaries: Vec<Variable>,
}

impl<'a> Scene<'a> {
    pub(super) fn new(
        unit: &'a Unit,
        records: &'a Records,
        holders: &'a Holders,
        summaries: &'a Summaries,
        function: FunctionId,
        roots: Roots,
    ) -> Self {
        Self { unit, records, holders, summaries, function, roots, temporaries: Vec::new() }
    }

    /// May using the value fail, since it was only copied: no value at all, or a pointer to a dead object?
    pub(super) fn may_be_nothing(&self, value: &Expression) -> bool {
        self.holders.may_be_nothing(self.unit, self.function, value)
    }

    pub(super) fn into_temporaries(self) -> Vec<Variable> {
        self.temporaries
    }

    fn variables(&self) -> &'a [Variable] {
        &self.unit.functions[self.function].variables
    }

    /// The variables that keep parts of expressions.
    pub(super) fn keepers(&self) -> Keepers<'a> {
        Keepers::new(self.variables())
    }

    pub(super) fn is_addressed(&self, id: VariableId) -> bool {
        self.variables().get(id).is_some_and(|variable| variable.addressed)
    }

    /// A new variable in registers for this value.
    pub(super) fn temporary(&mut self, value: &Expression) -> Place {
        let (ctype, offset) = (value.ctype.unqualified(), value.offset);
        self.roots.introduce(value);
        self.temporaries.push(Variable {
            name: "%part".to_owned(),
            ctype: ctype.clone(),
            offset,
            addressed: false,
            assigned: true,
            skipped: false,
            repeated: false,
            owns_array: false,
            keeps_part: true,
        });
        let id = self.variables().len() + self.temporaries.len() - 1;
        Place { base: Base::Variable(id), displacement: 0, ctype, offset }
    }

    /// The effects of a called function, in the caller's terms.
    fn called(&self, function: FunctionId, arguments: &[Expression]) -> Effects {
        // Around a circle effects are collected until there are no more.
        let Some(summary) = &self.summaries[function] else { return Effects::default() };
        let parameters = &self.unit.functions[function].parameters;
        let translate = |cell: &Cell| match *cell {
            Cell::Memory(width, Region::Parameter(id, displacement)) => {
                cells::memory(&[width], &self.handed(parameters, arguments, id, displacement))
            }
            Cell::Life(Region::Parameter(id, displacement)) => {
                cells::lives(&self.handed(parameters, arguments, id, displacement)).collect()
            }
            cell => vec![cell],
        };
        Effects {
            reads: summary.reads.iter().flat_map(translate).collect(),
            writes: summary.writes.iter().flat_map(translate).collect(),
            ends: summary.ends,
            fails: summary.fails,
            allocates: summary.allocates,
        }
    }

    /// Where the pointer at an offset of a parameter points, for a caller that hands on these arguments.
    fn handed(&self, parameters: &[VariableId], arguments: &[Expression], id: VariableId, displacement: i64) -> BTreeSet<Region> {
        match parameters.iter().position(|parameter| *parameter == id).and_then(|position| arguments.get(position)) {
            Some(argument) => self.argument_regions(argument, displacement),
            None => BTreeSet::from([Region::Anywhere]),
        }
    }

    /// Where the pointer at an offset of an argument points.
    fn argument_regions(&self, argument: &Expression, displacement: i64) -> BTreeSet<Region> {
        match &argument.kind {
            _ if argument.ctype.is_pointer() => self.roots.regions(argument),
            ExpressionKind::Read(place) => {
                let part = Place { displacement: place.displacement.saturating_add(displacement), ..(**place).clone() };
                self.roots.held(&part)
            }
            _ => BTreeSet::from([Region::Anywhere]),
        }
    }

    /// What a call or a builtin does, without its operands.
    pub(super) fn call_effects(&self, expression: &Expression) -> Effects {
        match &expression.kind {
            ExpressionKind::Call { function, arguments } => self.called(*function, arguments),
            ExpressionKind::CallThrough { pointer, arguments } => {
                let mut effects = Effects { fails: true, ..Effects::default() };
                let functions = &self.unit.functions;
                let accepts = |id: &&FunctionId| functions[**id].accepts(self.records, &pointer.ctype, arguments, &expression.ctype);
                for function in self.unit.addressed.iter().filter(accepts) {
                    effects.add(self.called(*function, arguments));
                }
                effects
            }
            ExpressionKind::Builtin(builtin) => match builtin {
                Builtin::Assume(condition) => {
                    let reads = self.uses(condition).into_iter().collect();
                    Effects { reads, ends: true, fails: self.may_be_nothing(condition), ..Effects::default() }
                }
                Builtin::Ignore | Builtin::Halt(_) => Effects { ends: true, ..Effects::default() },
                Builtin::Assert(condition) => {
                    Effects { reads: self.uses(condition).into_iter().collect(), fails: true, ..Effects::default() }
                }
                Builtin::Fail(_) | Builtin::Undefined(_) => Effects { fails: true, ..Effects::default() },
                Builtin::Allocate(bytes) => Effects { fails: self.may_be_nothing(bytes), allocates: true, ..Effects::default() },
                Builtin::AllocateZero(count, bytes) => {
                    Effects { fails: self.may_be_nothing(count) || self.may_be_nothing(bytes), allocates: true, ..Effects::default() }
                }
                Builtin::Arbitrary | Builtin::Unspecified | Builtin::Numbers => Effects::default(),
                // What is read ends there, and nothing else knows the allocation that is written to.
                Builtin::Free(pointer) | Builtin::Replace { from: pointer, .. } => {
                    let writes = cells::everything(&self.roots.regions(pointer)).into_iter().collect();
                    Effects { writes, fails: true, ..Effects::default() }
                }
            },
            _ => Effects::default(),
        }
    }

    /// What the statements of a function do, or those of a statement expression.
    pub(super) fn body_effects(&self, statements: &mut [Statement]) -> Effects {
        let mut effects = self.effects(statements);
        effects.ends |= endless::goes_back(statements, &mut BTreeSet::new());
        effects
    }

    /// All that statements do.
    fn effects(&self, statements: &mut [Statement]) -> Effects {
        let mut effects = Effects::default();
        for statement in statements {
            effects.add(self.statement_effects(statement));
        }
        effects
    }

    fn statement_effects(&self, statement: &mut Statement) -> Effects {
        match &mut statement.kind {
            StatementKind::Expression(value) | StatementKind::Return(Some(value)) => self.expression_effects(value),
            StatementKind::Initialise(variable, items) => {
                let mut effects = Effects::default();
                for item in items {
                    effects.add(self.expression_effects(&mut item.value));
                }
                effects.writes.insert(Self::whole_variable(*variable));
                effects
            }
            StatementKind::Block(_, body) => self.effects(body),
            StatementKind::If { condition, then, otherwise } => {
                let mut effects = self.tested_effects(condition);
                effects.add(self.effects(then));
                effects.add(self.effects(otherwise));
                effects
            }
            StatementKind::Loop { condition, step, body } => {
                let mut effects = self.effects(body);
                effects.ends |= match (&condition, &step) {
                    (Some(condition), Some(step)) => !endless::counts(condition, step, body, self.variables()),
                    _ => true,
                };
                if let Some(condition) = condition {
                    effects.add(self.tested_effects(condition));
                }
                if let Some(step) = step {
                    effects.add(self.expression_effects(step));
                }
                effects
            }
            StatementKind::DoWhile { condition, body } => {
                let mut effects = self.tested_effects(condition);
                effects.add(self.effects(body));
                effects.ends = true;
                effects
            }
            StatementKind::Switch { value, body, .. } => {
                let mut effects = self.tested_effects(value);
                effects.add(self.effects(body));
                effects
            }
            StatementKind::Goto(_)
            | StatementKind::Declare(_)
            | StatementKind::Label(_)
            | StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Return(None) => Effects::default(),
        }
    }

    pub(super) fn expression_effects(&self, expression: &mut Expression) -> Effects {
        let mut effects = Effects::default();
        let collected = events::collect_failing(self, expression);
        effects.fails |= collected.may_be_undefined(self);
        for event in collected.events {
            effects.reads.extend(event.reads);
            effects.writes.extend(event.writes);
            effects.ends |= event.ends;
            effects.fails |= event.fails;
            effects.allocates |= event.allocates;
        }
        each_part(expression, &mut |part| {
            for tested in events::tested(part) {
                effects.fails |= self.may_be_nothing(tested);
                effects.reads.extend(self.uses(tested));
            }
        });
        effects
    }

    /// The effects of an expression whose value decides where a function goes on.
    fn tested_effects(&self, expression: &mut Expression) -> Effects {
        let mut effects = self.expression_effects(expression);
        effects.fails |= self.may_be_nothing(expression);
        effects.reads.extend(self.uses(expression));
        effects
    }

    /// May an access to the place fail?
    pub(super) fn access_fails(&self, place: &Place, kind: Kind) -> bool {
        let (whole, is_read_only) = match &place.base {
            Base::Pointer(_) => return true,
            Base::Value(_) | Base::Literal(..) => return false,
            Base::Variable(id) => (self.variables().get(*id).map(|variable| &variable.ctype), false),
            Base::Global(id) => (Some(&self.unit.globals[*id].ctype), self.unit.globals[*id].is_read_only()),
        };
        let end = i64::try_from(self.records.size(&place.ctype).unwrap_or(0)).ok().and_then(|size| size.checked_add(place.displacement));
        let room = whole.and_then(|ctype| self.records.size(ctype)).and_then(|size| i64::try_from(size).ok());
        let is_inside = place.displacement >= 0 && matches!((end, room), (Some(end), Some(room)) if end <= room);
        !is_inside || kind != Kind::Read && is_read_only
    }

    /// What using a value looks at beside it: whether that is still there to which it points.
    fn uses(&self, value: &Expression) -> Vec<Cell> {
        if value.ctype.is_pointer() { cells::lives(&self.roots.regions(value)).collect() } else { Vec::new() }
    }

    /// What an operation looks at beside the values of its operands.
    pub(super) fn operation_uses(&self, expression: &Expression) -> Vec<Cell> {
        match &expression.kind {
            ExpressionKind::Compare(_, left, right) | ExpressionKind::Distance { left, right, .. } => {
                [self.uses(left), self.uses(right)].concat()
            }
            ExpressionKind::Convert(_) if expression.ctype.is_pointer() || expression.ctype.is_void() => Vec::new(),
            ExpressionKind::Not(inner)
            | ExpressionKind::Convert(inner)
            | ExpressionKind::Advance { base: inner, .. }
            | ExpressionKind::Element { first: inner, .. } => self.uses(inner),
            ExpressionKind::AddressOf(place) => match &place.base {
                Base::Pointer(pointer) if place.displacement != 0 => self.uses(pointer),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// May the operation itself fail, under any parameters of a claim?
    pub(super) fn operation_fails(&self, expression: &Expression) -> bool {
        match &expression.kind {
            ExpressionKind::Binary(operation, left, right) => {
                let computes = matches!(operation, Operation::Add | Operation::Subtract | Operation::Multiply | Operation::ShiftLeft);
                !is_fit(*operation, right.as_constant(), &expression.ctype)
                    || computes && expression.ctype.as_integer().is_some_and(is_signed)
                    || self.may_be_nothing(left)
                    || self.may_be_nothing(right)
            }
            ExpressionKind::Compare(comparison, left, right) => {
                left.ctype.is_pointer() && !matches!(comparison, Comparison::Equal | Comparison::NotEqual)
                    || self.may_be_nothing(left)
                    || self.may_be_nothing(right)
            }
            ExpressionKind::Not(inner) => self.may_be_nothing(inner),
            // Pointers are copied from one type to another.
            ExpressionKind::Convert(inner) => {
                !(expression.ctype.is_void() || inner.ctype.is_pointer() && expression.ctype.is_pointer()) && self.may_be_nothing(inner)
            }
            // That is arithmetic on the pointer, which may be none.
            ExpressionKind::AddressOf(place) => matches!(place.base, Base::Pointer(_)) && place.displacement != 0,
            ExpressionKind::Advance { .. } | ExpressionKind::Element { .. } | ExpressionKind::Distance { .. } => true,
            _ => false,
        }
    }
}

/// Is an operation defined with this on its right side, whatever is on its left (C11 6.5.5p5, 6.5.7p3)?
fn is_fit(operation: Operation, right: Option<i128>, ctype: &CType) -> bool {
    match operation {
        Operation::Divide | Operation::Remainder => {
            let overflows = |value: i128| value == -1 && ctype.as_integer().is_none_or(is_signed);
            right.is_some_and(|value| value != 0 && !overflows(value))
        }
        Operation::ShiftLeft | Operation::ShiftRight => {
            let bits = ctype.as_integer().map_or(0, |kind| i128::from(width(kind)));
            right.is_some_and(|value| (0..bits).contains(&value))
        }
        _ => true,
    }
}

fn is_true(condition: &Expression) -> bool {
    condition.as_constant().is_some_and(|value| value != 0)
}

/// May the end of these statements be reached? It may wherever that is not plain.
fn is_left_at_end(body: &mut [Statement]) -> bool {
    let Some(last) = body.last_mut() else { return true };
    let has_statements = expressions(last).into_iter().any(has_statements);
    match &mut last.kind {
        StatementKind::Return(Some(_)) | StatementKind::Goto(_) => has_statements,
        StatementKind::Expression(value) => {
            !matches!(value.kind, ExpressionKind::Builtin(Builtin::Halt(_) | Builtin::Fail(_) | Builtin::Undefined(_)))
        }
        StatementKind::Block(_, body) => is_left_at_end(body),
        StatementKind::If { then, otherwise, .. } => is_left_at_end(then) || is_left_at_end(otherwise),
        StatementKind::Loop { condition, body, .. } => !condition.as_ref().is_none_or(is_true) || has_break(body),
        _ => true,
    }
}

/// Is there a `break` in the body of a loop that leaves the loop? Perhaps, in statement expressions.
fn has_break(body: &mut [Statement]) -> bool {
    body.iter_mut().any(|statement| match &mut statement.kind {
        StatementKind::Break => true,
        // A `break` there leaves that.
        StatementKind::Loop { .. } | StatementKind::DoWhile { .. } | StatementKind::Switch { .. } => {
            expressions(statement).into_iter().any(has_statements)
        }
        _ => expressions(statement).into_iter().any(has_statements) || blocks(statement).into_iter().any(|body| has_break(body)),
    })
}

/// Is there a statement expression in it?
fn has_statements(expression: &mut Expression) -> bool {
    let mut found = false;
    each_part(expression, &mut |part| found |= matches!(part.kind, ExpressionKind::Statements { .. }));
    found
}

/// What a call of each function does. Bodies are looked into one after the other, those of called functions first.
pub(super) fn summaries(unit: &mut Unit, records: &Records, holders: &Holders, is_model: &dyn Fn(usize) -> bool) -> Summaries {
    let mut bodies: Vec<Vec<Statement>> = unit.functions.iter_mut().map(|function| std::mem::take(&mut function.body)).collect();
    let mut summaries: Summaries = vec![None; bodies.len()];
    let order = calls_first(unit, &mut bodies);
    loop {
        let before = summaries.clone();
        for function in &order {
            let effects = summary(unit, records, holders, &summaries, *function, &mut bodies[*function], is_model);
            summaries[*function] = Some(effects);
        }
        // Without circles one round is enough, as all that is called comes before.
        if summaries == before || unit.circles.first.iter().all(Option::is_none) {
            break;
        }
    }
    for (function, body) in unit.functions.iter_mut().zip(bodies) {
        function.body = body;
    }
    summaries
}

/// What a call of one function does, if its calls do this.
fn summary(
    unit: &Unit,
    records: &Records,
    holders: &Holders,
    summaries: &Summaries,
    function: FunctionId,
    body: &mut [Statement],
    is_model: &dyn Fn(usize) -> bool,
) -> Effects {
    let code = &unit.functions[function];
    let roots = Roots::of(code, body);
    let mut effects = Scene::new(unit, records, holders, summaries, function, roots).body_effects(body);
    // A caller that uses the value fails (C11 6.9.1p12).
    effects.fails |= !code.result.is_void() && !code.ends_with_zero() && is_left_at_end(body);
    let circle = unit.circles.circle(function);
    effects.ends |= circle.is_some();
    // Assumptions in models pick a value that there is.
    effects.ends &= !is_model(code.offset);
    for cells in [&mut effects.reads, &mut effects.writes] {
        let is_seen = |cell: &Cell| {
            !matches!(
                cell,
                Cell::Variable(..) | Cell::Memory(_, Region::Variable(_) | Region::Fresh) | Cell::Life(Region::Variable(_) | Region::Fresh)
            )
        };
        cells.retain(is_seen);
        if circle.is_some() {
            // A recursive call may hand on one parameter's pointer as another's.
            let anywhere = |cell: &Cell| match *cell {
                Cell::Memory(width, _) => Cell::Memory(width, Region::Anywhere),
                Cell::Life(_) => Cell::Life(Region::Anywhere),
                Cell::Variable(..) | Cell::Global(..) => *cell,
            };
            *cells = cells.iter().map(anywhere).collect();
        }
    }
    effects
}

/// All functions, each after those that it calls, but for calls around a circle.
fn calls_first(unit: &Unit, bodies: &mut [Vec<Statement>]) -> Vec<FunctionId> {
    let mut callees = vec![BTreeSet::new(); bodies.len()];
    for (found, body) in callees.iter_mut().zip(bodies.iter_mut()) {
        each_expression(body, &mut |node| match &node.kind {
            ExpressionKind::Call { function, .. } => {
                found.insert(*function);
            }
            ExpressionKind::CallThrough { .. } => found.extend(&unit.addressed),
            _ => {}
        });
    }
    let mut order = Vec::new();
    let mut met = BTreeSet::new();
    for function in 0..bodies.len() {
        let mut open = vec![(function, false)];
        while let Some((function, is_done)) = open.pop() {
            if is_done {
                order.push(function);
            } else if met.insert(function) {
                open.push((function, true));
                open.extend(callees[function].iter().map(|callee| (*callee, false)));
            }
        }
    }
    order
}
