//! Formulas and what shows that one has no model, in the words of SMT-LIB. Each expression has a name, `e` and its number.

use super::{made_from, terms::Terms};
use goatherd_certificates::{
    certificate::Claim,
    formula::{
        ClauseId, Domain, Expression, ExpressionId, Formula, FormulaCertificate, Inference, Signed,
    },
};
use goatherd_frontend::{
    escape::shortened,
    print::{Page, list},
};

/// A certificate about a formula, for people.
pub fn certificate(certificate: &FormulaCertificate) -> String {
    let FormulaCertificate {
        formula,
        evidence,
        origin,
        ..
    } = certificate;
    let mut page = Page::default();
    page.paragraph(&summary(certificate));
    made_from(origin, &mut page);
    page.line(0, "Formula");
    for line in lines(formula) {
        page.line(0, line);
    }
    page.line(0, "");
    page.line(0, "More expressions");
    expressions(
        formula,
        &evidence.expressions,
        formula.expressions.len(),
        &mut page,
    );
    page.line(0, "");
    page.line(0, "Clauses, each true in every model");
    let terms = Terms::new(&evidence.terms);
    for (number, step) in evidence.steps.iter().enumerate() {
        let line = format!("c{number}  {}", inference(step, &terms));
        terms.line(&mut page, 1, &line);
    }
    page.text
}

/// The formula as text, by lines.
pub fn lines(formula: &Formula) -> Vec<String> {
    let mut page = Page::default();
    for constant in &formula.constants {
        let sort = match constant.domain {
            Domain::Boolean => "Bool",
            Domain::Integer => "Int",
            Domain::Array => "(Array Int Int)",
        };
        page.line(
            1,
            format!("declare-const {} {sort}", shortened(&constant.name)),
        );
    }
    expressions(formula, &formula.expressions, 0, &mut page);
    for assertion in &formula.assertions {
        page.line(1, format!("assert {}", name(*assertion)));
    }
    page.text.lines().map(str::to_owned).collect()
}

/// The paragraph in words.
fn summary(certificate: &FormulaCertificate) -> String {
    let file = shortened(&certificate.origin.file);
    let question = certificate.formula.question;
    match certificate.claim {
        Claim::Unsatisfiable => format!(
            "Claimed: at check-sat {question} of the script {file}, no values of the constants, integers of any size and arrays over all \
             integers, make all assertions true: the formula below has no model."
        ),
        _ => String::from(
            "Claimed: what is claimed of a program or a tree model, which a formula is not.",
        ),
    }
}

fn expressions(formula: &Formula, expressions: &[Expression], first: usize, page: &mut Page) {
    for (number, expression) in (first..).zip(expressions) {
        page.line(1, format!("e{number} = {}", shown(formula, expression)));
    }
}

fn name(id: ExpressionId) -> String {
    format!("e{}", id.0)
}

fn names(ids: &[ExpressionId]) -> String {
    ids.iter()
        .fold(String::new(), |text, id| text + " " + &name(*id))
}

fn shown(formula: &Formula, expression: &Expression) -> String {
    let of = |operation: &str, parts: &[ExpressionId]| format!("({operation}{})", names(parts));
    match expression {
        Expression::Constant(number) => {
            let constant = usize::try_from(*number)
                .ok()
                .and_then(|number| formula.constants.get(number));
            constant.map_or_else(
                || format!("constant {number}"),
                |constant| shortened(&constant.name),
            )
        }
        Expression::Not(part) => of("not", &[*part]),
        Expression::And(parts) if parts.is_empty() => String::from("true"),
        Expression::And(parts) => of("and", parts),
        Expression::Or(parts) if parts.is_empty() => String::from("false"),
        Expression::Or(parts) => of("or", parts),
        Expression::IfThenElse {
            condition,
            then,
            otherwise,
        } => of("ite", &[*condition, *then, *otherwise]),
        Expression::Equal { left, right } => of("=", &[*left, *right]),
        Expression::AtMost { left, right } => of("<=", &[*left, *right]),
        Expression::Sum { constant, summands } if summands.is_empty() => constant.to_string(),
        Expression::Sum { constant, summands } => {
            let summand = |(part, coefficient): &(ExpressionId, i128)| {
                format!(" (* {coefficient} {})", name(*part))
            };
            let summands: String = summands.iter().map(summand).collect();
            format!("(+ {constant}{summands})")
        }
        Expression::Quotient { argument, divisor } => {
            format!("(div {} {divisor})", name(*argument))
        }
        Expression::Select { array, index } => of("select", &[*array, *index]),
        Expression::Store {
            array,
            index,
            value,
        } => of("store", &[*array, *index, *value]),
        Expression::Fill(value) => of("(as const (Array Int Int))", &[*value]),
        Expression::Witness { left, right } => {
            of("an index at which these differ:", &[*left, *right])
        }
    }
}

fn clause(literals: &[Signed]) -> String {
    let literal = |signed: &Signed| match signed {
        Signed::Holds(id) => name(*id),
        Signed::Fails(id) => format!("not {}", name(*id)),
    };
    if literals.is_empty() {
        String::from("false")
    } else {
        literals
            .iter()
            .map(literal)
            .collect::<Vec<_>>()
            .join(" or ")
    }
}

fn inference(step: &Inference, terms: &Terms) -> String {
    let named = |rule: &str, parts: &[ExpressionId]| format!("{rule}{}", names(parts));
    match step {
        Inference::Assertion(number) => format!("Assertion {number}"),
        Inference::Definition { expression, clause } => {
            format!("Definition {}, clause {clause}", name(*expression))
        }
        Inference::Choice { equality } => named("Choice", &[*equality]),
        Inference::ReadSame { equality, indices } => named("ReadSame", &[*equality, *indices]),
        Inference::ReadOther { equality, indices } => named("ReadOther", &[*equality, *indices]),
        Inference::ReadFill { equality } => named("ReadFill", &[*equality]),
        Inference::SameElement { equality, premises } => {
            format!("SameElement {}, by{}", name(*equality), names(premises))
        }
        Inference::Extensionality { equality, elements } => {
            named("Extensionality", &[*equality, *elements])
        }
        Inference::Arithmetic {
            clause: literals,
            refutation,
        } => {
            let literals = clause(literals);
            format!("Arithmetic {literals}{}", terms.refutation(refutation))
        }
        Inference::Propagation {
            clause: literals,
            hints,
        } => {
            let hints = hints.iter().map(|ClauseId(number)| format!("c{number}"));
            format!("Propagation {}, by {}", clause(literals), list(hints))
        }
    }
}
