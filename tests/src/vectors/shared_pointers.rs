//! Fields that hold what the same field of the node above does: whole proofs, and proofs of programs that fail (`spec/calculus.md#attacks`, H16).

use super::{
    Catalogue,
    heaps::{Forgery, Scene, allocate, allocating, are_equal, link, proved},
};
use crate::{
    forge::Forge,
    heaps::{NEXT, NODE, OWN, PREVIOUS, SORT, jump, last, load, reading, root, sort, state, template, to},
    programs::{FAIL, empty, is_null, linked, node, pointer},
};
use goatherd_certificates::{
    certificate::Certificate,
    configuration::{Root, Slot, Sort, Template, TreeId, TreeSort},
    derivation::{SegmentEnd, TemplateId},
    program::{Instruction, Link, Program, RegisterId, SortId, Source},
};
use goatherd_checker::{
    configuration::Configuration,
    rejection::{Fault, Rejection},
};

/// Lists each of whose nodes points where the one before it does.
const SHARED: TreeSort = TreeSort::Tree(OWN);

/// Their sort.
fn shared() -> Sort {
    sort(Link::Child(OWN), Link::Same)
}

/// The same, where it is said what is handed to the next node.
fn handed(from: Source, last: Link) -> Sort {
    sort(Link::Handed { sort: OWN, from }, last)
}

/// The first nodes of the parts of the only member point there.
fn pointing(mut template: Template, slots: &[Slot]) -> Template {
    for (part, slot) in template.members[0].folded.iter_mut().zip(slots) {
        part.same = *slot;
    }
    template
}

/// Nodes `h`, `a` and `b`, and then, from instruction 6 on, `if (a != NULL && a->prev == NULL) fail` or the same of the node behind `a`.
fn three_nodes(is_second: bool) -> (Program, [RegisterId; 3]) {
    let (mut program, registers) = allocating(&[Link::Child(SORT), Link::Other], &["h", "a", "b"]);
    let [h, a, b] = registers.try_into().expect("three registers");
    let mut instructions: Vec<Instruction> = [h, a, b].map(|register| allocate(&program, register)).into();
    let (above, below) = if is_second { (a, b) } else { (b, a) };
    instructions.extend([link(above, NEXT, below), link(above, PREVIOUS, h), jump(6), is_null(a, 11, 7)]);
    instructions.push(if is_second { load(a, a, NEXT) } else { jump(8) });
    instructions.extend([is_null(a, 11, 9), load(a, a, PREVIOUS), is_null(a, 12, 11), Instruction::Halt, FAIL]);
    program.instructions = instructions;
    (program, [h, a, b])
}

/// At this location `a` is a list, all of whose nodes point to `h`.
fn to_header(forge: &mut Forge<'_>, location: u32, [h, a, _]: [RegisterId; 3]) -> Template {
    let (header, nodes) = (to(forge, 0), vec![state(forge, 0, &[Slot::Forgotten; 2])]);
    pointing(template(location, &[SHARED], &[(h, header), (a, root(0))], nodes, &[(0, Slot::Null, Slot::Null)]), &[header])
}

