//! The items of an initialiser, which come in any order, each as a whole (C11 6.7.9p23).
//!
//! Items have to be independent. Then it makes no difference which comes first, but where one may end the program that another fails in. An item that
//! fails does so whatever has come before, so it is enough that each has an order in which nothing comes before it that may end the program.

use super::{
    conflicts::depend,
    effects::Scene,
    events::{self, Collected, Event},
    parts::each_part,
    reasons::Reason,
    rewrite::{assign, read, then},
    schedule::{ORDER_LIMIT, either},
};
use crate::lower::tree::{Base, Expression, ExpressionKind, Item, VariableId};

/// Puts items whose parts are settled into each order that makes a difference.
pub(super) fn settle(scene: &mut Scene<'_>, variable: VariableId, items: &mut [Item]) -> Result<(), Reason> {
    if touches_itself(scene, variable, items) {
        return Err(Reason::Items);
    }
    let asks = |event: &Event| event.stops() || event.frees();
    if items.iter_mut().any(|item| events::collect_failing(scene, &mut item.value).events.iter().any(asks)) {
        for item in items.iter_mut() {
            events::write_tests(scene, &mut item.value);
        }
    }
    let parts: Vec<Collected> = items.iter_mut().map(|item| events::collect_failing(scene, &mut item.value)).collect();
    let are_independent =
        parts.iter().enumerate().all(|(position, part)| !parts[..position].iter().any(|before| depend(scene, before, part)));
    if !are_independent {
        return Err(Reason::Items);
    }
    let first_end = parts.iter().position(ends).unwrap_or(parts.len());
    if !parts.iter().skip(first_end + 1).any(fails) {
        return Ok(());
    }
    let orders = orders(&parts);
    if orders.len() > ORDER_LIMIT || orders.len() > 1 && parts.iter().any(is_single) {
        return Err(Reason::Items);
    }
    write(scene, items, &orders);
    Ok(())
}

/// Does evaluating an item look at the object, or write there, so that it depends on which other items have been stored before?
fn touches_itself(scene: &Scene<'_>, variable: VariableId, items: &mut [Item]) -> bool {
    // Pointers to it are there from before where a `goto` leads back over its declaration.
    let mut mentions = scene.unit.functions[scene.function].variables[variable].repeated;
    for item in items.iter_mut() {
        each_part(&mut item.value, &mut |part| {
            if let ExpressionKind::Read(place)
            | ExpressionKind::AddressOf(place)
            | ExpressionKind::Assign { place, .. }
            | ExpressionKind::Update { place, .. } = &part.kind
            {
                mentions |= matches!(place.base, Base::Variable(id) if id == variable);
            }
        });
    }
    let own = scene.own_cells(variable);
    let mut parts = items.iter_mut().map(|item| events::collect_failing(scene, &mut item.value));
    mentions && parts.any(|part| part.events.iter().any(|event| event.touches().any(|cell| scene.any_overlap(&[*cell], &own))))
}

fn ends(part: &Collected) -> bool {
    part.events.iter().any(Event::stops)
}

/// Can it be written down only once?
fn is_single(part: &Collected) -> bool {
    !part.literals.is_empty() || part.events.iter().any(|event| event.has_labels)
}

fn fails(part: &Collected) -> bool {
    part.events.iter().any(|event| event.fails)
}

/// Orders of the items that may fail or end the program: first those that only fail, then, each of them at the head in one of the orders, those that do
/// both, then those that only end it.
fn orders(parts: &[Collected]) -> Vec<Vec<usize>> {
    let which = |wanted: &dyn Fn(&Collected) -> bool| (0..parts.len()).filter(|item| wanted(&parts[*item])).collect::<Vec<_>>();
    let failing = which(&|part| fails(part) && !ends(part));
    let both = which(&|part| fails(part) && ends(part));
    let ending = which(&|part| !fails(part) && ends(part));
    let order = |head: Option<usize>| {
        let others = both.iter().filter(|item| Some(**item) != head);
        failing.iter().chain(head.iter()).chain(others).chain(&ending).copied().collect()
    };
    if both.is_empty() { vec![order(None)] } else { both.iter().map(|head| order(Some(*head))).collect() }
}

/// Evaluates the items of the orders before all others, and keeps their values.
fn write(scene: &mut Scene<'_>, items: &mut [Item], orders: &[Vec<usize>]) {
    let mut steps = Vec::new();
    for (number, item) in items.iter_mut().enumerate() {
        if orders.iter().any(|order| order.contains(&number)) {
            let place = scene.temporary(&item.value);
            let value = std::mem::replace(&mut item.value, read(&place));
            steps.push((number, assign(&place, value)));
        }
    }
    let step = |number: &usize| steps.iter().find(|(known, _)| known == number).map(|(_, step)| step.clone());
    let line = |order: &Vec<usize>| order.iter().rev().filter_map(step).reduce(|rest, first| then(first, rest));
    let choices = orders.iter().filter_map(line).reduce(either);
    if let (Some(choices), Some(first)) = (choices, items.first_mut()) {
        let nothing = Expression::constant(0, first.value.ctype.clone(), first.value.offset);
        let value = std::mem::replace(&mut first.value, nothing);
        first.value = then(choices, value);
    }
}
