//! Of what kind the slots of a template are, and that its terms mention its own variables: nobody but the certificate says what stands in it
//! (`spec/calculus.md#template`).

use crate::{Arena, Part, Rejection, Result, Setting, ensure, entry};
use goatherd_certificates::configuration::Member;
use goatherd_certificates::{Folded, FoldedId, ObjectState, Slot, Template, TreeSort, Type};

/// Each slot is of the type of its place, so that no value of one type is taken for one of the other (`spec/calculus.md#attacks` H19), and each term
/// mentions the template's own variables (K2).
pub(crate) fn check(arena: &Arena, setting: Setting<'_>, template: &Template) -> Result<()> {
    for literal in &template.predicate {
        arena.exists(&template.scope, Part::Linear(literal.term))?;
    }
    for member in &template.members {
        let contents = Contents {
            arena,
            template,
            folded: &member.folded,
        };
        contents.check_member(setting, member)?;
    }
    Ok(())
}

/// What stands in one member of a template.
#[derive(Clone, Copy)]
struct Contents<'a> {
    arena: &'a Arena,
    template: &'a Template,
    /// The folded parts of the member, to which its slots may point.
    folded: &'a [Folded],
}

impl Contents<'_> {
    fn check_member(self, setting: Setting<'_>, member: &Member) -> Result<()> {
        match member.consumed {
            Slot::Forgotten => {}
            Slot::Integer(term) => self.check_term(Part::Linear(term))?,
            _ => return Err(Rejection::Slot),
        }
        for (register, slot) in &member.registers {
            self.check_slot(setting.register_type(*register)?, *slot)?;
        }
        for state in &member.objects {
            self.check_object(setting, state)?;
        }
        (0..)
            .map(FoldedId)
            .zip(self.folded)
            .try_for_each(|(id, part)| self.check_part(id, part))
    }

    /// The term mentions variables of the template alone, also where Subsume does not compare it.
    fn check_term(self, term: Part) -> Result<()> {
        self.arena.exists(&self.template.scope, term)
    }

    fn check_object(self, setting: Setting<'_>, state: &ObjectState) -> Result<()> {
        let fields = &setting.layout(state.declaration)?.fields;
        ensure(fields.len() == state.fields.len(), Rejection::Shape)?;
        for bound in [state.lower, state.upper] {
            self.check_term(Part::Linear(bound))?;
        }
        for (field, contents) in fields.iter().zip(&state.fields) {
            // An array holds integers.
            if let Some(rest) = contents.rest {
                ensure(field.kind != Type::Pointer, Rejection::Shape)?;
                self.check_term(Part::Array(rest))?;
            }
            for slot in &contents.cells {
                self.check_slot(field.kind, *slot)?;
            }
        }
        Ok(())
    }

    /// What is around a part are pointers. Whichever segments are empty, what a pointer to a root denotes is well-founded.
    fn check_part(self, id: FoldedId, part: &Folded) -> Result<()> {
        for slot in [part.above, part.same, part.below] {
            self.check_slot(Type::Pointer, slot)?;
        }
        let is_founded = match (self.sort(id)?, part.below) {
            (TreeSort::Tree(_), below) => below == Slot::Null,
            (TreeSort::Segment(_), Slot::Folded(below)) => below > id,
            (TreeSort::Segment(_), below) => below != Slot::Last(id),
        };
        ensure(is_founded, Rejection::Shape)
    }

    /// The slot is one of a place of this type.
    fn check_slot(self, kind: Type, slot: Slot) -> Result<()> {
        let is_pointer = kind == Type::Pointer;
        let is_of_kind = match slot {
            Slot::Forgotten | Slot::Uninitialised => true,
            Slot::Integer(term) => self.check_term(Part::Linear(term)).map(|()| !is_pointer)?,
            Slot::Null => is_pointer,
            Slot::Pointer(address) => self
                .check_term(Part::Linear(address.index))
                .map(|()| is_pointer)?,
            Slot::Folded(part) => self.sort(part).map(|_| is_pointer)?,
            // A tree has no last cell (`spec/calculus.md#attacks` H15).
            Slot::Last(part) => is_pointer && matches!(self.sort(part)?, TreeSort::Segment(_)),
        };
        ensure(is_of_kind, Rejection::Slot)
    }

    /// Of which sort the symbol of the part is.
    fn sort(self, part: FoldedId) -> Result<TreeSort> {
        let Folded { tree, .. } = entry(self.folded, part.index())?;
        entry(&self.template.trees, tree.index()).copied()
    }
}
