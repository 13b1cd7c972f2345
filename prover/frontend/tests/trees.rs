//! Tree models as text: what they stand for, and what is said of those that are none.

use goatherd_certificates::automata::{Automaton, LineId, Model, StateId, SymbolId, Transition};
use goatherd_frontend::{
    diagnostics::Report,
    trees::{parse, term},
};

const MODEL: &str = "
alphabet { a:0 b:0 f:1 p:2 }   # leaves and inner nodes
class leaf { a b }
set all { leaf -> all  *(all) -> all  *(all, all) -> all  accept all }
set one { a -> {x y}  f({x y}) -> z  accept {y z} }
transducer t { {a b}/{b a} -> q  f/f(q) -> q  p(q, q) -> q  accept q }
init all
bad one at {second third}
bad all at third
line first { t -> second  t -> first }
line second { }
line third { }
";

fn model() -> Model {
    parse(MODEL, "model").expect("a model")
}

fn transition<Letter>(letter: Letter, children: &[u32], target: u32) -> Transition<Letter> {
    Transition { letter, children: children.iter().copied().map(StateId).collect(), target: StateId(target) }
}

#[test]
fn what_a_text_stands_for() {
    let (a, b, f, p) = (SymbolId(0), SymbolId(1), SymbolId(2), SymbolId(3));
    let model = model();
    let all = Automaton {
        transitions: vec![transition(a, &[], 0), transition(b, &[], 0), transition(f, &[0], 0), transition(p, &[0, 0], 0)],
        accepting: vec![StateId(0)],
    };
    assert_eq!(model.initial, all);
    let one = Automaton {
        transitions: vec![transition(a, &[], 0), transition(a, &[], 1), transition(f, &[0], 2), transition(f, &[1], 2)],
        accepting: vec![StateId(1), StateId(2)],
    };
    assert_eq!(model.lines[1].bad, one);
    assert_eq!(model.lines[0].bad, Automaton::default());
    // The states of the second set follow.
    let both = &model.lines[2].bad;
    assert_eq!(both.accepting, [StateId(1), StateId(2), StateId(3)]);
    assert!(both.transitions.contains(&transition(p, &[3, 3], 3)));
    let action = &model.lines[0].actions[0];
    let pairs = [transition((a, b), &[], 0), transition((b, a), &[], 0), transition((f, f), &[0], 0), transition((p, p), &[0, 0], 0)];
    assert_eq!((action.name.as_str(), action.next, action.transducer.transitions.as_slice()), ("t", LineId(1), pairs.as_slice()));
}

#[test]
fn trees_as_terms() {
    let (a, b, f, p) = (SymbolId(0), SymbolId(1), SymbolId(2), SymbolId(3));
    let model = model();
    assert_eq!(term(&model, &[a, f, b, p]).as_deref(), Some("p(f(a), b)"));
    assert_eq!(term(&model, &[a, b]), None);
    assert_eq!(term(&model, &[p]), None);
    assert_eq!(term(&model, &[]), None);
    assert_eq!(term(&model, &[SymbolId(9)]), None);
    // No recursion on the depth.
    let deep: Vec<SymbolId> = [a].into_iter().chain(std::iter::repeat_n(f, 200_000)).collect();
    assert_eq!(term(&model, &deep).map(|term| term.len()), Some(1 + 3 * 200_000));
}

/// The report about a text, as `LINE:COLUMN: MESSAGE`.
fn refused(text: &str) -> String {
    let Report { line, column, message, .. } = *parse(text, "model").expect_err("no model");
    format!("{}:{}: {message}", line.unwrap_or(0), column.unwrap_or(0))
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let after = |text: &str| refused(&format!("alphabet {{ a:0 b:0 f:1 }}\n{text}"));
    for (text, said) in [
        ("tree", "2:1: alphabet, class, set, transducer, init, bad or line expected, not `tree`"),
        ("set s { c -> q }", "2:9: `c` is neither a symbol nor a class"),
        ("set s { a(q) -> q }", "2:9: `a` has rank 0, and there are 1 children"),
        ("set s { f -> q }", "2:9: `f` has rank 1, and there are 0 children"),
        ("set s { a/b -> q }", "2:10: a set has no output symbols"),
        ("set s { a -> q accept r }", "2:23: no transition leads to the state `r`"),
        ("set s { a q }", "2:11: `->` expected, not `q`"),
        ("set s { a -> q", "2:15: a symbol expected, not the end of the file"),
        ("set s { a -> q }\nset s { }", "3:5: the set `s` is there already"),
        ("transducer t { a/f -> q }", "2:16: `f` has rank 1, and there are 0 children"),
        ("transducer t { {a b}/{a b a} -> q }", "2:21: as many output symbols as input symbols are expected, or one"),
        ("alphabet { a:1 }", "2:12: `a` is a symbol or a class already"),
        ("alphabet { c:17 }", "2:14: a rank is a number from 0 to 16"),
        ("line x { }", "2:11: `init` and the name of a set are missing"),
        ("init s\nline x { }", "2:6: there is no set `s`"),
        ("set s { }\ninit s", "3:7: there is no line"),
        ("set s { }\ninit s\ninit s", "4:1: there is an `init` already"),
        ("set s { }\ninit s\nline x { t -> x }", "4:10: there is no transducer `t`"),
        ("set s { }\ninit s\nbad s at y\nline x { }", "4:10: there is no line `y`"),
        ("line x { }\nline x { }", "3:6: the line `x` is there already"),
        ("set s { a = q }", "2:11: `=` begins nothing"),
        ("set s { a ? q }", "2:11: `?` begins nothing"),
    ] {
        assert_eq!(after(text), said, "{text}");
    }
    assert_eq!(refused(""), "1:1: `init` and the name of a set are missing");
}

#[test]
fn what_stands_for_too_much_is_refused() {
    let states: Vec<String> = (0..400).map(|state| format!("q{state}")).collect();
    let text = format!("alphabet {{ p:2 }} set s {{ p({{{0}}}, {{{0}}}) -> r }}", states.join(" "));
    assert_eq!(refused(&text), "1:26: this stands for more than 100000 transitions");
}
