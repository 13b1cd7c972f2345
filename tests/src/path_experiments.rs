//! The experiments of "red-black graphs" (R. Aissat), chapter 6: systems, parameters, what was published, and feasible paths enumerated by
//! running the systems, which owes nothing to any analysis.

use crate::{
    random_paths::{holds, is_kept, stored},
    workspace_root,
};
use goatherd::certify::{
    Accepted,
    paths::{About, certify},
};
use goatherd_certificates::certificate::{Arithmetic, Ends, Origin};
use goatherd_paths::{
    contract::{Contracted, contract},
    red_black::parameters::{AbstractionMethod, DifferentPaths, LookAhead, Parameters, Restart},
    states::StateGraph,
};
use goatherd_systems::{
    literal::Literal,
    lower::lower,
    lts::{EdgeId, Lts, index},
    text::{read_condition, read_lts},
};
use std::{collections::BTreeSet, ops::RangeInclusive};

/// The lengths for which paths are counted.
pub const LENGTHS: [usize; 3] = [30, 50, 100];

/// A system and a precondition.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// The name of a file of `examples/paths`.
    pub system: String,
    /// As text.
    pub precondition: Option<String>,
    /// The system.
    pub lts: Lts,
    /// The precondition.
    pub literals: Vec<Literal>,
}

/// A number of paths as it was published: exact, or rounded.
#[derive(Clone, PartialEq, Debug)]
pub struct Published {
    /// As in the table.
    pub text: String,
    /// All numbers that are written like that are less. Digits are cut off: the thesis has 2.4 * 10^10 for 24,543,507,481.
    pub limit: f64,
}

/// One result of the thesis.
#[derive(Clone, Debug)]
pub struct ThesisResult {
    /// What was analysed.
    pub experiment: Experiment,
    /// How.
    pub parameters: Parameters,
    /// Vertices, red edges, black edges.
    pub size: Option<[usize; 3]>,
    /// On the machine of the thesis.
    pub seconds: Option<f64>,
    /// By length.
    pub paths: [Option<Published>; 3],
}

impl Published {
    /// Reads `1234` or `5.9e10`.
    pub fn read(text: &str) -> Result<Option<Self>, String> {
        if text == "-" {
            return Ok(None);
        }
        let value: f64 = text.parse().map_err(|_| format!("{text} is not a number"))?;
        let last_digit = match text.split_once('e') {
            None => 1.0,
            Some((mantissa, exponent)) => {
                let decimals = mantissa.split_once('.').map_or(0, |(_, decimals)| decimals.len());
                let exponent: i32 = exponent.parse().map_err(|_| format!("{text} is not a number"))?;
                10f64.powi(exponent - i32::try_from(decimals).unwrap_or(0))
            }
        };
        Ok(Some(Self { text: text.to_owned(), limit: value + last_digit }))
    }
}

/// The lines of a table of `tests/paths`: tab-separated fields, without comments and heading.
pub fn table(name: &str) -> Result<Vec<Vec<String>>, String> {
    let path = workspace_root().join("tests/paths").join(name);
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    Ok(lines.map(|line| line.split('\t').map(str::to_owned).collect()).collect())
}

/// A field that may be "-".
pub fn given(field: &str) -> Option<&str> {
    Some(field).filter(|field| *field != "-")
}

/// The number in a field; none for "-".
pub fn number<T: std::str::FromStr>(field: &str) -> Result<Option<T>, String> {
    given(field).map(|field| field.parse().map_err(|_| format!("`{field}` is not a number"))).transpose()
}

