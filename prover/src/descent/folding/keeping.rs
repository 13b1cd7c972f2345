//! Which nodes are kept, and what everything else contains.

use super::{
    contents::{Classes, Content, ContentId, Contents},
    graph::{Graph, Holder, Root, root},
};
use goatherd_certificates::{
    configuration::{FoldedId, Life, Slot, TreeSort},
    program::{Link, ObjectId},
};
use goatherd_checker::rejection::Rejection;
use std::collections::{BTreeMap, BTreeSet};

/// What stays as it is: nodes that are kept although they could be folded, and segments behind which something else begins.
#[derive(Clone, Default, Debug)]
pub struct Kept {
    /// Objects.
    pub objects: BTreeSet<ObjectId>,
    /// Folded parts that do not stand inside of others.
    pub parts: BTreeSet<FoldedId>,
    /// Nodes and segments that are the last of what is folded together.
    pub ends: BTreeSet<Root>,
}

/// A member's heap, some of which is kept.
pub struct View<'a> {
    pub graph: &'a Graph<'a>,
    pub kept: Kept,
    /// Of what is folded: what all that hangs there contains; none if something that is kept hangs there.
    contents: BTreeMap<Root, Option<ContentId>>,
}

impl<'a> View<'a> {
    /// Keeps what cannot be folded, by itself or because of where pointers to it are held.
    pub fn new(graph: &'a Graph<'a>) -> Result<Self, Rejection> {
        let mut kept = Kept::default();
        for root in &graph.order {
            match *root {
                Root::Object(object) if !is_foldable(graph, object)? => drop(kept.objects.insert(object)),
                Root::Part(part) if !is_inside(graph, part)? => drop(kept.parts.insert(part)),
                _ => {}
            }
        }
        Ok(Self { graph, kept, contents: BTreeMap::new() })
    }

    /// Is it folded into what leads to it?
    pub fn is_folded(&self, root: Root) -> bool {
        match root {
            Root::Object(object) => !self.kept.objects.contains(&object),
            Root::Part(part) => !self.kept.parts.contains(&part),
        }
    }

