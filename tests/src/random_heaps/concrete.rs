//! What a configuration with folded parts stands for: all heaps of a few nodes, found by enumeration beside the kernel
//! (`spec/calculus.md#folded-heaps`).

use crate::valuation::Valuation;
use goatherd_certificates::{
    configuration::{Address, FoldedId, Slot, TreeSort},
    program::{Link, ObjectId, SortId, Source},
    term::Variable,
};
use goatherd_checker::{
    configuration::{Configuration, Member, Setting},
    term::Arena,
};
use std::{collections::BTreeMap, iter::once};

/// The integers that variables and nodes hold.
pub const VALUES: [i128; 2] = [0, 1];

/// Symbols that stand for more than so many combinations of trees are left out.
const STATES: usize = 1000;

/// What a symbol stands for.
#[derive(Clone, Debug)]
enum Tree {
    Null,
    /// The end of a segment.
    Hole,
    Node {
        declaration: ObjectId,
        /// To which of its bytes pointers lead.
        byte: u64,
        /// One entry per field.
        fields: Vec<Field>,
    },
}

#[derive(Clone, Debug)]
enum Field {
    Value(Value),
    Up,
    Same,
    /// A tree, and what its cells hold in their `same` field.
    Child(Tree, Given),
    /// The cells of a ring, whose header is at this byte.
    Ring(Tree, u64),
    /// A pointer to the last cell of the ring that hangs from this field.
    Last(usize),
}

/// Where what a tree's cells hold in their `same` field comes from.
#[derive(Clone, Copy, Debug)]
enum Given {
    /// From the field of the node that is theirs, if they have one.
    Alike(Option<usize>),
    /// From where the node's link says.
    Said(Source),
}

impl Tree {
    fn size(&self) -> usize {
        match self {
            Self::Null | Self::Hole => 0,
            Self::Node { fields, .. } => 1 + fields.iter().map(Field::size).sum::<usize>(),
        }
    }

    /// How many nodes come before the one whose field is the hole, itself included, from the root down.
    fn nodes_to_hole(&self) -> Option<usize> {
        let Self::Node { fields, .. } = self else { return None };
        let mut before = 1;
        for field in fields {
            match field {
                Field::Child(Self::Hole, _) => return Some(1),
                Field::Child(child, _) => {
                    if let Some(below) = child.nodes_to_hole() {
                        return Some(before + below);
                    }
                }
                // Its hole is none of this tree.
                _ => {}
            }
            before += field.size();
        }
        None
    }
}

impl Field {
    /// How many nodes hang from it.
    fn size(&self) -> usize {
        if let Self::Child(tree, _) | Self::Ring(tree, _) = self { tree.size() } else { 0 }
    }
}

/// What a register or a field holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Value {
    /// NULL.
    Null,
    /// An integer.
    Integer(i128),
    /// A pointer to this byte of the node of this position.
    Node(usize, u64),
    /// No value yet.
    Uninitialised,
    /// Nothing is said of it.
    Anything,
}

/// The heap of one member.
#[derive(Clone, Debug)]
pub struct Heap {
    registers: Vec<Value>,
    nodes: Vec<(ObjectId, Vec<Value>)>,
}

/// One heap per member.
pub type State = Vec<Heap>;

/// Why the states of a configuration are not listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unlisted {
    /// What pointers to its folded parts denote goes round in circles.
    Unfounded,
    /// There are too many.
    Many,
}

/// All states of at most so many nodes in all that the configuration stands for.
pub fn states(arena: &Arena, setting: Setting<'_>, configuration: &Configuration, nodes: usize) -> Result<Vec<State>, Unlisted> {
    let members = &configuration.members;
    let own = members.iter().map(|member| member.objects.iter().flatten().count()).sum();
    let mut choices: Vec<(usize, Vec<Tree>)> = vec![(own, Vec::new())];
    for (symbol, shape) in (0..).zip(&configuration.trees) {
        let parts = members.iter().flat_map(|member| member.folded.iter().flatten());
        let occurrences = parts.filter(|part| part.tree.0 == symbol).count();
        let mut by_size: Vec<Vec<Tree>> = (0..=nodes).map(|size| trees_of(setting, *shape, size)).collect();
        if occurrences == 0 {
            // It stands for something too, but that is not seen.
            by_size = vec![by_size.into_iter().flatten().take(1).collect()];
        }
        let mut longer = Vec::new();
        for (used, trees) in choices {
            for (size, more) in by_size.iter().enumerate().take_while(|(size, _)| used + size * occurrences <= nodes) {
                longer.extend(more.iter().map(|tree| (used + size * occurrences, trees.iter().chain(once(tree)).cloned().collect())));
            }
            if longer.len() > STATES {
                return Err(Unlisted::Many);
            }
        }
        choices = longer;
    }
    let mut found = Vec::new();
    for valuation in valuations(configuration) {
        let holds = |literal| valuation.holds(arena, &[], literal) == Some(true);
        if configuration.predicate.iter().copied().all(holds) {
            for (_, trees) in &choices {
                let state = members.iter().map(|member| heap(arena, &valuation, member, trees)).collect::<Option<State>>();
                found.push(state.ok_or(Unlisted::Unfounded)?);
            }
        }
    }
    Ok(found)
}

