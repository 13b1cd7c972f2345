//! The house: in no crate do modules name what is in each other in a circle, and no more public types share a name than do already.
//!
//! A module has an arrow to another one of its crate if it names an item of it, in an import or in a path, wherever the name is exported again on
//! the way. What is exported again is no arrow, nor are names of modules alone, methods, what macros are given, and what is compiled for tests
//! only. So the data that two modules share stands in a third one, below both.

use goatherd_tests::workspace_root;
use petgraph::{algo::tarjan_scc, graph::DiGraph};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};
use syn::{
    Attribute, File, Item, Path as NamePath, UseTree, Visibility,
    visit::{self, Visit},
};

/// The folders of the crates.
const CRATES: [&str; 27] = [
    "certificates",
    "checker",
    "checker/archive",
    "checker/claims",
    "checker/claims/frame",
    "checker/claims/paths",
    "checker/claims/runs",
    "checker/claims/trees",
    "checker/claims/unsatisfiable",
    "checker/command",
    "checker/pages",
    "prover",
    "prover/audit",
    "prover/automata",
    "prover/counterexample",
    "prover/descent",
    "prover/flow",
    "prover/frontend",
    "prover/interpreter",
    "prover/logic",
    "prover/paths",
    "prover/queries",
    "prover/satisfiability",
    "prover/systems",
    "prover/tasks",
    "prover/trees",
    "prover/witnesses",
];

/// Where there are circles still: crates, and the module below which they are. None may be added, and one that is gone is to be taken out.
const CIRCLES: [(&str, &str); 4] = [("checker", ""), ("checker/command", ""), ("prover", "command"), ("prover/frontend", "")];

/// Names that public types of several crates share still. None may be added, and one that is shared no longer is to be taken out.
const SHARED: [&str; 28] = [
    "Abstraction",
    "Answer",
    "Configuration",
    "Effort",
    "Element",
    "Environment",
    "Failure",
    "Fault",
    "Found",
    "Graph",
    "Kind",
    "Options",
    "Outcome",
    "Part",
    "Place",
    "Pointees",
    "Realisation",
    "Reason",
    "Source",
    "State",
    "Steps",
    "Subject",
    "Transducer",
    "Unfolding",
    "Unsupported",
    "Unwritable",
    "Value",
    "Verdict",
];

/// The path of a module in its crate, or of an item.
type Name = Vec<String>;

/// An import or export: as what, and which path, from the module that has it.
struct Import {
    name: String,
    path: Name,
    is_export: bool,
}

/// A module: what stands in one file.
#[derive(Default)]
struct Module {
    items: BTreeSet<String>,
    types: BTreeSet<String>,
    imports: Vec<Import>,
    /// The modules of which it has all that they show.
    wholes: Vec<Name>,
    /// The paths that it names.
    paths: Vec<Name>,
    /// Is it public, as far as its own declaration says?
    is_public: bool,
}

/// The modules of a crate.
type Modules = BTreeMap<Name, Module>;

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg") && attribute.parse_args::<NamePath>().is_ok_and(|condition| condition.is_ident("test"))
    })
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Collects what a file names.
struct Names<'a>(&'a mut Module);

impl<'ast> Visit<'ast> for Names<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if !is_for_tests(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let is_export = !matches!(item.vis, Visibility::Inherited);
        leaves(&item.tree, &mut Vec::new(), &mut |path, name| match name {
            Some(name) => self.0.imports.push(Import { name, path, is_export }),
            None => self.0.wholes.push(path),
        });
    }

    fn visit_path(&mut self, path: &'ast NamePath) {
        if path.leading_colon.is_none() {
            self.0.paths.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }
}

