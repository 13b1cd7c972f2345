//! Terms of SMT-LIB to expressions. Nothing recurses: what is still to be done stands in a list.

use crate::{
    Trouble,
    definition::{Definition, Expanded},
    scanner::{Content, NodeId, Nodes},
    table::ExpressionTable,
};
use goatherd_certificates::formula::{Domain, Expression, ExpressionId};
use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

/// The most pairs that one `distinct` stands for.
const MOST_PAIRS: usize = 100_000;

/// What a symbol stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// An expression: of a constant, a definition or a name.
    Expression(ExpressionId),
    /// A function from integers to integers, which is what an array is: its values are the array's elements.
    Elements(ExpressionId),
    /// A function from integers to Booleans, true where the array's element is not 0.
    Members(ExpressionId),
    /// A function that is defined by a term.
    Definition(Rc<Definition>),
    /// Another function that was declared. It cannot be applied.
    Function,
}

/// Names of what there is without declaration, which cannot be declared.
pub const RESERVED: [&str; 31] = [
    "true", "false", "not", "and", "or", "xor", "=>", "=", "distinct", "ite", "+", "-", "*", "div", "mod", "abs", "<", "<=", ">", ">=",
    "select", "store", "const", "let", "forall", "exists", "!", "as", "_", "match", "par",
];

/// What is still to be done with a term.
enum Task {
    /// Elaborates the term at the node.
    Visit(NodeId),
    /// Applies the function to so many values.
    Apply(NodeId, usize),
    /// Binds these names to as many values.
    Bind(Vec<String>),
    /// Their scope ends.
    Unbind(Vec<String>),
    /// Makes an array of the value.
    Fill(NodeId),
    /// Names the value.
    Name(NodeId, String),
}

/// Elaborates terms.
pub struct Terms<'a> {
    nodes: &'a Nodes,
    table: &'a mut ExpressionTable,
    globals: &'a BTreeMap<String, Meaning>,
    expanded: &'a mut Expanded,
    /// The names of `let`, innermost last.
    locals: BTreeMap<String, Vec<ExpressionId>>,
    tasks: Vec<Task>,
    values: Vec<ExpressionId>,
    /// What `:named` has named.
    pub named: Vec<(NodeId, String, ExpressionId)>,
}

impl<'a> Terms<'a> {
    /// The globals are what names mean that no `let` binds; applications of those that are defined are counted.
    pub fn new(
        nodes: &'a Nodes,
        table: &'a mut ExpressionTable,
        (globals, expanded): (&'a BTreeMap<String, Meaning>, &'a mut Expanded),
    ) -> Self {
        Self { nodes, table, globals, expanded, locals: BTreeMap::new(), tasks: Vec::new(), values: Vec::new(), named: Vec::new() }
    }

    /// The expression that the term at the node is, where these names mean these expressions.
    pub fn elaborate_with(&mut self, node: NodeId, bound: Vec<(String, ExpressionId)>) -> Result<ExpressionId, Trouble> {
        self.locals.extend(bound.into_iter().map(|(name, value)| (name, vec![value])));
        self.elaborate(node)
    }

