//! Conditions on layouts, objects, inputs and sorts.

use super::{
    ARRAY, HEAP, INT, LOCAL, LONG, NO_OBJECT, NO_REGISTER, NODE, OTHER, POINTER, SINGLE, SIZE,
    STATIC, changed, refuses, set_contents, violated,
};
use goatherd_certificates::{
    certificate::Evidence,
    configuration::{Root, Sort},
    derivation::{Lengths, Proof},
    program::{
        Access, ArrayInput, Contents, Input, IntegerType, LayoutId, Link, ObjectId, Origin, SortId,
        Table, TableId,
    },
};
use goatherd_checker::wellformed::{Fault, Part};

#[test]
fn empty_layout() {
    refuses(Part::Layout, 1, Fault::EmptyLayout, |program| {
        program.layouts[1].fields.clear();
    });
    refuses(Part::Layout, 0, Fault::EmptyLayout, |program| {
        program.layouts[0].size = 0;
    });
}

#[test]
fn fields() {
    refuses(Part::Layout, 1, Fault::Fields, |program| {
        program.layouts[1].fields.swap(0, 1);
    });
    refuses(Part::Layout, 1, Fault::Fields, |program| {
        program.layouts[1].fields[1].offset = 3;
    });
    refuses(Part::Layout, 1, Fault::Fields, |program| {
        program.layouts[1].fields[1].offset = 9;
    });
    refuses(Part::Layout, 1, Fault::Fields, |program| {
        program.layouts[1].fields[1].offset = u64::MAX - 1;
    });
    refuses(Part::Layout, 0, Fault::Fields, |program| {
        program.layouts[0].fields[0].offset = 1;
    });
}

#[test]
fn entry() {
    refuses(Part::Table, 0, Fault::Entry, |program| {
        program.tables[0].values[1] = 0x8000_0000;
    });
    refuses(Part::Table, 0, Fault::Entry, |program| {
        program.tables[0].values[0] = -0x8000_0001;
    });
}

#[test]
fn object_layout() {
    refuses(Part::Object, 4, Fault::Layout, |program| {
        program.objects[4].layout = LayoutId(2);
    });
}

#[test]
fn size() {
    refuses(Part::Layout, 1, Fault::Size, |program| {
        program.layouts[1].size = 1 << 63;
    });
    refuses(Part::Object, 3, Fault::Size, |program| {
        program.objects[3].origin = Origin::Local { count: 1 << 63 }
    });
    refuses(Part::Object, 3, Fault::Size, |program| {
        program.objects[3].layout = NODE;
    });
    refuses(Part::Object, 2, Fault::Size, |program| {
        let contents = vec![Contents::Zero, Contents::Zero];
        program.objects[2].origin = Origin::Static {
            count: 1 << 59,
            contents,
            access: Access::ReadOnly,
        };
    });
}

#[test]
fn contents() {
    refuses(Part::Object, 2, Fault::Contents, |program| {
        set_contents(program, vec![Contents::Zero]);
    });
    refuses(Part::Object, 2, Fault::Contents, |program| {
        set_contents(program, vec![Contents::Zero; 3]);
    });
}

#[test]
fn contents_type() {
    let pointers = Contents::Pointers(vec![None, None]);
    refuses(Part::Object, 2, Fault::ContentsType, |program| {
        set_contents(program, vec![pointers, Contents::Zero]);
    });
    let table = Contents::Table(TableId(0));
    refuses(Part::Object, 2, Fault::ContentsType, |program| {
        set_contents(program, vec![Contents::Zero, table]);
    });
    refuses(Part::Object, 2, Fault::ContentsType, |program| {
        program.tables[0] = Table {
            kind: IntegerType::U32,
            values: vec![0, 0],
        };
    });
}

#[test]
fn contents_length() {
    let pointers = Contents::Pointers(vec![None]);
    refuses(Part::Object, 2, Fault::ContentsLength, |program| {
        set_contents(program, vec![Contents::Zero, pointers]);
    });
    refuses(Part::Object, 2, Fault::ContentsLength, |program| {
        program.tables[0].values.push(0);
    });
}

#[test]
fn contents_table() {
    let table = Contents::Table(TableId(1));
    refuses(Part::Object, 2, Fault::Table, |program| {
        set_contents(program, vec![table, Contents::Zero]);
    });
}

#[test]
fn contents_object() {
    let to = |object| vec![Contents::Zero, Contents::Pointers(vec![None, Some(object)])];
    refuses(Part::Object, 2, Fault::Object, |program| {
        set_contents(program, to(NO_OBJECT));
    });
    refuses(Part::Object, 2, Fault::Origin, |program| {
        set_contents(program, to(LOCAL));
    });
    refuses(Part::Object, 2, Fault::Origin, |program| {
        set_contents(program, to(ARRAY));
    });
}

#[test]
fn input_registers_and_objects() {
    refuses(Part::Input, 0, Fault::Register, |program| {
        program.inputs[0] = Input::Integer {
            register: NO_REGISTER,
        }
    });
    refuses(Part::Input, 0, Fault::Integer, |program| {
        program.inputs[0] = Input::Integer { register: POINTER }
    });
    let array = |pointer, length, object| {
        Input::Array(ArrayInput {
            pointer,
            length,
            object,
        })
    };
    refuses(Part::Input, 1, Fault::Pointer, |program| {
        program.inputs[1] = array(LONG, SIZE, ARRAY);
    });
    refuses(Part::Input, 1, Fault::Integer, |program| {
        program.inputs[1] = array(POINTER, OTHER, ARRAY);
    });
    refuses(Part::Input, 1, Fault::Object, |program| {
        program.inputs[1] = array(POINTER, SIZE, NO_OBJECT);
    });
    refuses(Part::Input, 1, Fault::Origin, |program| {
        program.inputs[1] = array(POINTER, SIZE, LOCAL);
    });
    let single = |pointer, object| Input::Single { pointer, object };
    refuses(Part::Input, 2, Fault::Pointer, |program| {
        program.inputs[2] = single(LONG, SINGLE);
    });
    refuses(Part::Input, 2, Fault::Origin, |program| {
        program.inputs[2] = single(OTHER, HEAP);
    });
}

