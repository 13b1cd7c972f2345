//! Graphs of functions over lists and trees: certified, and no path is lost that a run on a small list or tree takes.

use goatherd::{
    Request, Task,
    certify::paths::{About, certify},
};
use goatherd_certificates::{
    certificate::{Ends, InputValue as Entries},
    derivation::VertexId,
    program::{Input, Instruction, Link, Location, ObjectId, Program},
};
use goatherd_claims::Graph;
use goatherd_frontend::{
    lower::lower,
    source::{Options, from_text},
};
use goatherd_interpreter::{InputValue, Random, Tracing, links_of, run};
use goatherd_paths::{
    analysis::{Limits, analyse},
    memory::Memory,
    program::transition_system,
};
use goatherd_systems::realisation::Realisation;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    process::Command,
};

/// What fields of nodes and integers are.
const VALUES: [i128; 3] = [0, 1, 2];

/// Inputs have so many nodes at most.
const NODES: usize = 3;

/// Runs are followed so far.
const STEPS: u64 = 400;

/// The list or trees with exactly so many nodes, as certificates write them.
fn trees(program: &Program, object: ObjectId, nodes: usize) -> Vec<Vec<Option<Vec<i128>>>> {
    if nodes == 0 {
        return vec![vec![None]];
    }
    let links = links_of(program, object);
    let integers = links.iter().filter(|link| **link == Link::Data).count();
    let mut forests: Vec<(usize, Vec<Option<Vec<i128>>>)> =
        choices(integers).into_iter().map(|data| (nodes - 1, vec![Some(data)])).collect();
    let children: Vec<ObjectId> =
        links.iter().filter_map(|link| if let Link::Child(sort) = link { Some(ObjectId(sort.0)) } else { None }).collect();
    for (position, child) in children.iter().enumerate() {
        let is_last = position + 1 == children.len();
        let mut longer = Vec::new();
        for (left, entries) in forests {
            for size in if is_last { left..=left } else { 0..=left } {
                longer.extend(trees(program, *child, size).into_iter().map(|tree| (left - size, [entries.clone(), tree].concat())));
            }
        }
        forests = longer;
    }
    forests.into_iter().filter(|(left, _)| *left == 0).map(|(_, entries)| entries).collect()
}

fn choices(count: usize) -> Vec<Vec<i128>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        all = all.into_iter().flat_map(|values: Vec<i128>| VALUES.map(|value| [values.clone(), vec![value]].concat())).collect();
    }
    all
}

/// All values of an input that are small.
fn values(program: &Program, input: &Input) -> Vec<InputValue> {
    match input {
        Input::Integer { .. } => [-1, 0, 1, 2, 3].map(InputValue::Integer).to_vec(),
        Input::Linked { object, .. } => {
            let all = (0..=NODES).flat_map(|nodes| trees(program, *object, nodes)).map(Entries::Linked);
            all.map(|entries| InputValue::from_certificate(program, input, &entries).unwrap()).collect()
        }
        Input::Array(_) => (0..3).map(|length| InputValue::Array(vec![vec![1]; length])).collect(),
        Input::Single { .. } => vec![InputValue::Single(None)],
    }
}

/// At most so many inputs are tried.
const INPUTS: usize = 4000;

fn inputs(program: &Program) -> Vec<Vec<InputValue>> {
    let mut all = vec![Vec::new()];
    for input in &program.inputs {
        let values = values(program, input);
        all = all
            .into_iter()
            .flat_map(|before: Vec<InputValue>| values.iter().map(move |value| [before.clone(), vec![value.clone()]].concat()))
            .take(INPUTS)
            .collect();
    }
    all
}

fn task(name: &str, text: &str, entry: &str) -> Task {
    let request = Request { reading: Options { entry: entry.to_owned(), ..Options::default() }, ..Request::default() };
    let unit = from_text(name, text, &request.reading).unwrap();
    Task::new(&unit, lower(&unit, entry).unwrap(), &request.reading, request.parameters)
}

/// The certified graph, or why there is none.
fn graph(task: &Task) -> Result<Graph, String> {
    let (lts, elements) = transition_system(&task.program, &task.parameters, Memory::Elements).unwrap();
    let outcome = analyse(&lts, &lts.entry.clone(), Limits { work: 20_000_000, ..Limits::default() });
    let realisation = Realisation::of_program(task.program.clone(), &lts, elements);
    let about = About {
        parameters: task.parameters,
        ends: Ends::Complete,
        origin: task.origin.clone(),
        files: task.files.clone(),
        positions: Vec::new(),
    };
    let accepted = certify(&realisation, &outcome.states(), &about).map_err(|error| error.to_string())?;
    Ok(accepted.verdict.graph.unwrap())
}

/// A graph as an automaton over locations.
struct Traces<'a> {
    graph: &'a Graph,
    successors: BTreeMap<(VertexId, Location), VertexId>,
}

impl<'a> Traces<'a> {
    fn new(graph: &'a Graph) -> Self {
        let edges = graph.edges.iter().map(|(source, target)| ((*source, graph.vertices[target.index()]), *target));
        Self { graph, successors: edges.collect() }
    }

    /// Is it the trace of a path of the graph?
    fn contain(&self, path: &[Location]) -> bool {
        let mut vertex = self.graph.root.filter(|root| path.first() == Some(&self.graph.vertices[root.index()]));
        for location in &path[1..] {
            vertex = vertex.and_then(|vertex| self.successors.get(&(vertex, *location)).copied());
        }
        vertex.is_some()
    }
}