/// H16.
pub fn forgeries() -> Vec<Forgery> {
    let mut forgeries = Vec::new();
    for (name, is_second, reason) in [
        ("heap-same", false, "the first node does not point where all are said to point"),
        ("heap-same-below", true, "a node does not point where the one above it does"),
    ] {
        let (program, registers) = three_nodes(is_second);
        let scene = Scene::new(program, Vec::new()).of_sorts(vec![shared()]);
        forgeries.push(scene.forged(name, Rejection::NotRead, reason, |forge, configuration| {
            let forged = to_header(forge, 6, registers);
            let id = forge.template(forged, Forge::auto);
            let configuration = forge.steps(configuration, 6);
            forge.cover(&configuration, id, reading(&[&[]], &[0]));
        }));
    }

    // What is handed on is said of the next node like what is the same in both.
    for (name, from, reason) in [
        ("heap-handed", Source::Field(2), "a node does not hold what the one above it hands to it"),
        ("heap-handed-on", Source::Above, "a node does not hold what the one above it hands on"),
    ] {
        let (program, registers) = three_nodes(true);
        let scene = Scene::new(program, Vec::new()).of_sorts(vec![handed(from, Link::Same)]);
        forgeries.push(scene.forged(name, Rejection::NotRead, reason, |forge, configuration| {
            let forged = to_header(forge, 6, registers);
            let id = forge.template(forged, Forge::auto);
            let configuration = forge.steps(configuration, 6);
            forge.cover(&configuration, id, reading(&[&[]], &[0]));
        }));
    }

    // Unfold knows no field of such a node by which a segment leads on.
    let (program, [_, a, _]) = three_nodes(false);
    let scene = Scene::new(program, Vec::new()).of_sorts(vec![handed(Source::Above, Link::Null)]);
    let reason = "a segment leads on by a field that hands something on";
    forgeries.push(scene.forged("heap-handed-segment", Rejection::Shape, reason, |forge, configuration| {
        let forged = template(6, &[TreeSort::Segment(OWN)], &[(a, root(0))], Vec::new(), &[(0, Slot::Null, Slot::Null)]);
        let id = forge.template(forged, Forge::auto);
        let configuration = forge.steps(configuration, 6);
        forge.cover(&configuration, id, reading(&[&[0]], &[]));
    }));

    // Where `same` names a part, nobody looks at what the nodes hold.
    let (program, registers) = three_nodes(false);
    let [h, a, _] = registers;
    let others = Sort { object: NODE, root: Root::Node, shapes: vec![vec![Link::Data, Link::Null, Link::Null]], within: None };
    let scene = Scene::new(program, Vec::new()).of_sorts(vec![shared(), others]);
    let reason = "a list is said to point to what is folded itself";
    forgeries.push(scene.forged("heap-same-folded", Rejection::NotRead, reason, |forge, configuration| {
        let trees = [SHARED, TreeSort::Tree(SortId(OWN.0 + 1))];
        let folded = [(0, Slot::Null, Slot::Null), (1, Slot::Null, Slot::Null)];
        let forged = template(6, &trees, &[(h, root(1)), (a, root(0))], Vec::new(), &folded);
        let id = forge.template(pointing(forged, &[root(1)]), Forge::auto);
        let configuration = forge.steps(configuration, 6);
        forge.cover(&configuration, id, reading(&[&[], &[]], &[]));
    }));

    // What is said of the list at instruction 5 is true, what is said of it at instruction 6 is not.
    let (program, registers) = three_nodes(false);
    let [h, a, _] = registers;
    let scene = Scene::new(program, Vec::new()).of_sorts(vec![shared()]);
    let reason = "a folded list is said to point elsewhere";
    forgeries.push(scene.forged("heap-same-of-part", Rejection::NotRead, reason, |forge, configuration| {
        let forged = to_header(forge, 6, registers);
        let forged = forge.template(forged, Forge::auto);
        let (header, nodes) = (to(forge, 0), vec![state(forge, 0, &[Slot::Forgotten; 2])]);
        let first = template(5, &[SHARED], &[(h, header), (a, root(0))], nodes, &[(0, Slot::Null, Slot::Null)]);
        handing_on(forge, configuration, pointing(first, &[Slot::Null]), (forged, &[]), (&[&[]], &[0]));
    }));

    let (program, registers) = three_nodes(true);
    let [h, a, _] = registers;
    let scene = Scene::new(program, Vec::new()).of_sorts(vec![shared()]);
    let reason = "the node behind a segment does not point where the segment's do";
    forgeries.push(scene.forged("heap-same-behind", Rejection::NotRead, reason, |forge, configuration| {
        let forged = to_header(forge, 6, registers);
        let forged = forge.template(forged, Forge::auto);
        let (header, behind) = (to(forge, 0), to(forge, 1));
        let mut nodes = vec![state(forge, 0, &[Slot::Forgotten; 2]), state(forge, 1, &[Slot::Null; 2])];
        nodes[1].fields[0].cells = vec![Slot::Integer(forge.constant(0))];
        let first = template(5, &[TreeSort::Segment(OWN)], &[(h, header), (a, root(0))], nodes, &[(0, Slot::Null, behind)]);
        handing_on(forge, configuration, pointing(first, &[header]), (forged, &[]), (&[&[0]], &[0, 2]));
    }));
    forgeries
}

