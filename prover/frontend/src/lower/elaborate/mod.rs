//! From the syntax of C to the typed tree: only what the entry function reaches is looked into.

mod arrays;
mod attributes;
mod believing;
pub(super) mod calls;
mod compared;
mod declarations;
mod disjoint;
mod elements;
mod expressions;
mod folding;
mod initialisers;
mod input;
pub(super) mod literals;
mod numbers;
mod of_library;
mod old_style;
mod operators;
mod output;
mod places;
mod same;
mod scope;
mod selection;
mod statements;
mod twins;
mod types;
mod undeclared;
mod undefined;
mod unions;
mod variadic;
mod views;

use crate::{
    diagnostics::{Diagnostic, Kind},
    lower::{
        assumptions::Assumption,
        beliefs::Beliefs,
        tree::{BlockId, Circles, Function, FunctionId, Global, GlobalId, Label, LabelId, Unit, Variable, VariableId},
        types::{CType, RecordId, Records},
    },
};
pub use undefined::Undefined;

use attributes::Promises;
use lang_c::{ast, span::Node};
use scope::Scopes;
use std::collections::{BTreeMap, BTreeSet};

/// A diagnostic has been raised; there is no value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Raised;

pub(crate) type Outcome<T> = Result<T, Raised>;

/// Nested expressions and statements that are followed; the reader of files bounds what it can, this bounds chains of operators.
const DEPTH_LIMIT: usize = 4096;

/// A whole program as a tree, and all that is wrong with it. Where only parts of bodies are wrong there is a tree of the rest, so that more
/// can be said about it. What is believed of types and constants is kept in `beliefs`, if they are wanted. `is_model` says of an offset whether
/// a library model stands there.
pub(crate) fn elaborate<'a>(
    (unit, files, undefined): (&'a ast::TranslationUnit, Files, Undefined),
    entry: &str,
    beliefs: Option<&'a mut Beliefs>,
    is_model: &'a dyn Fn(usize) -> bool,
) -> (Option<(Unit, Records)>, Vec<Diagnostic>) {
    let mut elaborator = Elaborator {
        files,
        is_model,
        undefined,
        unprototyped: Vec::new(),
        internal: BTreeSet::new(),
        diagnostics: Vec::new(),
        records: Records::default(),
        scopes: Scopes::new(),
        definitions: BTreeMap::new(),
        requested: Vec::new(),
        functions: Vec::new(),
        globals: Vec::new(),
        literals: BTreeMap::new(),
        linked: BTreeMap::new(),
        promises: BTreeMap::new(),
        prototypes: BTreeMap::new(),
        definition_is_declared: BTreeSet::new(),
        suspicions: Suspicions::default(),
        defined_records: BTreeMap::new(),
        padded: BTreeSet::new(),
        assumptions: BTreeSet::new(),
        addressed: BTreeSet::new(),
        approximate: BTreeSet::new(),
        has_numbers: false,
        context: Context::default(),
        lengths: Vec::new(),
        promised: BTreeMap::new(),
        argument_list: None,
        has_aligned_objects: false,
        has_types_of_values: false,
        unevaluated: 0,
        streams: BTreeSet::new(),
        depth: 0,
        beliefs: beliefs.map(|kept| Believing { kept, untagged: BTreeMap::new() }),
    };
    elaborator.file(unit);
    let entry = elaborator.entry(entry);
    let mut next = 0;
    while let Some(request) = elaborator.requested.get(next).cloned() {
        let function = elaborator.definition(&request);
        elaborator.functions.push(function);
        next += 1;
    }
    elaborator.define_undefined();
    elaborator.judge_suspicions();
    elaborator.judge_unprototyped();
    elaborator.judge_views();
    elaborator.judge_qualifiers();
    elaborator.judge_names();
    elaborator.judge_streams();
    let functions: Option<Vec<Function>> = std::mem::take(&mut elaborator.functions).into_iter().collect();
    let globals: Vec<Global> = std::mem::take(&mut elaborator.globals).into_iter().map(|global| global.value).collect();
    let tree = match (entry, functions) {
        (Ok(entry), Some(functions)) => {
            let (addressed, approximate, has_numbers) = (elaborator.addressed, elaborator.approximate, elaborator.has_numbers);
            let (assumptions, circles) = (elaborator.assumptions, Circles::default());
            let unit = Unit { functions, addressed, approximate, has_numbers, assumptions, globals, entry, circles };
            Some((unit, elaborator.records))
        }
        _ => None,
    };
    (tree, elaborator.diagnostics)
}

