//! `goatherd test`: from a function in C to a file of tests, by its certified graph (`spec/paths.md#covering`).

pub mod arguments;
mod report;

use super::{
    Exit, Trouble, complain,
    draw::{
        certificate::{Checked, accept},
        original::Original,
        outputs::of_runs,
    },
    input, output,
    paths::{self, arguments::Paths},
    print, tell,
    watchdog::{Exceeded, Limits, Watchdog},
    with_z3,
};
use arguments::{Coverage, Test};
use goatherd_certificates::program::Location;
use goatherd_frontend::escape::escaped;
use goatherd_interpreter::InputValue;
use goatherd_logic::values::{Deadline, Effort, StartSolver};
use goatherd_paths::draw::{
    driver::Driver,
    guided::guided,
    independence::Independence,
    kept::kept,
    mutation::Given,
    network::Network,
    realise::{Drive, Realised},
    repetitions::repetitions,
    turns::{Beginning, Covering, DrivenRun, LostRun, run as run_to_the_end},
    uniform::Uniform,
};
use report::{Covered, Report, Tries};
use std::{
    collections::{BTreeSet, VecDeque},
    ops::ControlFlow,
    path::PathBuf,
    time::Instant,
};

/// Analyses, draws, covers, writes and reports.
pub fn run(arguments: &Test, z3: Option<StartSolver>) -> Exit {
    let start = Instant::now();
    answer(arguments, z3, start).unwrap_or_else(|trouble| complain(&trouble))
}

fn answer(arguments: &Test, z3: Option<StartSolver>, start: Instant) -> Result<Exit, Trouble> {
    let Some(solver) = z3 else { return with_z3::hand_over() };
    let file = &arguments.input.file;
    if file.extension().is_some_and(|extension| extension == "lts") {
        return Err(Trouble::Usage(format!("{}: tests are of functions in C, not of transition systems", file.display())));
    }
    let certificate = arguments.certificate.clone().unwrap_or_else(|| PathBuf::from(format!("{}.goat", input::stem(file))));
    output::check(&arguments.out, file)?;
    output::check(&certificate, file)?;
    if arguments.out.extension().is_none_or(|extension| extension != "c") || certificate == arguments.out {
        return Err(Trouble::Usage(format!("--out {}: the name of a file of its own that ends in .c", arguments.out.display())));
    }
    let watchdog = watch(arguments);
    let accepted = match paths::certificate(&Paths::new(arguments.input.clone(), arguments.pre.clone()))? {
        Ok(accepted) => accepted,
        Err(reason) => {
            tell(&format!("goatherd: {}: {reason}\n", escaped(&file.to_string_lossy())));
            return Ok(Exit::Unknown);
        }
    };
    let checked = accept(&accepted.bytes).map_err(|refused| Trouble::Internal(refused.to_string()))?;
    watchdog.dismiss();
    let deadline = Deadline::after(start, arguments.timeout.0);
    if deadline.is_over() {
        // It was there at the same moment.
        tell(&format!("goatherd: {}: the time was over with the graph (--timeout)\n", escaped(&file.to_string_lossy())));
        return Ok(Exit::Unknown);
    }
    let original = Original::read(file, &arguments.input.include, &checked)?;
    let driver = Driver::new(&checked.statement, solver);
    driver.limit(Deadline::after(Instant::now(), deadline.left().map(|left| left / SHARE_OF_DRAWS)));
    let mut tests = Tests::new(arguments, &checked, &driver);
    tests.draw();
    driver.limit(deadline);
    let drawn = tests.runs.len();
    tests.repeat();
    tests.guide();
    tests.cover();
    let runs = tests.runs.iter().enumerate().map(|(number, DrivenRun { path, drive })| (number, &path[..], drive));
    let text = of_runs(&arguments.out, runs, &checked, Some(&original))
        .map_err(|reason| Trouble::Usage(format!("cannot write {}: {reason}", arguments.out.display())))?;
    output::write(&certificate, &accepted.bytes)?;
    output::write(&arguments.out, text.as_bytes())?;
    let covered = Covered { covering: &tests.covering, independence: tests.independence.as_ref() };
    let report = Report::new(arguments, &checked, &certificate, covered, &tests.tries, [drawn, tests.runs.len()], start);
    print(&if arguments.json { report.json() } else { report.text() })?;
    Ok(Exit::Done)
}

