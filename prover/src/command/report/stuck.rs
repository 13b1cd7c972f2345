//! Why no proof was found, in words.

use super::checks;
use crate::command::places::{Place, Places};
use goatherd_certificates::{
    certificate::{Allocation, Parameters},
    program::{Allocate, Input, Instruction, Location, ObjectId, Origin, Program},
};
use goatherd_checker::rejection::{Rejection, Unsupported};
use goatherd_descent::{Failing, Strategy, Stuck};
use goatherd_frontend::{escape::escaped, lower::variables_on_heap};
use serde::Serialize;
use std::{collections::BTreeMap, fmt};

/// Smaller inputs of a proof attempt that are at one place.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Waiting {
    /// How many.
    pub count: usize,
    /// Where; none if they have failed.
    pub place: Option<Place>,
}

/// What a proof attempt has passed.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Turn {
    /// Where it is: of a recursion, the call.
    #[serde(flatten)]
    pub place: Place,
    /// The function that calls itself there; none of a loop.
    #[serde(skip)]
    pub called: Option<String>,
}

impl fmt::Display for Turn {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.called {
            Some(function) => write!(formatter, "the recursive call of {} at {}", escaped(function), self.place),
            None => write!(formatter, "the loop at {}", self.place),
        }
    }
}

/// How the most telling attempt at a proof ended.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Attempt {
    /// What the attempt followed precisely: cells, sizes and rounds of loops.
    pub k: u32,
    /// What is wrong, in words.
    pub reason: String,
    /// Where, if it is about one place.
    pub place: Option<Place>,
    /// The loops and recursions passed on the way there.
    pub loops: Vec<Turn>,
    /// Where the smaller inputs are that should have failed too.
    pub smaller_inputs: Vec<Waiting>,
    /// What is known there: a line per fact.
    pub herd: Vec<String>,
    /// What may help.
    pub advice: Vec<String>,
    /// The instruction.
    #[serde(skip)]
    pub location: Option<Location>,
}

impl Attempt {
    /// Describes the most telling of the attempts.
    pub fn new(program: &Program, parameters: Parameters, places: Places<'_>, attempts: &[(Strategy, Stuck)]) -> Option<Self> {
        // What is unsupported stops every attempt; a failure that no smaller input shares says more than a budget that is spent. Of several,
        // the last one followed most.
        let weight = |stuck: &Stuck| match stuck {
            Stuck::Rejected(_, Rejection::Unsupported(_) | Rejection::Folded) => 3,
            Stuck::Failure(_) => 2,
            Stuck::NoConvergence(_) | Stuck::Rejected(..) | Stuck::Unshown => 1,
            Stuck::Budget | Stuck::Outdated | Stuck::Unlisted(_) => 0,
        };
        let (strategy, stuck) = attempts.iter().max_by_key(|(_, stuck)| weight(stuck))?;
        let mut attempt = Self {
            k: strategy.k,
            reason: String::new(),
            place: None,
            loops: Vec::new(),
            smaller_inputs: Vec::new(),
            herd: Vec::new(),
            advice: Vec::new(),
            location: None,
        };
        attempt.describe(program, parameters, places, stuck);
        attempt.place = attempt.location.map(|location| places.place(location));
        Some(attempt)
    }

    fn describe(&mut self, program: &Program, parameters: Parameters, places: Places<'_>, stuck: &Stuck) {
        match stuck {
            Stuck::Budget | Stuck::Outdated | Stuck::Unlisted(_) => {
                self.reason = String::from("the search took more steps than it may");
                self.advise("give it more with --steps, or split the program: prove its loops one at a time");
            }
            Stuck::NoConvergence(location) => {
                self.location = Some(*location);
                self.reason = String::from("what holds at this loop in every round was not found");
                self.advise("simplify the loop, or what it changes in each round");
            }
            Stuck::Unshown => {
                self.reason =
                    String::from("a proof was found but for the arithmetic of one of its steps, for which nothing shows that it holds");
                self.advise("simplify the arithmetic, or what is compared");
            }
            Stuck::Rejected(location, rejection) => {
                self.location = Some(*location);
                self.reason = match rejection {
                    Rejection::Unsupported(what) => format!("the rules of proofs do not handle {}", unsupported(*what).0),
                    Rejection::Folded => String::from("it goes through a linked structure, and proofs about these are not looked for"),
                    Rejection::Forgotten => String::from("what this depends on is not known any more"),
                    other => format!("the rules of proofs do not apply here: {other:?}"),
                };
                self.advise(match rejection {
                    Rejection::Unsupported(what) => unsupported(*what).1,
                    Rejection::Folded => "write this part in another way: it can be run, but proofs do not handle it yet",
                    Rejection::Forgotten => "what this depends on was not followed through an earlier loop: simplify that loop",
                    _ => "simplify the arithmetic here",
                });
            }
            Stuck::Failure(failing) => self.describe_failure(program, parameters, places, failing),
        }
    }

