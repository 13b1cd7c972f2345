//! The sorts of trees that a proof may use: one type may be linked in several ways (`spec/search.md#folding`).
//!
//! Beside the sort that a declaration has by itself, in which every pointer leads down, there is one for each pointer of a node to its own
//! type: that pointer leads up, as `prev` does behind a loop that has set it. A list that is walked backwards is a tree in which `next` leads up.

use goatherd_certificates::{
    configuration::Sort,
    program::{Link, ObjectId, Origin, Program, SortId},
};

/// The sorts of a proof about the program, but for those of its declarations.
pub fn sorts(program: &Program) -> Vec<Sort> {
    let mut sorts = Vec::new();
    for (number, object) in (0..).zip(&program.objects) {
        let Origin::Node { links } = &object.origin else { continue };
        let own = Link::Child(SortId(number));
        let pointers: Vec<usize> = (0..links.len()).filter(|field| links[*field] == own).collect();
        if pointers.len() < 2 {
            continue;
        }
        for up in &pointers {
            let Ok(sort) = u32::try_from(program.objects.len() + sorts.len()) else { continue };
            let role = |(field, link): (usize, &Link)| match link {
                _ if field == *up => Link::Up,
                link if *link == own => Link::Child(SortId(sort)),
                link => *link,
            };
            sorts.push(Sort { object: ObjectId(number), links: links.iter().enumerate().map(role).collect() });
        }
    }
    sorts
}
