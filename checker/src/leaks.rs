//! What nothing leads to any more (`spec/calculus.md#leaks`).

use crate::flow::is_made;
use crate::{Member, *};
use alloc::vec::Vec;
use goatherd_certificates::*;

impl Setting<'_> {
    /// Does the program ask whether memory is leaked? Then a member's heap is to be known whole.
    pub(crate) fn checks_leaks(&self) -> bool {
        let mut instructions = self.program.instructions.iter();
        instructions.any(|instruction| matches!(instruction, Instruction::CheckLeaks { .. }))
    }

    /// Is it an object that the program has to free, or to keep?
    pub(crate) fn is_owed(&self, state: &ObjectState) -> bool {
        let object = self.object(state.declaration);
        state.life == Life::Live && object.is_ok_and(|object| is_made(&object.origin))
    }
}

impl Member {
    /// The work of [`Self::leaks`]: each static object is looked for among all, and all are gone through.
    pub(crate) fn leak_work(&self, setting: Setting<'_>) -> usize {
        self.objects
            .len()
            .saturating_mul(setting.program.objects.len())
            .saturating_add(slots(self.bytes()))
    }

    /// Is there a live object of the program's heap that neither these registers nor static objects lead to? Exact: rejects where that is not
    /// known, as of a part that may be empty.
    pub(crate) fn leaks(
        &self,
        setting: Setting<'_>,
        roots: impl Iterator<Item = RegisterId>,
    ) -> Result<bool> {
        // What is not reached.
        let mut objects = self.objects.clone();
        let mut parts = self.folded.clone();
        // Is all that is reached found?
        let mut is_whole = true;
        let mut open = Vec::new();
        for root in roots {
            open.push(self.register(root)?);
        }
        for (declaration, object) in (0..).map(ObjectId).zip(&setting.program.objects) {
            if matches!(object.origin, Origin::Static { .. }) {
                let start = |state: &ObjectState| Slot::element(state.object, state.lower);
                open.push(self.live(declaration).map_or(Slot::Forgotten, start));
            }
        }
        while let Some(slot) = open.pop() {
            match slot {
                Slot::Pointer(Address { object, .. }) if self.object(object).is_some() => {
                    let state = objects.get_mut(object.index()).and_then(Option::take);
                    let state = state.filter(|state| state.life == Life::Live);
                    let fields = state.iter().flat_map(|state| &state.fields);
                    open.extend(fields.flat_map(|field| &field.cells));
                }
                // What stands above it may hang from it as well.
                Slot::Folded(id) => {
                    is_whole = false;
                    let part = parts.get_mut(id.index()).and_then(Option::take);
                    open.extend(part.map(|part| part.below));
                }
                Slot::Pointer(_) | Slot::Last(_) | Slot::Forgotten => is_whole = false,
                Slot::Uninitialised | Slot::Integer(_) | Slot::Null => {}
            }
        }
        let has_leaked = objects.iter().flatten().any(|state| setting.is_owed(state));
        let has_part = parts.iter().any(Option::is_some);
        let is_known = if has_leaked { is_whole } else { !has_part };
        ensure(is_known, Rejection::Leak).map(|()| has_leaked)
    }
}
