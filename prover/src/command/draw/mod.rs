//! `goatherd draw`

pub mod arguments;
pub mod certificate;
pub mod original;
pub mod outputs;
mod progress;
mod report;
mod sample;

use super::{
    Exit, Trouble, complain, output,
    paths::{
        refine::{Excluded, Tried},
        refined,
    },
    print, tell, with_z3,
};
use arguments::{Cover, Draw};
use certificate::{Checked, Refused};
use goatherd::certify::paths::About;
use goatherd_certificates::certificate::{Arithmetic, Claim};
use goatherd_frontend::escape::escaped;
use goatherd_logic::values::StartSolver;
use goatherd_paths::draw::{
    counts::ExactLevels,
    cover::{Criterion, Mixture},
    network::{Network, Number},
    uniform::Uniform,
};
use num_bigint::BigUint;
use original::Original;
use outputs::Outputs;
use progress::Progress;
use report::{Method, Report, Samples};
use sample::{Inputs, Sample};
use std::{path::Path, time::Instant};

/// So many paths go down the levels of the tables together.
const BATCH: u64 = 1000;

/// Longer paths are not drawn.
const LENGTH: u64 = 1_000_000;

/// More paths are not drawn at once.
const COUNT: u64 = 10_000_000;

/// Checks, draws, writes and reports.
pub fn run(arguments: &Draw, z3: Option<StartSolver>) -> Exit {
    let start = Instant::now();
    answer(arguments, z3, start).unwrap_or_else(|trouble| complain(&trouble))
}

/// What paths are drawn from.
struct Drawing<'a> {
    arguments: &'a Draw,
    network: &'a Network,
    /// How many complete paths of at most the length there are.
    paths: BigUint,
}

fn answer(arguments: &Draw, z3: Option<StartSolver>, start: Instant) -> Result<Exit, Trouble> {
    let solver = match (arguments.no_inputs, z3) {
        (true, _) => None,
        (false, None) => return with_z3::hand_over(),
        (false, Some(solver)) => Some(solver),
    };
    let outputs = Outputs::new(arguments)?;
    for (name, value, most) in
        [("max-length", u64::try_from(arguments.max_length).unwrap_or(u64::MAX), LENGTH), ("count", arguments.count, COUNT)]
    {
        if value > most {
            return Err(Trouble::Usage(format!("--{name} {value}: at most {most}")));
        }
    }
    let mut progress = Progress::new(arguments);
    let checked = match certificate::check(&arguments.certificate)? {
        Ok(checked) => checked,
        Err(refused) => return Ok(refuse(arguments, &refused)),
    };
    let (checked, refined) = match (&arguments.refine, solver) {
        (Some(path), Some(solver)) => match refine(arguments, checked, path, solver, start)? {
            Ok((checked, refined)) => (checked, Some(refined)),
            Err(exit) => return Ok(exit),
        },
        _ => (checked, None),
    };
    let original = arguments.source.as_deref().map(|path| Original::read(path, &arguments.include, &checked)).transpose()?;
    let Some((network, _)) = Network::new(&checked.certified.graph, arguments.max_length) else {
        let length = arguments.max_length;
        tell(&format!("goatherd: {}: no complete path has at most {length} steps (--max-length)\n", shown(arguments)));
        return Ok(Exit::Unknown);
    };
    let counts = ExactLevels::from_root(&network, arguments.max_length);
    let drawing = Drawing { arguments, network: &network, paths: counts.iter().sum() };
    let (paths, method) = drawing.draw();
    let uniform = arguments.cover.map(|_| drawing.uniform());
    let isotropic = drawing.isotropic();
    progress.has_drawn();
    let mut inputs = Inputs::new(&checked, solver, &progress).until(start, arguments.timeout);
    let mut sample = |paths: Vec<Option<Vec<Number>>>| {
        let labels = paths.iter().map(|path| path.as_ref().map(|path| network.labels(path))).collect();
        Sample::new(&checked, labels, &mut inputs)
    };
    let drawn = sample(paths.into_iter().map(Some).collect());
    let uniform = uniform.map(|paths| sample(paths.into_iter().map(Some).collect()));
    let isotropic = sample(isotropic);
    drop(progress);
    let samples = Samples { drawn: &drawn, uniform: uniform.as_ref(), isotropic: &isotropic };
    let report = Report::new(arguments, &checked, refined, (&drawing.paths, method), &samples, start);
    outputs.write(&report, &drawn, &checked, original.as_ref())?;
    print(&if arguments.json { report.json() } else { report.text() })?;
    Ok(Exit::Done)
}

