//! The commands of a script, and what it asks.

use crate::{
    Trouble,
    scanner::{Content, NodeId, Nodes},
    table::ExpressionTable,
    terms::{Meaning, RESERVED, Terms, sort},
};
use goatherd_certificates::formula::{Domain, Expression, ExpressionId, Formula};
use goatherd_frontend::diagnostics::Report;
use std::collections::{BTreeMap, BTreeSet};

/// Logics whose formulas are all within linear integers, arrays of them and Booleans, or that say nothing; what is not is refused where it stands.
const LOGICS: [&str; 6] = ["QF_LIA", "QF_ALIA", "QF_IDL", "QF_AUFLIA", "QF_UFLIA", "ALL"];

/// Options that change no answer.
const OPTIONS: [&str; 11] = [
    "diagnostic-output-channel",
    "print-success",
    "produce-assignments",
    "produce-models",
    "produce-proofs",
    "produce-unsat-assumptions",
    "produce-unsat-cores",
    "random-seed",
    "regular-output-channel",
    "reproducible-resource-limit",
    "verbosity",
];

/// A script: what is asserted where it asks.
#[derive(Clone, Default, Debug)]
pub struct SmtScript {
    table: ExpressionTable,
    questions: Vec<Vec<ExpressionId>>,
}

impl SmtScript {
    /// How often it asks.
    pub fn questions(&self) -> usize {
        self.questions.len()
    }

    /// What is asserted when it asks for the time with this number, from 1: no more than the assertions consist of.
    pub fn formula(&self, question: usize) -> Option<Formula> {
        let assertions = self.questions.get(question.checked_sub(1)?)?;
        let mut needed = BTreeSet::new();
        let mut open = assertions.clone();
        while let Some(id) = open.pop() {
            if needed.insert(id) {
                parts(&self.table.expressions[id.index()], &mut |part| open.push(part));
            }
        }
        let (mut constants, mut expressions, mut places) = (BTreeMap::new(), Vec::new(), BTreeMap::new());
        for (place, id) in (0..).map(ExpressionId).zip(&needed) {
            let mut expression = self.table.expressions[id.index()].clone();
            replace(&mut expression, &mut |part| places[&part]);
            if let Expression::Constant(number) = &mut expression {
                let next = u32::try_from(constants.len()).ok()?;
                *number = *constants.entry(*number).or_insert(next);
            }
            places.insert(*id, place);
            expressions.push(expression);
        }
        let mut numbered: Vec<(u32, u32)> = constants.into_iter().map(|(old, new)| (new, old)).collect();
        numbered.sort_unstable();
        Some(Formula {
            question: u32::try_from(question).ok()?,
            constants: numbered.into_iter().map(|(_, old)| self.table.constants[old as usize].clone()).collect(),
            expressions,
            assertions: assertions.iter().map(|id| places[id]).collect(),
        })
    }
}

/// Calls with each part of an expression.
pub fn parts(expression: &Expression, found: &mut impl FnMut(ExpressionId)) {
    replace(&mut expression.clone(), &mut |part| {
        found(part);
        part
    });
}

/// Puts other expressions in place of the parts.
fn replace(expression: &mut Expression, by: &mut impl FnMut(ExpressionId) -> ExpressionId) {
    let parts: Vec<&mut ExpressionId> = match expression {
        Expression::Constant(_) => Vec::new(),
        Expression::Not(part) | Expression::Quotient { argument: part, .. } | Expression::Fill(part) => vec![part],
        Expression::And(parts) | Expression::Or(parts) => parts.iter_mut().collect(),
        Expression::IfThenElse { condition, then, otherwise } => vec![condition, then, otherwise],
        Expression::Equal { left, right } | Expression::AtMost { left, right } | Expression::Witness { left, right } => vec![left, right],
        Expression::Sum { summands, .. } => summands.iter_mut().map(|(part, _)| part).collect(),
        Expression::Select { array, index } => vec![array, index],
        Expression::Store { array, index, value } => vec![array, index, value],
    };
    for part in parts {
        *part = by(*part);
    }
}

/// The script that the text is. Says where and why it is not understood.
pub fn parse(text: &str, file: &str) -> Result<SmtScript, Box<Report>> {
    let read = || {
        let nodes = Nodes::new(text)?;
        let mut reading = Reading {
            nodes: &nodes,
            script: SmtScript::default(),
            globals: BTreeMap::new(),
            frames: vec![Frame::default()],
            has_ended: false,
        };
        for command in &nodes.commands {
            reading.command(*command)?;
        }
        Ok(reading.script)
    };
    read().map_err(|Trouble { kind, offset, message }| Box::new(Report::of_text(kind, (file, text), offset, message)))
}

/// What `pop` takes back.
#[derive(Default)]
struct Frame {
    names: Vec<String>,
    assertions: Vec<ExpressionId>,
}

/// A script that is being read.
struct Reading<'a> {
    nodes: &'a Nodes,
    script: SmtScript,
    globals: BTreeMap<String, Meaning>,
    frames: Vec<Frame>,
    has_ended: bool,
}