/// Without a graph in time, there is no answer.
fn watch(arguments: &Test) -> Watchdog {
    let name = arguments.input.file.display().to_string();
    let shown = name.clone();
    let end = move |exceeded| {
        if let Exceeded::Time(limit) = exceeded {
            tell(&format!("goatherd: {}: there was no graph after {} s (--timeout)\n", escaped(&name), limit.as_secs_f64()));
        }
        std::process::exit(Exit::Unknown as i32);
    };
    Watchdog::start(Limits { time: arguments.timeout.0, memory: None }, move || format!("{shown}: building the graph"), end)
}

/// Draws take such a part of the time that is left when there is a graph.
const SHARE_OF_DRAWS: u32 = 4;

/// Each try of so many is made with all effort, of a turn that little effort left open.
const INSISTED: usize = 8;

/// Tests under way.
struct Tests<'a> {
    arguments: &'a Test,
    checked: &'a Checked,
    driver: &'a Driver<'a>,
    covering: Covering<'a>,
    /// Where conditions are to be covered, too.
    independence: Option<Independence<'a>>,
    runs: Vec<DrivenRun>,
    /// The paths of all runs, those included that became no test.
    known: BTreeSet<Vec<Location>>,
    tries: Tries,
    /// Turns that little effort left open.
    unsettled: VecDeque<Beginning>,
}

impl<'a> Tests<'a> {
    fn new(arguments: &'a Test, checked: &'a Checked, driver: &'a Driver<'a>) -> Self {
        let (program, certified) = (&checked.statement.program, &checked.certified);
        let covering = Covering::new(program, certified);
        let independence = (arguments.coverage == Coverage::Mcdc).then(|| Independence::new(program, certified));
        Self {
            arguments,
            checked,
            driver,
            covering,
            independence,
            runs: Vec::new(),
            known: BTreeSet::new(),
            tries: Tries::default(),
            unsettled: VecDeque::new(),
        }
    }

    /// Tests on uniform paths, and one on any.
    fn draw(&mut self) {
        let length = usize::from(self.arguments.max_length);
        if let Some((network, _)) = Network::new(&self.checked.certified.graph, length) {
            let uniform: Uniform<'_> = Uniform::new(&network, length);
            for path in uniform.draw(self.arguments.seed, 0..u64::from(self.arguments.count)) {
                let path = self.checked.certified.instructions(&network.labels(&path));
                if self.known.contains(&path) || self.driver.is_over() {
                    continue;
                }
                self.tries.drawn += 1;
                match self.driver.realise_briefly(&path) {
                    Realised::Feasible(drive) => self.keep(DrivenRun { path, drive }),
                    Realised::Infeasible => self.tries.infeasible += 1,
                    Realised::Unknown(_) => self.tries.unknown += 1,
                }
            }
        }
        if self.runs.is_empty()
            && let Realised::Feasible(drive) = self.driver.realise(&[Location(0)])
        {
            self.run_on(&drive);
        }
    }

    /// Tests on arrays that hold the same everywhere, where they cover something new.
    fn repeat(&mut self) {
        let statement = &self.checked.statement;
        repetitions(&statement.program, statement.parameters, |run| self.take_if_needed(run));
    }

    /// Tests on inputs that are changed from run to run, where they cover something new.
    fn guide(&mut self) {
        let statement = &self.checked.statement;
        let given = |drive: &Drive| Given { inputs: drive.inputs.clone(), choices: drive.choices.clone() };
        let start = self.runs.iter().map(|run| given(&run.drive)).collect();
        if self.is_open() {
            guided((&statement.program, statement.parameters), start, self.driver.deadline(), |run| self.take_if_needed(run));
        }
    }

