//! Walks over linked inputs, driven by the kernel's own functions: what arrives at a loop head is covered by the template of an earlier arrival.

use super::{folds::Folds, sorts::sorts};
use crate::state::{
    herd::Herd,
    template::{
        Widened,
        arrival::Arrival,
        basis::{Basis, Direction},
        key::{Keys, Route},
        keys::key,
        widen,
    },
};
use goatherd_certificates::{
    configuration::{Slot, Sort, TreeSort},
    derivation::{Lengths, MemberId, SegmentEnd},
    program::{Link, Program, SortId},
};
use goatherd_checker::{
    budget::Budget,
    configuration::{Place, Setting},
    rejection::Rejection,
    rules::{self, is_excluded},
    step::outcomes,
    subsume,
    term::Arena,
    unfold::unfold,
};
use goatherd_flow::{
    Flow,
    testing::{PARAMETERS, program},
};
use goatherd_logic::{ContextOracle, Solver};
use std::sync::Arc;

/// A program without scapegoats, whose inputs are as long as it wants.
struct Run<'a> {
    arena: Arena,
    basis: Basis<'a>,
    herd: Herd,
}

impl<'a> Run<'a> {
    fn new(program: &'a Program, flow: &'a Flow, sorts: &'a [Sort]) -> Self {
        let setting = Setting { program, parameters: &PARAMETERS, k: 1, sorts };
        let mut arena = Arena::new(&program.tables, Budget::new(u64::MAX)).unwrap();
        let root = rules::root(&mut arena, setting, Lengths::Classes, 0).unwrap().unwrap();
        let herd = Herd::new(&mut arena, root, &Arc::new(Solver::default()));
        let basis =
            Basis { setting, flow, lengths: Lengths::Classes, direction: Direction::Up, folds: Folds::Whole, states: None, wanted: None };
        Self { arena, basis, herd }
    }

    /// Steps on to the next arrival at the head of a loop; every tree that is in the way is a node.
    fn next(&mut self) -> Arrival {
        loop {
            let primary = &self.herd.configuration.members[0];
            let Place::At(location) = primary.place else { panic!("the run fails") };
            match outcomes(&mut self.arena, self.basis.setting, primary) {
                Ok(all) => {
                    let open: Vec<_> = all.iter().filter(|outcome| !is_excluded(&self.arena, outcome)).collect();
                    let outcome = open.first().unwrap();
                    self.herd.follow(&mut self.arena, self.basis.setting, outcome).unwrap();
                }
                Err(Rejection::Folded) => {
                    let part = primary.registers.iter().filter_map(|slot| if let Slot::Folded(part) = slot { Some(*part) } else { None });
                    let trees: Vec<_> = part.map(|part| primary.folded[part.index()].unwrap().tree).collect();
                    let tree = trees.into_iter().last().unwrap();
                    let mut children =
                        unfold(&mut self.arena, self.basis.setting, &self.herd.configuration, tree, SegmentEnd::Top).unwrap();
                    self.herd.configuration = children.pop().unwrap();
                    continue;
                }
                Err(rejection) => panic!("{rejection:?}"),
            }
            let place = self.herd.configuration.members[0].place;
            if matches!(place, Place::At(head) if head != location && self.basis.flow.loops.contains_key(&head)) {
                return Arrival::new(&mut self.arena, self.basis, self.herd.clone()).unwrap();
            }
        }
    }

    fn template(&mut self, arrival: &mut Arrival, old: Option<&Widened>) -> Widened {
        widen(&mut self.arena, self.basis, arrival, old).unwrap()
    }

    fn is_covered(&mut self, template: &Widened, arrival: &mut Arrival) -> bool {
        let Ok(matching) = template.matching(&mut self.arena, self.basis.setting, arrival) else { return false };
        let Herd { configuration, context, .. } = &mut arrival.herd;
        let mut oracle = ContextOracle(context);
        subsume::subsume(&mut self.arena, self.basis.setting, configuration, &template.configuration, &matching, &mut oracle).is_ok()
    }
}

/// The template of the arrival at this round; it covers itself and, widened at most once, all later arrivals.
fn template_at(name: &str, round: usize, text: &str) -> Widened {
    let program = program(name, text);
    let flow = Flow::new(&program);
    let sorts = sorts(&program, &flow);
    let mut run = Run::new(&program, &flow, &sorts);
    let mut arrival = run.next();
    for _ in 1..round {
        arrival = run.next();
    }
    let mut template = run.template(&mut arrival, None);
    assert!(run.is_covered(&template, &mut arrival), "its own template covers it");
    let route = Route { heads: flow.loops.keys().copied().collect(), entered: None, rounds: Vec::new() };
    let first = key(&mut run.arena, run.basis, &mut arrival, route.clone(), Keys::Paths).unwrap();
    for later in 0..3 {
        let mut arrival = run.next();
        assert!(
            key(&mut run.arena, run.basis, &mut arrival, route.clone(), Keys::Paths).unwrap() == first,
            "the same shape, {later} rounds later"
        );
        if later == 0 && !run.is_covered(&template, &mut arrival) {
            template = run.template(&mut arrival, Some(&template));
        }
        assert!(run.is_covered(&template, &mut arrival), "{later} rounds later");
    }
    template
}

#[test]
fn a_walk_leaves_a_segment_behind() {
    let template = template_at(
        "walk",
        3,
        "struct node { int key; struct node *next; };
         void test(struct node *list) {
             struct node *node = list;
             while (node != 0) node = node->next;
             while (list != 0) list = list->next;
         }",
    );
    let [TreeSort::Segment(_), TreeSort::Tree(_)] = template.stored.trees[..] else { panic!("{:?}", template.stored.trees) };
    let member = &template.stored.members[0];
    assert_eq!(member.objects.len(), 1, "the root, which a register names");
}