impl Experiment {
    /// Reads a system of `examples/paths`.
    pub fn read(system: &str, precondition: Option<&str>) -> Result<Self, String> {
        let path = workspace_root().join("examples/paths").join(format!("{system}.lts"));
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let lts = read_lts(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        let literals =
            precondition.map_or(Ok(Vec::new()), |text| read_condition(text, &lts.variables)).map_err(|error| error.to_string())?;
        Ok(Self { system: system.to_owned(), precondition: precondition.map(str::to_owned), lts, literals })
    }

    /// For people.
    pub fn name(&self) -> String {
        let precondition = self.precondition.as_ref().map(|text| format!(", {text}"));
        format!("{}{}", self.system, precondition.unwrap_or_default())
    }

    /// The checked graph.
    pub fn certify(&self, states: &StateGraph) -> Result<(Accepted, Contracted), String> {
        let realisation = lower(&self.lts, &self.literals, &self.system).map_err(|error| error.to_string())?;
        let origin = Origin {
            file: format!("{}.lts", self.system),
            digest: [0; 32],
            definitions: Vec::new(),
            includes: Vec::new(),
            waived: Vec::new(),
        };
        let parameters = goatherd_certificates::certificate::Parameters { arithmetic: Arithmetic::Unbounded, ..crate::forge::PARAMETERS };
        let about = About { parameters, ends: Ends::Complete, origin, files: Vec::new(), positions: Vec::new() };
        let accepted = certify(&realisation, states, &about).map_err(|error| error.to_string())?;
        let graph = accepted.verdict.graph.as_ref().ok_or("the verdict has no graph")?;
        let contracted = contract(graph, &realisation, about.ends);
        Ok((accepted, contracted))
    }

    /// The complete paths of at most so many edges that runs take. The values that runs start with are wide enough for 50 edges; for the
    /// greatest common divisor, for 30.
    pub fn feasible_paths(&self, length: usize) -> BTreeSet<Vec<EdgeId>> {
        let mut starts: Vec<Vec<i128>> = vec![Vec::new()];
        for variable in &self.lts.variables {
            let range = values(&self.system, &variable.name);
            let longer = |values: Vec<i128>| range.clone().map(move |value| [values.clone(), vec![value]].concat());
            starts = starts.into_iter().flat_map(longer).collect();
        }
        starts.retain(|values| self.literals.iter().all(|literal| holds(literal, values)));
        let outgoing = self.lts.edges_by_source();
        let mut paths = BTreeSet::new();
        let mut open = vec![(self.lts.initial, starts, Vec::new())];
        while let Some((location, states, path)) = open.pop() {
            if self.lts.finals.contains(&location) {
                paths.insert(path.clone());
            }
            for edge in outgoing.get(index(location)).into_iter().flatten().filter(|_| path.len() < length) {
                let after: BTreeSet<Vec<i128>> = states
                    .iter()
                    .filter(|values| self.lts.edges[*edge].guard.iter().all(|literal| holds(literal, values)))
                    .flat_map(|values| stored(&self.lts.edges[*edge].assignments, values))
                    .collect();
                if !after.is_empty() {
                    open.push((self.lts.edges[*edge].target, after.into_iter().collect(), [path.clone(), vec![*edge]].concat()));
                }
            }
        }
        paths
    }

    /// How many of these paths the graph does not have.
    pub fn lost(&self, contracted: &Contracted, paths: &BTreeSet<Vec<EdgeId>>) -> usize {
        paths.iter().filter(|path| is_kept(contracted, path).is_err()).count()
    }
}

/// What a variable holds at first; those that are assigned before they are read hold 0.
fn values(system: &str, variable: &str) -> RangeInclusive<i128> {
    match (system, variable) {
        ("gcd", "x" | "y") => 1..=150,
        ("merging-sort", "la" | "lb") => 0..=16,
        ("substring", "l1") => -1..=40,
        ("substring", "l2") | ("bubble-sort", "l") => 0..=26,
        ("bloop", "n") => -1..=26,
        ("bloop", "x") => 0..=1,
        _ => 0..=0,
    }
}

/// What the thesis reports.
pub fn thesis() -> Result<Vec<ThesisResult>, String> {
    table("thesis.tsv")?.iter().map(|fields| read_result(fields)).collect()
}

fn read_result(fields: &[String]) -> Result<ThesisResult, String> {
    let [system, precondition, abstraction, restart, look_ahead, longest, vertices, red, black, seconds, paths @ ..] = fields else {
        return Err(format!("{fields:?}: fields are missing"));
    };
    let experiment = Experiment::read(system, given(precondition))?;
    let parameters = Parameters {
        abstraction: match abstraction.as_str() {
            "store-update" => AbstractionMethod::StoreUpdate,
            _ => AbstractionMethod::ConstraintRemoval,
        },
        restart: if restart == "enabled" { Restart::Enabled } else { Restart::Disabled },
        look_ahead: LookAhead::Length(number(look_ahead)?.unwrap_or(0)),
        maximal_red_length: number(longest)?.unwrap_or(0),
        different_paths: DifferentPaths::No,
        ..Parameters::default()
    };
    let size = match (number(vertices)?, number(red)?, number(black)?) {
        (Some(vertices), Some(red), Some(black)) => Some([vertices, red, black]),
        _ => None,
    };
    let [short, middle, long] = paths else { return Err(format!("{fields:?}: fields are missing")) };
    let paths = [Published::read(short)?, Published::read(middle)?, Published::read(long)?];
    Ok(ThesisResult { experiment, parameters, size, seconds: number(seconds)?, paths })
}

/// By experiment: how many feasible paths there are, for each of the lengths.
pub fn feasible(experiment: &Experiment) -> Result<[u64; 3], String> {
    for fields in table("feasible.tsv")? {
        if let [system, precondition, short, middle, long] = &*fields
            && *system == experiment.system
            && given(precondition) == experiment.precondition.as_deref()
        {
            let read = |field: &str| number(field).map(Option::unwrap_or_default);
            return Ok([read(short)?, read(middle)?, read(long)?]);
        }
    }
    Err(format!("feasible.tsv says nothing of {}", experiment.name()))
}