/// How many files the text has been made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Files {
    /// A compiler sees all declarations of a name.
    One,
    /// It sees those of one file at a time: that they agree is nobody's business but ours (C11 6.2.7p2).
    Several,
}

/// What is known while the tree is built.
pub(crate) struct Elaborator<'a> {
    files: Files,
    /// Does a library model stand at an offset?
    is_model: &'a dyn Fn(usize) -> bool,
    undefined: Undefined,
    /// Objects with internal linkage (C11 6.2.2p3).
    internal: BTreeSet<GlobalId>,
    /// Functions that a file declares without a prototype, and where.
    unprototyped: Vec<(String, usize)>,
    diagnostics: Vec<Diagnostic>,
    pub(crate) records: Records,
    pub(crate) scopes: Scopes,
    definitions: BTreeMap<&'a str, &'a Node<ast::FunctionDefinition>>,
    requested: Vec<Request<'a>>,
    functions: Vec<Option<Function>>,
    globals: Vec<PendingGlobal<'a>>,
    /// Structs and unions by where their definitions stand.
    defined_records: BTreeMap<usize, RecordId>,
    /// String literals by element width, contents and where they stand in the text.
    literals: BTreeMap<(u64, Vec<i128>, usize), GlobalId>,
    /// Objects with linkage (C11 6.2.2), by name.
    linked: BTreeMap<String, GlobalId>,
    /// What attributes say of functions, by name.
    promises: BTreeMap<String, Promises>,
    /// Where functions are first declared with a prototype, in the file's scope.
    prototypes: BTreeMap<String, usize>,
    /// Functions whose definition has been read to its declarator.
    definition_is_declared: BTreeSet<String>,
    suspicions: Suspicions,
    /// Where structs in unions are named that have padding which another member has as a value.
    padded: BTreeSet<usize>,
    /// What is assumed of the program.
    assumptions: BTreeSet<Assumption>,
    /// Functions whose addresses are taken.
    addressed: BTreeSet<FunctionId>,
    /// Where any value stands for one that C says more about.
    approximate: BTreeSet<usize>,
    /// Some pointer is made of a number.
    has_numbers: bool,
    context: Context,
    /// What declarators around the one that is read may do with a length that is not constant.
    lengths: Vec<arrays::Lengths>,
    /// How many elements `[static n]` promises for a parameter, by the parameter's place.
    promised: BTreeMap<usize, i128>,
    /// The struct that a `va_list` is, where one is used.
    argument_list: Option<RecordId>,
    /// Has an object been declared with an alignment of its own?
    has_aligned_objects: bool,
    /// Has a type been that of a value (`__typeof__(a + b)`)?
    has_types_of_values: bool,
    /// How many operands around what is read are not evaluated (C11 6.5.3.4p2).
    unevaluated: usize,
    /// The streams that the library has open (C11 7.21.1p3).
    streams: BTreeSet<GlobalId>,
    depth: usize,
    /// Nothing where nobody asks for them.
    beliefs: Option<Believing<'a>>,
}

/// What is believed, while it is found out.
struct Believing<'a> {
    kept: &'a mut Beliefs,
    /// Where structs and unions without a tag are defined.
    untagged: BTreeMap<RecordId, usize>,
}

/// A function whose body is to be read.
#[derive(Clone)]
pub(crate) struct Request<'a> {
    source: Source<'a>,
    /// What `__element` stands for in a model that is read per type of elements.
    element: Option<CType>,
}

/// What a function's body is made from.
#[derive(Clone)]
pub(crate) enum Source<'a> {
    Definition(&'a Node<ast::FunctionDefinition>),
    Input(input::Input),
    Output(output::Output),
    Undefined(undefined::UndefinedFunction),
}

