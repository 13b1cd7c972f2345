//! That a scapegoat on an input that is as large has consumed fewer values than the primary (`spec/calculus.md#nondeterministic-values`).

use goatherd_certificates::{
    configuration::{InputSize, Slot},
    derivation::MemberId,
    term::Literal,
};
use goatherd_checker::{configuration::Configuration, term::Arena};

/// What says that the scapegoat has consumed fewer values than the primary has by now; none where its input is smaller, and this is not asked.
pub fn consumes_less(arena: &mut Arena, configuration: &Configuration, member: MemberId) -> Option<Literal> {
    let [primary, scapegoat] = [configuration.members.first()?, configuration.members.get(member.index())?];
    match (scapegoat.size, scapegoat.consumed, primary.consumed) {
        (InputSize::NotLarger, Slot::Integer(own), Slot::Integer(most)) => arena.less(own, most).ok(),
        _ => None,
    }
}
