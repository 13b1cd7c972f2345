//! Concrete inputs that drive a path: symbolic execution along it with the kernel's own step function, values from a solver, and a run of the
//! interpreter that has the last word.

use goatherd_certificates::{
    certificate::{Arithmetic, Parameters},
    configuration::{Address, Slot},
    derivation::{Lengths, MemberId},
    program::{ArrayInput, Input, Instruction, IntegerType, Link, Location, ObjectId, Operation, Program, RegisterId, Type},
    term::{ArrayId, LinearId, Literal},
};
use goatherd_checker::{
    Arena, Budget, Configuration, Effect, Outcome, Place, Rejection, Setting,
    arithmetic::{period, range},
    configuration::Member,
    rules, step,
    unfold::unfold,
};
use goatherd_flow::opening::opening;
use goatherd_interpreter::{Environment, Event, InputValue, LinkedNode, Machine, Question, links_of};
use goatherd_logic::values::{Deadline, Effort, Encoding, Satisfiable, StartSolver, ValueSolver};
use std::collections::VecDeque;

/// What drives a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drive {
    /// One value per input.
    pub inputs: Vec<InputValue>,
    /// What the environment chooses, as in a [ground run](goatherd_certificates::certificate::GroundRun::choices).
    pub choices: Vec<i128>,
    /// Those of the choices that are values of a `Havoc`.
    pub values: Vec<i128>,
    /// Those that say whether an `Allocate` gives an object (1) or NULL (0). What fresh memory holds is 0.
    pub allocations: Vec<i128>,
}

/// What is known of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Realised {
    /// The interpreter takes the path from these inputs.
    Feasible(Drive),
    /// According to the solver no inputs drive it.
    Infeasible,
    /// Neither inputs nor their absence were found.
    Unknown(Reason),
}

/// Why nothing is known of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The solver gave up, or was asked too often.
    Solver,
    /// The solver's values do not drive it, for what memory that was never written holds, or how pointers compare, is not the solver's choice.
    Values,
    /// Values beyond 64 bits are needed, or arrays of more than a million elements.
    Size,
    /// The time was over before anything was found.
    Time,
    /// The kernel's step function has no outcomes here.
    Step(Location, Rejection),
}

/// The solver is asked so often for one path at most.
const QUESTIONS: usize = 200;

/// After it has given up so often, it is asked no more: with little effort, and with all.
const LITTLE_PATIENCE: usize = 1;
const PATIENCE: usize = 3;

/// Limits that are tried before all others: small inputs are easier to read. The number of elements of an array, and the magnitude of an
/// integer.
const SMALL: [(i128, i128); 3] = [(4, 100), (32, 1_000_000), (1024, 1 << 62)];

/// More elements are not written down.
const GREATEST_ARRAY: i128 = 1 << 20;

/// Looks for inputs that drive the path of instructions, whose first is the program's, until the time is over: with little effort in one way, else in
/// two, of which the second takes longer.
pub fn realise(
    (program, parameters): (&Program, Parameters),
    path: &[Location],
    start: StartSolver,
    effort: Effort,
    deadline: Deadline,
) -> Realised {
    let attempts = if parameters.arithmetic == Arithmetic::Unbounded {
        [(Encoding::Integers, Magnitude::Machine), (Encoding::Integers, Magnitude::Any)]
    } else {
        [(Encoding::Integers, Magnitude::Any), (Encoding::Words, Magnitude::Any)]
    };
    let mut result = Realised::Unknown(Reason::Solver);
    // Of unbounded integers it takes both to say that nothing drives the path.
    let is_one_enough = effort == Effort::Little && parameters.arithmetic == Arithmetic::C;
    let count = if is_one_enough { 1 } else { attempts.len() };
    for (encoding, magnitude) in attempts.into_iter().take(count) {
        let solver = start(program, encoding, effort, deadline);
        result = match Search::new((program, &parameters), path, (magnitude, effort), solver, deadline) {
            Ok(mut search) => search.run().unwrap_or_else(|rejection| search.stuck(rejection)),
            Err(_) => Realised::Unknown(Reason::Size),
        };
        if parameters.arithmetic == Arithmetic::Unbounded && result == Realised::Unknown(Reason::Values) {
            result = Realised::Unknown(Reason::Size);
        }
        let is_settled = match result {
            Realised::Feasible(_) => true,
            // Values beyond 64 bits may drive it: the second attempt tells, though the interpreter does not take them.
            Realised::Infeasible => magnitude == Magnitude::Any,
            Realised::Unknown(reason) => !matches!(reason, Reason::Solver | Reason::Values),
        };
        if is_settled {
            break;
        }
    }
    result
}