impl Source<'_> {
    fn is(&self, other: &Source<'_>) -> bool {
        match (self, other) {
            (Source::Definition(one), Source::Definition(two)) => std::ptr::eq(*one, *two),
            (Source::Input(one), Source::Input(two)) => one == two,
            (Source::Output(one), Source::Output(two)) => one == two,
            (Source::Undefined(one), Source::Undefined(two)) => one == two,
            _ => false,
        }
    }
}

/// An object of static storage whose initialiser is looked at when it is first used.
struct PendingGlobal<'a> {
    value: Global,
    state: GlobalState<'a>,
    reach: Reach,
}

/// Which names an initialiser sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reach {
    /// Those of the file.
    File,
    /// Those of the block in which it stands.
    Block,
}

enum GlobalState<'a> {
    /// Only declared `extern`.
    Undefined,
    /// Defined; not yet used.
    Waiting(Option<&'a Node<ast::Initializer>>),
    /// Used: its initial value is known.
    Ready,
}

/// What is of no harm alone, and refused together with something else that the program does.
#[derive(Default)]
struct Suspicions {
    /// Conversions of pointers that take `const` away.
    without_const: BTreeSet<usize>,
    /// Objects declared `const` that live in memory that can be written.
    constants: BTreeSet<usize>,
    /// Global objects that are assigned.
    assigned: BTreeSet<GlobalId>,
    /// Objects declared `volatile` that are pointed to.
    volatiles: BTreeSet<usize>,
    /// Some pointer may have been one to another type that no conversion shows, such as one without its qualifiers.
    hidden: bool,
    /// Compound literals that are `const`, so that they may share their place with others, or with string literals (C11 6.5.2.5p7).
    constant_literals: BTreeSet<usize>,
    /// Comparisons of pointers neither of which is the constant NULL.
    comparisons: BTreeSet<usize>,
    /// The same of pointers to structs.
    struct_comparisons: BTreeSet<usize>,
    /// Some pointer to a struct may have been one to something else, or lead into a union.
    views: bool,
    /// Structs are assigned, or copied or moved by the library, from a place that is not known to be another one.
    copies: bool,
}

/// The function whose body is being read.
#[derive(Default)]
struct Context {
    name: String,
    returns: usize,
    result: Option<CType>,
    promises: Promises,
    /// Each `goto`: where it stands, and its label.
    jumps: Vec<(usize, LabelId)>,
    /// The same of each `switch` and its cases.
    cases: Vec<(usize, LabelId)>,
    /// Arrays of variable length.
    arrays: Vec<arrays::Owned>,
    /// The parameter that stands for `...`.
    pack: Option<VariableId>,
    /// The loops around what is read.
    loops: usize,
    /// The conditions and steps of loops around what is read.
    headers: usize,
    /// The objects of compound literals, and whether they are in the header of a loop.
    literals: Vec<(VariableId, bool)>,
    variables: Vec<Variable>,
    blocks: Vec<Vec<VariableId>>,
    open_blocks: Vec<BlockId>,
    labels: Vec<Label>,
    named_labels: BTreeMap<String, NamedLabel>,
    switches: Vec<statements::SwitchContext>,
}

/// A label that a `goto` or a labelled statement has mentioned.
struct NamedLabel {
    id: LabelId,
    defined: bool,
    first_use: usize,
}

impl<'a> Elaborator<'a> {
    fn raise(&mut self, kind: Kind, offset: usize, message: &str, help: Option<&str>) {
        let diagnostic = Diagnostic { kind, message: message.to_owned(), offset, help: help.map(str::to_owned) };
        self.diagnostics.push(diagnostic);
    }

    /// Not C.
    pub(crate) fn error<T>(&mut self, offset: usize, message: &str) -> Outcome<T> {
        self.raise(Kind::Error, offset, message, None);
        Err(Raised)
    }

    /// C, but not of the supported part.
    pub(crate) fn unsupported<T>(&mut self, offset: usize, message: &str) -> Outcome<T> {
        self.raise(Kind::Unsupported, offset, message, None);
        Err(Raised)
    }