/// Five steps lead to a template under this reading, and one more from it to another one.
fn handing_on(
    forge: &mut Forge<'_>,
    configuration: Configuration,
    first: Template,
    (second, path): (TemplateId, &[u32]),
    (paths, objects): (&[&[u32]], &[u32]),
) {
    let first = forge.template(first, |forge, configuration| {
        let configuration = forge.steps(configuration, 1);
        forge.cover(&configuration, second, reading(&[path], &[0]));
    });
    let configuration = forge.steps(configuration, 5);
    forge.cover(&configuration, first, reading(paths, objects));
}

/// `h = malloc(..); for (c = l; c != NULL; c = c->next) c->prev = h;`, and then the same loop asserts that.
fn header() -> Certificate {
    let mut program = empty();
    let object = node(&mut program, &[Link::Child(SORT), Link::Other]);
    let l = linked(&mut program, "l", object);
    let [c, h, q] = ["c", "h", "q"].map(|name| pointer(&mut program, name));
    program.instructions = vec![
        allocate(&program, h),
        Instruction::Copy { target: c, source: l },
        is_null(c, 6, 3),
        link(c, PREVIOUS, h),
        load(c, c, NEXT),
        jump(2),
        Instruction::Copy { target: c, source: l },
        is_null(c, 13, 8),
        load(q, c, PREVIOUS),
        are_equal(q, h, 10, 12),
        load(c, c, NEXT),
        jump(7),
        FAIL,
        Instruction::Halt,
    ];
    proved(&program, &[shared()], |forge, configuration| {
        let header = to(forge, 0);
        let registers = [(l, root(0)), (c, root(1)), (h, header)];
        let nodes = vec![state(forge, 0, &[Slot::Forgotten; 2])];
        let folded = [(0, Slot::Null, root(1)), (1, Slot::Null, Slot::Null)];
        let segment = TreeSort::Segment(OWN);
        let asserting = pointing(template(7, &[segment, SHARED], &registers, nodes.clone(), &folded), &[header, header]);
        let asserting = forge.template(asserting, |forge, configuration| {
            let [empty, node] = forge.unfold(&configuration, TreeId(1), SegmentEnd::Top).try_into().expect("two cases");
            forge.auto(empty);
            let node = forge.steps(node, 5);
            forge.cover(&node, TemplateId(0), reading(&[&[0, 0], &[]], &[0]));
        });
        let linking = template(2, &[segment, TreeSort::Tree(SORT)], &registers, nodes, &folded);
        let linking = forge.template(pointing(linking, &[header]), |forge, configuration| {
            let [empty, node] = forge.unfold(&configuration, TreeId(1), SegmentEnd::Top).try_into().expect("two cases");
            let empty = forge.steps(empty, 2);
            forge.cover(&empty, asserting, reading(&[&[], &[]], &[0]));
            let node = forge.steps(node, 4);
            forge.cover(&node, TemplateId(1), reading(&[&[0, 0], &[]], &[0]));
        });
        let configuration = forge.steps(configuration, 2);
        forge.cover(&configuration, linking, reading(&[&[], &[]], &[0]));
    })
}

