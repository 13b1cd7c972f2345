//! The kernel with one condition switched off, or one thing done wrong: the test vectors must notice each (`spec/calculus.md#attacks`).
//!
//! The kernel itself has no switches: its source is copied, changed in one place and built by itself.

use crate::workspace_root;
use std::{
    fs, io,
    path::{Path, PathBuf},
    process::Command,
};

/// One change of the kernel's source.
pub struct Mutant {
    /// What is wrong with it, in words.
    pub about: &'static str,
    /// The file in `checker/src`.
    pub file: &'static str,
    /// What stands there, in one place.
    pub old: &'static str,
    /// What stands there instead.
    pub new: &'static str,
    /// Forged proofs that it accepts, by the names of their vectors: those that only the condition at hand stops.
    pub accepted: &'static [&'static str],
}

const fn mutant(file: &'static str, about: &'static str, [old, new]: [&'static str; 2], accepted: &'static [&'static str]) -> Mutant {
    Mutant { about, file, old, new, accepted }
}

/// Of terms, linked heaps, shares, Steps and cells.
pub const ALL: &[Mutant] = &[
    mutant(
        "../../certificates/src/decode.rs",
        "terms are not looked up",
        ["(number < count).then_some(TableTerm(number))", "{ let _ = count; Some(TableTerm(number)) }"],
        &[],
    ),
    mutant("replay.rs", "templates mention any variables", [".and_then(|made| made.check_scope(arena).map(|()| made))", ""], &[]),
    mutant(
        "fold.rs",
        "nodes are read more than once",
        [
            "self.objects.get_mut(object.index()).and_then(Option::take)",
            "self.objects.get_mut(object.index()).and_then(|state| state.clone())",
        ],
        &["heap-shared", "heap-matched-and-folded", "heap-two-names"],
    ),
    mutant(
        "fold.rs",
        "folded parts are read more than once",
        ["self.folded.get_mut(id.index()).and_then(Option::take)", "self.folded.get_mut(id.index()).and_then(|folded| *folded)"],
        &["heap-copied"],
    ),
    mutant(
        "fold.rs",
        "`Up` fields of nodes are not read",
        ["(Link::Up, [up]) if is_above(*up) => {}", "(Link::Up, [_]) => {}"],
        &["heap-up"],
    ),
    mutant(
        "fold.rs",
        "`Up` fields of folded parts are not read",
        ["ensure(is_above(folded.above) || !shapes.iter().any(|links| links.contains(&Link::Up)), Rejection::NotRead)?;", ""],
        &["heap-up-of-part"],
    ),
    mutant(
        "fold.rs",
        "`Same` fields of nodes are not read",
        ["(Link::Same, [same]) if is_same(*same) => {}", "(Link::Same, [_]) => {}"],
        &["heap-same", "heap-same-below", "heap-same-behind"],
    ),
    mutant(
        "fold.rs",
        "`Same` fields of folded parts are not read",
        ["ensure(is_same(folded.same), Rejection::NotRead)?;", ""],
        &["heap-same-of-part"],
    ),
    mutant(
        "fold.rs",
        "what is around a part may be anything",
        ["if image.is_some() { Ok(Some(image)) } else { Err(Rejection::NotRead) }", "Ok(image.map(Some))"],
        &["heap-same-folded"],
    ),
    mutant(
        "fold.rs",
        "`Same` fields behind a segment may be anything",
        ["above: Some(last), same, sort", "above: Some(last), same: None, sort"],
        &["heap-same-behind"],
    ),
    mutant(
        "fold.rs",
        "`Same` fields of children may be anything",
        ["same: field.copied().map(Some)", "same: field.copied().map(Some).and(None)"],
        &["heap-same-below"],
    ),
    mutant("wellformed.rs", "any fields are `Same`", ["ensure(shapes.iter().all(is_one), Fault::Same)?;", "drop(is_one);"], &[]),
    mutant(
        "replay.rs",
        "the last derivation is none",
        [
            "ok_or(missing)?;\n        let root =",
            "ok_or(missing)?;\n        if position > 128 {\n            return Ok(0);\n        }\n        let root =",
        ],
        &["shares-open"],
    ),
    mutant(
        "replay.rs",
        "no class is replayed",
        [
            "let root = |arena: &mut Arena, class| rules::root(arena, setting, lengths, class);",
            "let root = |_: &mut Arena, _: u64| { let _ = lengths; Ok(None) };",
        ],
        &[],
    ),
    mutant(
        "replay.rs",
        "a derivation that fails is no matter",
        ["= (*outcome)?;", "= (*outcome).unwrap_or(Closed { rules: 0, work: 0, peak: 0 });"],
        &["shares-open", "shares-root-open"],
    ),
    mutant(
        "rules.rs",
        "Steps takes the first of several outcomes",
        ["let [outcome] = all.as_slice()", "let [outcome, ..] = all.as_slice()"],
        &["steps-two-ways"],
    ),
    mutant(
        "replay.rs",
        "Steps takes any number of instructions",
        ["count <= setting.program.instructions.len()", "count <= setting.program.instructions.len().max(count)"],
        &[],
    ),
    mutant(
        "outcome.rs",
        "steps of scapegoats are progress",
        ["progress |= self.member == MemberId(0)", "progress = true"],
        &["steps-progress"],
    ),
    mutant(
        "subsume.rs",
        "a template has fewer cells than an object without a rest",
        ["field.cells.len() <= target.cells.len() && ", ""],
        &["cells-fewer"],
    ),
    mutant(
        "subsume.rs",
        "elements that are not there point to nodes",
        ["beyond.all(|slot| matches!(slot, Slot::Integer(_)))", "beyond.all(|_| true)"],
        &["cells-leak"],
    ),
    mutant(
        "memory.rs",
        "however many elements there may be, cells are all of them",
        [".is_some_and(is_above)", ".is_none_or(is_above)"],
        &["cells-rest", "cells-unknown"],
    ),
    mutant("wellformed.rs", "inputs have `Same` fields", ["Link::Same | Link::Range { .. }", "Link::Range { .. }"], &[]),
    mutant(
        "unfold.rs",
        "what a part's nodes point to is not moved",
        ["[&mut folded.above, &mut folded.same, &mut folded.below]", "[&mut folded.above, &mut folded.below]"],
        &[],
    ),
    mutant("unfold.rs", "`Same` fields point up", ["Content::Same => same", "Content::Same => up"], &[]),
    mutant(
        "unfold.rs",
        "the children of a node point where the node does",
        ["field.and_then(|field| contents.get(field)).map_or(Slot::Forgotten, value)", "field.map_or(Slot::Forgotten, |_| same)"],
        &[],
    ),
    mutant(
        "unfold.rs",
        "what is left of a segment points to its first node",
        ["above: node, same, below }", "above: node, same: node, below }"],
        &[],
    ),
    mutant(
        "unfold.rs",
        "what is left of a segment points to its last node",
        ["above, same, below: node }", "above, same: node, below: node }"],
        &[],
    ),
    mutant(
        "fold.rs",
        "trees of any sort are read",
        ["ensure(self.setting.is_within(found, sort), Rejection::NotRead)?;", ""],
        &["heap-sort", "sort-not-within", "sort-within-reverse", "sort-within-hole"],
    ),
    mutant(
        "fold.rs",
        "trees are read as those of a sort within theirs",
        ["self.setting.is_within(found, sort)", "self.setting.is_within(sort, found)"],
        &["sort-within-reverse"],
    ),
    mutant(
        "configuration.rs",
        "any range is within another",
        ["least <= low && high <= greatest", "least.max(low).max(high).max(greatest) > i128::MIN"],
        &["sort-within-range", "sort-within-range-below"],
    ),
    mutant(
        "configuration.rs",
        "any link is within another",
        ["(outer, link) => outer == link,", "_ => true,"],
        &["sort-within-data", "sort-within-link"],
    ),
    mutant(
        "configuration.rs",
        "any children are within others",
        ["outer == self.own(child).and_then(|sort| sort.within).unwrap_or(child)", "outer.0.max(child.0) < u32::MAX"],
        &["sort-within-child"],
    ),
    mutant(
        "configuration.rs",
        "nodes of any declaration are within others",
        ["let is_within = object == sort.object && ", "let is_within = object.0 < u32::MAX && "],
        &["sort-within-object"],
    ),
    mutant(
        "configuration.rs",
        "NULL is within nodes",
        ["(root == Root::Any || root == sort.root) && ", "(root == Root::Any || root == Root::Node) && "],
        &["sort-within-null"],
    ),
    mutant(
        "configuration.rs",
        "one shape of a sort is enough",
        ["sort.shapes.iter().all(is_shape)", "sort.shapes.iter().any(is_shape)"],
        &["sort-within-shape", "sort-within-circle"],
    ),
    mutant(
        "fold.rs",
        "dead nodes are read",
        ["state.life == Life::Live && index == state.lower", "index == state.lower"],
        &["heap-freed-folded"],
    ),
    mutant(
        "fold.rs",
        "a segment may be below anything",
        ["is_above(folded.above).then_some(Slot::Last(id))", "Some(Slot::Last(id))"],
        &["heap-last-above"],
    ),
    mutant(
        "subsume.rs",
        "trees have last cells",
        ["end.is_some() && is_tree(part)", "end.is_some() && is_tree(part) && false"],
        &["heap-last-of-tree"],
    ),
    mutant("fold.rs", "nodes of any declaration are read", ["state.declaration == declaration && ", ""], &["heap-other-type"]),
    mutant(
        "fold.rs",
        "pointers past a node are read",
        ["state.life == Life::Live && index == state.lower", "state.life == Life::Live"],
        &["heap-past"],
    ),
    mutant("fold.rs", "`Null` fields are not read", ["(Link::Null, [Slot::Null])", "(Link::Null, [_])"], &["heap-link"]),
    mutant(
        "fold.rs",
        "no value is read as NULL",
        ["Slot::Null if root == Root::Any =>", "Slot::Null | Slot::Uninitialised if root == Root::Any =>"],
        &["heap-uninitialised-folded"],
    ),
    mutant("fold.rs", "data are not in their range", ["reading.obligations.range(*term, (least, greatest))?;", ""], &[]),
    mutant("fold.rs", "NULL is read as a node", ["Slot::Null if root == Root::Any =>", "Slot::Null =>"], &["sort-null"]),
    mutant(
        "subsume.rs",
        "symbols without occurrences are of any sort",
        ["symbol.is_some() || !is_node(shape)", "symbol.is_some() || !is_node(shape) || true"],
        &["sort-without-trees"],
    ),
    mutant(
        "fold.rs",
        "data are not read",
        ["(Link::Data, [Slot::Integer(term)]) => reading.pieces.push(Piece::Data(*term))", "(Link::Data, [_]) => {}"],
        &["heap-other-data"],
    ),
    mutant(
        "subsume.rs",
        "pointers to one root may differ",
        ["ensure(*pointer.get_or_insert(found) == found, Rejection::Slot)", "pointer.get_or_insert(found);\n    Ok(())"],
        &["heap-two-roots", "heap-last"],
    ),
    mutant(
        "subsume.rs",
        "data of one symbol may differ",
        ["(Piece::Data(term), Piece::Data(other)) => self.equal_images(term, other)?,", "(Piece::Data(_), Piece::Data(_)) => {}"],
        &["heap-other-data"],
    ),
    mutant(
        "subsume.rs",
        "what one symbol stands for may differ",
        ["(piece, other) => ensure(piece == other, Rejection::NotRead)?,", "_ => {}"],
        &["heap-two-trees"],
    ),
    mutant("subsume.rs", "dead nodes are matched with live ones", [" && state.life == target.life", ""], &["heap-revived"]),
    mutant(
        "subsume.rs",
        "a value is lost",
        ["(_, Slot::Forgotten) | (Slot::Uninitialised, Slot::Uninitialised)", "(_, Slot::Forgotten | Slot::Uninitialised)"],
        &["heap-value-lost"],
    ),
    mutant("subsume.rs", "what is in a hole is not looked at", ["self.slot(heap, position.value, target.below)?;", ""], &["heap-hole"]),
    mutant(
        "subsume.rs",
        "the last cell is not looked at",
        ["position.above.map_or(Ok(()), |last| agree(&mut heap.ends, id, last))?;", ""],
        &["heap-last"],
    ),
    mutant("subsume.rs", "a template covers itself", ["ensure(configuration.progress, Rejection::Progress)?;", ""], &["heap-circle"]),
    mutant("subsume.rs", "a template's root is progress", ["progress: false", "progress: true"], &["heap-circle"]),
    mutant(
        "unfold.rs",
        "the entry is not unfolded",
        ["self.members.iter_mut().chain(self.entry.as_mut().map(Arc::make_mut))", "&mut self.members"],
        &[],
    ),
    mutant(
        "unfold.rs",
        "scapegoats are not unfolded",
        ["self.members.iter_mut().chain(self.entry", "self.members.iter_mut().take(1).chain(self.entry"],
        &[],
    ),
    mutant("unfold.rs", "nothing is empty", ["{ vec![configuration.clone()] } else", "{ Vec::<Configuration>::new() } else"], &[]),
    mutant("unfold.rs", "the last cell stays behind", ["self.replace(id, root, last)?;", "self.replace(id, root, node)?;"], &[]),
    mutant(
        "unfold.rs",
        "the last node points back past the rest",
        ["(root, up) = (Slot::Folded(rest), Slot::Last(rest));", "root = Slot::Folded(rest);"],
        &[],
    ),
    mutant("unfold.rs", "an empty part is what is above it", ["self.replace(id, below, above)", "self.replace(id, above, below)"], &[]),
    mutant(
        "unfold.rs",
        "pointers in holes are not moved",
        ["self.registers.iter_mut().chain(folded)", "drop(folded);\n        self.registers.iter_mut()"],
        &[],
    ),
    mutant(
        "unfold.rs",
        "the child of a node left out points to it",
        ["(Slot::Pointer { object, .. }, Some(up)) => {", "(Slot::Pointer { object, .. }, Some(up)) if object.0 == u32::MAX => {"],
        &[],
    ),
    mutant("unfold.rs", "the tree below a node left out points to it", ["folded.above = above;", "let _ = (folded, above);"], &[]),
    mutant(
        "unfold.rs",
        "anything takes the place of a node",
        ["ensure(links.get(child) == Some(&Link::Child(sort)), Rejection::Drop)?;", ""],
        &["heap-no-child"],
    ),
    mutant(
        "rules.rs",
        "a scapegoat on the same input",
        ["if scapegoat.size == InputSize::Smaller {", "if scapegoat.size <= InputSize::NotLarger {"],
        &["heap-same-input", "tape-same-values", "tape-primary-forgotten", "tape-scapegoat-forgotten"],
    ),
    mutant("subsume.rs", "an input that is no larger taken for a smaller one", ["&& member.size <= target.size", ""], &["tape-smaller"]),
    mutant(
        "subsume.rs",
        "values consumed are not compared",
        ["self.slot(&mut heap, member.consumed, target.consumed)?;", "drop(self.slot(&mut heap, member.consumed, target.consumed));"],
        &["tape-not-fewer"],
    ),
    mutant(
        "subsume.rs",
        "what is left over is lost",
        ["ensure(heap.is_whole(), Rejection::Leak)", "Ok(())"],
        &["leak-lost-node", "leak-lost-part"],
    ),
    mutant(
        "rules.rs",
        "what hung from a node left out is there",
        ["ensure(!setting.checks_leaks() || !member.leaks(setting, roots)?, Rejection::Leak)?;", "drop(roots);"],
        &["leak-phantom"],
    ),
    mutant(
        "unfold.rs",
        "nodes are left out twice",
        [".filter(|node| node.life == Life::Live).ok_or(Rejection::Drop)?;", ".ok_or(Rejection::Drop)?;"],
        &["heap-left-out-twice"],
    ),
    mutant("unfold.rs", "a node left out lives on", ["self.object_mut(object)?.life = Life::Dead;", ""], &[]),
    mutant("leaks.rs", "dead objects lead on", [".filter(|state| state.life == Life::Live)", ""], &["leak-dead"]),
    mutant(
        "leaks.rs",
        "what nothing leads to is empty",
        ["parts.iter().all(Option::is_none)", "true"],
        &["leak-part", "leak-dead", "leak-last"],
    ),
    mutant(
        "leaks.rs",
        "what is forgotten leads nowhere",
        [
            "Slot::Pointer { .. } | Slot::Last(_) | Slot::Forgotten => is_whole = false,",
            "Slot::Pointer { .. } | Slot::Last(_) | Slot::Forgotten => {}",
        ],
        &["leak-forgotten"],
    ),
    mutant("leaks.rs", "the last cell leads to all", ["Slot::Folded(id) => {", "Slot::Folded(id) | Slot::Last(id) => {"], &["leak-last"]),
    mutant("leaks.rs", "nodes need not be freed", ["Ok(Origin::Heap | Origin::Node { .. })", "Ok(Origin::Heap)"], &["leak-node"]),
    mutant("leaks.rs", "static objects lead nowhere", ["matches!(object.origin, Origin::Static { .. })", "object.name.is_empty()"], &[]),
    mutant(
        "rules.rs",
        "where lengths are open, arrays are longer than their cells",
        [
            "let bounds = (i128::from(size), setting",
            "let bounds = (i128::from(if count == 1 { setting.k.saturating_add(1) } else { 0 }).max(i128::from(size)), setting",
        ],
        &["open-empty", "open-short"],
    ),
    mutant(
        "rules.rs",
        "any element may be left out",
        [
            "configuration.obligations(arena, oracle).entail(is_inside)?;",
            "let _ = configuration.obligations(arena, oracle).entail(is_inside);",
        ],
        &["open-not-shorter"],
    ),
    mutant(
        "twin.rs",
        "registers that differ are no matter",
        ["if target != Ok(None) && ahead", "if target != Ok(None) && target.is_ok() && ahead"],
        &["twin-register", "twin-one-way", "twin-written-on-one-way", "twin-read-and-written", "twin-loop"],
    ),
    mutant(
        "twin.rs",
        "objects are not compared",
        ["ensure(state == other, Rejection::NotTwin)?;", ""],
        &["twin-cell", "twin-behind", "twin-name", "twin-local", "twin-freed"],
    ),
    mutant(
        "twin.rs",
        "pointers in memory lead nowhere",
        ["reached.extend(same(*cell, *cell)?);", "same(*cell, *cell)?;"],
        &["twin-behind"],
    ),
    mutant("twin.rs", "nothing is addressed by name", ["reached.push(live);", ""], &["twin-name", "twin-local"]),
    mutant(
        "twin.rs",
        "what no member knows is not addressed",
        ["let live = name(primary).ok_or(Rejection::NotTwin)?;", "let Some(live) = name(primary) else { continue };"],
        &["twin-name-forgotten"],
    ),
    mutant(
        "twin.rs",
        "what is forgotten is the same",
        [
            "Slot::Uninitialised | Slot::Null | Slot::Integer(_) if",
            "Slot::Forgotten | Slot::Uninitialised | Slot::Null | Slot::Integer(_) if",
        ],
        &["twin-register-forgotten", "twin-cell-forgotten"],
    ),
    mutant(
        "twin.rs",
        "folded parts of one name are the same",
        [
            "Slot::Uninitialised | Slot::Null | Slot::Integer(_) if",
            "Slot::Folded(_) | Slot::Uninitialised | Slot::Null | Slot::Integer(_) if",
        ],
        &["twin-folded"],
    ),
    mutant(
        "twin.rs",
        "a twin may be elsewhere",
        ["ensure(scapegoat.place == primary.place, Rejection::NotTwin)?;", ""],
        &["twin-elsewhere"],
    ),
    mutant("twin.rs", "what is lost is no matter", ["ensure(!setting.checks_leaks(), Rejection::Leak)?;", ""], &["twin-leak"]),
    mutant(
        "twin.rs",
        "a twin on the same input",
        ["ensure(scapegoat.size == InputSize::Smaller, Rejection::NotSmaller)?;", ""],
        &["twin-same-input"],
    ),
    mutant(
        "twin.rs",
        "what is renewed on one way is on all",
        ["Use::Renewed => {}", "Use::Renewed => break,"],
        &["twin-written-on-one-way"],
    ),
    mutant(
        "twin.rs",
        "what an instruction writes it does not read",
        [
            "if flow::read(instruction).any(|read| read == register) {",
            "if flow::written(instruction) != Some(register) && flow::read(instruction).any(|read| read == register) {",
        ],
        &["twin-read-and-written"],
    ),
    mutant(
        "twin.rs",
        "any object that is entered is the one",
        ["Instruction::Enter { object } if *object == declaration => Use::Renewed", "Instruction::Enter { .. } => Use::Renewed"],
        &["twin-local"],
    ),
    mutant(
        "flow.rs",
        "of two ways the first is taken",
        [
            "Instruction::Choose { then, otherwise } => [Some(then), Some(otherwise)]",
            "Instruction::Choose { then, otherwise } => [Some(then), Some(otherwise).filter(|_| false)]",
        ],
        &["twin-one-way"],
    ),
    mutant(
        "flow.rs",
        "no jump leads back",
        [
            "Instruction::Jump { target } => [Some(target), None]",
            "Instruction::Jump { target } => [Some(target).filter(|target| *target > location), None]",
        ],
        &["twin-loop"],
    ),
];

/// The file with the change; says what is wrong where the place is not found once.
pub fn changed(mutant: &Mutant) -> Result<String, String> {
    let path = workspace_root().join("checker/src").join(mutant.file);
    let source = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    match source.matches(mutant.old).count() {
        1 => Ok(source.replace(mutant.old, mutant.new)),
        count => Err(format!("{}: `{}` stands there {count} times", mutant.file, mutant.old)),
    }
}

/// What answers for each file of a folder: its name, a tab, and whether it is accepted or why not.
const RUNNER: &str = r#"use sha2::Digest;

fn main() {
    let folder = std::env::args().nth(1).expect("a folder");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "goatherd")) {
        let limits = goatherd_checker::Limits { memory: 1 << 26, work: 1 << 28 };
        let answer = match goatherd_checker::check(&std::fs::read(file).unwrap(), limits, |bytes| sha2::Sha256::digest(bytes).into()) {
            Ok(_) => String::from("accepted"),
            Err(failure) => format!("{failure:?}"),
        };
        println!("{}\t{answer}", file.file_stem().unwrap().display());
    }
}
"#;