/// How large integers may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Magnitude {
    /// The interpreter holds them: it has no unbounded integers.
    Machine,
    /// As the program says.
    Any,
}

/// A point where several ways lead along the path.
struct Fork {
    position: usize,
    before: Configuration,
    others: VecDeque<Branch>,
    asked: usize,
}

/// One way along the path.
#[derive(Clone)]
enum Branch {
    /// The instruction's outcome.
    Outcome(Outcome),
    /// A case of what has to be unfolded before the instruction.
    Unfolded(Configuration),
}

/// What is asked of the environment on the path so far.
#[derive(Clone, Copy, Debug)]
enum Asked {
    Value(LinearId),
    Direction(i128),
    Allocation(i128),
}

struct Search<'a> {
    program: &'a Program,
    parameters: &'a Parameters,
    path: &'a [Location],
    magnitude: Magnitude,
    arena: Arena,
    solver: Box<dyn ValueSolver>,
    asked: Vec<Asked>,
    forks: Vec<Fork>,
    questions: usize,
    unanswered: usize,
    patience: usize,
    location: Location,
    deadline: Deadline,
    doubt: Option<Reason>,
}

impl<'a> Search<'a> {
    fn new(
        (program, parameters): (&'a Program, &'a Parameters),
        path: &'a [Location],
        (magnitude, effort): (Magnitude, Effort),
        solver: Box<dyn ValueSolver>,
        deadline: Deadline,
    ) -> Result<Self, goatherd_checker::Declined> {
        Ok(Self {
            program,
            parameters,
            path,
            magnitude,
            arena: Arena::new(&program.tables, Budget::new(u64::MAX))?,
            solver,
            asked: Vec::new(),
            forks: Vec::new(),
            questions: 0,
            unanswered: 0,
            patience: if effort == Effort::Little { LITTLE_PATIENCE } else { PATIENCE },
            location: Location(0),
            deadline,
            doubt: None,
        })
    }

