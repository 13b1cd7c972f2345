//! As cells of which sorts the nodes are folded: those of a table that is given, or states that are found (`spec/search.md#states`).

use super::{
    contents::Classes,
    graph::{Graph, Holder, Leading, Root, is_inside, root},
    hung::Back,
    predicates::PredicateId,
    states::{Merging, Place, State, States},
    view::{Fit, View},
};
use crate::state::folding::predicates::Known;
use goatherd_certificates::{
    configuration::{Address, Life, ObjectState, Slot, TreeSort},
    program::{Link, ObjectId, SortId, Type},
};
use goatherd_checker::rejection::Rejection;
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

/// May the node be folded as a cell of some state? It lives, there is one pointer to it from above, and each of its fields holds an integer, NULL,
/// nothing yet, a pointer to the cell above, or the only one to what is below.
pub fn is_foldable(graph: &Graph<'_>, object: ObjectId) -> Result<bool, Rejection> {
    let state = graph.object(object)?;
    let [Holder::Child(..) | Holder::Below(_)] = graph.holders(Root::Object(object)) else { return Ok(false) };
    let Some(links) = graph.links(state).filter(|_| state.life == Life::Live) else { return Ok(false) };
    Ok(links.iter().zip(&state.fields).enumerate().all(|(number, (link, field))| match (link, field.cells.as_slice()) {
        (Link::Data, [Slot::Integer(_)]) | (Link::Child(_) | Link::Other, [Slot::Uninitialised | Slot::Null]) => true,
        (Link::Child(_) | Link::Other, [_]) if graph.is_up(object, number) || graph.is_same(object, number) => true,
        (Link::Child(_), [_]) if graph.hung.leads_round(object, number) => true,
        (Link::Child(_) | Link::Other, [Slot::Forgotten]) => graph.leading == Leading::Any || graph.is_unread(state.declaration, number),
        (Link::Child(_) | Link::Other, [slot @ (Slot::Pointer(_) | Slot::Folded(_))]) => {
            root(*slot).is_some_and(|root| graph.holders(root).contains(&Holder::Child(object, number)))
        }
        _ => false,
    }))
}

/// What hangs at a place that is folded.
#[derive(Clone, Copy)]
enum Hanging {
    /// A tree of this sort.
    Tree(SortId),
    /// Something that leads on to what is kept, or is kept.
    Way,
}

/// Finds the states of nodes, from the leaves up.
pub struct Fitter<'a, 'b> {
    view: &'b View<'a>,
    classes: &'b Classes,
    states: States,
    hanging: BTreeMap<Root, Hanging>,
    fits: BTreeMap<ObjectId, Fit<'a>>,
}

impl<'a, 'b> Fitter<'a, 'b> {
    /// What the nodes that are not kept are folded as, with the states that this needs.
    pub fn fit(view: &'b View<'a>, classes: &'b Classes, states: States) -> Result<(BTreeMap<ObjectId, Fit<'a>>, States), Rejection> {
        let mut fitter = Self { view, classes, states, hanging: BTreeMap::new(), fits: BTreeMap::new() };
        for start in &view.graph.order {
            let mut open = vec![(*start, Visit::Before)];
            while let Some((root, visit)) = open.pop() {
                match visit {
                    Visit::Behind => {
                        let hanging = match root {
                            Root::Object(object) => fitter.object(object)?,
                            Root::Part(_) => fitter.part(root)?,
                        };
                        fitter.hanging.insert(root, hanging);
                    }
                    Visit::Before if !fitter.hanging.contains_key(&root) => {
                        // What is reached again from below itself is closed by nothing.
                        fitter.hanging.insert(root, Hanging::Way);
                        open.push((root, Visit::Behind));
                        let below = fitter.below(root)?;
                        open.extend(below.into_iter().filter_map(super::graph::root).map(|root| (root, Visit::Before)));
                    }
                    Visit::Before => {}
                }
            }
        }
        fitter.below_kept()?;
        Ok((fitter.fits, fitter.states))
    }

    /// Trees that hang from nodes that are kept are told apart like those that hang from others.
    fn below_kept(&mut self) -> Result<(), Rejection> {
        for object in &self.view.kept.objects {
            let state = self.view.graph.object(*object)?;
            for slot in state.fields.iter().flat_map(|field| &field.cells) {
                if let Some(Hanging::Tree(sort)) = self.at(*slot) {
                    self.present(state.declaration, *slot, sort)?;
                }
            }
        }
        Ok(())
    }