/// A copy of the kernel and of its data types, in a workspace of its own.
pub struct Laboratory {
    folder: PathBuf,
}

fn manifest(name: &str, dependencies: &[&str]) -> String {
    let lines = dependencies.iter().map(|other| format!("goatherd-{other} = {{ path = \"../{other}\" }}\n"));
    let package = format!("[package]\nname = \"goatherd-{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[features]\nserde = []\n\n");
    std::iter::once(package + "[dependencies]\n").chain(lines).collect()
}

impl Laboratory {
    /// Copies the sources as they are to the folder.
    pub fn new(folder: &Path) -> io::Result<Self> {
        let write = |path: &str, text: &str| {
            let path = folder.join(path);
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(path, text)
        };
        write("Cargo.toml", "[workspace]\nresolver = \"3\"\nmembers = [\"certificates\", \"checker\", \"runner\"]\n")?;
        write("certificates/Cargo.toml", &manifest("certificates", &[]))?;
        write("checker/Cargo.toml", &manifest("checker", &["certificates"]))?;
        // The release that the workspace has.
        write("Cargo.lock", &fs::read_to_string(workspace_root().join("Cargo.lock"))?)?;
        write("runner/Cargo.toml", &(manifest("runner", &["checker"]) + "sha2 = { version = \"0.11\", default-features = false }\n"))?;
        write("runner/src/main.rs", RUNNER)?;
        for part in ["certificates", "checker"] {
            for entry in fs::read_dir(workspace_root().join(part).join("src"))? {
                let path = entry?.path();
                let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                write(&format!("{part}/src/{name}"), &fs::read_to_string(&path)?)?;
            }
        }
        Ok(Self { folder: folder.to_path_buf() })
    }