#[test]
fn input_register() {
    refuses(Part::Input, 1, Fault::InputRegister, |program| {
        program.inputs[1] = Input::Array(ArrayInput {
            pointer: POINTER,
            length: INT,
            object: ARRAY,
        });
    });
    refuses(Part::Input, 2, Fault::InputRegister, |program| {
        program.inputs[2] = Input::Single {
            pointer: POINTER,
            object: SINGLE,
        }
    });
}

#[test]
fn input_object() {
    refuses(Part::Input, 2, Fault::InputObject, |program| {
        program.inputs[2] = Input::Single {
            pointer: OTHER,
            object: ARRAY,
        }
    });
}

#[test]
fn input_field() {
    refuses(Part::Input, 1, Fault::InputField, |program| {
        program.objects[0].layout = NODE;
    });
}

#[test]
fn linked() {
    let linked = |object| Input::Linked {
        pointer: OTHER,
        object,
    };
    refuses(Part::Input, 2, Fault::Origin, |program| {
        program.inputs[2] = linked(HEAP);
    });
    refuses(Part::Input, 2, Fault::InputRegister, |program| {
        program.objects[HEAP.index()].origin = Origin::Node {
            links: vec![Link::Data, Link::Child(SortId(HEAP.0))],
        };
        program.inputs[2] = Input::Linked {
            pointer: POINTER,
            object: HEAP,
        };
    });
}

#[test]
fn links() {
    let linked = |links: &[Link]| {
        refuses(Part::Object, HEAP.index(), Fault::Links, |program| {
            program.objects[HEAP.index()].origin = Origin::Node {
                links: links.to_vec(),
            }
        });
    };
    linked(&[Link::Data]);
    linked(&[Link::Data, Link::Up, Link::Up]);
    linked(&[Link::Data, Link::Data]);
    linked(&[Link::Up, Link::Up]);
    // An input may hold any integers.
    linked(&[
        Link::Range {
            least: 0,
            greatest: 1,
        },
        Link::Up,
    ]);
    refuses(Part::Object, HEAP.index(), Fault::Origin, |program| {
        program.objects[HEAP.index()].origin = Origin::Node {
            links: vec![Link::Data, Link::Child(SortId(STATIC.0))],
        };
    });
    // A program has no sorts but its declarations.
    refuses(Part::Object, HEAP.index(), Fault::Sort, |program| {
        assert_eq!(program.objects.len(), 5);
        program.objects[HEAP.index()].origin = Origin::Node {
            links: vec![Link::Data, Link::Child(SortId(5))],
        };
    });
}

#[test]
fn sorts() {
    /// The number of the first sort of a proof: there are five objects.
    const OWN: SortId = SortId(5);
    let checked = |object: ObjectId, links: &[Link]| {
        changed(|certificate| {
            certificate.statement.program.objects[HEAP.index()].origin = Origin::Node {
                links: vec![Link::Data, Link::Other],
            };
            let own = Sort {
                object: HEAP,
                root: Root::Any,
                shapes: vec![vec![Link::Data, Link::Child(SortId(6))]],
                within: None,
            };
            let sorts = vec![
                own,
                Sort {
                    object,
                    root: Root::Node,
                    shapes: vec![vec![Link::Data, Link::Null], links.to_vec()],
                    within: None,
                },
            ];
            let proof = Proof {
                k: 1,
                lengths: Lengths::Classes,
                lemmas: Vec::new(),
                sorts,
                templates: Vec::new(),
                roots: Vec::new(),
                derivations: Vec::new(),
            };
            certificate.evidence = Evidence::Proof(proof);
        })
    };
    for link in [
        Link::Up,
        Link::Other,
        Link::Null,
        Link::Child(OWN),
        Link::Child(SortId(6)),
        Link::Child(SortId(HEAP.0)),
    ] {
        assert_eq!(checked(HEAP, &[Link::Data, link]), Ok(()));
    }
    let range = Link::Range {
        least: 0,
        greatest: 1,
    };
    assert_eq!(checked(HEAP, &[range, Link::Null]), Ok(()));
    let refused = |fault| violated(Part::Sort, 1, fault);
    assert_eq!(checked(HEAP, &[Link::Data, range]), refused(Fault::Links));
    assert_eq!(
        checked(ObjectId(7), &[Link::Data, Link::Null]),
        refused(Fault::Object)
    );
    assert_eq!(
        checked(STATIC, &[Link::Data, Link::Null]),
        refused(Fault::Origin)
    );
    assert_eq!(checked(HEAP, &[Link::Data]), refused(Fault::Links));
    assert_eq!(
        checked(HEAP, &[Link::Data, Link::Null, Link::Null]),
        refused(Fault::Links)
    );
    assert_eq!(
        checked(HEAP, &[Link::Null, Link::Null]),
        refused(Fault::Links)
    );
    assert_eq!(
        checked(HEAP, &[Link::Data, Link::Data]),
        refused(Fault::Links)
    );
    assert_eq!(
        checked(HEAP, &[Link::Data, Link::Child(SortId(7))]),
        refused(Fault::Sort)
    );
    assert_eq!(
        checked(HEAP, &[Link::Data, Link::Child(SortId(STATIC.0))]),
        refused(Fault::Origin)
    );
}
