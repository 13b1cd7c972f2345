//! Heaps of templates: what of a herd is kept as nodes, and what is folded into trees and segments (`spec/search.md#folding`).

pub(crate) mod bounds;
pub(crate) mod chains;
pub(crate) mod contents;
pub(crate) mod fitting;
pub(crate) mod folded;
pub(crate) mod folds;
pub(crate) mod graph;
pub(crate) mod handing;
pub(crate) mod hung;
pub(crate) mod keeping;
pub(crate) mod modes;
pub(crate) mod numbering;
pub(crate) mod predicates;
pub(crate) mod rounds;
pub(crate) mod same;
pub(crate) mod sorts;
pub(crate) mod states;
pub(crate) mod uniform;
pub(crate) mod unread;
pub(crate) mod view;
pub(crate) mod writing;

use super::{herd::Herd, template::basis::Basis};
use chains::Neighbours;
use contents::{Classes, Contents};
use folded::{Counterparts, Folding};
use folds::Folds;
use goatherd_certificates::{
    configuration::{Address, Member, Slot},
    program::{ObjectId, Origin},
};
use goatherd_checker::{
    configuration::{Member as CheckedMember, Place},
    rejection::Rejection,
    term::Arena,
};
use graph::{Graph, Root};
use std::collections::{BTreeMap, BTreeSet};
use uniform::Evened;
use view::{Names, View};
use writing::{Symbols, Writer};

/// Folds the herd, all members of which are about to execute an instruction.
pub fn fold(arena: &mut Arena, basis: Basis<'_>, herd: &mut Herd) -> Result<Folding, Rejection> {
    let Basis { folds, states, .. } = basis;
    let states = states.map(|states| states.borrow().clone());
    let mut configuration = herd.configuration.clone();
    modes::forget_dead(arena, basis, herd, &mut configuration)?;
    for member in &mut configuration.members {
        forget_overwritten(basis, member)?;
        unread::forget_unread(basis, &herd.configuration, member)?;
        unread::forget_unread_fields(basis, member)?;
        handing::forget_dead(basis, member);
    }
    let mut graphs: Vec<Graph<'_>> =
        configuration.members.iter().map(|member| Graph::new(basis, &configuration, member)).collect::<Result<_, _>>()?;
    let mut ways_up = BTreeSet::new();
    for graph in &graphs {
        ways_up.append(&mut graph.ways_up()?);
    }
    graphs.iter_mut().try_for_each(|graph| graph.note_only(&ways_up))?;
    let classes = classes(arena, herd, &graphs)?;
    let names = |number: usize| if folds == Folds::Uniform && number > 0 { Names::Folded } else { Names::Kept };
    let views = graphs.iter().enumerate().map(|(number, graph)| View::new(graph, names(number), states.clone()));
    let mut views: Vec<View<'_>> = views.collect::<Result<_, _>>()?;
    loop {
        let mut contents = Contents::default();
        keeping::keep(&mut views, &mut contents, &classes, folds, states.as_ref())?;
        let null = writing::null(&mut contents);
        let mut all = Vec::new();
        for view in &views {
            all.push(chains::chains(view, &mut contents, &classes)?);
        }
        let others = chains::kept_besides(&views, &all, null)?;
        if others.iter().any(|nodes| !nodes.is_empty()) {
            views.iter_mut().zip(others).for_each(|(view, nodes)| view.kept.objects.extend(nodes));
            continue;
        }
        let evened = if folds == Folds::Uniform { Evened::new(&views, &classes, &herd.known)? } else { Evened::default() };
        let neighbours = Neighbours::new(folds, all.iter().flatten());
        let mut symbols = Symbols::default();
        let (mut members, mut objects, mut is_whole) = (Vec::new(), Vec::new(), true);
        let mut wanted = Vec::new();
        for (number, (view, chains)) in views.iter().zip(&all).enumerate() {
            match Writer::new(view, number, &classes, folds, &evened)?.write(&contents, chains, &neighbours, &mut symbols, null)? {
                Ok(written) => {
                    members.push(written.member);
                    objects.push(written.objects);
                    wanted.push(Vec::new());
                }
                Err(roots) => {
                    is_whole = false;
                    wanted.push(roots.into_iter().collect());
                }
            }
        }
        if is_whole {
            let counterparts = counterparts(&classes, &graphs, &members, &objects)?;
            let states = views.iter().find_map(View::new_states).cloned();
            let Symbols { sorts: trees, paths, shapes, .. } = symbols;
            let mut folding = Folding { members, trees, paths, shapes, objects, counterparts, states };
            numbering::renumber(&mut folding);
            return Ok(folding);
        }
        for (view, roots) in views.iter_mut().zip(wanted) {
            for root in roots {
                match root {
                    Root::Object(object) => drop(view.kept.objects.insert(object)),
                    Root::Part(_) => drop(view.kept.ends.insert(root)),
                }
            }
        }
    }
}

/// Forgets the pointers in nodes that are written before they are read again.
fn forget_overwritten(Basis { setting, flow, .. }: Basis<'_>, member: &mut CheckedMember) -> Result<(), Rejection> {
    let Place::At(location) = member.place else { return Ok(()) };
    for (register, offset) in flow.overwritten.get(location.index()).into_iter().flatten() {
        let Slot::Pointer(Address { object, byte, .. }) = member.register(*register)? else { continue };
        let Some(state) = member.object(object).filter(|_| flow.is_live(location, *register)) else { continue };
        let is_node = matches!(setting.object(state.declaration)?.origin, Origin::Node { .. });
        let field = setting
            .layout(state.declaration)?
            .fields
            .iter()
            .position(|field| i128::from(field.offset) == i128::from(byte) + i128::from(*offset));
        if let Some(field) = field.filter(|_| is_node)
            && let Some(field) = member.object_mut(object)?.fields.get_mut(field)
        {
            field.cells.fill(Slot::Forgotten);
        }
    }
    Ok(())
}

/// The nodes of members that are told from others by what they hold, each with the primary's that holds the same.
fn counterparts(
    classes: &Classes,
    graphs: &[Graph<'_>],
    members: &[Member],
    objects: &[Vec<ObjectId>],
) -> Result<Vec<Counterparts>, Rejection> {
    let mut known = BTreeMap::new();
    let mut all = Vec::new();
    for ((graph, member), objects) in graphs.iter().zip(members).zip(objects) {
        let mut own = Vec::new();
        for (state, object) in member.objects.iter().zip(objects) {
            let Some(identity) = classes.identity(graph, *object)? else { continue };
            if all.is_empty() {
                known.entry(identity).or_insert(state.object);
            } else {
                own.push((state.object, known.get(&identity).copied()));
            }
        }
        all.push(own);
    }
    Ok(all)
}

/// The integers of nodes, and those that live registers hold, up to equality.
fn classes(arena: &mut Arena, herd: &mut Herd, graphs: &[Graph<'_>]) -> Result<Classes, Rejection> {
    let (mut data, mut registers) = (Vec::new(), Vec::new());
    for graph in graphs {
        for root in &graph.order {
            if let Root::Object(object) = *root {
                data.extend(contents::data(graph, object)?.unwrap_or_default());
            }
        }
        registers.extend(graph.registers.iter().filter_map(|(_, slot)| if let Slot::Integer(term) = slot { Some(*term) } else { None }));
    }
    if data.is_empty() {
        registers.clear();
    }
    Ok(Classes::new(arena, herd, &data, &registers))
}

#[cfg(test)]
mod tests;
