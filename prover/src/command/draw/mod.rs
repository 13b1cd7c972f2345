//! `goatherd draw`

pub mod arguments;
pub mod certificate;
mod library;
pub mod original;
pub mod outputs;
mod progress;
mod refine;
mod report;
mod sample;

use super::{Exit, Trouble, complain, print, tell, with_z3};
use arguments::{Cover, Draw};
use certificate::Refused;
use goatherd_frontend::escape::escaped;
use goatherd_logic::values::{Deadline, StartSolver};
use goatherd_paths::draw::{
    counts::ExactLevels,
    cover::{Criterion, Mixture},
    driver::Driver,
    network::{Network, Number},
    realise::Realised,
    uniform::Uniform,
};
use num_bigint::BigUint;
use original::Original;
use outputs::Outputs;
use progress::Progress;
use refine::refined;
use report::{Method, Report, Samples};
use sample::{Drawn, Inputs};
use std::time::Instant;

/// So many paths go down the levels of the tables together.
const BATCH: u64 = 1000;

/// Longer paths are not drawn.
const LENGTH: u64 = 1_000_000;

/// More paths are not drawn at once.
const COUNT: u64 = 10_000_000;

/// With --refine, so many are drawn at most for each that is asked for, in the place of those that the solver refutes.
const REDRAWN: u64 = 20;

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
    let given = match certificate::check(&arguments.certificate)? {
        Ok(checked) => checked,
        Err(refused) => return Ok(refuse(arguments, &refused)),
    };
    let statement = given.statement.clone();
    let driver = solver.map(|solver| Driver::new(&statement, solver));
    let (checked, refined) = match (&arguments.refine, &driver) {
        (Some(path), Some(driver)) => match refined(arguments, given, path, driver, start)? {
            Ok((checked, excluded)) => (checked, Some(excluded)),
            Err(reason) => {
                tell(&format!("goatherd: {}: {reason}\n", shown(arguments)));
                return Ok(Exit::Unknown);
            }
        },
        _ => (given, None),
    };
    if let Some(driver) = &driver {
        driver.limit(Deadline::after(start, arguments.timeout.0));
    }
    let original = arguments.c_source().map(|path| Original::read(path, &arguments.include, &checked)).transpose()?;
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
    let ended = isotropic.iter().flatten().count();
    progress.has_drawn(paths.len() + uniform.as_ref().map_or(0, Vec::len) + ended);
    let labels = |paths: Vec<Option<Vec<Number>>>| paths.iter().map(|path| path.as_ref().map(|path| network.labels(path))).collect();
    let all = |paths: Vec<Vec<Number>>| labels(paths.into_iter().map(Some).collect());
    let inputs = Inputs { checked: &checked, driver: driver.as_ref(), progress: &progress };
    let (paths, refined) = match (refined, &driver, arguments.cover) {
        (Some(excluded), Some(driver), None) => {
            let is_refuted = |path: &[Number]| {
                progress.count();
                driver.realise(&checked.certified.instructions(&network.labels(path))) == Realised::Infeasible
            };
            let (paths, again) = drawing.unrefuted(paths, is_refuted);
            (paths, Some((excluded, again)))
        }
        (refined, ..) => (paths, refined.map(|excluded| (excluded, 0))),
    };
    let mut lines = outputs.begin()?;
    let drawn = inputs.sample(all(paths), |number, drawn| lines.add(number, &checked, drawn))?;
    let aside = |_: usize, _: &Drawn| Ok::<(), Trouble>(());
    let uniform = uniform.map(|paths| inputs.sample(all(paths), aside)).transpose()?;
    let isotropic = inputs.sample(labels(isotropic), aside)?;
    drop(progress);
    let samples = Samples { drawn: &drawn, uniform: uniform.as_ref(), isotropic: &isotropic };
    let report = Report::new(arguments, &checked, refined, (&drawing.paths, method), &samples, start);
    outputs.write(&report, &drawn, &checked, original.as_ref())?;
    print(&if arguments.json { report.json() } else { report.text() })?;
    Ok(Exit::Done)
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

    /// Paths that are not refuted, in the place of those that are: each such path has the same probability. How many were refuted; where these are by
    /// far the most, some of them are kept.
    fn unrefuted(&self, drawn: Vec<Vec<Number>>, mut is_refuted: impl FnMut(&[Number]) -> bool) -> (Vec<Vec<Number>>, u64) {
        let Draw { max_length, seed, count, .. } = *self.arguments;
        let uniform: Uniform<'_> = Uniform::new(self.network, max_length);
        let wanted = drawn.len();
        let (mut refuted, mut kept): (Vec<_>, Vec<_>) = drawn.into_iter().partition(|path| is_refuted(path));
        let (mut next, mut again) = (count, refuted.len() as u64);
        while kept.len() < wanted && next < count.saturating_mul(REDRAWN) {
            let path = uniform.draw(seed, next..next + 1);
            let (worse, better): (Vec<_>, Vec<_>) = path.into_iter().partition(|path| is_refuted(path));
            again += worse.len() as u64;
            kept.extend(better);
            next += 1;
        }
        refuted.truncate(wanted.saturating_sub(kept.len()));
        kept.append(&mut refuted);
        (kept, again)
    }

    fn isotropic(&self) -> Vec<Option<Vec<Number>>> {
        use goatherd_paths::draw::{isotropic::walk, stream::Stream};
        let Draw { max_length, seed, count, .. } = *self.arguments;
        (0..count).map(|path| walk(self.network, max_length, &mut Stream::new(seed, path))).collect()
    }
}
