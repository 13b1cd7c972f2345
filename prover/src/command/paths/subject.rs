//! From the command line to what is analysed.

use super::arguments::Paths;
use crate::command::{Trouble, input};
use goatherd::certify::paths::{About, Uncertified};
use goatherd_certificates::{
    certificate::{Allocation, Arithmetic, DataModel, Ends, Origin, Parameters, PointerFormation, Position, SignedOverflow, Statement},
    program::{self, ArrayInput, Input, Location},
};
use goatherd_checker::rejection::Rejection;
use goatherd_frontend::{files, lower::Leaks};
use goatherd_logic::paths::conjunction::Conjunction;
use goatherd_paths::{memory::Memory, program::transition_system};
use goatherd_systems::{
    literal::Literal,
    lower::{Unlowered, lower, with_precondition},
    lts::{Lts, LtsVariable},
    realisation::Realisation,
    text::{TextError, read_condition, read_lts},
};
use std::path::Path;

/// What is analysed, and what its certificate is about.
pub struct Subject {
    pub lts: Lts,
    pub precondition: Vec<Literal>,
    pub realisation: Realisation,
    pub about: About,
}

/// Why a graph of a program with nodes has no certificate where a pointer is needed that no template could keep.
const UNFOLDED: &str = "unsupported: this needs a pointer between nodes that is not followed: of nodes that are linked otherwise than as a list or \
                        tree in which one pointer leads to each (`prev` that the program sets, parents), at most 12 are told apart, and a loop \
                        makes more; lists and trees that are inputs, and singly linked ones that a loop builds, are followed";

impl Subject {
    /// Reads the file and the precondition.
    pub fn read(arguments: &Paths, memory: Memory) -> Result<Self, Trouble> {
        let path = &arguments.input.file;
        let is_text = path.extension().is_some_and(|extension| extension == "lts");
        if is_text && arguments.input.is_about_c() {
            let message = format!("{}: --entry, -D and -I are for files in C, not for transition systems", path.display());
            return Err(Trouble::Usage(message));
        }
        let mut subject = if is_text { Self::of_text(arguments, path)? } else { Self::of_program(arguments, memory)? };
        if arguments.prefix {
            subject.lts.finals = subject.lts.reachable();
        }
        let has_runs = !Conjunction::default().with(&subject.precondition).is_contradictory();
        if has_runs { Ok(subject) } else { Err(Trouble::Usage("--pre: no values satisfy the condition".to_owned())) }
    }

    fn of_text(arguments: &Paths, path: &Path) -> Result<Self, Trouble> {
        let text =
            files::text(path, files::LARGEST).map_err(|reason| Trouble::Usage(format!("cannot read {}: {reason}", path.display())))?;
        let lts = read_lts(&text).map_err(|error| Trouble::Usage(format!("{}:{error}", path.display())))?;
        let precondition = condition(arguments, &lts.variables)?;
        let realisation = lower(&lts, &precondition, &input::stem(path)).map_err(|error| refused(path, error))?;
        let origin = Origin {
            file: input::plain_name(path),
            digest: goatherd::encode::digest(text.as_bytes()),
            definitions: Vec::new(),
            includes: Vec::new(),
            waived: Vec::new(),
        };
        let about = About {
            parameters: parameters(Arithmetic::Unbounded),
            ends: ends(arguments),
            origin,
            files: vec![input::plain_name(path)],
            positions: realisation.positions(&text, &lts),
        };
        Ok(Self { lts, precondition, realisation, about })
    }