#[test]
fn a_reversal_has_two_trees() {
    let template = template_at(
        "reverse",
        3,
        "struct node { int key; struct node *next; };
         void test(struct node *list) {
             struct node *reversed = 0;
             while (list != 0) {
                 struct node *next = list->next;
                 list->next = reversed;
                 reversed = list;
                 list = next;
             }
             while (reversed != 0) reversed = reversed->next;
         }",
    );
    let [TreeSort::Tree(_), TreeSort::Tree(_)] = template.stored.trees[..] else { panic!("{:?}", template.stored.trees) };
}

#[test]
fn freed_nodes_are_left_behind() {
    let template = template_at(
        "free",
        2,
        "extern void free(void *block);
         struct node { int key; struct node *next; };
         void test(struct node *list) {
             while (list != 0) {
                 struct node *next = list->next;
                 free(list);
                 list = next;
             }
         }",
    );
    assert_eq!(template.stored.trees.len(), 1);
    assert!(template.stored.members[0].objects.is_empty());
}

#[test]
fn a_walk_that_sets_pointers_back_leaves_a_segment_in_which_they_lead_up() {
    let text = "struct node { struct node *next, *previous; };
         void test(struct node *list) {
             if (list == 0) return;
             list->previous = 0;
             struct node *node = list;
             while (node->next != 0) {
                 node->next->previous = node;
                 node = node->next;
             }
             while (node != 0) node = node->previous;
             while (list != 0) list = list->next;
         }";
    let template = template_at("back", 4, text);
    let program = program("back", text);
    let sorts = sorts(&program, &Flow::new(&program));
    let own = program.objects.len();
    let is_up = |tree: &TreeSort| match tree {
        TreeSort::Segment(SortId(sort)) => {
            let links = usize::try_from(*sort).ok().and_then(|sort| sort.checked_sub(own)).map(|sort| &sorts[sort].shapes[0]);
            links.is_some_and(|links| matches!(links[..], [Link::Child(_), Link::Up]))
        }
        TreeSort::Tree(_) => false,
    };
    assert!(template.stored.trees.iter().any(is_up), "{:?}", template.stored.trees);
}

#[test]
fn a_way_that_turns_is_one_segment_of_a_sort_with_a_shape_for_each_turn() {
    let text = "struct node { int key; struct node *left, *right, *parent; };
         void test(struct node *root, int key) {
             if (root == 0) return;
             root->parent = 0;
             struct node *node = root;
             for (;;) {
                 struct node *below = key < node->key ? node->left : node->right;
                 if (below == 0) break;
                 below->parent = node;
                 node = below;
             }
             while (node != root) node = node->parent;
         }";
    let template = template_at("turns", 4, text);
    let program = program("turns", text);
    let sorts = sorts(&program, &Flow::new(&program));
    let has_turns = |tree: &TreeSort| match tree {
        TreeSort::Segment(SortId(sort)) => {
            let sort = usize::try_from(*sort).ok().and_then(|sort| sort.checked_sub(program.objects.len()));
            sort.is_some_and(|sort| sorts[sort].shapes.len() == 2)
        }
        TreeSort::Tree(_) => false,
    };
    assert!(template.stored.trees.iter().any(has_turns), "{:?}", template.stored.trees);
}

#[test]
fn nodes_that_point_to_their_parent_are_one_segment_that_holds_a_pointer_to_it() {
    let text = "struct node { struct node *next, *parent, *children; };
         void test(struct node *parent) {
             if (parent == 0) return;
             for (struct node *child = parent->children; child != 0; child = child->next)
                 child->parent = parent;
             for (struct node *child = parent->children; child != 0; child = child->next)
                 child->parent->children = 0;
         }";
    let template = template_at("parent", 4, text);
    let member = &template.stored.members[0];
    let is_segment = |tree: usize| matches!(template.stored.trees[tree], TreeSort::Segment(_));
    let [segment] = member.folded.iter().filter(|part| is_segment(part.tree.index())).collect::<Vec<_>>()[..] else { panic!("{member:?}") };
    assert!(matches!(segment.same, Slot::Pointer(_)), "{segment:?}");
}

/// What the fourth arrival at the loop has a template of, which builds a list and does this where there is no memory left.
fn built(name: &str, without_memory: &str) -> Widened {
    let text = format!(
        "extern void *malloc(unsigned long size);
         struct node {{ int key; struct node *next; }};
         void test(void) {{
             struct node *list = 0;
             for (;;) {{
                 struct node *node = malloc(sizeof *node);
                 if (node == 0) {{ {without_memory} continue; }}
                 node->key = 0;
                 node->next = list;
                 list = node;
             }}
         }}"
    );
    template_at(name, 4, &text)
}

#[test]
fn what_a_loop_allocates_again_and_again_has_one_name() {
    let template = built("build", "if (list) list = list->next;");
    assert_eq!(template.stored.members[0].registers.iter().filter(|(_, slot)| matches!(slot, Slot::Pointer(_))).count(), 1);
    assert_eq!(template.stored.members[0].objects.len(), 1);
    assert_eq!(template.stored.trees.len(), 1);
    assert!(template.configuration.member(MemberId(0)).is_ok());
}

#[test]
fn what_nothing_reads_is_forgotten() {
    let template = built("build-unread", "");
    assert_eq!(template.stored.members[0].objects.len(), 1);
    assert!(template.stored.trees.is_empty());
}