    /// Builds the kernel as it stands there; what it says of the vectors, line by line.
    pub fn answers(&self) -> Result<Vec<String>, String> {
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| String::from("cargo"));
        let output = Command::new(cargo)
            .args(["run", "--quiet", "--offline", "-p", "goatherd-runner", "--"])
            .arg(crate::vectors::folder())
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", self.folder.join("target"))
            .env("RUSTFLAGS", "-Awarnings")
            .output()
            .map_err(|error| error.to_string())?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
    }

    /// The same with one change, which is taken back.
    pub fn answers_of(&self, mutant: &Mutant) -> Result<Vec<String>, String> {
        let path = self.folder.join("checker/src").join(mutant.file);
        let original = fs::read_to_string(&path).map_err(|error| error.to_string())?;
        fs::write(&path, changed(mutant)?).map_err(|error| error.to_string())?;
        let answers = self.answers();
        fs::write(&path, original).map_err(|error| error.to_string())?;
        answers
    }
}

/// What became of a mutant: the vectors of which it says something else. An error where there are none, or where it rejects what only the
/// condition that it lacks stops.
pub fn noticed(mutant: &Mutant, expected: &[String], found: &[String]) -> Result<Vec<String>, String> {
    let name = |line: &str| line.split('\t').next().unwrap_or_default().to_owned();
    let other: Vec<String> = expected.iter().zip(found).filter(|(expected, found)| expected != found).map(|(line, _)| name(line)).collect();
    if other.is_empty() || expected.len() != found.len() {
        return Err(String::from("not noticed"));
    }
    let is_accepted = |wanted: &&str| found.iter().any(|line| line == &format!("{wanted}\taccepted"));
    match mutant.accepted.iter().find(|wanted| !is_accepted(wanted)) {
        Some(wanted) => Err(format!("{wanted} is still stopped: {:?}", found.iter().find(|line| name(line) == **wanted))),
        None => Ok(other),
    }
}