    fn of_program(arguments: &Paths, memory: Memory) -> Result<Self, Trouble> {
        let path = &arguments.input.file;
        let loaded = input::read(&arguments.input, &Leaks::Ignored.into())?;
        let parameters = parameters(Arithmetic::C);
        let task = input::task(&arguments.input, &loaded, parameters);
        let overflow = |_| Trouble::Usage(format!("{}: a number beyond 128 bits is needed", path.display()));
        let (lts, elements) = transition_system(&task.program, &parameters, memory).map_err(overflow)?;
        // Only inputs have values at the entry; other names are unknown in a condition.
        let inputs = task.program.inputs.iter().filter_map(|input| match input {
            Input::Integer { register } | Input::Array(ArrayInput { length: register, .. }) => Some(register.index()),
            Input::Single { .. } | Input::Linked { .. } => None,
        });
        let inputs: Vec<usize> = inputs.collect();
        let named = lts.variables.iter().enumerate().map(|(position, variable)| LtsVariable {
            name: if inputs.contains(&position) { variable.name.clone() } else { String::new() },
            range: variable.range,
        });
        let precondition = condition(arguments, &named.collect::<Vec<_>>())?;
        let (realisation, before) = with_precondition(Realisation::of_program(task.program, &lts, elements), &precondition)
            .map_err(|error| Trouble::Usage(format!("--pre: {error}")))?;
        let first = task.positions.first().copied().unwrap_or(Position { file: 0, line: 1, column: 1 });
        let positions = std::iter::repeat_n(first, before).chain(task.positions).collect();
        let about = About { parameters, ends: ends(arguments), origin: task.origin, files: task.files, positions };
        Ok(Self { lts, precondition, realisation, about })
    }

    /// The program of a certificate, each of whose instructions is a step.
    pub fn of_statement(statement: &Statement, about: About, memory: Memory) -> Result<Self, Trouble> {
        let program = statement.program.clone();
        let overflow = |_| Trouble::Usage(format!("{}: a number beyond 128 bits is needed", statement.origin.file));
        let (mut lts, elements) = transition_system(&program, &statement.parameters, memory).map_err(overflow)?;
        let realisation = Realisation::of_program(program, &lts, elements);
        if about.ends == Ends::Anywhere {
            lts.finals = lts.reachable();
        }
        Ok(Self { lts, precondition: Vec::new(), realisation, about })
    }

    /// Does the analysis know elements of memory?
    pub fn has_elements(&self) -> bool {
        !self.realisation.elements.is_empty()
    }

    /// Where an instruction stands in the source.
    pub fn place(&self, location: Location) -> Option<String> {
        let Position { file, line, column } = self.about.positions.get(location.index())?;
        let file = self.about.files.get(usize::try_from(*file).ok()?)?;
        Some(format!("{file}:{line}:{column}"))
    }

    /// Why there is no certificate, with the place in the source.
    pub fn explain(&self, uncertified: &Uncertified) -> String {
        let Uncertified::Underivable(underivable) = uncertified else { return uncertified.to_string() };
        let place = self.place(underivable.location).map(|place| format!("{place}: "));
        let has_nodes = self.realisation.program.objects.iter().any(|object| matches!(object.origin, program::Origin::Node { .. }));
        let reason = match underivable.rejection {
            Rejection::Forgotten | Rejection::Shape if has_nodes => UNFOLDED.to_owned(),
            _ => uncertified.to_string(),
        };
        format!("{}{reason}", place.unwrap_or_default())
    }
}

fn refused(path: &Path, error: Unlowered) -> Trouble {
    Trouble::Usage(format!("{}: {error}", path.display()))
}

fn condition(arguments: &Paths, variables: &[LtsVariable]) -> Result<Vec<Literal>, Trouble> {
    let Some(text) = &arguments.pre else { return Ok(Vec::new()) };
    read_condition(text, variables)
        .map_err(|TextError { line, column, message }| Trouble::Usage(format!("--pre: {line}:{column}: {message}")))
}

fn ends(arguments: &Paths) -> Ends {
    if arguments.prefix && !arguments.complete { Ends::Anywhere } else { Ends::Complete }
}

fn parameters(arithmetic: Arithmetic) -> Parameters {
    Parameters {
        data_model: DataModel::Lp64SignedChar,
        signed_overflow: SignedOverflow::Wraps,
        pointer_formation: PointerFormation::Anywhere,
        allocation: Allocation::MayFail,
        arithmetic,
    }
}