    /// What hangs below, if it is not kept.
    fn below(&self, root: Root) -> Result<Vec<Slot>, Rejection> {
        let graph = self.view.graph;
        match root {
            Root::Object(object) if self.view.kept.objects.contains(&object) => Ok(Vec::new()),
            Root::Object(object) => {
                let fields = graph.object(object)?.fields.iter().enumerate();
                let leads_down = |number: usize| {
                    !graph.is_up(object, number) && !graph.is_same(object, number) && !graph.hung.leads_round(object, number)
                };
                let slots = fields.filter(|(number, _)| leads_down(*number)).flat_map(|(_, field)| &field.cells);
                Ok(slots.filter(|slot| matches!(slot, Slot::Pointer(_) | Slot::Folded(_))).copied().collect())
            }
            Root::Part(_) => self.view.below(root),
        }
    }

    fn part(&self, root: Root) -> Result<Hanging, Rejection> {
        let graph = self.view.graph;
        let Root::Part(part) = root else { return Ok(Hanging::Way) };
        let sort = graph.nodes(part)?;
        if !is_inside(graph, part)? {
            return Ok(Hanging::Way);
        }
        let is_closed = match graph.sort(part)? {
            TreeSort::Tree(_) => true,
            TreeSort::Segment(_) => match graph.part(part)?.below {
                Slot::Null => true,
                below => matches!(self.at(below), Some(Hanging::Tree(other)) if other == sort),
            },
        };
        Ok(if is_closed { Hanging::Tree(sort) } else { Hanging::Way })
    }

    fn at(&self, slot: Slot) -> Option<Hanging> {
        root(slot).and_then(|root| self.hanging.get(&root)).copied()
    }

    fn object(&mut self, object: ObjectId) -> Result<Hanging, Rejection> {
        let graph = self.view.graph;
        let state = graph.object(object)?;
        let Some(declared) = graph.links(state).filter(|_| !self.view.kept.objects.contains(&object)) else { return Ok(Hanging::Way) };
        let mut found = Vec::new();
        for (number, field) in state.fields.iter().enumerate() {
            found.push(match field.cells.as_slice() {
                [Slot::Integer(term)] => {
                    let Type::Integer(kind) = graph.setting.layout(state.declaration)?.fields[number].kind else { return Ok(Hanging::Way) };
                    Some(self.states.value((state.declaration, declared), kind, self.classes.bounds(*term)))
                }
                _ if let Some(ring) = graph.hung.ring(object, number) => {
                    let sort = self.states.sort(State::hung(ring.cells, (state.declaration, number)));
                    sort.map(|sort| Link::Ring { sort, byte: ring.byte })
                }
                _ if let Some(ring) = graph.hung.last(object, number) => {
                    Some(Link::Last(u32::try_from(ring).map_err(|_| Rejection::Overflow)?))
                }
                _ if graph.hung.back(Back::Field(object, number)).is_some() => None,
                _ if graph.is_up(object, number) => Some(Link::Up),
                _ if graph.is_same(object, number) => Some(Link::Same),
                [Slot::Null] => Some(Link::Null),
                [Slot::Uninitialised] => Some(Link::Other),
                [Slot::Forgotten] => Some(Link::Any),
                [slot] => match (self.at(*slot), root(*slot)) {
                    (Some(Hanging::Tree(sort)), Some(root)) => Some(graph.hung(root, self.present(state.declaration, *slot, sort)?)),
                    _ => None,
                },
                _ => None,
            });
        }
        let is_held = graph.leading == Leading::Any && (declared.contains(&Link::Other) || graph.is_held_by_another(object)?);
        let place = match is_held {
            _ if found.contains(&None) => Place::Way,
            _ if graph.rings.contains(&Root::Object(object)) => Place::Ring,
            true => Place::Held,
            false => Place::Tree,
        };
        let satisfied = self.states.predicates.satisfied(state.declaration, &found, &self.states);
        let own = Link::Child(SortId(state.declaration.0));
        let is_declared = |(link, found): (&Link, &Option<Link>)| match (link, found) {
            (Link::Child(_), Some(Link::Null)) => true,
            // A way down is one tree with what is below it once nothing on it is kept.
            (link, None) => self.states.merging == Merging::Handed && *link == own,
            (link, found) => Some(*link) == *found,
        };
        let is_any = self.states.predicates.tell_nothing(state.declaration, &satisfied);
        // Trees of the declaration's sort may be empty.
        let may_be_declared = self.states.merging != Merging::Trees && graph.is_declared(state.declaration);
        if may_be_declared && is_any && declared.iter().zip(&found).all(is_declared) {
            let sort = SortId(state.declaration.0);
            self.fits.insert(object, Fit { sort, shape: 0, links: Cow::Borrowed(declared) });
            return Ok(if place == Place::Way { Hanging::Way } else { Hanging::Tree(sort) });
        }
        let common = match graph.hung.cell(object) {
            Some((node, field)) => State::hung(state.declaration, (graph.object(node)?.declaration, field)),
            None => self.state(state, place, &found, satisfied),
        };
        let Some(sort) = self.states.sort(common) else { return Ok(Hanging::Way) };
        let leads_down = |field: &usize| declared[*field] == own && !matches!(found[*field], Some(Link::Up | Link::Same));
        let is_single = (0..declared.len()).filter(leads_down).count() == 1;
        let links: Vec<Link> = declared
            .iter()
            .zip(found)
            .map(|(declared, found)| match found {
                None => Link::Child(sort),
                Some(Link::Null)
                    if is_single && graph.leading == Leading::Declared && *declared == own && self.states.may_be_empty(sort) =>
                {
                    Link::Child(sort)
                }
                Some(link) => link,
            })
            .collect();
        let Some((shape, links)) = self.states.shape(sort, &links) else { return Ok(Hanging::Way) };
        self.fits.insert(object, Fit { sort, shape, links: Cow::Owned(links) });
        Ok(match place {
            Place::Tree | Place::Held | Place::Ring if graph.agrees_above(object)? && graph.agrees_beside(Root::Object(object))? => {
                Hanging::Tree(sort)
            }
            _ => Hanging::Way,
        })
    }

