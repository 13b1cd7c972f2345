//! Shapes made alike: as few templates as can be where every node has several children (`spec/search.md#folding`).

use super::{
    contents::{Classes, Contents, Identities, Identity},
    graph::{Holder, Root, root},
    view::View,
};
use goatherd_certificates::{
    configuration::{Address, Slot},
    program::{Link, ObjectId, RegisterId, SortId},
};
use goatherd_checker::rejection::Rejection;
use std::collections::{BTreeMap, BTreeSet};

/// Where a pointer is held.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cell {
    /// In a register.
    Register(RegisterId),
    /// In this cell of a field of an object.
    Field(ObjectId, usize, usize),
}

/// A segment that is empty so far: later there may be nodes.
#[derive(Clone, Debug)]
pub struct Gap {
    /// The gap of this number in other members is the same segment.
    pub number: usize,
    /// What its nodes would be.
    pub sort: SortId,
    /// What holds the pointers to its root.
    pub cells: Vec<Cell>,
    /// What stands above it.
    pub above: Slot,
    /// What stands in its hole.
    pub below: Slot,
}

/// What makes the shapes of members alike.
#[derive(Default)]
pub struct Evened {
    /// By member.
    gaps: Vec<Vec<Gap>>,
    /// By member, nodes and those of their fields in which NULL is an empty tree.
    beside: Vec<BTreeSet<(ObjectId, usize)>>,
}