/// The paths that an import is made of, each with its name here; without one where it is all that a module shows.
fn leaves(tree: &UseTree, before: &mut Name, found: &mut impl FnMut(Name, Option<String>)) {
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            leaves(&path.tree, before, found);
            before.pop();
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, before, found)),
        UseTree::Name(name) if name.ident == "self" => found(before.clone(), before.last().cloned()),
        UseTree::Name(name) => found([&before[..], &[name.ident.to_string()]].concat(), Some(name.ident.to_string())),
        UseTree::Rename(rename) if rename.ident == "self" => found(before.clone(), Some(rename.rename.to_string())),
        UseTree::Rename(rename) => found([&before[..], &[rename.ident.to_string()]].concat(), Some(rename.rename.to_string())),
        UseTree::Glob(_) => found(before.clone(), None),
    }
}

/// Reads a module and those that it declares.
fn read(file: &Path, name: Name, is_public: bool, modules: &mut Modules) {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let parsed: File = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let mut module = Module { is_public, ..Module::default() };
    let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let folder = file.parent().unwrap_or(Path::new(""));
    let below = if matches!(stem, "lib" | "main" | "mod") { folder.to_owned() } else { folder.join(stem) };
    for item in &parsed.items {
        if is_for_tests(attributes(item)) {
            continue;
        }
        let public = |vis: &Visibility| matches!(vis, Visibility::Public(_));
        let (ident, type_of) = match item {
            Item::Struct(item) => (&item.ident, public(&item.vis)),
            Item::Enum(item) => (&item.ident, public(&item.vis)),
            Item::Trait(item) => (&item.ident, public(&item.vis)),
            Item::Type(item) => (&item.ident, public(&item.vis)),
            Item::Fn(item) => (&item.sig.ident, false),
            Item::Const(item) => (&item.ident, false),
            Item::Static(item) => (&item.ident, false),
            Item::Mod(item) if item.content.is_none() => {
                let child: Name = [&name[..], &[item.ident.to_string()]].concat();
                let flat = below.join(format!("{}.rs", item.ident));
                let file = if flat.is_file() { flat } else { below.join(item.ident.to_string()).join("mod.rs") };
                read(&file, child, public(&item.vis), modules);
                continue;
            }
            _ => continue,
        };
        module.items.insert(ident.to_string());
        if type_of {
            module.types.insert(ident.to_string());
        }
    }
    Names(&mut module).visit_file(&parsed);
    modules.insert(name, module);
}

fn modules(folder: &str) -> Modules {
    let sources: PathBuf = workspace_root().join(folder).join("src");
    let file = ["lib.rs", "main.rs"].into_iter().map(|name| sources.join(name)).find(|file| file.is_file()).expect("a crate");
    let mut modules = Modules::new();
    read(&file, Vec::new(), true, &mut modules);
    modules
}

/// How often names are looked up in names: exports of exports.
const DEPTH: usize = 8;

/// The module in which that stands that a module means by a path, and its name there if it is not the module itself; none where it is of another
/// crate or of no module.
fn meaning(modules: &Modules, from: &Name, path: &[String], depth: usize) -> Option<(Name, Option<String>)> {
    let (first, mut rest) = path.split_first()?;
    let mut at = match first.as_str() {
        "crate" => Vec::new(),
        "self" => from.clone(),
        "super" => from[..from.len().checked_sub(1)?].to_vec(),
        _ => {
            let child = [&from[..], std::slice::from_ref(first)].concat();
            if modules.contains_key(&child) {
                child
            } else if depth < DEPTH
                && let Some(import) = modules[from].imports.iter().find(|import| import.name == *first && import.path != *path)
            {
                match meaning(modules, from, &import.path, depth + 1)? {
                    (module, None) => module,
                    found => return Some(found),
                }
            } else {
                return None;
            }
        }
    };
    while let Some((next, others)) = rest.split_first() {
        let child = [&at[..], std::slice::from_ref(next)].concat();
        if next == "super" {
            at.pop()?;
        } else if modules.contains_key(&child) {
            at = child;
        } else {
            break;
        }
        rest = others;
    }
    let Some(item) = rest.first() else { return Some((at, None)) };
    if !modules[&at].items.contains(item)
        && depth < DEPTH
        && let Some(import) = modules[&at].imports.iter().find(|import| import.name == *item)
    {
        return match meaning(modules, &at, &import.path, depth + 1)? {
            (module, None) => Some((module, rest.get(1).cloned())),
            found => Some(found),
        };
    }
    Some((at, Some(item.clone())))
}