/// The complete paths that small runs take.
fn taken(task: &Task) -> BTreeSet<Vec<Location>> {
    let (inputs, mut paths) = (inputs(&task.program), BTreeSet::new());
    let seeds = 0..u64::try_from((INPUTS / inputs.len()).clamp(1, 50)).unwrap();
    for (seed, inputs) in seeds.flat_map(|seed| inputs.iter().map(move |inputs| (seed, inputs))) {
        let mut environment = Random::new(seed);
        let Ok(run) = run(&task.program, task.parameters, inputs, &mut environment, STEPS, Tracing::On) else { continue };
        let path: Vec<Location> = run.trace.iter().map(|step| step.location).collect();
        let last = path.last().and_then(|location| task.program.instructions.get(location.index()));
        if matches!(last, Some(Instruction::Halt | Instruction::Fail { .. })) {
            paths.insert(path);
        }
    }
    paths
}

/// The complete paths that small runs take; all of them are kept.
fn examine(name: &str, task: &Task, graph: &Graph) -> BTreeSet<Vec<Location>> {
    let (traces, paths) = (Traces::new(graph), taken(task));
    for path in &paths {
        assert!(traces.contain(path), "{name}: {path:?} is lost");
    }
    paths
}

const NODE: &str = "struct node { int value; struct node *next; };\nstruct tree { int key; struct tree *left, *right; };\n\
                    extern void *malloc(unsigned long);\nextern void free(void *);\n";

/// What is done, and how many paths small inputs take.
const FUNCTIONS: [(&str, &str); 8] = [
    ("length", "int f(struct node *p) { int n = 0; while (p) { n++; p = p->next; } return n; }"),
    ("sum", "int f(struct node *p, int limit) { int n = 0; for (; p; p = p->next) if (p->value > limit) n++; return n; }"),
    (
        "reverse",
        "int f(struct node *p) { struct node *q = 0; while (p) { struct node *n = p->next; p->next = q; q = p; p = n; }\n\
         int n = 0; while (q) { n++; q = q->next; } return n; }",
    ),
    (
        "insert",
        "int f(struct node *p, int v) { struct node *n = malloc(sizeof *n); if (!n) return -1; n->value = v; n->next = 0;\n\
         if (!p || p->value >= v) { n->next = p; p = n; } else { struct node *q = p; while (q->next && q->next->value < v) q = q->next;\n\
         n->next = q->next; q->next = n; } return p->value; }",
    ),
    ("free", "int f(struct node *p) { while (p) { struct node *n = p->next; free(p); p = n; } return 0; }"),
    (
        "build",
        "int f(int n) { struct node *head = 0, *tail = 0; for (int i = 0; i < n; i++) { struct node *m = malloc(sizeof *m);\n\
         if (!m) return -1; m->value = i; m->next = 0; if (tail) tail->next = m; else head = m; tail = m; }\n\
         int s = 0; for (; head; head = head->next) s++; return s; }",
    ),
    ("search", "int f(struct tree *t, int k) { while (t) { if (t->key == k) return 1; t = k < t->key ? t->left : t->right; } return 0; }"),
    (
        "two",
        "int f(struct node *p, struct node *q) { int n = 0; while (p && q) { if (p->value != q->value) n++; p = p->next; q = q->next; }\n\
         if (p) return -1; if (q) return 1; return n; }",
    ),
];

#[test]
fn no_path_of_a_small_list_or_tree_is_lost() {
    for (name, function) in FUNCTIONS {
        let task = task(&format!("{name}.c"), &format!("{NODE}{function}\n"), "f");
        let graph = graph(&task).unwrap_or_else(|why| panic!("{name}: {why}"));
        let paths = examine(name, &task, &graph);
        assert!(paths.len() >= 3, "{name}: {} paths", paths.len());
    }
}

/// Programs of `tests/linked`, and their buggy twins, that other tests prove things of.
const PROGRAMS: [&str; 8] =
    ["append-last", "built-free-all", "delete-first", "free-all", "interleave", "reverse", "tree-insert-anywhere", "tree-rotate"];

#[test]
fn no_path_of_a_program_over_lists_or_trees_is_lost() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/linked");
    for name in PROGRAMS.iter().flat_map(|name| [format!("{name}.c"), format!("{name}.buggy.c")]) {
        let task = task(&name, &std::fs::read_to_string(folder.join(&name)).unwrap(), "test");
        // Of a twin, nothing is asked but that no path is lost.
        match graph(&task) {
            Ok(graph) => assert!(!examine(&name, &task, &graph).is_empty() || name.ends_with(".buggy.c"), "{name}"),
            Err(why) => assert!(name.ends_with(".buggy.c"), "{name}: {why}"),
        }
    }
}

/// So long are the paths that lists and trees of the test's size take, all of them.
const LENGTH: usize = 17;

/// What `--confirm` calls exact, paths excluded with a proof, has just the paths that runs take: none is lost, none is too many.
#[test]
fn exact_is_what_runs_take() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("linked-paths");
    std::fs::create_dir_all(&folder).unwrap();
    for (name, function) in FUNCTIONS {
        let (file, text) = (format!("{name}.c"), format!("{NODE}{function}\n"));
        std::fs::write(folder.join(&file), &text).unwrap();
        let length = LENGTH.to_string();
        let options = ["paths", &file, "--entry", "f", "--confirm", &length, "--refine", "--json"];
        let output = Command::new(env!("CARGO_BIN_EXE_goatherd")).current_dir(&folder).args(options).output().unwrap();
        let report: serde_json::Value =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{name}: {error}: {output:?}"));
        let paths = taken(&task(&file, &text, "f")).into_iter().filter(|path| path.len() <= LENGTH + 1).count();
        assert_eq!((&report["exact"], &report["confirmed"]["feasible"]), (&true.into(), &paths.into()), "{name}: {report}");
    }
}
