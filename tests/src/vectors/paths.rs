//! Certificates about paths.

use super::Catalogue;
use crate::{
    branching::{VERTICES, certificate, program, walk, walked},
    forge::{Forge, PARAMETERS},
    heaps::{NEXT, TREE, jump, list, load, reading, root, template},
    programs::is_null,
};
use goatherd_certificates::{
    certificate::{Certificate, Claim, Ends, Evidence},
    configuration::{Slot, Template, TreeId},
    derivation::{MemberId, Rule, SegmentEnd, TemplateId},
    program::{Instruction, Program},
};
use goatherd_checker::{Rejection, configuration::Configuration};

/// Adds them.
pub fn add(vectors: &mut Catalogue) {
    let mapped = |ends, vertices: &[u32]| walked(&program(), &PARAMETERS, ends, vertices);
    let complete = mapped(Ends::Complete, &VERTICES);
    vectors.accepted("paths-complete-accepted", "two ways to one second branch, of which one way on is infeasible", &complete);
    vectors.accepted("paths-anywhere-accepted", "the same, of prefixes", &mapped(Ends::Anywhere, &VERTICES));
    for (name, rejection, reason, vertices) in [
        ("count", Rejection::VertexCount, "a node has no entry", &VERTICES[..6]),
        ("order", Rejection::VertexOrder, "vertex 5 is mentioned before 4", &[0, 1, 2, 3, 5, 2, 3]),
        ("location", Rejection::VertexLocation, "vertex 1 stands for nodes at locations 1 and 2", &[0, 1, 2, 3, 1, 2, 3]),
        ("end", Rejection::EndLost, "a node at Halt has no vertex", &[0, 1, 2, 3, 4, 2, 99]),
        ("source", Rejection::SourceLost, "a node has no vertex, but its successor has", &[0, 1, 2, 3, 99, 2, 3]),
    ] {
        vectors.rejected(&format!("paths-{name}"), rejection, reason, &mapped(Ends::Complete, vertices));
    }
    let changed = |change: &dyn Fn(&mut Certificate)| {
        let mut certificate = complete.clone();
        change(&mut certificate);
        certificate
    };
    let rule = changed(&|certificate| {
        if let Evidence::Paths { proof, .. } = &mut certificate.evidence {
            proof.roots.insert(0, Rule::Drop { member: MemberId(0) });
        }
    });
    vectors.rejected("paths-rule", Rejection::Rule, "Drop in a derivation of paths", &rule);
    let claim = changed(&|certificate| certificate.statement.claim = Claim::Safe);
    vectors.rejected("paths-claim", Rejection::Claim, "a graph for the claim Safe", &claim);
    unfolded(vectors);
}

/// The nodes of a walk along a list: the head of the loop, the entry, the end, the load, the jump.
const WALK: [u32; 5] = [0, 1, 2, 3, 4];

/// `for (c = l; c != NULL; c = c->next);`
fn walk_along() -> (Program, Template) {
    let (mut program, l, c) = list();
    program.instructions = vec![Instruction::Copy { target: c, source: l }, is_null(c, 4, 2), load(c, c, NEXT), jump(1), Instruction::Halt];
    (program, template(1, &[TREE], &[(c, root(0))], Vec::new(), &[(0, Slot::Forgotten, Slot::Null)]))
}

/// The graph of the walk, whose head is a template; this is what becomes of it where the list is empty, and where it is not.
fn walk_certificate(vertices: &[u32], close: impl FnOnce(&mut Forge<'_>, Vec<Configuration>)) -> Certificate {
    let (program, head) = walk_along();
    let mut forge = Forge::new(&program, &PARAMETERS, 0);
    let id = forge.template(head, |forge, configuration| {
        let cases = forge.unfold(&configuration, TreeId(0), SegmentEnd::Top);
        close(forge, cases);
    });
    let entry = forge.root(0).expect("one size class");
    let entry = forge.steps(entry, 1);
    forge.cover(&entry, id, reading(&[&[]], &[]));
    certificate(&forge, Ends::Complete, vertices)
}

/// Linked inputs: Unfold makes no node, no progress, and what it leaves open is reached as the whole was.
fn unfolded(vectors: &mut Catalogue) {
    let closed = |vertices: &[u32]| {
        walk_certificate(vertices, |forge, mut cases| {
            let node = cases.pop().expect("a node");
            walk(forge, cases.remove(0));
            let back = forge.steps(node, 3);
            forge.cover(&back, TemplateId(0), reading(&[&[]], &[]));
        })
    };
    vectors.accepted("paths-unfold-accepted", "a walk along a list", &closed(&WALK));
    let reason = "a node of a list has no vertex, but the head of the loop behind it has";
    vectors.rejected("paths-unfold-source", Rejection::SourceLost, reason, &closed(&[0, 1, 2, 3, 99]));
    vectors.rejected(
        "paths-unfold-progress",
        Rejection::Progress,
        "the head of a loop is covered by itself, unfolded",
        &without_progress(),
    );
    let half = walk_certificate(&[0, 1, 2], |forge, mut cases| walk(forge, cases.remove(0)));
    vectors.rejected("paths-unfold-open", Rejection::Open, "of a list, only what is empty is followed", &half);
    vectors.rejected("paths-unfold-apart", Rejection::Nondeterministic, "cases of an input are two roots", &at_the_entry(&[0, 1, 2, 3]));
    vectors.accepted("paths-unfold-entry-accepted", "an input is unfolded at the entry", &at_the_entry(&[0, 1, 0, 2]));
}

/// `while (l != NULL) l = l->next;`, whose head is where the program begins, so that all that is lost is below one vertex.
fn without_progress() -> Certificate {
    let (mut program, l, _) = list();
    program.instructions = vec![is_null(l, 3, 1), load(l, l, NEXT), jump(0), Instruction::Halt];
    let mut forge = Forge::new(&program, &PARAMETERS, 0);
    let head = template(0, &[TREE], &[(l, root(0))], Vec::new(), &[(0, Slot::Forgotten, Slot::Null)]);
    let id = forge.template(head, |forge, configuration| {
        for case in forge.unfold(&configuration, TreeId(0), SegmentEnd::Top) {
            forge.cover(&case, TemplateId(0), reading(&[&[]], &[]));
        }
    });
    let entry = forge.root(0).expect("one size class");
    forge.cover(&entry, id, reading(&[&[]], &[]));
    certificate(&forge, Ends::Complete, &[0])
}

/// Whether a list is empty.
fn at_the_entry(vertices: &[u32]) -> Certificate {
    let (mut program, l, _) = list();
    program.instructions = vec![is_null(l, 1, 2), Instruction::Halt, Instruction::Halt];
    let mut forge = Forge::new(&program, &PARAMETERS, 0);
    let entry = forge.root(0).expect("one size class");
    for case in forge.unfold(&entry, TreeId(0), SegmentEnd::Top) {
        walk(&mut forge, case);
    }
    certificate(&forge, Ends::Complete, vertices)
}
