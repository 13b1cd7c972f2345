//! Runs a program on all small inputs, with all small choices, and says how it fails.

use crate::programs::Case;
use goatherd_certificates::program::{
    ArrayInput, Branch, Compute, Condition, Input, Instruction, IntegerType, Link, ObjectId, Operand, Program, Type,
};
use goatherd_interpreter::{
    Environment, InputValue, LinkedNode, Outcome, Question, Run, Tracing,
    arithmetic::{maximum, minimum},
    links_of, run,
};

/// Most steps of a run.
const STEPS: u64 = 60;

/// Most runs of a program.
const RUNS: usize = 1500;

/// Most runs on one input.
const RUNS_OF_INPUT: usize = 120;

/// Most inputs of a program.
const INPUTS: usize = 700;

/// The longest array input.
const LONGEST: usize = 3;

/// Most nodes of a linked input.
const NODES: usize = 4;

/// A failing execution.
#[derive(Clone, Debug)]
pub struct Failing {
    /// On this input.
    pub inputs: Vec<InputValue>,
    /// How it went.
    pub run: Run,
}

/// What the small runs of a program have in common.
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// The first that fails, if one does.
    pub failing: Option<Failing>,
    /// Have all small inputs and choices been tried?
    pub is_whole: bool,
}

/// Runs the program.
pub fn enumerate(case: &Case) -> Enumeration {
    let values = values(&case.program);
    let (inputs, mut is_whole) = inputs(&case.program, &values);
    let mut left = RUNS;
    for inputs in inputs {
        let mut script = Script { values: &values, answers: Vec::new(), asked: 0 };
        for count in 0.. {
            if left == 0 || count == RUNS_OF_INPUT {
                is_whole = false;
                break;
            }
            left -= 1;
            script.asked = 0;
            let Ok(run) = run(&case.program, case.parameters, &inputs, &mut script, STEPS, Tracing::Off) else { break };
            if let Outcome::Failed { .. } = run.outcome {
                return Enumeration { failing: Some(Failing { inputs, run }), is_whole };
            }
            if !script.advance() {
                break;
            }
        }
    }
    Enumeration { failing: None, is_whole }
}

/// The integers that inputs and choices take: small ones, those of the program and those beside them.
fn values(program: &Program) -> Vec<i128> {
    let mut values = vec![0, 1, -1, 2];
    let mut add = |operand: &Operand| {
        if let Operand::Constant(value) = operand {
            values.extend([*value, value + 1, value - 1]);
        }
    };
    for instruction in &program.instructions {
        match instruction {
            Instruction::Branch(Branch { condition: Condition::Integers { left, right, .. }, .. })
            | Instruction::Compute(Compute { left, right, .. }) => {
                add(left);
                add(right);
            }
            _ => {}
        }
    }
    values.sort_unstable_by_key(|value| (value.unsigned_abs(), *value < 0));
    values.dedup();
    values.truncate(10);
    values
}

/// Those of the type, and its limits.
fn of_type(values: &[i128], kind: IntegerType) -> Vec<i128> {
    let (least, greatest) = (minimum(kind), maximum(kind));
    let mut fitting: Vec<i128> = values.iter().copied().filter(|value| (least..=greatest).contains(value)).collect();
    for value in [least, greatest] {
        if !fitting.contains(&value) {
            fitting.push(value);
        }
    }
    fitting
}

/// Answers from a list, the first of all beyond; then the next list.
struct Script<'v> {
    values: &'v [i128],
    /// Which of how many possible answers.
    answers: Vec<(usize, usize)>,
    asked: usize,
}

impl Script<'_> {
    /// The next list of answers; false where there is none.
    fn advance(&mut self) -> bool {
        self.answers.truncate(self.asked);
        while let Some((answer, count)) = self.answers.last_mut() {
            *answer += 1;
            if answer < count {
                return true;
            }
            self.answers.pop();
        }
        false
    }
}

impl Environment for Script<'_> {
    fn answer(&mut self, question: Question) -> Option<i128> {
        let possible = match question {
            Question::Havoc { kind } | Question::Contents { kind, .. } | Question::Element { kind } => of_type(self.values, kind),
            Question::Direction | Question::Comparison => vec![0, 1],
            Question::Allocation { .. } => vec![1, 0],
        };
        if self.asked == self.answers.len() {
            self.answers.push((0, possible.len()));
        }
        let answer = possible.get(self.answers[self.asked].0).copied();
        self.asked += 1;
        answer
    }
}