/// All values of the variables.
fn valuations(configuration: &Configuration) -> Vec<Valuation> {
    let (integers, _) = goatherd_logic::terms::variables(&configuration.scope);
    assignments(&integers).into_iter().map(|integers| Valuation { integers, ..Valuation::default() }).collect()
}

/// All values of these variables.
pub fn assignments(variables: &[Variable]) -> Vec<BTreeMap<Variable, i128>> {
    variables.iter().fold(vec![BTreeMap::new()], |assignments, variable| {
        let with = |value| assignments.iter().cloned().map(move |known| known.into_iter().chain(once((*variable, value))).collect());
        VALUES.into_iter().flat_map(with).collect()
    })
}

/// All trees, or segments, of so many nodes.
fn trees_of(setting: Setting<'_>, shape: TreeSort, nodes: usize) -> Vec<Tree> {
    let (TreeSort::Tree(sort) | TreeSort::Segment(sort)) = shape;
    let is_tree = matches!(shape, TreeSort::Tree(_));
    let (declaration, (has_null, byte), shapes) = setting.nodes(sort).expect("a sort");
    let Some(below) = nodes.checked_sub(1) else {
        return match (is_tree, has_null) {
            (true, true) => vec![Tree::Null],
            (true, false) => Vec::new(),
            (false, _) => vec![Tree::Hole],
        };
    };
    let mut trees = Vec::new();
    for links in shapes {
        let holes: Vec<_> = (0..links.len()).filter(|position| links[*position] == Link::Child(sort)).map(Some).collect();
        for hole in if is_tree { vec![None] } else { holes } {
            let contents = fields(setting, links, hole, below);
            trees.extend(contents.into_iter().map(|fields| Tree::Node { declaration, byte, fields }));
        }
    }
    trees
}

/// Which field of the nodes of the sort holds what the same field of the node above does.
pub fn same_field(setting: Setting<'_>, sort: SortId) -> Option<usize> {
    let (_, _, shapes) = setting.nodes(sort).expect("a sort");
    let fields: Vec<usize> = shapes.iter().flat_map(|links| (0..links.len()).filter(|field| links[*field] == Link::Same)).collect();
    fields.first().copied()
}

/// What the fields of a node may be, so many nodes below it.
fn fields(setting: Setting<'_>, links: &[Link], hole: Option<usize>, nodes: usize) -> Vec<Vec<Field>> {
    let mut contents: Vec<(usize, Vec<Field>)> = vec![(nodes, Vec::new())];
    for (position, link) in links.iter().enumerate() {
        let mut longer = Vec::new();
        for (left, fields) in &contents {
            let mut add = |field: Field, size: usize| longer.push((left - size, fields.iter().cloned().chain(once(field)).collect()));
            match *link {
                Link::Data | Link::Range { .. } => {
                    let bounds = if let Link::Range { least, greatest } = *link { least..=greatest } else { VALUES[0]..=VALUES[1] };
                    for value in VALUES.into_iter().filter(|value| bounds.contains(value)) {
                        add(Field::Value(Value::Integer(value)), 0);
                    }
                }
                Link::Up => add(Field::Up, 0),
                Link::Same => add(Field::Same, 0),
                Link::Null => add(Field::Value(Value::Null), 0),
                Link::Other => add(Field::Value(Value::Uninitialised), 0),
                Link::Any => add(Field::Value(Value::Anything), 0),
                Link::Last(ring) => add(Field::Last(usize::try_from(ring).expect("a field")), 0),
                Link::Ring { sort, byte } => {
                    for size in 0..=*left {
                        for cells in trees_of(setting, TreeSort::Segment(sort), size) {
                            add(Field::Ring(cells, byte), size);
                        }
                    }
                }
                Link::Child(sort) | Link::Handed { sort, .. } => {
                    let shape = if hole == Some(position) { TreeSort::Segment(sort) } else { TreeSort::Tree(sort) };
                    let same =
                        if let Link::Handed { from, .. } = *link { Given::Said(from) } else { Given::Alike(same_field(setting, sort)) };
                    for size in 0..=*left {
                        for tree in trees_of(setting, shape, size) {
                            add(Field::Child(tree, same), size);
                        }
                    }
                }
            }
        }
        contents = longer;
    }
    contents.into_iter().filter(|(left, _)| *left == 0).map(|(_, fields)| fields).collect()
}

