//! Of what kind the slots of a template are: nobody but the certificate says what stands in them (`spec/calculus.md#template`).

use crate::{Rejection, Setting, ensure, entry};
use goatherd_certificates::configuration::Member;
use goatherd_certificates::*;

/// Each slot is of the type of its place, so that no value of one type is taken for one of the other (`spec/calculus.md#attacks` H19).
pub(crate) fn check(setting: Setting<'_>, template: &Template) -> Result<(), Rejection> {
    for member in &template.members {
        let parts = Parts {
            trees: &template.trees,
            folded: &member.folded,
        };
        parts.check_member(setting, member)?;
    }
    Ok(())
}

/// The folded parts of one member, to which its slots may point.
#[derive(Clone, Copy)]
struct Parts<'a> {
    trees: &'a [TreeSort],
    folded: &'a [Folded],
}

impl Parts<'_> {
    fn check_member(self, setting: Setting<'_>, member: &Member) -> Result<(), Rejection> {
        ensure(
            matches!(member.consumed, Slot::Integer(_) | Slot::Forgotten),
            Rejection::Slot,
        )?;
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

    fn check_object(self, setting: Setting<'_>, state: &ObjectState) -> Result<(), Rejection> {
        let fields = &setting.layout(state.declaration)?.fields;
        ensure(fields.len() == state.fields.len(), Rejection::Shape)?;
        for (field, contents) in fields.iter().zip(&state.fields) {
            // An array holds integers.
            let has_array = contents.rest.is_some();
            ensure(!has_array || field.kind != Type::Pointer, Rejection::Shape)?;
            for slot in &contents.cells {
                self.check_slot(field.kind, *slot)?;
            }
        }
        Ok(())
    }

    /// What is around a part are pointers. Whichever segments are empty, what a pointer to a root denotes is well-founded.
    fn check_part(self, id: FoldedId, part: &Folded) -> Result<(), Rejection> {
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
    fn check_slot(self, kind: Type, slot: Slot) -> Result<(), Rejection> {
        let is_pointer = kind == Type::Pointer;
        let is_of_kind = match slot {
            Slot::Forgotten | Slot::Uninitialised => true,
            Slot::Integer(_) => !is_pointer,
            Slot::Null | Slot::Pointer { .. } => is_pointer,
            Slot::Folded(part) => self.sort(part).map(|_| is_pointer)?,
            // A tree has no last cell (`spec/calculus.md#attacks` H15).
            Slot::Last(part) => is_pointer && matches!(self.sort(part)?, TreeSort::Segment(_)),
        };
        ensure(is_of_kind, Rejection::Slot)
    }

    /// Of which sort the symbol of the part is.
    fn sort(self, part: FoldedId) -> Result<TreeSort, Rejection> {
        let Folded { tree, .. } = entry(self.folded, part.index())?;
        entry(self.trees, tree.index()).copied()
    }
}