    /// The expression that the term at the node is.
    pub fn elaborate(&mut self, node: NodeId) -> Result<ExpressionId, Trouble> {
        self.tasks.push(Task::Visit(node));
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Visit(node) => self.visit(node)?,
                Task::Apply(node, count) => {
                    let arguments = self.values.split_off(self.values.len() - count);
                    let value = self.apply(node, &arguments)?;
                    self.values.push(value);
                }
                Task::Bind(names) => {
                    let values = self.values.split_off(self.values.len() - names.len());
                    for (name, value) in names.into_iter().zip(values) {
                        self.locals.entry(name).or_default().push(value);
                    }
                }
                Task::Unbind(names) => {
                    for name in names {
                        self.locals.entry(name).or_default().pop();
                    }
                }
                Task::Fill(node) => {
                    let value = self.values.split_off(self.values.len() - 1);
                    self.expect(node, &value, Domain::Integer)?;
                    self.values.push(self.table.add(Expression::Fill(value[0])));
                }
                Task::Name(node, name) => self.named.extend(self.values.last().map(|value| (node, name, *value))),
            }
        }
        self.values.pop().ok_or_else(|| Trouble::error(self.offset(node), "a term is expected"))
    }

    fn offset(&self, node: NodeId) -> usize {
        self.nodes.get(node).offset
    }

    fn visit(&mut self, node: NodeId) -> Result<(), Trouble> {
        let offset = self.offset(node);
        match &self.nodes.get(node).content {
            Content::Numeral(digits) => {
                let value = digits.parse().map_err(|_| Trouble::unsupported(offset, "an integer of more than 128 bits"))?;
                self.values.push(self.table.number(value));
                Ok(())
            }
            Content::Symbol(name) => {
                let value = self.symbol(offset, name)?;
                self.values.push(value);
                Ok(())
            }
            Content::Keyword(_) | Content::Other(_) => Err(Trouble::unsupported(offset, "a literal that is no integer")),
            Content::List(parts) => {
                let (head, arguments) = parts.split_first().ok_or_else(|| Trouble::error(offset, "a term is expected"))?;
                self.open(node, *head, arguments)
            }
        }
    }

    fn symbol(&mut self, offset: usize, name: &str) -> Result<ExpressionId, Trouble> {
        if let Some(value) = self.locals.get(name).and_then(|values| values.last()) {
            return Ok(*value);
        }
        match (self.globals.get(name), name) {
            (Some(Meaning::Expression(value)), _) => Ok(*value),
            (Some(_), _) => Err(Trouble::unsupported(offset, "a function that is no constant")),
            (None, "true") => Ok(self.table.add(Expression::And(Vec::new()))),
            (None, "false") => Ok(self.table.add(Expression::Or(Vec::new()))),
            (None, _) => Err(Trouble::error(offset, "a symbol that is not declared")),
        }
    }

    /// Begins a term in parentheses.
    fn open(&mut self, node: NodeId, head: NodeId, arguments: &[NodeId]) -> Result<(), Trouble> {
        let offset = self.offset(head);
        if let Some([keyword, kind, sort]) = self.nodes.list(head)
            && (self.nodes.symbol(*keyword), self.nodes.symbol(*kind)) == (Some("as"), Some("const"))
        {
            let [value] = arguments else { return Err(Trouble::error(offset, "an array of one value takes one value")) };
            if self::sort(self.nodes, *sort)? != Domain::Array {
                return Err(Trouble::error(self.offset(*sort), "the sort of an array is expected"));
            }
            self.tasks.extend([Task::Fill(node), Task::Visit(*value)]);
            return Ok(());
        }
        match self.nodes.symbol(head) {
            None => Err(Trouble::unsupported(offset, "a term whose function is no symbol")),
            Some("let") => self.bind(node, arguments),
            Some("!") => self.annotated(node, arguments),
            Some("forall" | "exists") => Err(Trouble::unsupported(offset, "a quantifier")),
            Some(_) => {
                self.tasks.push(Task::Apply(node, arguments.len()));
                self.tasks.extend(arguments.iter().rev().map(|argument| Task::Visit(*argument)));
                Ok(())
            }
        }
    }

    /// `let`: all values are those outside.
    fn bind(&mut self, node: NodeId, arguments: &[NodeId]) -> Result<(), Trouble> {
        let malformed = || Trouble::error(self.offset(node), "(let ((NAME TERM) ...) TERM) is expected");
        let [bindings, body] = arguments else { return Err(malformed()) };
        let (mut names, mut terms) = (Vec::new(), Vec::new());
        for binding in self.nodes.list(*bindings).ok_or_else(malformed)? {
            let Some([name, term]) = self.nodes.list(*binding) else { return Err(malformed()) };
            names.push(self.nodes.symbol(*name).ok_or_else(malformed)?.to_owned());
            terms.push(*term);
        }
        if names.iter().collect::<BTreeSet<_>>().len() < names.len() {
            return Err(Trouble::error(self.offset(*bindings), "a name is bound twice"));
        }
        self.tasks.extend([Task::Unbind(names.clone()), Task::Visit(*body), Task::Bind(names)]);
        self.tasks.extend(terms.into_iter().rev().map(Task::Visit));
        Ok(())
    }

    fn annotated(&mut self, node: NodeId, arguments: &[NodeId]) -> Result<(), Trouble> {
        let [term, annotations @ ..] = arguments else { return Err(Trouble::error(self.offset(node), "a term is expected")) };
        let mut annotations = annotations.iter();
        while let Some(keyword) = annotations.next() {
            match (&self.nodes.get(*keyword).content, annotations.next().and_then(|value| self.nodes.symbol(*value))) {
                (Content::Keyword(name), Some(value)) if name == "named" => self.tasks.push(Task::Name(node, value.to_owned())),
                _ => return Err(Trouble::unsupported(self.offset(*keyword), "an annotation other than :named NAME")),
            }
        }
        self.tasks.push(Task::Visit(*term));
        Ok(())
    }

    /// All values are of the domain.
    fn expect(&self, node: NodeId, values: &[ExpressionId], domain: Domain) -> Result<(), Trouble> {
        if values.iter().all(|value| self.table.domain(*value) == domain) {
            return Ok(());
        }
        let sort = match domain {
            Domain::Boolean => "Bool",
            Domain::Integer => "Int",
            Domain::Array => "(Array Int Int)",
        };
        Err(Trouble::error(self.offset(node), format!("the operands are not all of the sort {sort}")))
    }

    /// Applies the function at the head of the node.
    fn apply(&mut self, node: NodeId, values: &[ExpressionId]) -> Result<ExpressionId, Trouble> {
        let offset = self.offset(node);
        let head = self.nodes.list(node).and_then(|parts| self.nodes.symbol(parts[0])).unwrap_or_default();
        if self.locals.get(head).is_some_and(|values| !values.is_empty()) {
            return Err(Trouble::error(offset, "a function is expected"));
        }
        if let Some(meaning) = self.globals.get(head) {
            return self.call(node, meaning, values);
        }
        let count = |least: usize, most: usize| {
            let is_right = (least..=most).contains(&values.len());
            if is_right { Ok(()) } else { Err(Trouble::error(offset, "too many or too few operands")) }
        };
        match head {
            "not" | "and" | "or" | "xor" | "=>" => {
                count(if head == "not" { 1 } else { 2 }, if head == "not" { 1 } else { usize::MAX })?;
                self.expect(node, values, Domain::Boolean)?;
                Ok(self.connective(head, values))
            }
            "=" | "distinct" | "ite" => {
                count(if head == "ite" { 3 } else { 2 }, if head == "ite" { 3 } else { usize::MAX })?;
                let same = if head == "ite" { &values[1..] } else { values };
                self.expect(node, same, self.table.domain(same[0]))?;
                if head == "ite" {
                    self.expect(node, &values[..1], Domain::Boolean)?;
                    let (condition, then, otherwise) = (values[0], values[1], values[2]);
                    return Ok(self.table.add(Expression::IfThenElse { condition, then, otherwise }));
                }
                if head == "distinct" && values.len().saturating_mul(values.len()) > MOST_PAIRS {
                    return Err(Trouble::unsupported(offset, "distinct of so many operands"));
                }
                Ok(self.comparison(head, values))
            }
            "<" | "<=" | ">" | ">=" => {
                count(2, usize::MAX)?;
                self.expect(node, values, Domain::Integer)?;
                Ok(self.comparison(head, values))
            }
            "+" | "-" | "*" | "div" | "mod" | "abs" => {
                let least = if head == "-" || head == "abs" { 1 } else { 2 };
                count(
                    least,
                    match head {
                        "abs" => 1,
                        "mod" => 2,
                        _ => usize::MAX,
                    },
                )?;
                self.expect(node, values, Domain::Integer)?;
                self.arithmetic(offset, head, values)
            }
            "select" | "store" => {
                let arity = if head == "select" { 2 } else { 3 };
                count(arity, arity)?;
                self.expect(node, &values[..1], Domain::Array)?;
                self.expect(node, &values[1..], Domain::Integer)?;
                let (array, index) = (values[0], values[1]);
                Ok(self.table.add(match values.get(2) {
                    Some(value) => Expression::Store { array, index, value: *value },
                    None => Expression::Select { array, index },
                }))
            }
            _ => Err(Trouble::unsupported(offset, format!("the function {head}"))),
        }
    }

    /// What a function of the script is for these values.
    fn call(&mut self, node: NodeId, meaning: &Meaning, values: &[ExpressionId]) -> Result<ExpressionId, Trouble> {
        let offset = self.offset(node);
        match meaning {
            Meaning::Expression(_) => Err(Trouble::error(offset, "a function is expected")),
            Meaning::Function => Err(Trouble::unsupported(offset, "the application of a declared function but from Int to Int or Bool")),
            Meaning::Elements(array) => self.element(node, *array, values),
            Meaning::Members(array) => {
                let (element, zero) = (self.element(node, *array, values)?, self.table.number(0));
                let is_zero = self.table.equal(element, zero);
                Ok(self.table.negation(is_zero))
            }
            Meaning::Definition(definition) => {
                self.expect_all(node, values, &definition.domains(self.table))?;
                let too_large = |_| Trouble::unsupported(offset, "definitions that come to so many terms, or to integers of over 128 bits");
                definition.apply(values, self.table, self.expanded).map_err(too_large)
            }
        }
    }

    /// What a declared function of one integer is there.
    fn element(&mut self, node: NodeId, array: ExpressionId, values: &[ExpressionId]) -> Result<ExpressionId, Trouble> {
        self.expect_all(node, values, &[Domain::Integer])?;
        Ok(self.table.add(Expression::Select { array, index: values[0] }))
    }

    /// As many values, each of its domain.
    fn expect_all(&self, node: NodeId, values: &[ExpressionId], domains: &[Domain]) -> Result<(), Trouble> {
        if values.len() != domains.len() {
            return Err(Trouble::error(self.offset(node), "too many or too few operands"));
        }
        values.iter().zip(domains).try_for_each(|(value, domain)| self.expect(node, &[*value], *domain))
    }

    fn connective(&mut self, head: &str, values: &[ExpressionId]) -> ExpressionId {
        let table = &mut *self.table;
        match head {
            "not" => table.negation(values[0]),
            "and" => table.conjunction(values.to_vec()),
            "or" => table.disjunction(values.to_vec()),
            "xor" => values[1..].iter().fold(values[0], |left, right| {
                let equal = table.equal(left, *right);
                table.negation(equal)
            }),
            // a => b => c is a => (b => c): not a, or not b, or c.
            _ => {
                let (last, conditions) = (values[values.len() - 1], &values[..values.len() - 1]);
                let mut parts: Vec<ExpressionId> = conditions.iter().map(|condition| table.negation(*condition)).collect();
                parts.push(last);
                table.disjunction(parts)
            }
        }
    }

    /// Of each operand with the next one; `distinct` of each with every other.
    fn comparison(&mut self, head: &str, values: &[ExpressionId]) -> ExpressionId {
        let table = &mut *self.table;
        let mut parts = Vec::new();
        for (position, left) in values.iter().enumerate() {
            let others = if head == "distinct" { values.len() } else { values.len().min(position + 2) };
            for right in &values[position + 1..others] {
                parts.push(match head {
                    "<" => table.less(*left, *right),
                    "<=" => table.at_most(*left, *right),
                    ">" => table.less(*right, *left),
                    ">=" => table.at_most(*right, *left),
                    "=" => table.equal(*left, *right),
                    _ => {
                        let equal = table.equal(*left, *right);
                        table.negation(equal)
                    }
                });
            }
        }
        table.conjunction(parts)
    }

    fn arithmetic(&mut self, offset: usize, head: &str, values: &[ExpressionId]) -> Result<ExpressionId, Trouble> {
        let large = || Trouble::unsupported(offset, "an integer of more than 128 bits");
        let table = &mut *self.table;
        match head {
            "+" => table.sum(&values.iter().map(|value| (*value, 1)).collect::<Vec<_>>()).ok_or_else(large),
            "-" if values.len() == 1 => table.sum(&[(values[0], -1)]).ok_or_else(large),
            "-" => {
                let others = values[1..].iter().map(|value| (*value, -1));
                table.sum(&[(values[0], 1)].into_iter().chain(others).collect::<Vec<_>>()).ok_or_else(large)
            }
            "*" => values[1..].iter().try_fold(values[0], |left, right| {
                let (factor, other) = match (table.value(left), table.value(*right)) {
                    (Some(factor), _) => (factor, *right),
                    (None, Some(factor)) => (factor, left),
                    (None, None) => return Err(Trouble::unsupported(offset, "a product of two terms that are no numbers")),
                };
                table.sum(&[(other, factor)]).ok_or_else(large)
            }),
            "abs" => {
                let zero = table.number(0);
                let condition = table.at_most(zero, values[0]);
                let otherwise = table.sum(&[(values[0], -1)]).ok_or_else(large)?;
                Ok(table.add(Expression::IfThenElse { condition, then: values[0], otherwise }))
            }
            _ => values[1..].iter().try_fold(values[0], |left, right| {
                let divisor = table.value(*right).filter(|divisor| *divisor != 0);
                let divisor = divisor.ok_or_else(|| Trouble::unsupported(offset, "a division by what is no number, or by 0"))?;
                let period = divisor.checked_abs().ok_or_else(large)?;
                let quotient = table.add(Expression::Quotient { argument: left, divisor: period });
                // What is left over lies between 0 and the divisor's absolute value, so the quotient has the divisor's sign.
                let parts = if head == "mod" { vec![(left, 1), (quotient, -period)] } else { vec![(quotient, divisor.signum())] };
                table.sum(&parts).ok_or_else(large)
            }),
        }
    }
}

/// What a sort stands for.
pub fn sort(nodes: &Nodes, node: NodeId) -> Result<Domain, Trouble> {
    if let Some([array, index, element]) = nodes.list(node)
        && [*array, *index, *element].map(|part| nodes.symbol(part)) == [Some("Array"), Some("Int"), Some("Int")]
    {
        return Ok(Domain::Array);
    }
    match nodes.symbol(node) {
        Some("Bool") => Ok(Domain::Boolean),
        Some("Int") => Ok(Domain::Integer),
        _ => Err(Trouble::unsupported(nodes.get(node).offset, "a sort other than Bool, Int and (Array Int Int)")),
    }
}