/// A graph of the same program without the drawn paths that are infeasible, and the certificate of it, which is written; or the end.
fn refine(
    arguments: &Draw,
    checked: Checked,
    path: &Path,
    solver: StartSolver,
    start: Instant,
) -> Result<Result<(Checked, Excluded), Exit>, Trouble> {
    output::check(path, &arguments.certificate)?;
    let Checked { statement, files, positions, verdict, .. } = checked;
    let (Claim::Paths(ends), true) = (verdict.claim, statement.landmarks.is_empty() && statement.parameters.arithmetic == Arithmetic::C)
    else {
        let message = "--refine is for graphs of functions in C, without --pre; of transition systems, goatherd paths --confirm --refine";
        return Err(Trouble::Usage(message.to_owned()));
    };
    let about = About { parameters: statement.parameters, ends, origin: statement.origin.clone(), files, positions };
    let tried = Tried::Drawn { length: arguments.max_length, count: arguments.count, seed: arguments.seed };
    // Half of the time is for the paths that are drawn in the end.
    let end = arguments.timeout.and_then(|limit| start.checked_add(limit / 2));
    let (accepted, excluded) = match refined(&arguments.certificate, (&statement, about), solver, tried, end)? {
        Ok(refined) => refined,
        Err(reason) => {
            tell(&format!("goatherd: {}: {reason}\n", shown(arguments)));
            return Ok(Err(Exit::Unknown));
        }
    };
    output::write(path, &accepted.bytes)?;
    let checked = certificate::accept(&accepted.bytes).map_err(|refused| Trouble::Internal(refused.to_string()))?;
    Ok(Ok((checked, excluded)))
}

/// The certificate's name.
fn shown(arguments: &Draw) -> String {
    escaped(&arguments.certificate.to_string_lossy())
}

fn refuse(arguments: &Draw, refused: &Refused) -> Exit {
    tell(&format!("goatherd: {}: {refused}\n", shown(arguments)));
    Exit::Unsafe
}

impl Drawing<'_> {
    fn draw(&self) -> (Vec<Vec<Number>>, Method) {
        let Draw { max_length, seed, count, .. } = *self.arguments;
        let criterion = match self.arguments.cover {
            None => return (self.uniform(), Method::uniform()),
            Some(Cover::Edges) => Criterion::Edges,
            Some(Cover::Vertices) => Criterion::Vertices,
        };
        let Some(mixture) = Mixture::new(self.network, max_length, criterion) else { return (self.uniform(), Method::uniform()) };
        (mixture.draw(self.network, max_length, criterion, seed, count), Method::cover(criterion, &mixture))
    }

    fn uniform(&self) -> Vec<Vec<Number>> {
        let Draw { max_length, seed, count, .. } = *self.arguments;
        let uniform: Uniform<'_> = Uniform::new(self.network, max_length);
        let mut paths = Vec::new();
        let mut next = 0;
        while next < count {
            let end = count.min(next + BATCH);
            paths.extend(uniform.draw(seed, next..end));
            next = end;
        }
        paths
    }

    fn isotropic(&self) -> Vec<Option<Vec<Number>>> {
        use goatherd_paths::draw::{isotropic::walk, stream::Stream};
        let Draw { max_length, seed, count, .. } = *self.arguments;
        (0..count).map(|path| walk(self.network, max_length, &mut Stream::new(seed, path))).collect()
    }
}