    pub(crate) fn unsupported_with_help<T>(&mut self, offset: usize, message: &str, help: &str) -> Outcome<T> {
        self.raise(Kind::Unsupported, offset, message, Some(help));
        Err(Raised)
    }

    /// Goes one level deeper, or refuses to.
    fn nested<T>(&mut self, offset: usize, read: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        if self.depth >= DEPTH_LIMIT {
            return self.unsupported(offset, "an expression or statement nested more than 4096 deep");
        }
        self.depth += 1;
        let outcome = read(self);
        self.depth -= 1;
        outcome
    }

    fn is_outside_functions(&self) -> bool {
        self.context.open_blocks.is_empty()
    }

    /// Refuses what compilers exploit and no instruction fails on.
    fn judge_suspicions(&mut self) {
        if let (Some(at), false) = (self.suspicions.without_const.first().copied(), self.suspicions.constants.is_empty()) {
            // C11 6.7.3p6: the object must not be written through it.
            self.raise(
                Kind::Unsupported,
                at,
                "a conversion that takes const away, in a program with const objects that can be written",
                None,
            );
        }
        let overlap = self.literals_end_alike();
        if !self.suspicions.comparisons.is_empty() && self.addressed.len() > 1 {
            self.assumptions.insert(Assumption::Functions);
        }
        // Models compare where a copy goes with where it comes from. Two literals never are these: the call writes to the one, and fails if that is a literal.
        let own = |comparisons: &BTreeSet<usize>| comparisons.iter().copied().find(|at| !(self.is_model)(*at));
        let structs = own(&self.suspicions.struct_comparisons);
        let others = own(&self.suspicions.comparisons);
        let meets_literals = others.or(structs).is_some() && !self.suspicions.constant_literals.is_empty();
        // No pointer to a struct leads to a string unless it was another one.
        if let (Some(at), true) = (others.or(structs.filter(|_| self.suspicions.views)), overlap) {
            // C11 6.4.5p7: whether they are one array is unspecified.
            self.raise(Kind::Unsupported, at, "a comparison of pointers, in a program with string literals that end alike", None);
        }
        if meets_literals {
            self.assumptions.insert(Assumption::Literals);
        }
        if self.suspicions.views && self.records.share_padding() {
            self.assumptions.insert(Assumption::Padding);
        }
    }

    /// Does a literal end as another one does? Compilers and linkers compare bytes: `L""` and `"\0\0\0"` may be one array.
    fn literals_end_alike(&self) -> bool {
        let backwards = |(width, values, _): &(u64, Vec<i128>, usize)| literals::bytes(*width, values).into_iter().rev().collect();
        let mut reversed: Vec<Vec<u8>> = self.literals.keys().map(backwards).collect();
        reversed.sort_unstable();
        // In this order all that begins as one of them does stands right behind it.
        reversed.windows(2).any(|pair| matches!(pair, [one, next] if next.starts_with(one)))
    }

    fn entry(&mut self, name: &str) -> Outcome<FunctionId> {
        if let Some(definition) = self.definitions.get(name).copied() {
            return Ok(self.request(Request { source: Source::Definition(definition), element: None }));
        }
        if let Some(main) = self.definitions.get("main") {
            return self
                .error(main.span.start, &format!("no definition of the entry function '{name}', but one of 'main': add --entry main"));
        }
        // Not where the text begins, which may be in a header.
        let own = self.definitions.values().map(|definition| definition.span.start).filter(|start| !(self.is_model)(*start));
        self.error(own.min().unwrap_or(0), &format!("no definition of the entry function '{name}': name another one, as in --entry main"))
    }

    /// The function's number; its body is read later.
    fn request(&mut self, request: Request<'a>) -> FunctionId {
        let is_known = |known: &Request<'a>| known.source.is(&request.source) && known.element == request.element;
        let position = self.requested.iter().position(is_known);
        position.unwrap_or_else(|| {
            self.requested.push(request);
            self.requested.len() - 1
        })
    }
}