/// A member's heap, where its symbols stand for these trees.
fn heap(arena: &Arena, valuation: &Valuation, member: &Member, trees: &[Tree]) -> Option<Heap> {
    let mut next = member.objects.iter().flatten().count();
    let mut starts = Vec::new();
    for part in &member.folded {
        starts.push(next);
        next += part.map_or(0, |part| trees[part.tree.index()].size());
    }
    let reader = Reader { arena, valuation, member, trees, starts };
    let registers = member.registers.iter().map(|slot| reader.value(*slot, 0)).collect::<Option<_>>()?;
    let mut nodes = Vec::new();
    for state in member.objects.iter().flatten() {
        let cells = state.fields.iter().map(|field| reader.value(field.cells[0], 0)).collect::<Option<_>>()?;
        nodes.push((state.declaration, cells));
    }
    for part in member.folded.iter().flatten() {
        let around = Around { above: reader.value(part.above, 0)?, same: reader.value(part.same, 0)?, below: reader.value(part.below, 0)? };
        around.write(&trees[part.tree.index()], &mut nodes);
    }
    Some(Heap { registers, nodes })
}

/// What a tree's nodes hold pointers to that are none of its own.
#[derive(Clone, Copy)]
struct Around {
    above: Value,
    /// What the `same` field of its root holds.
    same: Value,
    /// In the place of the hole.
    below: Value,
}

impl Around {
    /// Writes the tree's nodes, each before those below it; returns a pointer to the root.
    fn write(self, tree: &Tree, nodes: &mut Vec<(ObjectId, Vec<Value>)>) -> Value {
        let Tree::Node { declaration, byte, fields } = tree else { return self.root(tree, nodes.len()) };
        let position = nodes.len();
        nodes.push((*declaration, Vec::new()));
        for field in fields {
            let value = match field {
                Field::Value(value) => *value,
                Field::Up => self.above,
                Field::Same => self.same,
                Field::Child(child, same) => {
                    let same = match *same {
                        Given::Alike(same) => same.map_or(Value::Anything, |same| self.held(fields, same, position)),
                        Given::Said(Source::Above) => self.same,
                        Given::Said(Source::Field(field)) => self.handed(fields, usize::try_from(field).expect("a field"), position),
                    };
                    Self { above: Value::Node(position, *byte), same, ..self }.write(child, nodes)
                }
                Field::Ring(cells, byte) => {
                    let header = Value::Node(position, *byte);
                    Self { above: header, same: Value::Anything, below: header }.write(cells, nodes)
                }
                Field::Last(ring) => last_of(fields, *ring, position),
            };
            nodes[position].1.push(value);
        }
        Value::Node(position, *byte)
    }

    /// A pointer to the root of a tree whose nodes stand from this position on.
    const fn root(self, tree: &Tree, position: usize) -> Value {
        match tree {
            Tree::Null => Value::Null,
            Tree::Hole => self.below,
            Tree::Node { byte, .. } => Value::Node(position, *byte),
        }
    }

    /// What a field of the node at the position holds that is handed on.
    fn handed(self, fields: &[Field], field: usize, position: usize) -> Value {
        match &fields[field] {
            Field::Child(child, _) => self.root(child, start_of(fields, field, position)),
            Field::Ring(cells, byte) => Self { below: Value::Node(position, *byte), ..self }.root(cells, start_of(fields, field, position)),
            Field::Last(ring) => last_of(fields, *ring, position),
            _ => self.held(fields, field, position),
        }
    }

    /// What a field of the node at the position holds, for those below it: of a tree without a hole nothing is said.
    fn held(self, fields: &[Field], field: usize, position: usize) -> Value {
        match fields.get(field) {
            Some(Field::Value(value)) => *value,
            Some(Field::Up) => self.above,
            Some(Field::Same) => self.same,
            Some(Field::Child(child, _)) if matches!(child, Tree::Hole) || child.nodes_to_hole().is_some() => {
                self.root(child, start_of(fields, field, position))
            }
            Some(Field::Child(..) | Field::Ring(..) | Field::Last(_)) | None => Value::Anything,
        }
    }
}

/// The position of the first node that hangs from this field of the node at the position.
fn start_of(fields: &[Field], field: usize, position: usize) -> usize {
    position + 1 + fields[..field].iter().map(Field::size).sum::<usize>()
}

