//! How nodes are linked whose links lie in the midst of them, as those of Linux' lists do: pointers lead to the member that links a node to others,
//! and what its type says of the links is a node that there is not.

use crate::targets::Targets;
use goatherd_certificates::program::{Link, ObjectId, Origin, Program, SortId, Type};
use std::collections::{BTreeMap, BTreeSet};

/// How the nodes of a declaration are linked, where that is not what the declaration says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entrance {
    /// To which of their bytes pointers lead.
    pub byte: u64,
    /// What their fields are: children are of the declarations whose nodes the pointers there lead to.
    pub links: Vec<Link>,
}

/// By declaration, those nodes.
pub fn entrances(program: &Program, targets: &Targets) -> BTreeMap<ObjectId, Entrance> {
    let bytes = bytes(program, targets);
    let mut entrances = BTreeMap::new();
    for (number, object) in (0..).map(ObjectId).zip(&program.objects) {
        let Origin::Node { links } = &object.origin else { continue };
        let fields = &program.layouts[object.layout.index()].fields;
        let link = |(link, offset): (&Link, u64)| match *link {
            Link::Child(sort) => {
                let led_to = targets.stored(number, offset).filter(|(other, byte)| bytes.get(other) == Some(byte));
                let nodes: BTreeSet<ObjectId> = led_to.map(|(other, _)| other).collect();
                match nodes.first() {
                    Some(node) if nodes.len() == 1 => Link::Child(SortId(node.0)),
                    _ => Link::Child(sort),
                }
            }
            link => link,
        };
        let found: Vec<Link> = links.iter().zip(fields.iter().map(|field| field.offset)).map(link).collect();
        let byte = bytes.get(&number).copied().unwrap_or_default();
        if byte != 0 || found != *links {
            entrances.insert(number, Entrance { byte, links: found });
        }
    }
    entrances
}

/// By declaration, to which byte of nodes those pointers lead by which they are linked: of several, the one that is not the header of a ring of
/// others, or else that to which those lead that stand in most fields of nodes; of several of these the one to which most fields of other objects
/// lead, as those of headers do, or the first of them.
fn bytes(program: &Program, targets: &Targets) -> BTreeMap<ObjectId, u64> {
    let is_node = |object: &ObjectId| matches!(program.objects[object.index()].origin, Origin::Node { .. });
    let mut counts: BTreeMap<ObjectId, BTreeMap<u64, usize>> = BTreeMap::new();
    let mut outside: BTreeMap<(ObjectId, u64), usize> = BTreeMap::new();
    for holder in (0..).map(ObjectId).take(program.objects.len()) {
        let fields = &program.layouts[program.objects[holder.index()].layout.index()].fields;
        for field in fields.iter().filter(|field| field.kind == Type::Pointer) {
            for (object, byte) in targets.stored(holder, field.offset).filter(|(object, _)| is_node(object)) {
                let count = if is_node(&holder) {
                    counts.entry(object).or_default().entry(byte).or_default()
                } else {
                    outside.entry((object, byte)).or_default()
                };
                *count += 1;
            }
        }
    }
    let mut found = linking(&counts, targets);
    for (object, counts) in &counts {
        let rank = |(byte, count): &(&u64, &usize)| (**count, outside.get(&(*object, **byte)).copied());
        let most = || counts.iter().rev().max_by_key(rank).map_or(0, |(byte, _)| *byte);
        found.entry(*object).or_insert_with(most);
    }
    found
}

/// The bytes by which nodes are linked, where that is evident: there is only one to which pointers lead; or one of them is linked, forth and back,
/// with other nodes at headers alone, which are bytes by which those are not linked.
fn linking(counts: &BTreeMap<ObjectId, BTreeMap<u64, usize>>, targets: &Targets) -> BTreeMap<ObjectId, u64> {
    let only = |counts: &BTreeMap<u64, usize>| counts.keys().next().copied().filter(|_| counts.len() == 1);
    let mut found: BTreeMap<ObjectId, u64> = counts.iter().filter_map(|(object, counts)| Some((*object, only(counts)?))).collect();
    let others = |object: ObjectId, byte: u64| {
        let linked = targets.stored(object, byte).filter(move |(other, _)| *other != object && counts.contains_key(other));
        linked.filter(move |(other, at)| targets.stored(*other, *at).any(|to| to == (object, byte)))
    };
    loop {
        let is_header = |(other, at): (ObjectId, u64)| found.get(&other).is_some_and(|byte| *byte != at);
        let is_new = |(object, counts): (&ObjectId, &BTreeMap<u64, usize>)| {
            let links = |byte: &&u64| targets.stored(*object, **byte).next().is_some() && others(*object, **byte).all(is_header);
            let mut linking = counts.keys().filter(links);
            let byte = linking.next().copied().filter(|_| linking.next().is_none());
            let has_ring = counts.keys().any(|byte| others(*object, *byte).next().is_some());
            byte.filter(|_| has_ring && !found.contains_key(object)).map(|byte| (*object, byte))
        };
        let Some((object, byte)) = counts.iter().find_map(is_new) else { return found };
        found.insert(object, byte);
    }
}