/// What a path of a module may mean: itself, if it is more than a name, and that name as one of what the module has all of.
fn spelt<'a>(modules: &'a Modules, module: &'a Module, path: &'a Name) -> impl Iterator<Item = Name> + 'a {
    let is_own = |name: &String| module.items.contains(name) || module.imports.iter().any(|import| import.name == *name);
    let wholes = if path.first().is_none_or(is_own) { &[] } else { &module.wholes[..] };
    let shows = |whole: &Module, name: &String| {
        whole.items.contains(name) || whole.imports.iter().any(|import| import.is_export && import.name == *name)
    };
    let shown = wholes.iter().filter(move |whole| {
        let at = whole.iter().filter(|name| *name != "crate").cloned().collect::<Name>();
        let child = [&at[..], &path[..1]].concat();
        modules.contains_key(&child) || modules.get(&at).is_some_and(|whole| shows(whole, &path[0]))
    });
    let own = (path.len() > 1).then(|| path.clone());
    own.into_iter().chain(shown.map(move |whole| [&whole[..], &path[..]].concat()))
}

/// The circles among the modules, each as the names of its modules.
fn circles(modules: &Modules) -> Vec<Vec<String>> {
    let mut graph = DiGraph::new();
    let nodes: BTreeMap<&Name, _> = modules.keys().map(|name| (name, graph.add_node(name))).collect();
    for (name, module) in modules {
        let imported = module.imports.iter().filter(|import| !import.is_export).map(|import| &import.path);
        for path in imported.chain(&module.paths).flat_map(|path| spelt(modules, module, path)) {
            if let Some((other, Some(_))) = meaning(modules, name, &path, 0)
                && other != *name
            {
                graph.update_edge(nodes[name], nodes[&other], ());
            }
        }
    }
    let circles = tarjan_scc(&graph).into_iter().filter(|circle| circle.len() > 1);
    circles.map(|circle| circle.into_iter().map(|node| graph[node].join("::")).collect()).collect()
}

#[test]
fn modules_name_each_other_in_no_circle() {
    let mut still = BTreeSet::new();
    for folder in CRATES {
        for circle in circles(&modules(folder)) {
            let known = CIRCLES.into_iter().find(|(of, below)| *of == folder && circle.iter().all(|name| name.starts_with(below)));
            still.insert(known.unwrap_or_else(|| panic!("{folder}: these modules name each other in a circle: {}", circle.join(", "))));
        }
    }
    assert_eq!(still, BTreeSet::from(CIRCLES), "a circle that is gone is no longer to be listed");
}

