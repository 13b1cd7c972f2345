//! The commands of a script, and what it asks.

use crate::{
    Trouble,
    definition::{Definition, Expanded},
    parts::{parts, replace},
    scanner::{Content, NodeId, Nodes},
    table::ExpressionTable,
    terms::{Meaning, RESERVED, Terms, sort},
};
use goatherd_certificates::formula::{Domain, Expression, ExpressionId, Formula};
use goatherd_frontend::diagnostics::Report;
use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

/// Logics in which integers, arrays and Booleans mean what they do here. What else there is in them is refused where it stands.
const LOGICS: [&str; 18] = [
    "ALIA",
    "ALL",
    "AUFLIA",
    "LIA",
    "QF_ALIA",
    "QF_ALL",
    "QF_AUFLIA",
    "QF_AUFLIRA",
    "QF_AX",
    "QF_IDL",
    "QF_LIA",
    "QF_LIRA",
    "QF_NIA",
    "QF_UF",
    "QF_UFIDL",
    "QF_UFLIA",
    "QF_UFNIA",
    "UFLIA",
];

/// Options that change no answer: of the standard, and what those of Z3 and cvc5 are called that say how to search, and what to print or check.
const OPTIONS: [&str; 25] = [
    "auto-config",
    "auto_config",
    "check-models",
    "check-proofs",
    "check-unsat-cores",
    "diagnostic-output-channel",
    "finite-model-find",
    "fmf-bound",
    "incremental",
    "model_validate",
    "print-success",
    "produce-assertions",
    "produce-assignments",
    "produce-interpolants",
    "produce-models",
    "produce-proofs",
    "produce-unsat-assumptions",
    "produce-unsat-cores",
    "random-seed",
    "regular-output-channel",
    "reproducible-resource-limit",
    "rlimit",
    "smt.arith.solver",
    "smt.random_seed",
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

/// The script that the text is. Says where and why it is not understood.
pub fn parse(text: &str, file: &str) -> Result<SmtScript, Box<Report>> {
    let read = || {
        let nodes = Nodes::new(text)?;
        let mut reading = Reading {
            nodes: &nodes,
            script: SmtScript::default(),
            globals: BTreeMap::new(),
            frames: vec![Frame::default()],
            expanded: Expanded::default(),
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
    expanded: Expanded,
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
            ("define-const", [name, of, body]) => self.define(*name, &[], *of, *body),
            ("define-fun", [name, parameters, of, body]) => {
                let parameters = self.nodes.list(*parameters).ok_or_else(|| Trouble::error(offset, "a list of parameters is expected"))?;
                self.define(*name, parameters, *of, *body)
            }
            ("assert", [term]) => {
                let assertion = self.condition(*term)?;
                self.frames.last_mut().into_iter().for_each(|frame| frame.assertions.push(assertion));
                Ok(())
            }
            ("push" | "pop", count @ ([] | [_])) => self.scope(name, offset, count.first().copied()),
            ("check-sat", []) => self.ask(&[]),
            ("check-sat-assuming", [assumed]) => {
                let assumed = self.nodes.list(*assumed).ok_or_else(|| Trouble::error(offset, "a list of assumptions is expected"))?;
                self.ask(assumed)
            }
            ("reset", []) => {
                self.globals.clear();
                self.frames = vec![Frame::default()];
                Ok(())
            }
            _ => Err(Trouble::unsupported(offset, format!("the command {name}, or its form"))),
        }
    }

    /// Whether all assertions and these assumptions can hold together.
    fn ask(&mut self, assumed: &[NodeId]) -> Result<(), Trouble> {
        let mut assertions: Vec<ExpressionId> = self.frames.iter().flat_map(|frame| &frame.assertions).copied().collect();
        for assumption in assumed {
            assertions.push(self.condition(*assumption)?);
        }
        self.script.questions.push(assertions);
        Ok(())
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
        let mut terms = Terms::new(self.nodes, &mut self.script.table, (&self.globals, &mut self.expanded));
        let value = terms.elaborate(node)?;
        for (node, name, value) in terms.named {
            self.name(node, &name, Meaning::Expression(value))?;
        }
        Ok(value)
    }

    /// A term that is true or false.
    fn condition(&mut self, node: NodeId) -> Result<ExpressionId, Trouble> {
        let condition = self.term(node)?;
        self.expect(node, condition, Domain::Boolean)?;
        Ok(condition)
    }

    fn expect(&self, node: NodeId, value: ExpressionId, domain: Domain) -> Result<(), Trouble> {
        let is_right = self.script.table.domain(value) == domain;
        if is_right { Ok(()) } else { Err(Trouble::error(self.nodes.get(node).offset, "the term is of another sort")) }
    }

    fn declare(&mut self, name: NodeId, parameters: &[NodeId], of: NodeId) -> Result<(), Trouble> {
        let domain = sort(self.nodes, of)?;
        let parameters = parameters.iter().map(|parameter| sort(self.nodes, *parameter)).collect::<Result<Vec<_>, _>>()?;
        let text = self.nodes.symbol(name).unwrap_or_default().to_owned();
        // Two of one name, one after the other's scope, are two.
        let meaning = match (parameters.as_slice(), domain) {
            ([], _) => Meaning::Expression(self.script.table.declare(&text, domain)),
            ([Domain::Integer], Domain::Integer) => Meaning::Elements(self.script.table.declare(&text, Domain::Array)),
            ([Domain::Integer], Domain::Boolean) => Meaning::Members(self.script.table.declare(&text, Domain::Array)),
            _ => Meaning::Function,
        };
        self.name(name, &text, meaning)
    }

    fn define(&mut self, name: NodeId, parameters: &[NodeId], of: NodeId, body: NodeId) -> Result<(), Trouble> {
        let domain = sort(self.nodes, of)?;
        let text = self.nodes.symbol(name).unwrap_or_default().to_owned();
        if parameters.is_empty() {
            let value = self.term(body)?;
            self.expect(body, value, domain)?;
            return self.name(name, &text, Meaning::Expression(value));
        }
        let mut bound = Vec::new();
        for parameter in parameters {
            let malformed = || Trouble::error(self.nodes.get(*parameter).offset, "(NAME SORT) is expected");
            let Some([name, of]) = self.nodes.list(*parameter) else { return Err(malformed()) };
            let (name, domain) = (self.nodes.symbol(*name).ok_or_else(malformed)?, sort(self.nodes, *of)?);
            if RESERVED.contains(&name) || bound.iter().any(|(other, _)| other == name) {
                return Err(Trouble::error(self.nodes.get(*parameter).offset, "a name of its own is expected"));
            }
            bound.push((name.to_owned(), self.script.table.declare(name, domain)));
        }
        let parameters = bound.iter().map(|(_, parameter)| *parameter).collect();
        let mut terms = Terms::new(self.nodes, &mut self.script.table, (&self.globals, &mut self.expanded));
        let value = terms.elaborate_with(body, bound)?;
        if let Some((node, ..)) = terms.named.first() {
            return Err(Trouble::unsupported(self.nodes.get(*node).offset, ":named inside a function"));
        }
        self.expect(body, value, domain)?;
        let definition = Definition::new(&self.script.table, parameters, value);
        self.name(name, &text, Meaning::Definition(Rc::new(definition)))
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