#[cfg(test)]
mod tests {
    use super::{Entrance, entrances};
    use crate::{targets::Targets, testing::program};
    use goatherd_certificates::program::{Link, ObjectId, SortId};
    use std::collections::BTreeMap;

    /// Nodes that are linked otherwise than their declarations say, in a program that pushes nodes of this type to a ring.
    fn found(node: &str, member: &str) -> BTreeMap<ObjectId, Entrance> {
        let text = format!(
            "void *malloc(unsigned long); int __VERIFIER_nondet_int(void);
            struct link {{ struct link *next, *prev; }};
            struct node {{ {node} }};
            void test(void) {{
                struct link head = {{ &head, &head }};
                while (__VERIFIER_nondet_int()) {{
                    struct node *node = malloc(sizeof *node);
                    if (!node) return;
                    node->{member}.next = head.next;
                    node->{member}.prev = &head;
                    head.next->prev = &node->{member};
                    head.next = &node->{member};
                }}
            }}"
        );
        let program = program("entrances", &text);
        entrances(&program, &Targets::new(&program).unwrap())
    }

    #[test]
    fn links_lead_to_the_member_that_is_linked() {
        let own = |entrances: &BTreeMap<ObjectId, Entrance>| {
            let [(object, Entrance { byte, links })] = entrances.iter().collect::<Vec<_>>()[..] else { panic!("{entrances:?}") };
            let child = Link::Child(SortId(object.0));
            (*byte, links.iter().map(|link| *link == child).collect::<Vec<_>>())
        };
        assert_eq!(own(&found("long value; struct link link;", "link")), (8, vec![false, true, true]));
        assert_eq!(own(&found("struct link link; long value;", "link")), (0, vec![true, true, false]));
        // The other member links nothing.
        let two = found("struct link other; struct link link;", "link");
        assert_eq!(own(&two), (16, vec![false, false, true, true]));
    }

    #[test]
    fn headers_of_rings_link_no_nodes() {
        let text = "void *malloc(unsigned long); int __VERIFIER_nondet_int(void);
            struct link { struct link *next, *prev; };
            struct item { long value; struct link link; };
            struct group { struct link items; struct link link; };
            static void init(struct link *head) { head->next = head; head->prev = head; }
            static void add(struct link *node, struct link *head) {
                head->next->prev = node;
                node->next = head->next;
                node->prev = head;
                head->next = node;
            }
            void test(void) {
                struct link head;
                init(&head);
                while (__VERIFIER_nondet_int()) {
                    struct group *group = malloc(sizeof *group);
                    if (!group) return;
                    init(&group->items);
                    while (__VERIFIER_nondet_int()) {
                        struct item *item = malloc(sizeof *item);
                        if (!item) return;
                        add(&item->link, &group->items);
                    }
                    add(&group->link, &head);
                }
            }";
        let program = program("nested", text);
        let found = entrances(&program, &Targets::new(&program).unwrap());
        let of = |name: &str| (0..).map(ObjectId).zip(&program.objects).find(|(_, object)| object.name.ends_with(name)).unwrap().0;
        let (item, group) = (of("item"), of("group"));
        let [of_item, of_group] = [SortId(item.0), SortId(group.0)].map(Link::Child);
        assert_eq!(found[&item], Entrance { byte: 8, links: vec![Link::Data, of_item, of_item] });
        assert_eq!(found[&group], Entrance { byte: 16, links: vec![of_item, of_item, of_group, of_group] });
    }

    #[test]
    fn headers_that_lead_to_themselves_alone_link_no_nodes() {
        let text = "void *malloc(unsigned long); int __VERIFIER_nondet_int(void);
            struct link { struct link *next, *prev; };
            struct group { struct link items; struct link link; };
            void test(void) {
                struct link head = { &head, &head };
                while (__VERIFIER_nondet_int()) {
                    struct group *group = malloc(sizeof *group);
                    if (!group) return;
                    group->items.next = group->items.prev = &group->items;
                    group->link.next = head.next;
                    group->link.prev = &head;
                    head.next->prev = &group->link;
                    head.next = &group->link;
                }
            }";
        let program = program("headers-alone", text);
        let found = entrances(&program, &Targets::new(&program).unwrap());
        assert_eq!(found.values().map(|entrance| entrance.byte).collect::<Vec<_>>(), [16]);
    }

    #[test]
    fn nodes_that_are_linked_as_they_say_have_no_entrance() {
        let text = "void *malloc(unsigned long); int __VERIFIER_nondet_int(void); struct node { long value; struct node *next; };
            void test(void) {
                struct node *list = 0;
                while (__VERIFIER_nondet_int()) {
                    struct node *node = malloc(sizeof *node);
                    if (!node) return;
                    node->next = list;
                    list = node;
                }
            }";
        let program = program("declared", text);
        assert_eq!(entrances(&program, &Targets::new(&program).unwrap()), BTreeMap::new());
    }
}