    /// Of which sort the tree is that hangs at the slot of a node of this declaration, where trees that are not NULL are told apart in nodes of others:
    /// those that are as their declaration says and, where nothing is handed on, all others too. Within a list or tree it is not asked.
    fn present(&mut self, holder: ObjectId, slot: Slot, sort: SortId) -> Result<SortId, Rejection> {
        let is_declared = |sort: SortId| sort == SortId(self.states.object(sort).0);
        let is_asked = match self.states.merging {
            Merging::Present => true,
            Merging::Handed => is_declared(sort),
            _ => false,
        };
        if !is_asked {
            return Ok(sort);
        }
        let declaration = self.states.object(sort);
        if declaration == holder {
            return Ok(self.states.whole(sort).unwrap_or(sort));
        }
        let Slot::Pointer(Address { object, .. }) = slot else { return Ok(sort) };
        let Some(fit) = self.fits.get(&object).filter(|_| self.states.may_be_empty(sort)) else { return Ok(sort) };
        let graph = self.view.graph;
        let declared = graph.links(graph.object(object)?).unwrap_or_default();
        let Some(found) = self.states.present(sort, declaration, declared) else { return Ok(sort) };
        let fit = Fit { sort: found, shape: fit.shape, links: fit.links.clone() };
        self.fits.insert(object, fit);
        Ok(found)
    }

    /// What merges a node with others.
    fn state(&self, state: &ObjectState, place: Place, found: &[Option<Link>], satisfied: BTreeSet<PredicateId>) -> State {
        let [ups, unknown, unset] =
            [Link::Up, Link::Any, Link::Other].map(|link| (0..found.len()).filter(|field| found[*field] == Some(link)).collect());
        let same = found.iter().position(|link| *link == Some(Link::Same));
        // What a loop has passed of a list, and what it has not, is one list again behind the loop.
        let is_one = same.is_some() || self.states.merging == Merging::Trees;
        let place = if is_one && place == Place::Way { Place::Tree } else { place };
        let children = || found.iter().flatten().filter_map(|link| if let Link::Child(sort) = link { Some(*sort) } else { None });
        let mut values = Vec::new();
        let is_told_apart = match self.states.merging {
            Merging::Predicates => false,
            Merging::Ways => true,
            Merging::Links | Merging::Shapes | Merging::Trees | Merging::Present | Merging::Handed | Merging::Values | Merging::Sets => {
                place == Place::Tree
            }
        };
        if is_told_apart && !self.states.bound(state.declaration) {
            for (field, link) in found.iter().enumerate() {
                let mut alike = match *link {
                    Some(Link::Data) => BTreeSet::from([None]),
                    Some(Link::Range { least, greatest }) => BTreeSet::from([Some((least, greatest))]),
                    _ => BTreeSet::new(),
                };
                if self.states.merging == Merging::Sets && !alike.is_empty() {
                    children().for_each(|sort| self.states.add_values(sort, field, &mut alike));
                }
                if alike.contains(&None) {
                    alike = BTreeSet::from([None]);
                }
                values.push(alike);
            }
        }
        State { object: state.declaration, place, ups, same, unknown, unset, values, satisfied }
    }
}

/// When a place is looked at.
#[derive(Clone, Copy)]
enum Visit {
    /// Before what hangs below it.
    Before,
    /// Behind that.
    Behind,
}