/// `p` is the last node of a list `c`, and `a` a list whose nodes point to `p`; at which end `c` is opened, and as what sort `a` is read.
fn to_last(end: SegmentEnd) -> Certificate {
    let (mut program, registers) = allocating(&[Link::Child(SORT), Link::Other], &["a", "c", "p"]);
    let [a, c, p] = registers.try_into().expect("three registers");
    program.instructions = vec![
        allocate(&program, a),
        Instruction::Null { target: c },
        Instruction::Null { target: p },
        is_null(a, 6, 4),
        load(a, a, PREVIOUS),
        are_equal(a, p, 6, 7),
        Instruction::Halt,
        FAIL,
    ];
    proved(&program, &[shared()], |forge, configuration| {
        let trees = [TreeSort::Segment(SORT), SHARED];
        let registers = [(a, root(1)), (c, root(0)), (p, last(0))];
        let folded = [(0, Slot::Null, Slot::Null), (1, Slot::Null, Slot::Null)];
        let template = pointing(template(3, &trees, &registers, Vec::new(), &folded), &[Slot::Forgotten, last(0)]);
        let id = forge.template(template, |forge, configuration| {
            for case in forge.unfold(&configuration, TreeId(0), end) {
                // The last node is the one that is seen, or the last one of what is left.
                let cases = if end == SegmentEnd::Top { opened_again(forge, case) } else { vec![case] };
                for case in cases {
                    forge.auto(case);
                }
            }
        });
        let configuration = forge.steps(configuration, 3);
        forge.cover(&configuration, id, reading(&[&[], &[]], &[]));
    })
}

/// The cases of what a segment's first node has left below it.
fn opened_again(forge: &mut Forge<'_>, configuration: Configuration) -> Vec<Configuration> {
    let rest = configuration.members[0].folded.iter().flatten().map(|part| part.tree).max().filter(|tree| tree.0 > 1);
    match rest {
        Some(rest) => forge.unfold(&configuration, rest, SegmentEnd::Bottom),
        None => vec![configuration],
    }
}

/// `a` is a segment whose nodes point to `h`, opened at this end before anything else: so does its second one.
fn of_segment(end: SegmentEnd) -> Certificate {
    let (mut program, [h, a, b]) = three_nodes(true);
    (program.instructions[5], program.instructions[10]) = (link(b, PREVIOUS, h), are_equal(a, h, 11, 12));
    proved(&program, &[shared()], |forge, configuration| {
        let mut template = to_header(forge, 6, [h, a, b]);
        template.trees = vec![TreeSort::Segment(OWN)];
        let id = forge.template(template, |forge, configuration| {
            forge.unfold(&configuration, TreeId(0), end).into_iter().for_each(|case| forge.auto(case));
        });
        let configuration = forge.steps(configuration, 6);
        forge.cover(&configuration, id, reading(&[&[0, 0]], &[0]));
    })
}

/// `h`, `a` and `b` are linked, `a` points back to `h`, and so does `b`: to what the node before it points to.
fn below_up(below: Link) -> Certificate {
    let (mut program, registers) = allocating(&[Link::Child(SORT), Link::Other], &["h", "a", "b"]);
    let [h, a, b] = registers.try_into().expect("three registers");
    program.instructions = [h, a, b].map(|register| allocate(&program, register)).into();
    program.instructions.extend([link(h, NEXT, a), link(a, NEXT, b), link(a, PREVIOUS, h), link(b, PREVIOUS, h)]);
    program.instructions.extend([load(a, h, NEXT), is_null(a, 14, 9), load(b, a, NEXT), is_null(b, 14, 11), load(b, b, PREVIOUS)]);
    program.instructions.extend([are_equal(b, h, 14, 13), FAIL, Instruction::Halt]);
    let (first, others) = (sort(below, Link::Up), sort(below, Link::Same));
    proved(&program, &[first, others], |forge, configuration| {
        let header = to(forge, 0);
        let nodes = vec![state(forge, 0, &[root(0), Slot::Forgotten])];
        let folded = template(7, &[SHARED], &[(h, header)], nodes, &[(0, header, Slot::Null)]);
        let is_handed_on = matches!(below, Link::Handed { from: Source::Above, .. });
        let folded = if is_handed_on { pointing(folded, &[header]) } else { folded };
        let id = forge.template(folded, Forge::auto);
        let configuration = forge.steps(configuration, 7);
        forge.cover(&configuration, id, reading(&[&[]], &[0]));
    })
}