    /// The nodes that are not kept, in the order in which they are reached.
    pub fn folded(&self) -> impl Iterator<Item = ObjectId> + '_ {
        self.graph.order.iter().filter_map(|root| match *root {
            Root::Object(object) if !self.kept.objects.contains(&object) => Some(object),
            _ => None,
        })
    }

    /// What hangs below, in the order of the fields.
    pub fn below(&self, root: Root) -> Result<Vec<Slot>, Rejection> {
        match root {
            Root::Object(object) => {
                let state = self.graph.object(object)?;
                let links = self.graph.links(state).unwrap_or_default();
                let children = links.iter().zip(&state.fields).filter(|(link, _)| matches!(link, Link::Child(_)));
                Ok(children.filter_map(|(_, field)| field.cells.first().copied()).collect())
            }
            Root::Part(part) => Ok(match self.graph.sort(part)? {
                TreeSort::Tree(_) => Vec::new(),
                TreeSort::Segment(_) => vec![self.graph.part(part)?.below],
            }),
        }
    }

    /// The content of all that hangs at the slot; none if something that is kept does.
    pub fn content(&self, contents: &mut Contents, slot: Slot) -> Option<ContentId> {
        match (slot, root(slot)) {
            (Slot::Null, _) => Some(contents.number(Content::Null)),
            (Slot::Pointer { .. } | Slot::Folded(_), Some(root)) if self.is_folded(root) => self.contents.get(&root).copied().flatten(),
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
                Content::Node(self.graph.object(object)?.declaration, data, below)
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

    /// Which children are of the node's own declaration.
    fn own_children(&self, object: ObjectId) -> Result<Vec<bool>, Rejection> {
        let state = self.graph.object(object)?;
        let children = self.graph.links(state).unwrap_or_default().iter().filter(|link| matches!(link, Link::Child(_)));
        Ok(children.map(|link| *link == Link::Child(state.declaration)).collect())
    }

    /// Has a cell there one child, of its own declaration? So it is of a list.
    pub fn is_single(&self, root: Root) -> Result<bool, Rejection> {
        Ok(match root {
            Root::Object(object) => self.own_children(object)? == [true],
            Root::Part(part) => matches!(self.graph.sort(part)?, TreeSort::Segment(_)),
        })
    }

    /// Does more than one way lead from the folded node to something that is kept, or one to nodes of another declaration?
    fn is_branching(&self, contents: &mut Contents, object: ObjectId) -> Result<bool, Rejection> {
        Ok(match self.open_children(contents, Root::Object(object))?.as_slice() {
            [] => false,
            [child] => !self.own_children(object)?[*child],
            _ => true,
        })
    }
}

/// May the node be a cell without a name? It lives, there is one pointer to it from above, and its fields hold what a tree's do.
fn is_foldable(graph: &Graph<'_>, object: ObjectId) -> Result<bool, Rejection> {
    let state = graph.object(object)?;
    let Some(links) = graph.links(state) else { return Ok(false) };
    let [holder @ (Holder::Child(_) | Holder::Below(_))] = graph.holders(Root::Object(object)) else { return Ok(false) };
    let above = graph.above(*holder)?;
    let is_plain = |(link, cells): (&Link, &[Slot])| match (link, cells) {
        (Link::Data, [Slot::Integer(_)]) | (Link::Other, [Slot::Uninitialised]) | (Link::Child(_), [Slot::Null]) => true,
        (Link::Up, [up]) => above == Some(*up),
        (Link::Child(_), [slot @ (Slot::Pointer { .. } | Slot::Folded(_))]) => {
            let holders = root(*slot).map_or(&[][..], |root| graph.holders(root));
            // One of another declaration, or into the middle of an object, is held elsewhere.
            holders.contains(&Holder::Child(object))
        }
        _ => false,
    };
    let cells = state.fields.iter().map(|field| field.cells.as_slice());
    Ok(state.life == Life::Live && links.iter().zip(cells).all(is_plain))
}

/// May the part be inside of another one? There is one pointer to its root, from above, and it is below what holds it.
fn is_inside(graph: &Graph<'_>, part: FoldedId) -> Result<bool, Rejection> {
    let root = Root::Part(part);
    let [holder @ (Holder::Child(_) | Holder::Below(_))] = graph.holders(root) else { return Ok(false) };
    Ok(!graph.has_up(graph.declaration(root)?) || graph.above(*holder)? == Some(graph.part(part)?.above))
}

/// How many nodes of a member without counterparts in others are kept.
const UNPAIRED: usize = 3;

/// Keeps what would not be told apart: counterparts of what is kept, nodes from which several ways lead on, the few that other members do not
/// have, and those that hold what a register holds.
pub fn keep(views: &mut [View<'_>], contents: &mut Contents, classes: &Classes) -> Result<(), Rejection> {
    let mut identities = Vec::new();
    for view in &*views {
        let mut own = BTreeMap::new();
        for root in &view.graph.order {
            if let Root::Object(object) = *root
                && let Some(identity) = classes.identity(view.graph, object)?
            {
                own.insert(object, identity);
            }
        }
        identities.push(own);
    }
    for (view, identities) in views.iter_mut().zip(&identities) {
        let is_named = |object: &ObjectId| identities.get(object).is_some_and(|(_, data)| data.iter().any(|class| classes.registers.contains(class)));
        let named: Vec<ObjectId> = view.folded().filter(is_named).collect();
        if named.len() < UNPAIRED {
            view.kept.objects.extend(named);
        }
    }
    loop {
        let mut is_stable = true;
        let of_kept = |(view, identities): (&View<'_>, &BTreeMap<ObjectId, _>)| {
            view.kept.objects.iter().filter_map(|object| identities.get(object)).cloned().collect::<Vec<_>>()
        };
        let kept: BTreeSet<_> = views.iter().zip(&identities).flat_map(of_kept).collect();
        for (view, identities) in views.iter_mut().zip(&identities) {
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
                let unpaired: Vec<ObjectId> =
                    view.folded().filter(|object| own.get(object).is_some_and(|identity| !everywhere(identity))).collect();
                if (1..=UNPAIRED).contains(&unpaired.len()) {
                    view.kept.objects.extend(unpaired);
                    is_stable = false;
                }
            }
        }
        if is_stable {
            return Ok(());
        }
    }
}