    /// Breaks where there is nothing more to be covered, or no time.
    fn take_if_needed(&mut self, run: DrivenRun) -> ControlFlow<()> {
        if self.covering.needs(&run.path) || self.independence.as_ref().is_some_and(|independence| independence.needs(&run.path)) {
            self.take(run);
        }
        if self.is_open() && !self.driver.is_over() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// Is there something to be covered?
    fn is_open(&self) -> bool {
        !self.covering.open().is_empty() || self.independence.as_ref().is_some_and(Independence::is_open)
    }

    /// Turns runs another way until everything is covered, or nothing is left to try.
    fn cover(&mut self) {
        self.tries.is_ended = self.meets_limit();
        self.tries.unknown += self.unsettled.len();
    }

    /// The same; is it a limit that ends it?
    fn meets_limit(&mut self) -> bool {
        for number in 0..self.arguments.tries {
            if self.driver.is_over() {
                return true;
            }
            let Some((beginning, effort)) = self.next_try(number) else { return false };
            self.tries.turned += usize::from(effort == Effort::Little);
            self.turn_at(beginning, effort);
        }
        self.is_open()
    }

    /// Looks for a run with this beginning.
    fn turn_at(&mut self, beginning: Beginning, effort: Effort) {
        let Beginning { path, inputs } = &beginning;
        let realised = match effort {
            Effort::Little => self.driver.realise_briefly(path),
            Effort::Full => self.driver.realise(path),
        };
        match (realised, effort) {
            (Realised::Feasible(drive), _) => {
                let statement = &self.checked.statement;
                let drive = kept(&statement.program, statement.parameters, path, &drive, inputs).unwrap_or(drive);
                if !self.run_on(&drive) {
                    self.fail(path);
                }
            }
            (Realised::Infeasible, Effort::Little) => {
                self.fail(path);
                self.tries.infeasible += 1;
            }
            (Realised::Unknown(_), Effort::Little) => {
                self.fail(path);
                self.unsettled.push_back(beginning);
            }
            (Realised::Infeasible, Effort::Full) => self.tries.infeasible += 1,
            (Realised::Unknown(_), Effort::Full) => self.tries.unknown += 1,
        }
    }

    /// The try of this number: now and then of what little effort has left open, also where nothing else is left.
    fn next_try(&mut self, number: usize) -> Option<(Beginning, Effort)> {
        if !self.is_open() {
            return None;
        }
        let is_turn_of_unsettled = number % INSISTED == INSISTED - 1;
        let insisted = if is_turn_of_unsettled { self.unsettled.pop_front() } else { None };
        let full = |beginning| (beginning, Effort::Full);
        let next = insisted.map(full).or_else(|| Some((self.next_beginning()?, Effort::Little)));
        next.or_else(|| self.unsettled.pop_front().map(full))
    }

    /// What is tried next: branches first, then conditions.
    fn next_beginning(&mut self) -> Option<Beginning> {
        let path = |independence: &mut Independence<'_>| Some(Beginning { path: independence.next_beginning()?, inputs: Vec::new() });
        self.covering.next_beginning().or_else(|| path(self.independence.as_mut()?))
    }

    /// There is no run with this beginning, or none was found.
    fn fail(&mut self, path: &[Location]) {
        self.covering.fail(path);
        if let Some(independence) = &mut self.independence {
            independence.fail();
        }
    }

    /// A run that may be turned, though it is no test.
    fn turn(&mut self, path: &[Location], inputs: &[InputValue]) {
        self.covering.turn(path, inputs);
        if let Some(independence) = &mut self.independence {
            independence.turn(path);
        }
    }

    /// Runs on from the beginning of a path: a test where that covers something new. Does it come to an end?
    fn run_on(&mut self, drive: &Drive) -> bool {
        let statement = &self.checked.statement;
        let run = match run_to_the_end(&statement.program, statement.parameters, drive) {
            Ok(run) => run,
            Err(lost) => {
                self.tries.lost += 1;
                match lost {
                    // What comes behind the assumption is found by values for which it holds.
                    LostRun::Ignored(path) => self.turn(&path, &drive.inputs),
                    // Without any run to be turned, another way than this one is looked for.
                    LostRun::Failed(path) if self.runs.is_empty() => self.turn(&path, &drive.inputs),
                    LostRun::Failed(_) => {}
                }
                return false;
            }
        };
        self.take(run);
        true
    }

    /// A run that comes to an end: a test where it covers something new.
    fn take(&mut self, run: DrivenRun) {
        if self.known.insert(run.path.clone()) {
            self.driver.learn(&run.path, &run.drive);
            let shows = self.independence.as_ref().is_some_and(|independence| independence.needs(&run.path));
            if self.covering.add(&run) || shows || self.runs.is_empty() {
                self.push(run);
            } else if let Some(independence) = &mut self.independence {
                independence.turn(&run.path);
            }
        }
    }

    fn keep(&mut self, run: DrivenRun) {
        self.known.insert(run.path.clone());
        self.covering.add(&run);
        self.push(run);
    }

    fn push(&mut self, run: DrivenRun) {
        if let Some(independence) = &mut self.independence {
            independence.add(&run.path, self.runs.len());
            independence.turn(&run.path);
        }
        self.runs.push(run);
    }
}
