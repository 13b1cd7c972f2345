//! C to the program form: parse, build a typed tree, write instructions.

mod apart;
mod assumptions;
mod available;
pub(crate) mod beliefs;
mod conventions;
mod declarators;
mod elaborate;
mod emit;
mod file_name;
mod function_types;
mod groups;
mod linked;
mod linker_names;
mod lost;
mod macro_names;
mod opaque;
mod order;
mod points;
mod products;
mod promised;
mod reserved_names;
mod results;
mod sizes;
mod steps;
mod tree;
pub(crate) mod types;
mod undefined_behavior;
mod variable_types;
mod waivers;
mod zeroed;

use crate::{
    diagnostics::{Diagnostic, Kind},
    source::Unit,
};
use goatherd_certificates::{
    certificate::Position,
    program::{Branch, FailKind, Instruction, Layout, Location, Object, ObjectId, Origin, Program},
};
use lang_c::{
    ast::TranslationUnit,
    driver::{Config, Flavor, parse_preprocessed},
};

pub use apart::Arrays;
pub use assumptions::Assumption;
pub use beliefs::Beliefs;
pub use conventions::errors;
pub(crate) use declarators::{declarator_name, is_function, is_plain};
pub(crate) use elaborate::calls::is_of_harness;
pub use results::Results;
pub use sizes::Sizes;
pub(crate) use sizes::replaced;
pub use undefined_behavior::UndefinedBehavior;
pub use waivers::Waiver;

use elaborate::Files;
pub use elaborate::Undefined;
use emit::{Elements, Emitted};
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of stack for the thread that lowers: nesting is bounded, but a level of it takes several calls.
const STACK: usize = 1 << 29;

/// How the names of the functions begin that give any value of a type.
const ARBITRARY: &str = "__VERIFIER_nondet_";

/// A program and where its instructions come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lowered {
    /// The program.
    pub program: Program,
    /// The files that positions name.
    pub files: Vec<String>,
    /// One position per instruction.
    pub positions: Vec<Position>,
    /// The assertions that do nothing, ascending: each with its file and column.
    pub waived: Vec<Waiver>,
    /// The instructions that fail, or take any value, because the source calls a function there, such as `reach_error` or `__VERIFIER_nondet_int`, each
    /// with that function.
    pub callees: BTreeMap<Location, String>,
    /// The instructions that fail since C leaves undefined what happens there, each with what that is.
    pub undefined: BTreeMap<Location, UndefinedBehavior>,
    /// The instructions whose values are any where C says more of them (a run that depends on one need not be one of the C program), and those that
    /// assume something of these values that C has hold.
    pub approximate: BTreeSet<Location>,
}

/// The syntax tree of a unit, or the place where it stops being C.
pub fn parse(unit: &Unit) -> Result<TranslationUnit, Vec<Diagnostic>> {
    // The commands for preprocessing are not used.
    let config = Config { cpp_command: String::new(), cpp_options: Vec::new(), flavor: Flavor::GnuC11 };
    parse_preprocessed(&config, unit.text().to_owned()).map(|parsed| parsed.unit).map_err(|error| {
        let mut expected: Vec<&str> = error.expected.iter().copied().collect();
        expected.sort_unstable();
        let help = (!expected.is_empty() && expected.len() <= 8).then(|| format!("expected one of: {}", expected.join(", ")));
        vec![Diagnostic { kind: Kind::Error, message: "a syntax error".to_owned(), offset: error.offset, help }]
    })
}

/// The name of the register that holds what the entry function returns, if that is one integer or pointer. No variable has it.
pub const RETURNED: &str = "%returned";

/// What a register is called that holds what a function returns which nothing defines, behind the function's name. No variable is called so.
const ANY_VALUE: &str = "any value";

/// The functions that the program calls and nothing defines, each once: what they return is any value.
pub fn undefined_functions(program: &Program) -> Vec<&str> {
    let names = program.registers.iter().filter_map(|register| register.name.split_once(':'));
    let undefined =
        names.filter(|(_, variable)| *variable == ANY_VALUE || variable.strip_prefix(ANY_VALUE).is_some_and(|rest| rest.starts_with('#')));
    undefined.map(|(function, _)| function).collect::<BTreeSet<_>>().into_iter().collect()
}

/// How the names of frames begin, in which variables of recursive functions are kept: that of no type of C does.
const FRAME: &str = "frame of ";

