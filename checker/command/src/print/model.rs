//! Tree models and what shows claims about them, in the syntax of models.

use super::made_from;
use goatherd_certificates::{
    automata::{Automaton, Model, ModelCertificate, ModelEvidence, StateId, SymbolId, Transition},
    certificate::Claim,
};
use goatherd_frontend::{
    escape::shortened,
    print::{Page, list},
    trees::term,
};

/// A certificate about a model, for people.
pub fn certificate(certificate: &ModelCertificate) -> String {
    let ModelCertificate {
        model,
        evidence,
        origin,
        ..
    } = certificate;
    let mut page = Page::default();
    page.paragraph(&summary(certificate));
    made_from(origin, &mut page);
    page.line(0, "Model");
    for line in lines(model) {
        page.line(0, line);
    }
    page.line(0, "");
    match evidence {
        ModelEvidence::Invariant { lines, covers } => {
            page.line(0, "Invariant");
            for (position, set) in lines.iter().enumerate() {
                automaton(
                    &format!("line {}", line_name(model, position)),
                    set,
                    |symbol| name(model, symbol),
                    &mut page,
                );
            }
            page.line(
                1,
                format!(
                    "{} inclusions, {} covers",
                    covers.len(),
                    covers.iter().map(Vec::len).sum::<usize>()
                ),
            );
        }
        ModelEvidence::Trace { tree, steps } => trace(model, tree, steps, &mut page),
    }
    page.text
}

/// The model as text, by lines.
pub fn lines(model: &Model) -> Vec<String> {
    let mut page = Page::default();
    let symbols = model
        .alphabet
        .iter()
        .map(|symbol| format!("{}:{}", shortened(&symbol.name), symbol.rank));
    page.line(
        1,
        format!("alphabet {{ {} }}", symbols.collect::<Vec<_>>().join(" ")),
    );
    automaton(
        "init",
        &model.initial,
        |symbol| name(model, symbol),
        &mut page,
    );
    for line in &model.lines {
        page.line(1, format!("line {}", shortened(&line.name)));
        for action in &line.actions {
            let next = line_name(model, action.next.index());
            let relation = |(input, output)| {
                if input == output {
                    name(model, input)
                } else {
                    format!("{}/{}", name(model, input), name(model, output))
                }
            };
            automaton(
                &format!("transducer {} -> {next}", shortened(&action.name)),
                &action.transducer,
                relation,
                &mut page,
            );
        }
        if !line.bad.transitions.is_empty() {
            automaton("bad", &line.bad, |symbol| name(model, symbol), &mut page);
        }
    }
    page.text.lines().map(str::to_owned).collect()
}

/// The paragraph in words.
fn summary(certificate: &ModelCertificate) -> String {
    let file = shortened(&certificate.origin.file);
    match certificate.claim {
        Claim::Invariant => format!(
            "Claimed: in the tree model of {file}, from no tree of Init, however large, do the actions of the lines lead to a bad tree: the \
             sets below hold Init, are closed under every action and hold no bad tree. That the model is right is not claimed."
        ),
        Claim::Unsafe => format!(
            "Claimed: in the tree model of {file}, the trace below leads from a tree of Init to a bad tree."
        ),
        Claim::Safe | Claim::Paths(_) | Claim::Unsatisfiable => String::from(
            "Claimed: what is claimed of a program or a formula, which a tree model is not.",
        ),
    }
}

/// The symbol's name, or its number.
fn name(model: &Model, symbol: SymbolId) -> String {
    model
        .alphabet
        .get(symbol.index())
        .map_or_else(|| symbol.0.to_string(), |symbol| shortened(&symbol.name))
}

fn line_name(model: &Model, position: usize) -> String {
    model
        .lines
        .get(position)
        .map_or_else(|| position.to_string(), |line| shortened(&line.name))
}

fn state(state: StateId) -> String {
    format!("q{}", state.0)
}

fn automaton<Letter: Copy>(
    title: &str,
    automaton: &Automaton<Letter>,
    letter: impl Fn(Letter) -> String,
    page: &mut Page,
) {
    page.line(1, format!("{title} {{"));
    for Transition {
        letter: of,
        children,
        target,
    } in &automaton.transitions
    {
        let letter = letter(*of);
        let children = if children.is_empty() {
            String::new()
        } else {
            format!("({})", list(children.iter().copied().map(state)))
        };
        page.line(2, format!("{letter}{children} -> {}", state(*target)));
    }
    page.line(
        2,
        format!(
            "accept {{ {} }}",
            automaton
                .accepting
                .iter()
                .copied()
                .map(state)
                .collect::<Vec<_>>()
                .join(" ")
        ),
    );
    page.line(1, "}");
}

fn trace(model: &Model, tree: &[SymbolId], steps: &[(u32, Vec<SymbolId>)], page: &mut Page) {
    page.line(0, "The trace that ends badly");
    let mut position = 0;
    page.line(
        1,
        format!(
            "line {}: {}",
            line_name(model, position),
            shown(model, tree)
        ),
    );
    for (action, tree) in steps {
        let action = model
            .lines
            .get(position)
            .and_then(|line| line.actions.get(usize::try_from(*action).ok()?));
        let Some(action) = action else {
            return page.line(1, "an action that the model does not have");
        };
        position = action.next.index();
        page.line(
            1,
            format!(
                "{} to line {}: {}",
                shortened(&action.name),
                line_name(model, position),
                shown(model, tree)
            ),
        );
    }
}

/// The tree as a term; what is no tree is written as its symbols.
fn shown(model: &Model, tree: &[SymbolId]) -> String {
    term(model, tree).unwrap_or_else(|| list(tree.iter().map(|symbol| name(model, *symbol))))
}
