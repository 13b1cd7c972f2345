//! The sorts of trees that a proof may use: one type may be linked in several ways (`spec/search.md#folding`).
//!
//! Beside the sort that a declaration has by itself, in which every pointer leads down, there is one for each pointer of a node to its own
//! type: that pointer leads up, as `prev` does behind a loop that has set it, and so for each pointer to something else, which may be the address of
//! the pointer that leads down. A list that is walked backwards is a tree in which `next` leads up. Where there are several others, there is also one for each of them in which it alone leads to nodes of the sort: the way down a tree along which a
//! loop has set `parent`, beside which there are trees that it has not seen.

use goatherd_certificates::{
    configuration::{Root, Sort},
    program::{Link, ObjectId, Origin, Program, SortId},
};
use goatherd_checker::{configuration::Setting, rejection::Rejection};

/// The sorts of a proof about the program, but for those of its declarations.
pub fn sorts(program: &Program) -> Vec<Sort> {
    let mut sorts = Vec::new();
    for (number, object) in (0..).zip(&program.objects) {
        let Origin::Node { links } = &object.origin else { continue };
        let own = Link::Child(SortId(number));
        let pointers: Vec<usize> = (0..links.len()).filter(|field| links[*field] == own).collect();
        for up in (0..links.len()).filter(|field| links[*field] == own || links[*field] == Link::Other) {
            let others: Vec<usize> = pointers.iter().copied().filter(|field| *field != up).collect();
            if others.is_empty() {
                continue;
            }
            let mut ways = vec![others.clone()];
            if others.len() > 1 {
                ways.extend(others.iter().map(|field| vec![*field]));
            }
            for down in ways {
                let Ok(sort) = u32::try_from(program.objects.len() + sorts.len()) else { continue };
                let role = |(field, link): (usize, &Link)| match link {
                    _ if field == up => Link::Up,
                    _ if down.contains(&field) => Link::Child(SortId(sort)),
                    link => *link,
                };
                let shapes = vec![links.iter().enumerate().map(role).collect()];
                sorts.push(Sort { object: ObjectId(number), root: Root::Any, shapes });
            }
        }
    }
    sorts
}

/// The declaration of the nodes of a sort of one shape, as all sorts of the proofs found here are, and what their fields are.
pub fn nodes(setting: Setting<'_>, sort: SortId) -> Result<(ObjectId, &[Link]), Rejection> {
    match setting.nodes(sort)? {
        (declaration, _, [links]) => Ok((declaration, links)),
        _ => Err(Rejection::Missing),
    }
}