/// A pointer to the last cell of the ring that hangs from this field of the node at the position: to its header, if it has none.
fn last_of(fields: &[Field], ring: usize, position: usize) -> Value {
    match &fields[ring] {
        Field::Ring(cells @ Tree::Node { byte, .. }, _) => {
            Value::Node(start_of(fields, ring, position) + cells.nodes_to_hole().expect("a hole") - 1, *byte)
        }
        Field::Ring(_, byte) => Value::Node(position, *byte),
        _ => unreachable!("only of a ring is there a last cell"),
    }
}

/// What the slots of a member denote.
struct Reader<'a> {
    arena: &'a Arena,
    valuation: &'a Valuation,
    member: &'a Member,
    trees: &'a [Tree],
    /// By folded part, the position of its first node.
    starts: Vec<usize>,
}

impl Reader<'_> {
    /// What the slot denotes, through so many empty parts.
    fn value(&self, slot: Slot, through: usize) -> Option<Value> {
        if through > 2 * self.member.folded.len() {
            return None;
        }
        Some(match slot {
            Slot::Forgotten => Value::Anything,
            Slot::Uninitialised => Value::Uninitialised,
            Slot::Null => Value::Null,
            Slot::Integer(term) => Value::Integer(self.valuation.linear(self.arena, &[], term)?),
            Slot::Pointer(Address { object, byte, .. }) => {
                let states = self.member.objects.iter().flatten();
                Value::Node(states.take_while(|state| state.object != object).count(), byte)
            }
            Slot::Folded(id) => match self.part(id)? {
                (Tree::Node { byte, .. }, _, _) => Value::Node(self.starts[id.index()], *byte),
                (Tree::Null | Tree::Hole, _, below) => return self.value(below, through + 1),
            },
            Slot::Last(id) => match self.part(id)? {
                // Of a tree, which no template may name, it would be the root, as Unfold has it.
                (tree @ Tree::Node { byte, .. }, _, _) => {
                    Value::Node(self.starts[id.index()] + tree.nodes_to_hole().unwrap_or(1) - 1, *byte)
                }
                (Tree::Null | Tree::Hole, above, _) => return self.value(above, through + 1),
            },
        })
    }

    fn part(&self, id: FoldedId) -> Option<(&Tree, Slot, Slot)> {
        let part = (*self.member.folded.get(id.index())?)?;
        Some((self.trees.get(part.tree.index())?, part.above, part.below))
    }
}

/// The same for all states that differ only in the order of nodes: how many there are, and what is found from the registers on.
pub fn canonical(state: &State) -> Vec<(usize, Vec<Value>)> {
    let heap = |heap: &Heap| {
        let (mut names, mut order, mut found) = (BTreeMap::new(), Vec::new(), Vec::new());
        let mut name = |value: Value, order: &mut Vec<usize>| match value {
            Value::Node(position, byte) => {
                let name = names.entry(position).or_insert_with(|| {
                    order.push(position);
                    order.len() - 1
                });
                Value::Node(*name, byte)
            }
            value => value,
        };
        found.extend(heap.registers.iter().map(|value| name(*value, &mut order)));
        let mut visited = 0;
        while let Some(position) = order.get(visited).copied() {
            let (declaration, fields) = &heap.nodes[position];
            found.push(Value::Integer(i128::from(declaration.0)));
            found.extend(fields.iter().map(|value| name(*value, &mut order)));
            visited += 1;
        }
        (heap.nodes.len(), found)
    };
    state.iter().map(heap).collect()
}

/// Is the second state one that the first describes, where it says anything at all?
pub fn describes(general: &State, state: &State) -> bool {
    general.len() == state.len() && general.iter().zip(state).all(|(general, heap)| heap_describes(general, heap))
}

fn heap_describes(general: &Heap, heap: &Heap) -> bool {
    let (mut images, mut origins) = (BTreeMap::new(), BTreeMap::new());
    let mut open: Vec<(Value, Value)> = general.registers.iter().copied().zip(heap.registers.iter().copied()).collect();
    while let Some(pair) = open.pop() {
        match pair {
            (Value::Anything, _) => {}
            (Value::Node(general_position, general_byte), Value::Node(position, byte)) if general_byte == byte => {
                let image = images.insert(general_position, position);
                let origin = origins.insert(position, general_position);
                if image.is_none() && origin.is_none() {
                    let ((declaration, fields), (other, values)) = (&general.nodes[general_position], &heap.nodes[position]);
                    if declaration != other || fields.len() != values.len() {
                        return false;
                    }
                    open.extend(fields.iter().copied().zip(values.iter().copied()));
                } else if image != Some(position) || origin != Some(general_position) {
                    return false;
                }
            }
            (general, value) if general == value => {}
            _ => return false,
        }
    }
    true
}
