//! Runs on arrays that hold the same everywhere. Where a loop has to go round many times until a sum or a counter comes over a limit, one of these
//! gets there, long before runs that are [turned](super::turns) do.

use super::{
    mutation::{greatest_length, kinds},
    realise::Drive,
    turns::{DrivenRun, LostRun, run},
};
use goatherd_certificates::{
    certificate::Parameters,
    program::{ArrayInput, Input, Program},
};
use goatherd_counterexample::{
    candidates::Candidates,
    inputs::{Drawing, Extent},
};
use goatherd_interpreter::{InputShape, InputValue, Random};
use std::ops::ControlFlow;

/// Arrays have so many elements, all of an input as many. The last one is beyond 256: of bytes, as many come over two bytes.
const LENGTHS: [usize; 12] = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 64, 300];

/// All runs together have so many steps.
const STEPS: usize = 4_000_000;

/// Where random numbers begin: the integers beside the arrays are any.
const SEED: u64 = 0x7265_7065;

/// Runs on arrays of each length and of each value that is worth trying, short ones first, until a fixed number of steps has been made, or `visit`
/// breaks. It sees the runs that come to an end of their own. Without an array among the inputs there are none.
pub fn repetitions(program: &Program, parameters: Parameters, mut visit: impl FnMut(DrivenRun) -> ControlFlow<()>) {
    let candidates = Candidates::of(program);
    let arrays: Vec<&ArrayInput> =
        program.inputs.iter().filter_map(|input| if let Input::Array(array) = input { Some(array) } else { None }).collect();
    let kinds = arrays.iter().flat_map(|array| kinds(program, array.object));
    let most = kinds.map(|kind| candidates.values(kind).len()).max().unwrap_or(0);
    let (mut random, mut steps) = (Random::new(SEED), 0);
    for (length, rank) in LENGTHS.into_iter().flat_map(|length| (0..most).map(move |rank| (length, rank))) {
        let inputs = inputs(program, &candidates, &mut random, Repeated { length, rank });
        let drive = Drive { inputs, choices: Vec::new(), values: Vec::new(), allocations: Vec::new() };
        let taken = match run(program, parameters, &drive) {
            Ok(run) => {
                let taken = run.path.len();
                if visit(run).is_break() {
                    return;
                }
                taken
            }
            Err(LostRun::Ignored(path) | LostRun::Failed(path)) => path.len(),
        };
        // A run counts one step more than it takes, so that there is an end of runs that do not begin.
        steps += taken + 1;
        if steps >= STEPS {
            return;
        }
    }
}

/// So many elements, each with the value of this rank among those that are worth trying.
#[derive(Clone, Copy)]
struct Repeated {
    length: usize,
    rank: usize,
}

/// Arrays of equal elements; what is no array is drawn at random.
fn inputs(program: &Program, candidates: &Candidates, random: &mut Random, repeated: Repeated) -> Vec<InputValue> {
    let extent = Extent { longest: 0, variety: usize::MAX, skipped: 0 };
    let drawn = Drawing { program, candidates, source: random, extent }.inputs();
    let value = |(input, shape): (&Input, InputShape)| match (input, shape) {
        (_, InputShape::Whole(value)) => value,
        (Input::Array(array), InputShape::Length(_)) => {
            let ranked = |kind| {
                let values = candidates.values(kind);
                values[repeated.rank % values.len()]
            };
            let element: Vec<i128> = kinds(program, array.object).map(ranked).collect();
            InputValue::Array(vec![element; repeated.length.min(greatest_length(program, array))])
        }
        (_, InputShape::Length(_)) => InputValue::Array(Vec::new()),
    };
    program.inputs.iter().zip(drawn).map(value).collect()
}