#[test]
fn arrows_are_seen_through_exports_and_not_in_tests() {
    let source = |imports: &[(&str, &[&str], bool)], items: &[&str]| Module {
        items: items.iter().map(ToString::to_string).collect(),
        imports: imports
            .iter()
            .map(|(name, path, is_export)| Import {
                name: (*name).to_owned(),
                path: path.iter().map(ToString::to_string).collect(),
                is_export: *is_export,
            })
            .collect(),
        ..Module::default()
    };
    let named = |name: &str| vec![name.to_owned()];
    // The parent exports what `below` has; `above` has it from there.
    let mut crate_of_three = Modules::from([
        (Vec::new(), source(&[("Data", &["below", "Data"], true)], &[])),
        (named("above"), source(&[("Data", &["crate", "Data"], false)], &["act"])),
        (named("below"), source(&[], &["Data"])),
    ]);
    assert_eq!(circles(&crate_of_three), [] as [Vec<String>; 0]);
    crate_of_three.get_mut(&named("below")).unwrap().paths.push(["super", "above", "act"].map(str::to_owned).to_vec());
    assert_eq!(circles(&crate_of_three).len(), 1);
    // The same of one who has all that the parent shows.
    let above = crate_of_three.get_mut(&named("above")).unwrap();
    above.imports.clear();
    assert_eq!(circles(&crate_of_three), [] as [Vec<String>; 0]);
    let above = crate_of_three.get_mut(&named("above")).unwrap();
    above.wholes.push(named("crate"));
    above.paths.push(named("Data"));
    assert_eq!(circles(&crate_of_three).len(), 1);
    let text = "use crate::a::A; #[cfg(test)] mod tests { use crate::b::B; fn c() { crate::d::e(); } } fn f() { super::g::h(); }";
    let mut module = Module::default();
    Names(&mut module).visit_file(&syn::parse_file(text).unwrap());
    assert_eq!(module.imports.len(), 1);
    assert_eq!(module.paths, [["super", "g", "h"].map(str::to_owned).to_vec()]);
}

/// The public types of a crate, by where its users find them.
fn public_types(modules: &Modules) -> BTreeSet<String> {
    let is_reached = |name: &Name| (0..=name.len()).all(|length| modules[&name[..length]].is_public);
    let mut types = BTreeSet::new();
    for (name, module) in modules.iter().filter(|(name, _)| is_reached(name)) {
        types.extend(module.types.iter().cloned());
        for import in module.imports.iter().filter(|import| import.is_export) {
            if let Some((of, Some(item))) = meaning(modules, name, &import.path, 0)
                && modules[&of].types.contains(&item)
            {
                types.insert(import.name.clone());
            }
        }
    }
    types
}

#[test]
fn a_public_type_has_its_name_to_itself() {
    let mut crates: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for folder in CRATES {
        for name in public_types(&modules(folder)) {
            crates.entry(name).or_default().push(folder);
        }
    }
    crates.retain(|_, crates| crates.len() > 1);
    let new: Vec<_> = crates.iter().filter(|(name, _)| !SHARED.contains(&name.as_str())).collect();
    assert!(new.is_empty(), "types of several crates have one name: {new:?}");
    let gone: Vec<_> = SHARED.into_iter().filter(|name| !crates.contains_key(*name)).collect();
    assert!(gone.is_empty(), "these names are no longer shared, and no longer to be listed: {gone:?}");
}

/// What has to be trusted is read function by function: none of the kernel, or of the claims on top of it, is longer than a page.
#[test]
fn functions_of_the_kernel_fit_on_a_page() {
    const PAGE: usize = 60;
    let mut long = Vec::new();
    for folder in [
        "checker/src",
        "certificates/src",
        "checker/claims/src",
        "checker/claims/frame/src",
        "checker/claims/paths/src",
        "checker/claims/runs/src",
        "checker/claims/trees/src",
    ] {
        for entry in fs::read_dir(workspace_root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let text = fs::read_to_string(&path).unwrap();
            let lines: Vec<&str> = text.lines().collect();
            for (first, line) in lines.iter().enumerate() {
                let head = line.trim_start();
                let is_function = head.split('(').next().is_some_and(|words| words.split(' ').any(|word| word == "fn"));
                if !is_function || head.starts_with("//") {
                    continue;
                }
                // In the default layout a function ends at the first bracket that stands where it began.
                let end = format!("{}}}", &line[..line.len() - head.len()]);
                let length = lines[first..].iter().position(|line| *line == end).map_or(1, |last| last + 1);
                if length > PAGE && !head.ends_with('}') {
                    long.push(format!("{}:{}: {length} lines", path.display(), first + 1));
                }
            }
        }
    }
    assert_eq!(long, [""; 0]);
}
