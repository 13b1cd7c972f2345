//! The Timbuk format: round trips, variants, and what is said of texts that are not in it.

use crate::random::{Random, alphabet, automaton};
use goatherd_automata::{
    alphabet::Alphabet,
    timbuk::{Document, read, write},
};

const EVEN: &str = "\
Ops zero:0 next:1

Automaton even
States even odd
Final States even
Transitions
zero() -> even
next(even) -> odd
next(odd) -> even
";

#[test]
fn what_was_written_is_read_again() {
    let alphabet = alphabet();
    for seed in 0..1000 {
        let document = Document::numbered("A", automaton(&mut Random::new(seed), alphabet.symbols(), 5));
        let mut read_alphabet = Alphabet::new();
        assert_eq!(read(&write(&document, &alphabet), &mut read_alphabet), Ok(document), "seed {seed}");
        assert_eq!(read_alphabet, alphabet);
    }
    let mut alphabet = Alphabet::new();
    let even = read(EVEN, &mut alphabet).unwrap();
    assert_eq!(write(&even, &alphabet), EVEN);
}

#[test]
fn variants_are_the_same() {
    let mut alphabet = Alphabet::new();
    let wanted = read(EVEN, &mut alphabet).unwrap();
    for variant in [
        EVEN.replace("zero()", "zero"),
        EVEN.replace("States even odd", "States even:0 odd:0").replace("Final States even", "Final States even:0"),
        EVEN.replace('\n', "\r\n"),
        EVEN.replace("\nAutomaton", "# a comment\n% another -> one\nVars x y\n// and (one more\n(* and one\n of two lines *)Automaton"),
        EVEN.replace(" -> ", "->").replace('(', " ( "),
        EVEN.replace("States even odd\n", "States\n"),
    ] {
        assert_eq!(read(&variant, &mut alphabet), Ok(wanted.clone()), "{variant}");
    }
    let undeclared = EVEN.replace("Ops zero:0 next:1\n", "Ops\n");
    assert_eq!(read(&undeclared, &mut alphabet), Ok(wanted.clone()));
    let without = EVEN.replace("Ops zero:0 next:1\n", "");
    assert_eq!(read(&without, &mut alphabet), Ok(wanted));
    assert_eq!(alphabet.symbols().len(), 2);
}

#[test]
fn errors_say_where_and_what_to_do() {
    let wrong = [
        EVEN.replace("zero:0", "zero"),
        EVEN.replace("zero:0", "zero:70000"),
        EVEN.replace("Automaton even\n", ""),
        EVEN.replace("Final States", "Final"),
        EVEN.replace("States even odd", "States even"),
        EVEN.replace("Final States even", "Final States equal"),
        EVEN.replace("next(even)", "next(even,odd)"),
        EVEN.replace("next(even)", "previous(even)"),
        EVEN.replace("next(even) ->", "next(even)"),
        EVEN.replace("next(even)", "next(even odd)"),
        EVEN.replace("next(odd) -> even", "next(odd) ->"),
        EVEN.replace("next(odd) -> even", "next(odd,) -> even"),
        EVEN.replace("Transitions", "(* Transitions"),
        EVEN.repeat(2).replacen("Ops zero:0 next:1\n", "", 2),
        String::new(),
    ];
    let messages: Vec<String> = wrong.iter().map(|text| read(text, &mut Alphabet::new()).unwrap_err().to_string()).collect();
    insta::assert_snapshot!(messages.join("\n"));
}