impl Reading<'_> {
    fn command(&mut self, node: NodeId) -> Result<(), Trouble> {
        let offset = self.nodes.get(node).offset;
        let parts = self.nodes.list(node).unwrap_or_default();
        let name = parts.first().and_then(|head| self.nodes.symbol(*head));
        let name = name.ok_or_else(|| Trouble::error(offset, "a command is expected"))?;
        if self.has_ended {
            return Ok(());
        }
        match (name, &parts[1..]) {
            ("set-logic", [logic]) => {
                let logic = self.nodes.symbol(*logic).unwrap_or_default();
                if LOGICS.contains(&logic) { Ok(()) } else { Err(Trouble::unsupported(offset, format!("the logic {logic}"))) }
            }
            ("set-option", [option, _]) => match &self.nodes.get(*option).content {
                Content::Keyword(name) if OPTIONS.contains(&name.as_str()) => Ok(()),
                _ => Err(Trouble::unsupported(offset, "an option that may change answers")),
            },
            ("set-info" | "get-model" | "get-value" | "get-unsat-core" | "get-proof" | "get-info" | "get-option" | "echo", _) => Ok(()),
            ("exit", []) => {
                self.has_ended = true;
                Ok(())
            }
            ("declare-const", [name, of]) => self.declare(*name, &[], *of),
            ("declare-fun", [name, parameters, of]) => {
                let parameters = self.nodes.list(*parameters).ok_or_else(|| Trouble::error(offset, "a list of sorts is expected"))?;
                self.declare(*name, parameters, *of)
            }
            ("define-const", [name, of, body]) => self.define(*name, *of, *body),
            ("define-fun", [name, parameters, of, body]) if self.nodes.list(*parameters) == Some(&[]) => self.define(*name, *of, *body),
            ("assert", [term]) => {
                let assertion = self.term(*term)?;
                self.expect(*term, assertion, Domain::Boolean)?;
                self.frames.last_mut().into_iter().for_each(|frame| frame.assertions.push(assertion));
                Ok(())
            }
            ("push" | "pop", count @ ([] | [_])) => self.scope(name, offset, count.first().copied()),
            ("check-sat", []) => {
                let assertions = self.frames.iter().flat_map(|frame| &frame.assertions).copied().collect();
                self.script.questions.push(assertions);
                Ok(())
            }
            _ => Err(Trouble::unsupported(offset, format!("the command {name}, or its form"))),
        }
    }

    fn scope(&mut self, name: &str, offset: usize, count: Option<NodeId>) -> Result<(), Trouble> {
        let count = match count.map(|count| &self.nodes.get(count).content) {
            None => Some(1),
            Some(Content::Numeral(digits)) => digits.parse::<usize>().ok().filter(|count| *count < 1 << 16),
            Some(_) => None,
        };
        let count = count.ok_or_else(|| Trouble::error(offset, "a number of scopes is expected"))?;
        for _ in 0..count {
            if name == "push" {
                self.frames.push(Frame::default());
            } else if self.frames.len() > 1 {
                for name in self.frames.pop().into_iter().flat_map(|frame| frame.names) {
                    self.globals.remove(&name);
                }
            } else {
                return Err(Trouble::error(offset, "more scopes end than have begun"));
            }
        }
        Ok(())
    }

    fn term(&mut self, node: NodeId) -> Result<ExpressionId, Trouble> {
        let mut terms = Terms::new(self.nodes, &mut self.script.table, &self.globals);
        let value = terms.elaborate(node)?;
        for (node, name, value) in terms.named {
            self.name(node, &name, Meaning::Expression(value))?;
        }
        Ok(value)
    }

    fn expect(&self, node: NodeId, value: ExpressionId, domain: Domain) -> Result<(), Trouble> {
        let is_right = self.script.table.domain(value) == domain;
        if is_right { Ok(()) } else { Err(Trouble::error(self.nodes.get(node).offset, "the term is of another sort")) }
    }

    fn declare(&mut self, name: NodeId, parameters: &[NodeId], of: NodeId) -> Result<(), Trouble> {
        let domain = sort(self.nodes, of)?;
        for parameter in parameters {
            sort(self.nodes, *parameter)?;
        }
        let text = self.nodes.symbol(name).unwrap_or_default().to_owned();
        let meaning = if parameters.is_empty() {
            // Two of one name, one after the other's scope, are two.
            Meaning::Expression(self.script.table.declare(&text, domain))
        } else {
            Meaning::Function
        };
        self.name(name, &text, meaning)
    }

    fn define(&mut self, name: NodeId, of: NodeId, body: NodeId) -> Result<(), Trouble> {
        let domain = sort(self.nodes, of)?;
        let value = self.term(body)?;
        self.expect(body, value, domain)?;
        let text = self.nodes.symbol(name).unwrap_or_default().to_owned();
        self.name(name, &text, Meaning::Expression(value))
    }

    fn name(&mut self, node: NodeId, name: &str, meaning: Meaning) -> Result<(), Trouble> {
        let offset = self.nodes.get(node).offset;
        if name.is_empty() || RESERVED.contains(&name) {
            return Err(Trouble::error(offset, "a name of its own is expected"));
        }
        if self.globals.insert(name.to_owned(), meaning).is_some() {
            return Err(Trouble::error(offset, "the name has a meaning already"));
        }
        self.frames.last_mut().into_iter().for_each(|frame| frame.names.push(name.to_owned()));
        Ok(())
    }
}
