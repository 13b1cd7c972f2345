//! Measures how cost grows where nothing is difficult: programs that repeat one thing m times, for m = 1, 2, 4, ... (`goatherd_tests::scale`).
//!
//! Usage: `bench-scale [--commands FOLDER] [--most M] [FAMILY]...`. Prints Markdown, and writes it with the same figures as JSON to
//! `target/bench-scale/`. A family ends at the first size that is not proved within the limit. The exponent is that of the power of m that fits the
//! last sizes best: 1 where twice as much costs twice as much. Fails where the checker does not accept what was proved; times depend on the machine.

use std::{
    ffi::OsStr,
    fmt::Write as _,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use goatherd_tests::{
    measurement::{self, measure},
    scale::Family,
    workspace_root,
};
use serde_json::{Value, json};

/// The greatest size that is tried.
const MOST: usize = 128;
/// How `goatherd prove` ends where the front end does not take a program.
const REFUSED: i32 = 3;
/// How long one proof may take.
const LIMIT: Duration = Duration::from_secs(20);
/// Over how many of the last sizes the exponent is fitted: at small ones the start of the process is most of the time.
const FITTED: usize = 4;

fn main() -> ExitCode {
    if let Some(code) = measurement::serve() {
        return code;
    }
    match Options::read(std::env::args().skip(1)).and_then(|options| run(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("bench-scale: {message}");
            ExitCode::FAILURE
        }
    }
}

struct Options {
    commands: PathBuf,
    most: usize,
    families: Vec<Family>,
}

impl Options {
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace_root().join("target"), PathBuf::from);
        let mut options = Self { commands: target.join("release"), most: MOST, families: Vec::new() };
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--commands" => options.commands = arguments.next().ok_or("--commands needs a folder")?.into(),
                "--most" => {
                    let most = arguments.next().and_then(|number| number.parse().ok()).filter(|number| *number > 0);
                    options.most = most.ok_or("--most needs a positive number")?;
                }
                name => {
                    let family = Family::ALL.into_iter().find(|family| family.name() == name);
                    options.families.push(family.ok_or_else(|| format!("unknown option or family {name}"))?);
                }
            }
        }
        if options.families.is_empty() {
            options.families = Family::ALL.to_vec();
        }
        Ok(options)
    }
}

/// What one size costs.
struct Cost {
    m: usize,
    prove: Duration,
    /// Peak resident memory of the prover in bytes.
    memory: u64,
    certificate: u64,
    check: Duration,
}