/// Adds them.
pub(super) fn add(vectors: &mut Catalogue) {
    vectors.accepted("heap-same-accepted", "all nodes of a list point to one header", &header());
    vectors.accepted("heap-same-top", "all nodes of a list point to the last one of another", &to_last(SegmentEnd::Top));
    vectors.accepted("heap-same-bottom", "the same, where that one is opened at its end", &to_last(SegmentEnd::Bottom));
    vectors.accepted(
        "heap-same-segment-top",
        "a segment whose nodes point to one header, opened at its root",
        &of_segment(SegmentEnd::Top),
    );
    vectors.accepted("heap-same-segment-bottom", "the same, opened at its end", &of_segment(SegmentEnd::Bottom));
    let others = SortId(OWN.0 + 1);
    vectors.accepted("heap-same-up", "nodes point to what is above the one above them", &below_up(Link::Child(others)));
    let link = Link::Handed { sort: others, from: Source::Field(2) };
    vectors.accepted("heap-handed-accepted", "the same, where this is handed to them", &below_up(link));
    let link = Link::Handed { sort: others, from: Source::Above };
    vectors.accepted("heap-handed-on-accepted", "the same, where it is handed on", &below_up(link));
    let mut rejected = |name: &str, fault, reason, certificate: Certificate| {
        vectors.rejected(name, Rejection::IllFormed(fault), reason, &certificate);
    };
    let sorts = |shapes: &[[Link; 3]]| {
        let (mut program, _) = allocating(&[Link::Child(SORT), Link::Other], &["c"]);
        program.instructions = vec![jump(1), Instruction::Halt];
        let shapes = shapes.iter().map(|links| links.to_vec()).collect();
        proved(&program, &[Sort { object: NODE, root: Root::Any, shapes, within: None }], |forge, configuration| {
            forge.auto(configuration);
        })
    };
    let one = [Link::Data, Link::Child(OWN), Link::Same];
    let other = [Link::Data, Link::Same, Link::Child(OWN)];
    rejected("sort-same-elsewhere", Fault::Same, "another field of the second shape is the one", sorts(&[one, other]));
    rejected("sort-same-missing", Fault::Same, "the second shape has none", sorts(&[one, [Link::Data, Link::Child(OWN), Link::Null]]));
    rejected("sort-same-twice", Fault::Same, "two fields of one shape", sorts(&[[Link::Data, Link::Same, Link::Same]]));
    rejected("sort-same-data", Fault::Links, "an integer is said to be a pointer", sorts(&[[Link::Same, Link::Null, Link::Null]]));
    let hand = |sort: u32, field| Link::Handed { sort: SortId(sort), from: Source::Field(field) };
    rejected("sort-handed-data", Fault::Links, "an integer is handed on", sorts(&[[Link::Data, hand(OWN.0, 0), Link::Null]]));
    rejected(
        "sort-handed-missing",
        Fault::Links,
        "a field that there is not is handed on",
        sorts(&[[Link::Data, hand(OWN.0, 3), Link::Null]]),
    );
    rejected(
        "sort-handed-sort",
        Fault::Sort,
        "something is handed to a tree of no sort",
        sorts(&[[Link::Data, hand(OWN.0 + 1, 2), Link::Null]]),
    );
    for (name, link, reason) in [
        ("node-same", Link::Same, "the nodes of an input point where those above them do"),
        ("node-any", Link::Any, "the nodes of an input hold anything"),
        ("node-handed", hand(0, 1), "the nodes of an input hand something on"),
    ] {
        let (mut program, _) = allocating(&[Link::Child(SortId(0)), link], &["c"]);
        program.instructions = vec![jump(1), Instruction::Halt];
        let certificate = proved(&program, &[], |forge, configuration| {
            forge.auto(configuration);
        });
        rejected(name, Fault::Links, reason, certificate);
    }
}