    fn describe_failure(&mut self, program: &Program, parameters: Parameters, places: Places<'_>, failing: &Failing) {
        self.location = Some(failing.location);
        let kind = checks::kind_of_failure(program, parameters, failing.location);
        let what = places.undefined(failing.location).unwrap_or_else(|| kind.name().to_owned());
        self.reason = format!("this may fail ({what}), and no smaller input was found that fails too");
        for location in &failing.path {
            let passed = passed(program, places, *location);
            if self.loops.last() != Some(&passed) {
                self.loops.push(passed);
            }
        }
        let mut waiting: BTreeMap<Option<Place>, usize> = BTreeMap::new();
        for (_, location) in &failing.scapegoats {
            *waiting.entry(location.map(|location| places.place(location))).or_default() += 1;
        }
        self.herd = failing.herd.iter().map(|line| with_place(line, places)).collect();
        self.smaller_inputs = waiting.into_iter().map(|(place, count)| Waiting { count, place }).collect();
        self.advise_on_inputs(program);
        let variables = variables_on_heap(program);
        let allocates = program
            .instructions
            .iter()
            .any(|instruction| matches!(instruction, Instruction::Allocate(Allocate { object, .. }) if !variables.contains(object)));
        if allocates && parameters.allocation == Allocation::MayFail {
            self.advise("if the program does not expect malloc to fail: --allocation succeeds");
        }
    }

    fn advise_on_inputs(&mut self, program: &Program) {
        if !has_arrays(program) {
            self.advise("simplify what this depends on: the facts of the herd are all that is known of it");
        } else if program.inputs.is_empty() {
            self.advise("give what is done with one array a function of its own, with `struct { T *X; int n_X; }` as a parameter: --entry proves it for all");
        } else if program.inputs.iter().all(|input| matches!(input, Input::Integer { .. } | Input::Single { .. })) {
            self.advise("where the input has no array, nothing can be left out of it: give it one, as `struct { T *X; int n_X; }`");
        } else {
            self.advise("if the check holds only for some inputs, assume that: __VERIFIER_assume(condition)");
            self.advise("if it rests on a property of the whole input, check that property in a loop of its own first");
        }
    }

    fn advise(&mut self, advice: &str) {
        self.advice.push(advice.to_owned());
    }
}

/// Does the program have objects of many elements, or linked ones, other than variables of functions?
fn has_arrays(program: &Program) -> bool {
    let variables = variables_on_heap(program);
    let mut objects = (0..).map(ObjectId).zip(&program.objects).filter(|(object, _)| !variables.contains(object));
    objects.any(|(_, object)| match &object.origin {
        Origin::Input | Origin::Heap | Origin::Node { .. } => true,
        Origin::Static { count, .. } | Origin::Local { count } => *count > 1,
    })
}

/// The loop that begins at an instruction; if what leads back to it is a call, a recursion.
fn passed(program: &Program, places: Places<'_>, head: Location) -> Turn {
    let instructions = (0..).map(Location).zip(&program.instructions);
    let mut back = instructions
        .filter(|(location, instruction)| *location >= head && matches!(instruction, Instruction::Jump { target } if *target == head));
    let called = back.find_map(|(location, _)| Some((location, places.called(location)?)));
    match called {
        Some((location, function)) => Turn { place: places.place(location), called: Some(function) },
        None => Turn { place: places.place(head), called: None },
    }
}

/// What the kernel does not handle, and what may be done about it.
const fn unsupported(what: Unsupported) -> (&'static str, &'static str) {
    match what {
        Unsupported::Access => (
            "an access to a part of a number or pointer, or to several of them",
            "access the members of structs and elements of arrays as what they were declared",
        ),
        Unsupported::Advance => (
            "a pointer that is moved inside a struct by a number that is not constant",
            "give the array that is meant a variable of its own, or declare where it ends: `p->array[i]`",
        ),
        Unsupported::Distance => ("the difference of pointers to different members of structs", "subtract indices instead"),
        Unsupported::NodeArray => (
            "several linked structs that are allocated at once, or a number of them that is not known",
            "allocate each struct by itself, or link them by index",
        ),
        Unsupported::PointerArray => (
            "an array of pointers of more than 64 elements, or of a number of them that is not known",
            "give the array a constant length of at most 64, or keep indices in it, into one array that holds all",
        ),
        Unsupported::Unbounded => {
            ("memory, or a computation that is not linear, on unbounded integers", "keep to sums and products with constants")
        }
    }
}

/// The search knows instructions by number only; what it says of a member's location is completed by the place.
fn with_place(line: &str, places: Places<'_>) -> String {
    let number = line.rsplit_once(" at instruction ").and_then(|(_, number)| number.parse().ok());
    number.map_or_else(|| line.to_owned(), |number| format!("{line}, {}", places.place(Location(number))))
}