/// Do nodes of this layout keep variables of recursive functions during calls?
pub fn is_frame(layout: &Layout) -> bool {
    layout.name.starts_with(FRAME)
}

/// The objects of the heap that the source does not allocate: frames, and variables in memory of recursive functions.
pub fn variables_on_heap(program: &Program) -> Vec<ObjectId> {
    let is_variable = |object: &Object| match object.origin {
        Origin::Node { .. } => program.layouts.get(object.layout.index()).is_some_and(is_frame),
        Origin::Heap => program.registers.iter().any(|register| register.name.strip_prefix('&') == Some(&object.name)),
        _ => false,
    };
    let objects = (0..).map(ObjectId).zip(&program.objects);
    objects.filter(|(_, object)| is_variable(object)).map(|(id, _)| id).collect()
}

/// What is to be said of objects of the heap that nothing leads to when the entry function ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaks {
    /// Nothing.
    Ignored,
    /// The program fails (`spec/program.md#leaks`).
    Fail,
}

impl Leaks {
    /// What a program says of them.
    pub fn of(program: &Program) -> Self {
        let is_check = |instruction: &Instruction| matches!(instruction, Instruction::CheckLeaks { .. });
        if program.instructions.iter().any(is_check) { Self::Fail } else { Self::Ignored }
    }
}

/// Which of the program's own checks are made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Demands {
    /// What is said of leaks.
    pub leaks: Leaks,
    /// The assertions that do nothing. Each of these names one that the program has.
    pub waivers: Vec<Waiver>,
    /// What is said of the lengths of arrays.
    pub sizes: Sizes,
    /// Where arrays are that are members of structs.
    pub arrays: Arrays,
    /// What is said of the results of operations.
    pub results: Results,
    /// What calls of functions mean that nothing defines.
    pub undefined: Undefined,
}

impl From<Leaks> for Demands {
    /// Every assertion, arrays as long as the program says, nothing of results, no function that is not defined, and this of leaks.
    fn from(leaks: Leaks) -> Self {
        Self {
            leaks,
            waivers: Vec::new(),
            sizes: Sizes::Exact,
            arrays: Arrays::Inside,
            results: Results::Bare,
            undefined: Undefined::Refused,
        }
    }
}

/// Lowers a unit to the program whose entry is the function named. All that is wrong with what the entry reaches is reported in one run.
pub fn lower(unit: &Unit, entry: &str) -> Result<Lowered, Vec<Diagnostic>> {
    lower_with(unit, entry, &Leaks::Ignored.into())
}

/// As [`lower`], with these checks.
pub fn lower_with(unit: &Unit, entry: &str, demands: &Demands) -> Result<Lowered, Vec<Diagnostic>> {
    on_large_stack(unit, entry, demands, None)
}

/// As [`lower_with`], and what is believed of the types and constants on the way.
pub fn lower_and_believe(unit: &Unit, entry: &str, demands: &Demands) -> Result<(Lowered, Beliefs), Vec<Diagnostic>> {
    let mut beliefs = Beliefs::default();
    let lowered = on_large_stack(unit, entry, demands, Some(&mut beliefs))?;
    Ok((lowered, beliefs))
}

fn on_large_stack(unit: &Unit, entry: &str, demands: &Demands, beliefs: Option<&mut Beliefs>) -> Result<Lowered, Vec<Diagnostic>> {
    let outcome = std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || run(unit, entry, demands, beliefs));
        worker.map(std::thread::ScopedJoinHandle::join)
    });
    let failure = |message: &str| vec![Diagnostic { kind: Kind::Error, message: message.to_owned(), offset: 0, help: None }];
    match outcome {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(_)) => Err(failure("an internal failure of the front end")),
        Err(_) => Err(failure("no memory for the thread that lowers")),
    }
}