    fn setting(&self) -> Setting<'a> {
        Setting { program: self.program, parameters: self.parameters, k: 0, sorts: &[] }
    }

    fn stuck(&self, rejection: Rejection) -> Realised {
        Realised::Unknown(Reason::Step(self.location, rejection))
    }

    fn run(&mut self) -> Result<Realised, Rejection> {
        let setting = self.setting();
        let mut class = 0;
        while let Some(root) = rules::root(&mut self.arena, setting, Lengths::Open, class)? {
            self.asked.clear();
            self.solver.push();
            self.assume(&root.predicate);
            if let Some(drive) = self.follow(&root)? {
                return Ok(Realised::Feasible(drive));
            }
            if self.deadline.is_over() {
                return Ok(Realised::Unknown(Reason::Time));
            }
            self.solver.pop();
            class += 1;
        }
        Ok(self.doubt.map_or(Realised::Infeasible, Realised::Unknown))
    }

    fn assume(&mut self, literals: &[Literal]) {
        if !self.solver.assume(&self.arena, literals) {
            self.doubt = Some(Reason::Solver);
        }
    }

    fn check(&mut self) -> Satisfiable {
        self.questions += 1;
        let is_asked = self.questions <= QUESTIONS && self.unanswered < self.patience;
        let answer = if is_asked { self.solver.check() } else { Satisfiable::Unknown };
        if answer == Satisfiable::Unknown {
            self.unanswered += 1;
            self.doubt = Some(Reason::Solver);
        }
        answer
    }

    /// Goes along the path, and back to the last fork where it does not go on, as long as there is time.
    fn follow(&mut self, root: &Configuration) -> Result<Option<Drive>, Rejection> {
        let mut configuration = root.clone();
        self.bound_inputs(root)?;
        let mut position = 0;
        while !self.deadline.is_over() {
            if position + 1 == self.path.len() {
                let entry = configuration.entry.clone().ok_or(Rejection::EntryTerms)?;
                if let Some(drive) = self.values(&entry)? {
                    return Ok(Some(drive));
                }
            } else {
                let mut ways = self.ways(&configuration, position)?;
                match ways.pop_front() {
                    None => {}
                    Some(Branch::Outcome(outcome)) if ways.is_empty() => {
                        self.take(&mut configuration, &outcome)?;
                        position += 1;
                        continue;
                    }
                    Some(way) => {
                        ways.push_front(way);
                        self.solver.push();
                        let fork = Fork { position, before: configuration.clone(), others: ways, asked: self.asked.len() };
                        self.forks.push(fork);
                    }
                }
            }
            match self.next_branch()? {
                Some(next) => (configuration, position) = next,
                None => return Ok(None),
            }
        }
        Ok(None)
    }

    /// What leads on along the path.
    fn ways(&mut self, configuration: &Configuration, position: usize) -> Result<VecDeque<Branch>, Rejection> {
        self.location = self.path[position];
        let Some((tree, end)) = opening(self.setting(), configuration.member(MemberId(0))?) else {
            let outcomes = self.outcomes(configuration, position)?;
            return Ok(outcomes.into_iter().map(Branch::Outcome).collect());
        };
        let setting = self.setting();
        let cases = unfold(&mut self.arena, setting, configuration, tree, end)?;
        Ok(cases.into_iter().map(Branch::Unfolded).collect())
    }

    /// Where the next way of the last fork that may be possible leads.
    fn next_branch(&mut self) -> Result<Option<(Configuration, usize)>, Rejection> {
        while let Some(fork) = self.forks.last_mut() {
            self.solver.pop();
            self.asked.truncate(fork.asked);
            let Some(branch) = fork.others.pop_front() else {
                self.forks.pop();
                continue;
            };
            let (before, position) = (fork.before.clone(), fork.position);
            self.solver.push();
            let outcome = match branch {
                Branch::Outcome(outcome) => outcome,
                // What the fields of new nodes hold is any value, so nothing is to be asked.
                Branch::Unfolded(configuration) => return Ok(Some((configuration, position))),
            };
            let mut configuration = before;
            self.take(&mut configuration, &outcome)?;
            if self.questions > QUESTIONS || self.unanswered >= self.patience {
                self.doubt = Some(Reason::Solver);
                self.forks.clear();
                return Ok(None);
            }
            if self.check() != Satisfiable::No {
                return Ok(Some((configuration, position + 1)));
            }
        }
        Ok(None)
    }

    /// The outcomes of the instruction at this position that lead to the next.
    fn outcomes(&mut self, configuration: &Configuration, position: usize) -> Result<Vec<Outcome>, Rejection> {
        let member = configuration.member(MemberId(0))?;
        let setting = self.setting();
        let all = step::outcomes(&mut self.arena, setting, member)?;
        let possible: Vec<Outcome> = all.into_iter().filter(|outcome| !rules::is_excluded(&self.arena, outcome)).collect();
        let next = self.path[position + 1];
        let here = self.location;
        let leads = |outcome: &&Outcome| match outcome.effect {
            Effect::Goto(target) => target == next,
            Effect::Fail => false,
            _ => Some(next.0) == here.0.checked_add(1),
        };
        let mut along: Vec<Outcome> = possible.iter().filter(leads).cloned().collect();
        if let Some(Instruction::Choose { .. }) = self.program.instructions.get(here.index()) {
            // Where both ways are the same, either will do.
            along.truncate(1);
        } else if along.len() == possible.len()
            && let Some(merged) = self.merge(&along)?
        {
            return Ok(vec![merged]);
        }
        Ok(along)
    }

    /// Outcomes that differ by periods of the register's type are one: the value converted to the type.
    fn merge(&mut self, outcomes: &[Outcome]) -> Result<Option<Outcome>, Rejection> {
        let [Outcome { effect: Effect::Register(register, Slot::Integer(term)), tag, .. }, rest @ ..] = outcomes else { return Ok(None) };
        let (register, term, tag) = (*register, *term, *tag);
        let Ok(kind) = self.setting().integer_type(register) else { return Ok(None) };
        if rest.is_empty() {
            return Ok(None);
        }
        for outcome in rest {
            let Effect::Register(other, Slot::Integer(value)) = outcome.effect else { return Ok(None) };
            let difference = self.arena.constant_difference(value, term)?;
            if other != register || difference.map(i128::abs) != Some(period(kind)?) {
                return Ok(None);
            }
        }
        let zero = self.arena.constant(0)?;
        let converted = self.arena.apply(Operation::Add, kind, term, zero)?;
        Ok(Some(Outcome { tag, literals: Vec::new(), effect: Effect::Register(register, Slot::Integer(converted)) }))
    }

    fn take(&mut self, configuration: &mut Configuration, outcome: &Outcome) -> Result<(), Rejection> {
        let Place::At(here) = configuration.member(MemberId(0))?.place else { return Err(Rejection::AtEnd) };
        let setting = self.setting();
        self.assume(&outcome.literals);
        configuration.change(&mut self.arena, setting, MemberId(0)).follow(outcome)?;
        let register = |register: RegisterId| configuration.member(MemberId(0))?.register(register);
        match (&self.program.instructions[here.index()], outcome.effect) {
            (Instruction::Havoc { target }, _) => {
                if let Slot::Integer(value) = register(*target)? {
                    self.asked.push(Asked::Value(value));
                }
            }
            (Instruction::Choose { then, .. }, Effect::Goto(target)) => self.asked.push(Asked::Direction(i128::from(target != *then))),
            (Instruction::Allocate(_), Effect::Register(..)) => self.asked.push(Asked::Allocation(0)),
            (Instruction::Allocate(_), _) => self.asked.push(Asked::Allocation(1)),
            _ => {}
        }
        let written = match outcome.effect {
            Effect::Register(target, _) | Effect::Havoc(target, _) => register(target)?,
            _ => Slot::Forgotten,
        };
        if let Slot::Integer(value) = written {
            self.bound(value)?;
        }
        Ok(())
    }

    fn bound(&mut self, term: LinearId) -> Result<(), Rejection> {
        if self.magnitude == Magnitude::Machine {
            let (least, greatest) = range(IntegerType::I64);
            let literals = self.arena.within(term, (least, greatest))?;
            self.assume(&literals);
        }
        Ok(())
    }

    fn bound_inputs(&mut self, root: &Configuration) -> Result<(), Rejection> {
        for input in &self.program.inputs {
            if let Input::Integer { register } = input
                && let Slot::Integer(term) = root.member(MemberId(0))?.register(*register)?
            {
                self.bound(term)?;
            }
        }
        Ok(())
    }

    /// Values for the inputs, small ones first, that drive the path.
    fn values(&mut self, entry: &Member) -> Result<Option<Drive>, Rejection> {
        for limits in SMALL.into_iter().map(Some).chain([None]) {
            self.solver.push();
            if let Some((length, magnitude)) = limits {
                self.bound_sizes(entry, length, magnitude)?;
            }
            // That there is nothing small does not make the path doubtful.
            let doubt = self.doubt;
            let answer = self.check();
            if limits.is_some() {
                self.doubt = doubt;
            }
            let found = if answer == Satisfiable::Yes { self.model(entry)? } else { None };
            self.solver.pop();
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    fn bound_sizes(&mut self, entry: &Member, length: i128, magnitude: i128) -> Result<(), Rejection> {
        for input in &self.program.inputs {
            let (register, least, greatest) = match input {
                Input::Integer { register } => (register, -magnitude, magnitude),
                Input::Array(ArrayInput { length: register, .. }) => (register, 0, length),
                Input::Single { .. } | Input::Linked { .. } => continue,
            };
            if let Slot::Integer(term) = entry.register(*register)? {
                let literals = self.arena.within(term, (least, greatest))?;
                self.assume(&literals);
            }
        }
        Ok(())
    }

    /// The solver's values, if the interpreter takes the path with them.
    fn model(&mut self, entry: &Member) -> Result<Option<Drive>, Rejection> {
        let Some(inputs) = self.inputs(entry)? else {
            self.doubt.get_or_insert(Reason::Values);
            return Ok(None);
        };
        let mut answers = Answers::default();
        for asked in &self.asked {
            match *asked {
                Asked::Value(term) => answers.values.extend(self.solver.integer(&self.arena, term)),
                Asked::Direction(way) => answers.directions.push_back(way),
                Asked::Allocation(answer) => answers.allocations.push_back(answer),
            }
        }
        let (values, allocations) = (answers.values.iter().copied().collect(), answers.allocations.iter().copied().collect());
        let choices = run(self.program, *self.parameters, self.path, &inputs, &mut answers);
        if choices.is_none() {
            self.doubt = Some(Reason::Values);
        }
        Ok(choices.map(|choices| Drive { inputs, choices, values, allocations }))
    }

    fn inputs(&mut self, entry: &Member) -> Result<Option<Vec<InputValue>>, Rejection> {
        let mut values = Vec::new();
        for input in &self.program.inputs {
            let value = match *input {
                Input::Integer { register } => self.slot(entry.register(register)?).map(InputValue::Integer),
                Input::Array(ArrayInput { object, length, .. }) => match self.slot(entry.register(length)?) {
                    Some(count) if count <= GREATEST_ARRAY => self.elements(entry, object, count)?.map(InputValue::Array),
                    Some(_) => {
                        self.doubt = Some(Reason::Size);
                        None
                    }
                    None => None,
                },
                Input::Single { pointer, object } => match entry.register(pointer)? {
                    Slot::Null => Some(InputValue::Single(None)),
                    _ => self.elements(entry, object, 1)?.map(|elements| InputValue::Single(elements.into_iter().next())),
                },
                Input::Linked { pointer, .. } => self.nodes(entry, entry.register(pointer)?)?.map(InputValue::Linked),
            };
            let Some(value) = value else { return Ok(None) };
            values.push(value);
        }
        Ok(Some(values))
    }

    /// The nodes at the entry that hang from here, each behind the one above it. What is still folded is nothing that the path looks at: NULL.
    fn nodes(&mut self, entry: &Member, root: Slot) -> Result<Option<Vec<LinkedNode>>, Rejection> {
        let (mut nodes, mut open): (Vec<LinkedNode>, _) = (Vec::new(), VecDeque::from([(root, None)]));
        while let Some((slot, above)) = open.pop_front() {
            let Slot::Pointer(Address { object, .. }) = slot else { continue };
            let place = nodes.len();
            if let Some((owner, child)) = above {
                let owner: &mut LinkedNode = nodes.get_mut::<usize>(owner).ok_or(Rejection::Missing)?;
                *owner.children.get_mut::<usize>(child).ok_or(Rejection::Missing)? = Some(place);
            }
            let state = entry.object(object).ok_or(Rejection::Missing)?;
            let mut node = LinkedNode { integers: Vec::new(), children: Vec::new() };
            for (link, field) in links_of(self.program, state.declaration).iter().zip(&state.fields) {
                let slot = *field.cells.first().ok_or(Rejection::Missing)?;
                match link {
                    Link::Child(_) => {
                        open.push_back((slot, Some((place, node.children.len()))));
                        node.children.push(None);
                    }
                    Link::Data => {
                        let Some(value) = self.slot(slot) else { return Ok(None) };
                        node.integers.push(value);
                    }
                    _ => {}
                }
            }
            nodes.push(node);
        }
        Ok(Some(nodes))
    }

    fn slot(&mut self, slot: Slot) -> Option<i128> {
        let Slot::Integer(term) = slot else { return None };
        self.solver.integer(&self.arena, term)
    }

    /// The integer fields of the elements at the entry.
    fn elements(&mut self, entry: &Member, object: ObjectId, count: i128) -> Result<Option<Vec<Vec<i128>>>, Rejection> {
        let layout = self.setting().layout(object)?;
        let state = entry.object(object).ok_or(Rejection::Missing)?;
        let fields = layout.fields.iter().zip(&state.fields).filter(|(field, _)| field.kind != Type::Pointer);
        let arrays: Vec<ArrayId> = fields.map(|(_, field)| field.rest.ok_or(Rejection::Missing)).collect::<Result<_, _>>()?;
        let mut elements = Vec::new();
        for index in 0..count {
            let values = arrays.iter().map(|array| self.solver.element(&self.arena, *array, index)).collect::<Option<Vec<i128>>>();
            let Some(values) = values else { return Ok(None) };
            elements.push(values);
        }
        Ok(Some(elements))
    }
}

/// Answers by the kind of question, each kind in order; 0 where fresh memory is asked for.
#[derive(Default)]
struct Answers {
    values: VecDeque<i128>,
    directions: VecDeque<i128>,
    allocations: VecDeque<i128>,
}

impl Environment for Answers {
    fn answer(&mut self, question: Question) -> Option<i128> {
        match question {
            Question::Havoc { .. } => self.values.pop_front(),
            Question::Direction => self.directions.pop_front(),
            Question::Allocation { .. } => self.allocations.pop_front(),
            Question::Contents { .. } | Question::Element { .. } => Some(0),
            Question::Comparison => None,
        }
    }
}

/// What drives the path, if the run on these inputs and choices takes exactly it; more choices than it needs may be given.
pub(super) fn drive(
    program: &Program,
    parameters: Parameters,
    path: &[Location],
    inputs: &[InputValue],
    choices: &[i128],
) -> Option<Drive> {
    let mut recorded = Recorded { given: choices.iter(), values: Vec::new(), allocations: Vec::new() };
    let choices = run(program, parameters, path, inputs, &mut recorded)?;
    let Recorded { values, allocations, .. } = recorded;
    Some(Drive { inputs: inputs.to_vec(), choices, values, allocations })
}

/// Answers in order, recorded by the kind of question.
struct Recorded<'a> {
    given: std::slice::Iter<'a, i128>,
    values: Vec<i128>,
    allocations: Vec<i128>,
}

impl Environment for Recorded<'_> {
    fn answer(&mut self, question: Question) -> Option<i128> {
        if question == Question::Comparison {
            return None;
        }
        let answer = self.given.next().copied()?;
        match question {
            Question::Havoc { .. } => self.values.push(answer),
            Question::Allocation { .. } => self.allocations.push(answer),
            _ => {}
        }
        Some(answer)
    }
}

/// Runs the program. The environment's choices, if it takes exactly the path.
fn run(
    program: &Program,
    parameters: Parameters,
    path: &[Location],
    inputs: &[InputValue],
    environment: &mut dyn Environment,
) -> Option<Vec<i128>> {
    let mut machine = Machine::new(program, parameters, inputs).ok()?;
    let (last, passed) = path.split_last()?;
    for location in passed {
        if machine.location() != *location || !matches!(machine.step(environment), Event::Continued(_)) {
            return None;
        }
    }
    (machine.location() == *last).then(|| machine.choices().to_vec())
}