/// Small inputs, smaller ones first, and whether these are all.
fn inputs(program: &Program, values: &[i128]) -> (Vec<Vec<InputValue>>, bool) {
    let mut all: Vec<Vec<InputValue>> = vec![Vec::new()];
    let mut is_whole = true;
    for input in &program.inputs {
        let options = options(program, input, values);
        let mut longer = Vec::new();
        for option in &options {
            for before in &all {
                longer.push([&before[..], std::slice::from_ref(option)].concat());
            }
        }
        is_whole &= longer.len() <= INPUTS;
        longer.truncate(INPUTS);
        all = longer;
    }
    (all, is_whole)
}

fn options(program: &Program, input: &Input, values: &[i128]) -> Vec<InputValue> {
    match *input {
        Input::Integer { register } => match program.registers[register.index()].kind {
            Type::Integer(kind) => of_type(values, kind).into_iter().map(InputValue::Integer).collect(),
            Type::Pointer => Vec::new(),
        },
        Input::Array(ArrayInput { object, .. }) => {
            let elements = rows(program, object, values, 5);
            let mut arrays: Vec<Vec<Vec<i128>>> = vec![Vec::new()];
            let mut first = 0;
            for _ in 0..LONGEST {
                let end = arrays.len();
                for place in first..end {
                    arrays.extend(
                        elements.iter().map(|element| [&arrays[place][..], std::slice::from_ref(element)].concat()).collect::<Vec<_>>(),
                    );
                }
                first = end;
            }
            arrays.into_iter().map(InputValue::Array).collect()
        }
        Input::Single { object, .. } => {
            let rows = rows(program, object, values, 8).into_iter().map(Some);
            [None].into_iter().chain(rows).map(InputValue::Single).collect()
        }
        Input::Linked { object, .. } => {
            let mut all = Vec::new();
            for count in 0..=NODES {
                // Long lists have few data.
                let rows = rows(program, object, values, if count < NODES { 3 } else { 1 });
                for tree in trees(program, object, count, &rows) {
                    all.push(InputValue::Linked(tree));
                }
            }
            all
        }
    }
}

/// Integer fields of an element: all take the same value.
fn rows(program: &Program, object: ObjectId, values: &[i128], most: usize) -> Vec<Vec<i128>> {
    let fields = &program.layouts[program.objects[object.index()].layout.index()].fields;
    let kinds: Vec<IntegerType> =
        fields.iter().filter_map(|field| if let Type::Integer(kind) = field.kind { Some(kind) } else { None }).collect();
    let Some(kind) = kinds.first() else { return vec![Vec::new()] };
    of_type(values, *kind).into_iter().take(most).map(|value| vec![value; kinds.len()]).collect()
}

/// All trees of so many nodes, of which all children are of the same declaration.
fn trees(program: &Program, object: ObjectId, count: usize, rows: &[Vec<i128>]) -> Vec<Vec<LinkedNode>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let children: Vec<ObjectId> = links_of(program, object)
        .iter()
        .filter_map(|link| if let Link::Child(sort) = link { Some(ObjectId(sort.0)) } else { None })
        .collect();
    // What hangs below the root so far, and how many nodes are left.
    let mut partial: Vec<(Vec<Vec<LinkedNode>>, usize)> = vec![(Vec::new(), count - 1)];
    for (position, child) in children.iter().enumerate() {
        let is_last = position + 1 == children.len();
        let mut longer = Vec::new();
        for (below, left) in &partial {
            for size in if is_last { *left..=*left } else { 0..=*left } {
                for tree in trees(program, *child, size, rows) {
                    longer.push(([&below[..], &[tree]].concat(), left - size));
                }
            }
        }
        partial = longer;
    }
    let mut all = Vec::new();
    for (below, left) in partial {
        if left > 0 {
            continue;
        }
        for row in rows {
            let mut nodes = vec![LinkedNode { integers: row.clone(), children: Vec::new() }];
            for tree in &below {
                let start = nodes.len();
                nodes[0].children.push((!tree.is_empty()).then_some(start));
                nodes.extend(tree.iter().map(|node| LinkedNode {
                    integers: node.integers.clone(),
                    children: node.children.iter().map(|child| child.map(|child| child + start)).collect(),
                }));
            }
            all.push(nodes);
        }
    }
    all
}
