//! Which nodes are kept, and what everything else contains.

use super::{
    contents::{Classes, Content, ContentId, Contents, Identities, Identity},
    fitting::{self, Fitter},
    folds::Folds,
    graph::{Graph, Holder, Root, is_inside, root},
    hung::Back,
    states::States,
    uniform,
    view::{Fit, Kept, Names, View},
};
use goatherd_certificates::{
    configuration::{Address, FieldState, Life, Slot, TreeSort},
    program::{Link, ObjectId, SortId},
};
use goatherd_checker::rejection::Rejection;
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

impl<'a> View<'a> {
    /// Keeps what cannot be folded, by itself or because of where pointers to it are held.
    pub fn new(graph: &'a Graph<'a>, names: Names, states: Option<States>) -> Result<Self, Rejection> {
        let mut view = Self { graph, names, kept: Kept::default(), fits: BTreeMap::new(), states, contents: BTreeMap::new() };
        for root in &graph.order {
            let Root::Object(object) = *root else { continue };
            let is_kept = if view.states.is_some() {
                !fitting::is_foldable(graph, object)?
            } else if let Some(fit) = view.fitting(object)? {
                view.fits.insert(object, fit);
                false
            } else {
                true
            };
            if is_kept {
                view.kept.objects.insert(object);
            }
        }
        if view.states.is_none() {
            view.find_starts()?;
        }
        Ok(view)
    }

    /// Finds what does not stand inside of others.
    fn find_starts(&mut self) -> Result<(), Rejection> {
        for root in &self.graph.order {
            let is_start = match *root {
                Root::Object(object) if self.kept.objects.contains(&object) => false,
                Root::Object(_) => !self.is_expected(*root)?,
                Root::Part(part) => !is_inside(self.graph, part)? || !self.is_expected(*root)?,
            };
            if is_start {
                self.kept.starts.insert(*root);
            }
        }
        Ok(())
    }

    /// Finds the states of what is not kept, where sorts are not given, beginning with these.
    fn find_states(&mut self, classes: &Classes, known: Option<&States>) -> Result<(), Rejection> {
        let Some(known) = known else { return Ok(()) };
        let (fits, states) = Fitter::fit(self, classes, known.clone())?;
        (self.fits, self.states) = (fits, Some(states));
        self.kept.starts.clear();
        self.find_starts()
    }

    /// The states, if folding the nodes as they are takes shapes that the proof does not list yet.
    pub fn new_states(&self) -> Option<&States> {
        let states = self.states.as_ref()?;
        let is_listed = |fit: &Fit<'_>| states.is_listed(self.graph.setting.sorts, (fit.sort, fit.shape), &fit.links);
        if self.folded().filter_map(|object| self.fit(object)).all(is_listed) { None } else { Some(states) }
    }