impl Evened {
    /// Those of the members, once it is known what is kept.
    pub fn new(views: &[View<'_>], classes: &Classes, known_before: &BTreeSet<ObjectId>) -> Result<Self, Rejection> {
        let identities: Vec<Identities> = views.iter().map(|view| classes.identities(view.graph)).collect::<Result<_, _>>()?;
        if views.len() < 2 {
            return Ok(Self::default());
        }
        let known: Vec<BTreeSet<&Identity>> = identities.iter().map(|own| own.values().collect()).collect();
        // What is missing below nodes that the primary had looked at before was found out then.
        let is_before = |identity: &Identity| identities[0].iter().any(|(object, own)| own == identity && known_before.contains(object));
        let mut beside = Vec::new();
        for (view, own) in views.iter().zip(&identities) {
            let is_paired = |identity: &Identity| known.iter().all(|known| known.contains(identity)) && !is_before(identity);
            let nodes = own.iter().filter(|(object, identity)| is_paired(identity) && has_several_children(view, **object));
            beside.push(nodes.flat_map(|(object, _)| fields(view, *object).map(|field| (*object, field))).collect());
        }
        let mut evened = Self { gaps: vec![Vec::new(); views.len()], beside };
        evened.look_beside_ways(views, &identities)?;
        Ok(evened)
    }

    /// The gaps of a member.
    pub fn gaps(&self, member: usize) -> &[Gap] {
        self.gaps.get(member).map_or(&[], Vec::as_slice)
    }

    /// Is NULL in this field of the node an empty tree?
    pub fn is_beside(&self, member: usize, object: ObjectId, field: usize) -> bool {
        self.beside.get(member).is_some_and(|beside| beside.contains(&(object, field)))
    }

    /// Looks at what scapegoats have in the place of a node that they lack: there, and below the node, may be a gap, and NULL in its other
    /// fields is an empty tree.
    fn look_beside_ways(&mut self, views: &[View<'_>], identities: &[Identities]) -> Result<(), Rejection> {
        let ([primary, scapegoats @ ..], [own, others @ ..]) = (views, identities) else { return Ok(()) };
        let mut numbers: BTreeMap<Root, usize> = BTreeMap::new();
        let mut ways: BTreeMap<ObjectId, BTreeSet<Option<usize>>> = BTreeMap::new();
        // Two nodes that are left out one below the other stay neighbours.
        let is_lacking_somewhere = |slot: Slot| match start(primary, slot) {
            Some(Root::Object(object)) => {
                own.get(&object).is_some_and(|identity| others.iter().any(|other| other.values().all(|known| known != identity)))
            }
            _ => false,
        };
        for (member, (view, other)) in (1..).zip(scapegoats.iter().zip(others)) {
            for (cell, left, right) in counterparts((primary, own), (view, other))? {
                let Some(Root::Object(lacking)) = start(primary, left) else { continue };
                let is_lacking = own.get(&lacking).is_some_and(|identity| other.values().all(|known| known != identity));
                if !is_lacking || !primary.kept.objects.contains(&lacking) || !has_several_children(primary, lacking) {
                    continue;
                }
                let pair = ((primary, own), (view, other));
                let state = primary.graph.object(lacking)?;
                let below = |field: usize| state.fields.get(field).and_then(|field| field.cells.first()).copied();
                let ways_on: Vec<usize> =
                    fields(primary, lacking).filter(|field| below(*field).is_some_and(|slot| is_same(pair, slot, right))).collect();
                let way = if let [way] = ways_on.as_slice() { Some(*way) } else { None };
                ways.entry(lacking).or_default().insert(way);
                if let Some(field) = way
                    && let Some(below) = below(field).filter(|below| !is_lacking_somewhere(*below))
                    && !knows_above(primary, Root::Object(lacking))
                {
                    let mut places = vec![(0, Cell::Field(lacking, field, 0), below), (member, cell, right)];
                    for (number, (view, other)) in (1..).zip(scapegoats.iter().zip(others)).filter(|(number, _)| *number != member) {
                        let Some(object) = counterpart(own, lacking, other) else { continue };
                        let cell = view.graph.object(object)?.fields.get(field).and_then(|field| field.cells.first());
                        places.extend(cell.map(|slot| (number, Cell::Field(object, field, 0), *slot)));
                    }
                    let count = numbers.len();
                    self.add_gap(views, &places, |root| *numbers.entry(root).or_insert(count))?;
                }
            }
        }
        for (lacking, ways) in ways {
            if ways.iter().all(Option::is_some) {
                let missing: Vec<usize> = fields(primary, lacking).filter(|field| !ways.contains(&Some(*field))).collect();
                for (beside, other) in self.beside.iter_mut().zip(identities) {
                    let object = counterpart(own, lacking, other);
                    beside.extend(object.into_iter().flat_map(|object| missing.iter().map(move |field| (object, *field))));
                }
            }
        }
        Ok(())
    }

    /// Notes that there may be more above what the members hold in these places, which is the same.
    fn add_gap(&mut self, views: &[View<'_>], places: &[(usize, Cell, Slot)], number: impl FnOnce(Root) -> usize) -> Result<(), Rejection> {
        let roots: Option<Vec<(&View<'_>, Root)>> =
            places.iter().map(|(member, _, below)| Some((&views[*member], start(&views[*member], *below)?))).collect();
        let Some(roots) = roots else { return Ok(()) };
        // Of chains that are folded segments are made anyway; what knows the cell above it would have to be told.
        if roots.iter().any(|(view, root)| view.is_folded(*root) || knows_above(view, *root)) {
            return Ok(());
        }
        let Some((primary, root)) = roots.first() else { return Ok(()) };
        let sort = match *root {
            Root::Object(object) => primary.sort(*root)?.unwrap_or(SortId(primary.graph.object(object)?.declaration.0)),
            Root::Part(part) => primary.graph.nodes(part)?,
        };
        if primary.graph.same_of(sort).is_some() {
            return Ok(());
        }
        let number = number(*root);
        for (member, cell, below) in places.iter().copied() {
            let view = &views[member];
            let above = match cell {
                Cell::Field(object, ..) if view.graph.links(view.graph.object(object)?).is_some() => view.graph.pointer(object)?,
                _ => Slot::Null,
            };
            add(&mut self.gaps[member], Gap { number, sort, cells: vec![cell], above, below });
        }
        Ok(())
    }
}

/// The node of another member that holds the same.
fn counterpart(own: &Identities, object: ObjectId, other: &Identities) -> Option<ObjectId> {
    let identity = own.get(&object)?;
    other.iter().find(|(_, known)| *known == identity).map(|(object, _)| *object)
}

/// The fields of a node that lead to nodes of its declaration.
fn fields<'a>(view: &View<'a>, object: ObjectId) -> impl Iterator<Item = usize> + use<'a> {
    let links = view.graph.object(object).ok().and_then(|state| Some((state.declaration, view.graph.links(state)?)));
    let own = links.map(|(declaration, _)| Link::Child(SortId(declaration.0)));
    let links = links.map_or(&[][..], |(_, links)| links);
    links.iter().enumerate().filter(move |(_, link)| Some(**link) == own).map(|(field, _)| field)
}

/// Does a field of the node point to the cell above it?
fn knows_above(view: &View<'_>, root: Root) -> bool {
    matches!(root, Root::Object(object) if view.graph.knows_above(object))
}

/// Does the same stand there in the primary and in the scapegoat?
fn is_same(((primary, own), (view, other)): ((&View<'_>, &Identities), (&View<'_>, &Identities)), left: Slot, right: Slot) -> bool {
    match (start(primary, left), start(view, right)) {
        (None, None) => left == Slot::Null && right == Slot::Null,
        (Some(Root::Object(left)), Some(Root::Object(right))) => own.get(&left).is_some_and(|identity| other.get(&right) == Some(identity)),
        (Some(Root::Part(left)), Some(Root::Part(right))) => {
            let tree = |view: &View<'_>, part| view.graph.part(part).map(|part| part.tree).ok();
            tree(primary, left).is_some_and(|symbol| tree(view, right) == Some(symbol))
        }
        _ => false,
    }
}

/// Do several fields of the node lead to nodes of its declaration?
fn has_several_children(view: &View<'_>, object: ObjectId) -> bool {
    fields(view, object).count() > 1
}

/// Keeps the nodes that a scapegoat's registers name and the primary has no counterparts of.
pub fn keep_unknown(views: &mut [View<'_>], identities: &[Identities]) {
    let [known, ..] = identities else { return };
    let known: BTreeSet<&Identity> = known.values().collect();
    for (view, own) in views.iter_mut().zip(identities).skip(1) {
        let is_named = |object: &ObjectId| view.graph.holders(Root::Object(*object)).contains(&Holder::Register);
        let is_known = |object: &ObjectId| own.get(object).is_some_and(|identity| known.contains(identity));
        let unknown: Vec<ObjectId> = view.folded().filter(|object| is_named(object) && !is_known(object)).collect();
        view.kept.objects.extend(unknown);
    }
}

/// Where one member's chain starts at a node, those of others do too.
pub fn separate(views: &mut [View<'_>], identities: &[Identities]) {
    let mut starts = BTreeSet::new();
    for (view, own) in views.iter().zip(identities) {
        let of_view = view.folded().filter(|object| view.kept.starts.contains(&Root::Object(*object)));
        starts.extend(of_view.filter_map(|object| own.get(&object)));
    }
    for (view, own) in views.iter_mut().zip(identities) {
        let is_start = |object: &ObjectId| own.get(object).is_some_and(|identity| starts.contains(identity));
        let also: Vec<Root> = view.folded().filter(is_start).map(Root::Object).collect();
        view.kept.starts.extend(also);
    }
}

/// What is kept around nodes that other members lack: those above, and below the first node of what is folded as a tree, since a tree may be
/// empty.
pub fn around(view: &View<'_>, contents: &mut Contents, is_unpaired: impl Fn(&ObjectId) -> bool) -> Result<Vec<ObjectId>, Rejection> {
    let mut around = Vec::new();
    let kept: Vec<ObjectId> = view.kept.objects.iter().copied().filter(&is_unpaired).collect();
    for object in kept {
        around.extend(view.graph.nodes_above(object).into_iter().filter(|above| !view.kept.objects.contains(above)));
        for slot in view.below(Root::Object(object))? {
            if view.content(contents, slot).is_some()
                && let Some(below) = first_node(view, slot)?
                && !is_unpaired(&below)
            {
                around.push(below);
            }
        }
    }
    Ok(around)
}

/// The first node of what is folded there, behind segments.
fn first_node(view: &View<'_>, mut slot: Slot) -> Result<Option<ObjectId>, Rejection> {
    loop {
        match root(slot) {
            Some(Root::Object(object)) => return Ok(Some(object)),
            Some(Root::Part(part)) => slot = view.graph.part(part)?.below,
            None => return Ok(None),
        }
    }
}

/// What the pointer leads to, if it leads to where those to its node do.
fn start(view: &View<'_>, slot: Slot) -> Option<Root> {
    match slot {
        Slot::Pointer(Address { object, byte, .. }) => {
            let state = view.graph.object(object).ok()?;
            (byte == view.graph.entrance(state.declaration)).then_some(Root::Object(object))
        }
        Slot::Folded(part) => Some(Root::Part(part)),
        _ => None,
    }
}

/// Adds the gap, or its cells to the one of the same number that there is.
fn add(gaps: &mut Vec<Gap>, gap: Gap) {
    match gaps.iter_mut().find(|other| other.number == gap.number) {
        Some(other) => {
            let new: Vec<Cell> = gap.cells.into_iter().filter(|cell| !other.cells.contains(cell)).collect();
            other.cells.extend(new);
            if other.above == Slot::Null {
                other.above = gap.above;
            }
        }
        None => gaps.push(gap),
    }
}

/// The pointers that primary and scapegoat hold in the same registers, arrays and kept nodes: the scapegoat's cell, and both.
fn counterparts(
    (primary, own): (&View<'_>, &Identities),
    (view, other): (&View<'_>, &Identities),
) -> Result<Vec<(Cell, Slot, Slot)>, Rejection> {
    let mut pairs = Vec::new();
    for (register, left) in &primary.graph.registers {
        if let Some((_, right)) = view.graph.registers.iter().find(|(other, _)| other == register) {
            pairs.push((Cell::Register(*register), *left, *right));
        }
    }
    for object in view.graph.order.iter().filter_map(|root| if let Root::Object(object) = root { Some(*object) } else { None }) {
        let state = view.graph.object(object)?;
        let counterpart = match view.graph.links(state) {
            Some(_) if !view.kept.objects.contains(&object) => None,
            Some(_) => {
                let identity = other.get(&object);
                own.iter().find(|(left, known)| Some(*known) == identity && primary.kept.objects.contains(left)).map(|(left, _)| *left)
            }
            None => Some(object),
        };
        let Some(counterpart) = counterpart.and_then(|left| primary.graph.object(left).ok()) else { continue };
        for (number, (left, right)) in counterpart.fields.iter().zip(&state.fields).enumerate() {
            for (index, (left, right)) in left.cells.iter().zip(&right.cells).enumerate() {
                pairs.push((Cell::Field(object, number, index), *left, *right));
            }
        }
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use crate::state::{
        folding::{fold, folded::Folding, folds::Folds, sorts::sorts},
        herd::Herd,
        template::basis::{Basis, Direction},
    };
    use goatherd_certificates::{
        configuration::{Slot, TreeId, TreeSort},
        derivation::{DroppedElement, InputDrop, Lengths, SegmentEnd},
        program::ObjectId,
    };
    use goatherd_checker::{budget::Budget, configuration::Setting, rules, term::Arena, unfold::unfold};
    use goatherd_flow::{
        Flow,
        testing::{PARAMETERS, program},
    };
    use goatherd_logic::{ContextOracle, Solver};
    use std::sync::Arc;

    const SEARCH: &str = "struct node { int key; struct node *left, *right; };
         void test(struct node *tree, int key) {
             while (tree && tree->key != key) tree = key < tree->key ? tree->left : tree->right;
         }";

    /// At the entry of a search, of a tree whose root has a left child only, all below it unknown: the herd as it is folded, with a scapegoat
    /// that has the left child in the place of the root, or without it.
    fn folded(name: &str, folds: Folds, children: &[u32]) -> Folding {
        let program = program(name, SEARCH);
        let flow = Flow::new(&program);
        let sorts = sorts(&program, &flow);
        let setting = Setting { program: &program, parameters: &PARAMETERS, k: 1, sorts: &sorts };
        let mut arena = Arena::new(&program.tables, Budget::new(u64::MAX)).unwrap();
        let mut configuration = rules::root(&mut arena, setting, Lengths::Classes, 0).unwrap().unwrap();
        let root = unfold(&mut arena, setting, &configuration, TreeId(0), SegmentEnd::Top).unwrap().pop().unwrap();
        let state = root.members[0].objects.iter().flatten().next().unwrap();
        let (object, right) = (state.object, state.fields[2].cells[0]);
        let Slot::Folded(right) = right else { panic!("{right:?}") };
        let right = root.members[0].folded[right.index()].unwrap().tree;
        configuration = unfold(&mut arena, setting, &root, right, SegmentEnd::Top).unwrap().swap_remove(0);
        let mut herd = Herd::new(&mut arena, configuration, &Arc::new(Solver::default()));
        for (child, tag) in children.iter().zip(1..) {
            add(&mut arena, setting, &mut herd, (object, *child));
            herd.tags.push(tag);
        }
        fold(
            &mut arena,
            Basis { setting, flow: &flow, lengths: Lengths::Classes, direction: Direction::Up, folds, states: None, wanted: None },
            &mut herd,
        )
        .unwrap()
    }

    /// Adds the scapegoat without the node, which has this child in its place.
    fn add(arena: &mut Arena, setting: Setting<'_>, herd: &mut Herd, (object, child): (ObjectId, u32)) {
        let drops = [InputDrop { input: 0, element: DroppedElement::Node { object, child: Some(child) } }];
        let mut oracle = ContextOracle(&mut herd.context);
        rules::add_scapegoat(arena, setting, &mut herd.configuration, &drops, &[], &mut oracle).unwrap();
    }

    #[test]
    fn null_beside_the_way_below_the_node_left_out_is_an_empty_tree() {
        let is_tree = |tree: &TreeSort| matches!(tree, TreeSort::Tree(_));
        let whole = folded("whole", Folds::Whole, &[1]);
        assert_eq!(whole.trees.len(), 1, "the left subtree");
        let uniform = folded("uniform", Folds::Uniform, &[1]);
        assert_eq!(uniform.trees.len(), 2, "and the right one");
        assert!(uniform.trees.iter().all(is_tree));
        assert_eq!(uniform.members[1].folded.len(), 1, "the scapegoat has the left one");
    }

    #[test]
    fn without_scapegoats_nothing_is_made_alike() {
        let [whole, uniform] = [Folds::Whole, Folds::Uniform].map(|folds| folded(&format!("alone-{folds:?}"), folds, &[]));
        assert_eq!(uniform.trees, whole.trees);
    }
}