/// What the sizes of a family cost, and the first one that was not proved within the limit, with why.
struct Curve {
    family: Family,
    costs: Vec<Cost>,
    end: Option<(usize, &'static str)>,
}

fn run(options: &Options) -> Result<(), String> {
    let work = workspace_root().join("target/bench-scale");
    std::fs::create_dir_all(&work).map_err(|error| format!("{}: {error}", work.display()))?;
    let mut curves = Vec::new();
    for family in &options.families {
        eprintln!("{}", family.name());
        curves.push(curve(*family, options, &work)?);
    }
    let markdown = markdown(&curves);
    write(&work.join("bench-scale.md"), &markdown)?;
    let report = json!({ "families": curves.iter().map(Curve::json).collect::<Vec<_>>() });
    write(&work.join("bench-scale.json"), &format!("{report:#}\n"))?;
    println!("{markdown}");
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

fn curve(family: Family, options: &Options, work: &Path) -> Result<Curve, String> {
    let (prove, check) = (options.commands.join("goatherd"), options.commands.join("goatherd-check"));
    let mut curve = Curve { family, costs: Vec::new(), end: None };
    let mut m = 1;
    while m <= options.most {
        let source = work.join(format!("{}-{m}.c", family.name()));
        let certificate = source.with_extension("goat");
        write(&source, &family.source(m))?;
        let arguments = [OsStr::new("prove"), source.as_os_str(), OsStr::new("-o"), certificate.as_os_str()];
        let proved = measure(&prove, &arguments, LIMIT)?;
        match proved.code {
            Some(0) => {}
            None => {
                curve.end = Some((m, "takes longer than the limit"));
                break;
            }
            Some(REFUSED) => {
                curve.end = Some((m, "is refused by the front end"));
                break;
            }
            Some(_) => {
                curve.end = Some((m, "is not proved"));
                break;
            }
        }
        let checked = measure(&check, &[certificate.as_os_str()], LIMIT)?;
        if checked.code != Some(0) {
            return Err(format!("{}: the checker exits with {:?}", certificate.display(), checked.code));
        }
        let size = std::fs::metadata(&certificate).map_err(|error| format!("{}: {error}", certificate.display()))?.len();
        let cost = Cost { m, prove: proved.elapsed, memory: proved.peak_bytes, certificate: size, check: checked.elapsed };
        curve.costs.push(cost);
        m *= 2;
    }
    Ok(curve)
}

impl Curve {
    /// The exponent of m in the power that fits the last sizes best, by least squares of the logarithms; none for fewer than two sizes.
    fn exponent(&self, of: impl Fn(&Cost) -> f64) -> Option<f64> {
        let last = &self.costs[self.costs.len().saturating_sub(FITTED)..];
        let points: Vec<(f64, f64)> = last.iter().map(|cost| (float(cost.m).ln(), of(cost).max(f64::MIN_POSITIVE).ln())).collect();
        let count = float(points.len());
        let (x, y) = (points.iter().map(|point| point.0).sum::<f64>() / count, points.iter().map(|point| point.1).sum::<f64>() / count);
        let (rise, run) = points
            .iter()
            .fold((0.0, 0.0), |(rise, run), point| (rise + (point.0 - x) * (point.1 - y), run + (point.0 - x) * (point.0 - x)));
        (points.len() > 1).then_some(rise / run)
    }

    fn exponents(&self) -> [Option<f64>; 4] {
        [
            self.exponent(|cost| cost.prove.as_secs_f64()),
            self.exponent(|cost| float(cost.memory)),
            self.exponent(|cost| float(cost.certificate)),
            self.exponent(|cost| cost.check.as_secs_f64()),
        ]
    }

    fn json(&self) -> Value {
        let [prove, memory, certificate, check] = self.exponents();
        let costs = self.costs.iter().map(|cost| {
            json!({
                "m": cost.m,
                "prove_ms": milliseconds(cost.prove),
                "prover_peak_bytes": cost.memory,
                "certificate_bytes": cost.certificate,
                "check_ms": milliseconds(cost.check),
            })
        });
        json!({
            "name": self.family.name(),
            "sizes": costs.collect::<Vec<_>>(),
            "exponents": { "prove": prove, "memory": memory, "certificate": certificate, "check": check },
            "ends_at": self.end.map(|(m, _)| m),
            "why": self.end.map(|(_, why)| why),
        })
    }
}

/// A number that is far below 2^52.
fn float<T: TryInto<u32>>(number: T) -> f64 {
    f64::from(number.try_into().unwrap_or(u32::MAX))
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

/// With one digit behind the point; never a negative zero.
fn rounded(exponent: f64) -> String {
    format!("{:.1}", (exponent * 10.0).round() / 10.0 + 0.0)
}

fn markdown(curves: &[Curve]) -> String {
    let mut text = String::from(
        "### Cost against m (exponents over the last four sizes)\n\n\
         | repeated | greatest m | prove ms | ~ m^ | peak MiB | ~ m^ | certificate KiB | ~ m^ | check ms | ~ m^ | |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n",
    );
    for curve in curves {
        let end = curve.end.map_or_else(String::new, |(m, why)| format!("{m} {why}"));
        let Some(last) = curve.costs.last() else {
            let _ = writeln!(text, "| {} | none | | | | | | | | | {end} |", curve.family.name());
            continue;
        };
        let [prove, memory, certificate, check] = curve.exponents().map(|exponent| exponent.map_or_else(String::new, rounded));
        let _ = writeln!(
            text,
            "| {} | {} | {:.0} | {prove} | {:.1} | {memory} | {:.1} | {certificate} | {:.1} | {check} | {end} |",
            curve.family.name(),
            last.m,
            milliseconds(last.prove),
            float(last.memory) / 1_048_576.0,
            float(last.certificate) / 1024.0,
            milliseconds(last.check),
        );
    }
    text
}