    /// As a cell of which sort and shape the node may be folded: of those that fit, narrow sorts before wide ones, the first one that agrees with
    /// most of the parts below. It lives, there is one pointer to it from above, and its fields hold what such a cell's do: where one of them points
    /// up, it is a shape in which that one does.
    fn fitting(&self, object: ObjectId) -> Result<Option<Fit<'a>>, Rejection> {
        let graph = self.graph;
        let state = graph.object(object)?;
        let (names, holders): (Vec<Holder>, Vec<Holder>) =
            graph.holders(Root::Object(object)).iter().copied().partition(|holder| *holder == Holder::Register);
        let above = match holders.as_slice() {
            [holder @ (Holder::Child(..) | Holder::Below(_))] if names.is_empty() || self.names == Names::Folded => graph.above(*holder)?,
            [] if self.names == Names::Folded => None,
            [Holder::Cell] if names.is_empty() => None,
            _ => return Ok(None),
        };
        if state.life == Life::Dead || graph.links(state).is_none() {
            return Ok(None);
        }
        let fits = |fit: &Fit<'_>| {
            fit.links.iter().zip(&state.fields).enumerate().all(|(number, (link, field))| {
                match (link, field.cells.as_slice()) {
                    (Link::Data, [Slot::Integer(_)])
                    | (Link::Other, [Slot::Uninitialised])
                    | (Link::Child(_) | Link::Null, [Slot::Null]) => true,
                    (Link::Up, [up]) if !graph.is_same(object, number) => {
                        above == Some(*up) || *up == Slot::Null && graph.is_up(object, number)
                    }
                    (Link::Same, [_]) => graph.is_same(object, number),
                    // One of another declaration, or into the middle of an object, is held elsewhere.
                    (Link::Child(_), [slot @ (Slot::Pointer(_) | Slot::Folded(_))]) => {
                        root(*slot).is_some_and(|root| graph.holders(root).contains(&Holder::Child(object, number)))
                    }
                    _ => false,
                }
            })
        };
        let is_other = |(link, field): (&Link, &FieldState)| match (link, field.cells.as_slice()) {
            (Link::Child(sort), [Slot::Folded(part)]) => graph.nodes(*part).ok() != Some(*sort),
            (Link::Child(sort), [Slot::Pointer(Address { object, .. })]) => {
                graph.has_up(*sort) != graph.knows_above(*object) || graph.same_of(*sort) != graph.same_field(*object)
            }
            _ => false,
        };
        let disagreements = |fit: &Fit<'_>| fit.links.iter().zip(&state.fields).filter(|entry| is_other(*entry)).count();
        let shapes =
            |sort| (0..).zip(graph.shapes_of(sort)).map(move |(shape, links)| Fit { sort, shape, links: Cow::Borrowed(links.as_slice()) });
        let fits = graph.sorts(state.declaration).flat_map(shapes).filter(fits);
        Ok(fits.min_by_key(|fit| (graph.is_wide(fit.sort), disagreements(fit))))
    }

    /// What the node is folded as, if it can be.
    pub fn fit(&self, object: ObjectId) -> Option<&Fit<'a>> {
        self.fits.get(&object)
    }

    /// Which shape of its sort the node has, where that has several.
    pub fn shape(&self, object: ObjectId) -> Option<u32> {
        self.fit(object).filter(|fit| self.graph.shapes_of(fit.sort).len() > 1).map(|fit| fit.shape)
    }

    /// What the nodes there are, if it is folded.
    pub fn sort(&self, root: Root) -> Result<Option<SortId>, Rejection> {
        match root {
            Root::Object(object) => Ok(self.fit(object).map(|fit| fit.sort)),
            Root::Part(part) => self.graph.nodes(part).map(Some),
        }
    }

    /// Is it of the sort that a tree has where it hangs? Where a kept node holds it, any will do.
    fn is_expected(&self, root: Root) -> Result<bool, Rejection> {
        if let Root::Object(object) = root
            && !(self.graph.agrees_above(object)? && self.graph.agrees_beside(root)?)
        {
            return Ok(false);
        }
        let wanted = match self.graph.holders(root) {
            [Holder::Child(object, field)] => {
                let Some(fit) = self.fit(*object) else { return Ok(true) };
                match fit.links.get(*field) {
                    Some(Link::Child(sort) | Link::Handed { sort, .. } | Link::Ring { sort, .. }) => Some(*sort),
                    _ => None,
                }
            }
            [Holder::Below(part)] => Some(self.graph.nodes(*part)?),
            _ => None,
        };
        Ok(wanted.zip(self.sort(root)?).is_some_and(|(wanted, found)| self.graph.setting.is_within(found, wanted)))
    }

    /// Is it folded into what leads to it?
    pub fn is_folded(&self, root: Root) -> bool {
        match root {
            Root::Object(object) => !self.kept.objects.contains(&object) && !self.kept.starts.contains(&root),
            Root::Part(_) => !self.kept.starts.contains(&root),
        }
    }

    /// The nodes that are not kept, in the order in which they are reached.
    pub fn folded(&self) -> impl Iterator<Item = ObjectId> + '_ {
        self.graph.order.iter().filter_map(|root| match *root {
            Root::Object(object) if !self.kept.objects.contains(&object) => Some(object),
            _ => None,
        })
    }

    /// Does this lead back to the header of a node that is folded, at which the ring ends?
    fn ends_ring(&self, back: Back) -> bool {
        self.graph.hung.back(back).is_some_and(|node| !self.kept.objects.contains(&node))
    }

    /// What hangs below, in the order of the fields; NULL where a ring ends that hangs from a folded node.
    pub fn below(&self, root: Root) -> Result<Vec<Slot>, Rejection> {
        match root {
            Root::Object(object) => {
                let state = self.graph.object(object)?;
                let links = self.fit(object).map_or_else(|| self.graph.links(state).unwrap_or_default(), |fit| &fit.links);
                let children = links.iter().zip(&state.fields).enumerate().filter(|(_, (link, _))| leads_down(link));
                let slot = |(number, (_, field)): (usize, (&Link, &FieldState))| {
                    let slot = field.cells.first().copied();
                    if self.ends_ring(Back::Field(object, number)) { Some(Slot::Null) } else { slot }
                };
                Ok(children.filter_map(slot).collect())
            }
            Root::Part(part) => Ok(match self.graph.sort(part)? {
                TreeSort::Tree(_) => Vec::new(),
                TreeSort::Segment(_) if self.ends_ring(Back::Below(part)) => vec![Slot::Null],
                TreeSort::Segment(_) => vec![self.graph.part(part)?.below],
            }),
        }
    }

    /// The content of all that hangs at the slot; none if something that is kept does.
    pub fn content(&self, contents: &mut Contents, slot: Slot) -> Option<ContentId> {
        match (slot, root(slot)) {
            (Slot::Null, _) => Some(contents.number(Content::Null)),
            (Slot::Pointer(_) | Slot::Folded(_), Some(root)) if self.is_folded(root) => self.contents.get(&root).copied().flatten(),
            _ => None,
        }
    }

    /// The content of all that hangs below; none if something that is kept does. Even a part that stands apart has one.
    pub fn own_content(&self, contents: &mut Contents, classes: &Classes, root: Root) -> Result<Option<ContentId>, Rejection> {
        let below: Option<Vec<ContentId>> = self.below(root)?.into_iter().map(|slot| self.content(contents, slot)).collect();
        let Some(below) = below else { return Ok(None) };
        let content = match root {
            Root::Object(object) => {
                let Some(data) = classes.data(self.graph, object)? else { return Ok(None) };
                let Some(Fit { sort, shape, .. }) = self.fit(object) else { return Ok(None) };
                Content::Node((*sort, *shape), data, below)
            }
            Root::Part(part) => {
                let tree = self.graph.part(part)?.tree;
                below.first().map_or(Content::Tree(tree), |below| Content::Segment(tree, *below))
            }
        };
        Ok(Some(contents.number(content)))
    }

    /// Finds out again what everything that is folded contains.
    pub fn look(&mut self, contents: &mut Contents, classes: &Classes) -> Result<(), Rejection> {
        self.contents.clear();
        for start in &self.graph.order {
            let mut open = vec![*start];
            while let Some(root) = open.last().copied() {
                // What is reached again from below itself is closed by nothing.
                let is_new = !self.contents.contains_key(&root);
                self.contents.entry(root).or_insert(None);
                let before = open.len();
                if is_new && self.is_folded(root) {
                    for slot in self.below(root)? {
                        open.extend(super::graph::root(slot).filter(|below| self.is_folded(*below) && !self.contents.contains_key(below)));
                    }
                }
                if open.len() == before {
                    open.pop();
                    if self.is_folded(root) {
                        let content = self.own_content(contents, classes, root)?;
                        self.contents.insert(root, content);
                    }
                }
            }
        }
        Ok(())
    }

    /// The fields, by position among the children, at which something hangs that is kept.
    pub fn open_children(&self, contents: &mut Contents, root: Root) -> Result<Vec<usize>, Rejection> {
        let below = self.below(root)?;
        Ok((0..below.len()).filter(|child| self.content(contents, below[*child]).is_none()).collect())
    }

    /// Which children are of the node's own sort.
    fn own_children(&self, object: ObjectId) -> Vec<bool> {
        let Some(Fit { sort, links, .. }) = self.fit(object) else { return Vec::new() };
        let children = links.iter().filter(|link| leads_down(link));
        children.map(|link| *link == Link::Child(*sort)).collect()
    }

    /// The child by which cells there lead on, if they are of a list: the only one of their own sort.
    pub fn way_on(&self, root: Root) -> Result<Option<usize>, Rejection> {
        Ok(match root {
            Root::Object(object) => {
                let own = self.own_children(object);
                let mut ways = (0..own.len()).filter(|child| own[*child]);
                ways.next().filter(|_| ways.next().is_none())
            }
            Root::Part(part) => matches!(self.graph.sort(part)?, TreeSort::Segment(_)).then_some(0),
        })
    }

    /// Does a node of another declaration hang there?
    fn leads_to_another(&self, object: ObjectId, child: usize) -> Result<bool, Rejection> {
        let Some(below) = self.below(Root::Object(object))?.get(child).copied().and_then(root) else { return Ok(false) };
        Ok(self.graph.declaration(below)? != self.graph.object(object)?.declaration)
    }

    /// Does more than one way lead from the folded node to something that is kept, or one to nodes of another sort?
    fn is_branching(&self, contents: &mut Contents, object: ObjectId) -> Result<bool, Rejection> {
        Ok(match self.open_children(contents, Root::Object(object))?.as_slice() {
            [] => false,
            // What one node hands to the next is not known where a segment ends, and that a node holds one other node is no segment.
            _ if self.graph.is_held_by_another(object)? => true,
            _ if self.fit(object).is_some_and(|fit| fit.links.iter().any(|link| matches!(link, Link::Handed { .. }))) => true,
            [child] => !self.own_children(object)[*child] || self.leads_to_another(object, *child)?,
            _ => true,
        })
    }
}