fn run(unit: &Unit, entry: &str, demands: &Demands, mut beliefs: Option<&mut Beliefs>) -> Result<Lowered, Vec<Diagnostic>> {
    let syntax = parse(unit)?;
    if let Some(beliefs) = &mut beliefs {
        beliefs.points = points::points(&syntax);
    }
    let files = if unit.sources().len() > 1 { Files::Several } else { Files::One };
    let (mut tree, mut diagnostics) =
        elaborate::elaborate((&syntax, files, demands.undefined), entry, beliefs, &|offset| unit.is_model(offset));
    if let Some((tree, records)) = &mut tree {
        zeroed::combine(tree, &|offset| unit.is_model(offset));
        diagnostics.extend(order::settle(tree, records, &|offset| unit.is_model(offset)));
    }
    if let Some((tree, _)) = &mut tree {
        let reached = tree.functions.iter().map(|function| function.name.as_str()).collect();
        let promised = promised::promised(&syntax, unit);
        diagnostics.extend(linker_names::misnamed(&syntax, &reached, unit));
        if promised.is_assumed {
            tree.assumptions.insert(Assumption::Promised);
        }
        diagnostics.extend(promised.refused);
        if unit.has_reserved() || reserved_names::are_defined(&syntax, unit) {
            tree.assumptions.insert(Assumption::Reserved);
        }
        if file_name::is_said(&syntax, unit) {
            tree.assumptions.insert(Assumption::FileName);
        }
    }
    diagnostics.extend(lost::lost_attributes(unit, &syntax));
    diagnostics.extend(variable_types::evaluated(&syntax));
    diagnostics.extend(macro_names::declared(&syntax, unit));
    diagnostics.extend(function_types::taken(&syntax, unit));
    let waived = waivers::Waived::new(unit, &demands.waivers);
    let approximations = tree.as_ref().map(|(tree, _)| tree.approximate.clone()).unwrap_or_default();
    let emitted = tree.map(|(tree, records)| {
        let emit = |elements: Elements<'_>| emit::emit((&tree, &records), demands.leaks, &waived, elements);
        if demands.arrays == Arrays::Apart { apart::apart(emit) } else { emit(Elements::Told) }
    });
    diagnostics.extend(waived.faults());
    let ((program, offsets), undefined) = match emitted {
        Some(Ok(Emitted { placed, undefined, .. })) if diagnostics.is_empty() => {
            let placed = opaque::with_numbers(placed);
            let placed = if demands.sizes == Sizes::Any { sizes::any_size(placed) } else { placed };
            (if demands.results == Results::Bounded { results::bounded(placed) } else { placed }, undefined)
        }
        other => {
            diagnostics.extend(other.and_then(Result::err).into_iter().flatten());
            diagnostics.sort_by(|left, right| (left.offset, &left.message).cmp(&(right.offset, &right.message)));
            diagnostics.dedup();
            return Err(diagnostics);
        }
    };
    let is_ignored = |target: &Location| program.instructions.get(target.index()) == Some(&Instruction::Ignore);
    let is_approximate = |(instruction, offset): (&Instruction, &usize)| match instruction {
        Instruction::Havoc { .. } | Instruction::Allocate(_) => approximations.contains(offset) || unit.is_approximate(*offset),
        // Where it is not known what an older allocation held (`emit/reallocation.rs`).
        Instruction::Copy { target, source } => target == source && unit.is_reallocation(*offset),
        Instruction::Advance(_) | Instruction::Distance(_) => approximations.contains(offset),
        Instruction::Branch(Branch { then, otherwise, .. }) => {
            [then, otherwise].into_iter().any(is_ignored) && unit.is_approximate(*offset)
        }
        _ => false,
    };
    let instructions = (0..).map(Location).zip(program.instructions.iter().zip(&offsets));
    let is_failure = |instruction: &Instruction| matches!(instruction, Instruction::Fail { .. });
    let failures = instructions.clone().filter(|(_, (instruction, _))| is_failure(instruction));
    let undefined = failures.filter_map(|(location, (instruction, offset))| {
        let is_undefined = *instruction == Instruction::Fail { kind: FailKind::Unreachable };
        Some((location, *undefined.get(offset).filter(|_| is_undefined)?))
    });
    let undefined = undefined.collect();
    let callee = |(location, (instruction, offset)): (Location, (&Instruction, &usize))| {
        let name = unit.name_at(*offset)?;
        let is_call = match instruction {
            Instruction::Fail { .. } => true,
            Instruction::Havoc { .. } => name.starts_with(ARBITRARY),
            _ => false,
        };
        is_call.then(|| (location, name.to_owned()))
    };
    let callees = instructions.clone().filter_map(callee).collect();
    let approximate = instructions.filter(|(_, placed)| is_approximate(*placed));
    let approximate = approximate.map(|(location, _)| location).collect();
    let positions = offsets.into_iter().map(|offset| unit.position(offset)).collect();
    Ok(Lowered { program, files: unit.files().to_vec(), positions, waived: waived.found(), callees, undefined, approximate })
}