/// Does something hang from a field that is this?
const fn leads_down(link: &Link) -> bool {
    matches!(link, Link::Child(_) | Link::Handed { .. } | Link::Ring { .. })
}

/// How many nodes of a member without counterparts in others are kept.
const UNPAIRED: usize = 3;
/// How many nodes around these are kept: as many as a rotation turns and looks at.
const AROUND: usize = 8;

/// Keeps what would not be told apart: counterparts of what is kept, nodes from which several ways lead on, the few that other members do not
/// have, and those that hold what a register holds.
pub fn keep(
    views: &mut [View<'_>],
    contents: &mut Contents,
    classes: &Classes,
    folds: Folds,
    states: Option<&States>,
) -> Result<(), Rejection> {
    let identities: Vec<Identities> = views.iter().map(|view| classes.identities(view.graph)).collect::<Result<_, _>>()?;
    let most = |identity: &Identity| identities.iter().map(|own| own.values().filter(|other| *other == identity).count()).max();
    // What holds for node after node, as that each has been found or set to one value, does not tell them apart. Two may be the first one found
    // and one that is kept for another reason, so the counterparts of that are kept; of more, nothing is.
    let is_shared = |identity: &Identity| most(identity) > Some(1);
    let is_common = |identity: &Identity| most(identity) >= Some(UNPAIRED);
    // Where a call waits at a node, whatever its integers are, the frames above would have to be kept with it.
    let is_waited_at = |view: &View<'_>, object: ObjectId| view.graph.is_held_by_another(object).unwrap_or(false);
    if folds == Folds::Uniform {
        uniform::keep_unknown(views, &identities);
    }
    for (view, identities) in views.iter_mut().zip(&identities) {
        let is_named = |object: &ObjectId| {
            identities
                .get(object)
                .is_some_and(|identity| identity.1.iter().any(|class| classes.registers.contains(class)) && !is_shared(identity))
        };
        let named: Vec<ObjectId> = view.folded().filter(|object| is_named(object) && !is_waited_at(view, *object)).collect();
        if named.len() < UNPAIRED && folds != Folds::Uniform {
            view.kept.objects.extend(named);
        }
    }
    loop {
        let mut is_stable = true;
        let of_kept = |(view, identities): (&View<'_>, &BTreeMap<ObjectId, _>)| {
            view.kept.objects.iter().filter_map(|object| identities.get(object)).cloned().collect::<Vec<_>>()
        };
        let mut kept: BTreeSet<_> = views.iter().zip(&identities).flat_map(of_kept).collect();
        kept.retain(|identity| !is_common(identity));
        uniform::separate(views, &identities);
        for (view, identities) in views.iter_mut().zip(&identities) {
            view.find_states(classes, states)?;
            view.look(contents, classes)?;
            let folded: Vec<ObjectId> = view.folded().collect();
            for object in folded {
                if identities.get(&object).is_some_and(|identity| kept.contains(identity)) || view.is_branching(contents, object)? {
                    view.kept.objects.insert(object);
                    is_stable = false;
                }
            }
        }
        if is_stable {
            let everywhere = |identity| identities.iter().all(|own| own.values().any(|other| other == identity));
            for (view, own) in views.iter_mut().zip(&identities) {
                let is_unpaired = |object: &ObjectId| own.get(object).is_some_and(|identity| !everywhere(identity));
                let mut unpaired: Vec<ObjectId> = view.folded().filter(is_unpaired).collect();
                let mut around = Vec::new();
                if folds == Folds::Uniform {
                    unpaired.retain(|object| !view.graph.nodes_above(*object).iter().any(is_unpaired));
                    around = uniform::around(view, contents, is_unpaired)?;
                }
                for (few, greatest) in [(unpaired, UNPAIRED), (around, AROUND)] {
                    if (1..=greatest).contains(&few.len()) {
                        view.kept.objects.extend(few);
                        is_stable = false;
                    }
                }
                if folds == Folds::Near {
                    let is_below = |object: &ObjectId| match view.graph.holders(Root::Object(*object)) {
                        [Holder::Child(above, _)] => view.kept.objects.contains(above) && is_unpaired(above),
                        _ => false,
                    };
                    let below: Vec<ObjectId> = view.folded().filter(is_below).collect();
                    is_stable &= below.is_empty();
                    view.kept.objects.extend(below);
                }
            }
        }
        if is_stable {
            return Ok(());
        }
    }
}
