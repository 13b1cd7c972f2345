//! Whether a scapegoat is the primary's twin (`spec/calculus.md#twin`), asked with what is known of liveness.

use goatherd_certificates::{configuration::Slot, derivation::MemberId, program::RegisterId, term::Scope};
use goatherd_checker::{
    configuration::{Configuration, Place, Setting},
    rejection::Rejection,
    term::Arena,
    twin,
};
use goatherd_flow::Flow;

/// What the kernel says of the two members. It goes through the program once for each register that differs or points somewhere, to see whether that is
/// read any more; of those that are dead, which is known here, it is told that they hold nothing.
pub fn twin(
    arena: &mut Arena,
    (setting, flow): (Setting<'_>, &Flow),
    configuration: &Configuration,
    member: MemberId,
) -> Result<(), Rejection> {
    let Place::At(location) = configuration.member(MemberId(0))?.place else { return Err(Rejection::NotTwin) };
    let mut members = Vec::new();
    for member in [MemberId(0), member] {
        let mut member = configuration.member(member)?.clone();
        for (register, slot) in (0..).map(RegisterId).zip(&mut member.registers) {
            if !flow.is_live(location, register) {
                *slot = Slot::Uninitialised;
            }
        }
        members.push(member);
    }
    let both = Configuration { scope: Scope::default(), trees: Vec::new(), predicate: Vec::new(), members, entry: None, progress: true };
    twin::twin(arena, setting, &both, MemberId(1))
}

#[cfg(test)]
mod tests {
    use super::twin;
    use goatherd_certificates::{
        configuration::{InputSize, Slot},
        derivation::{Lengths, MemberId},
        program::Input,
    };
    use goatherd_checker::{budget::Budget, configuration::Setting, rejection::Rejection, rules, term::Arena, twin::twin as kernel};
    use goatherd_flow::{
        Flow,
        testing::{PARAMETERS, program},
    };

    #[test]
    fn what_is_dead_may_differ_and_what_is_read_may_not_as_the_kernel_has_it() {
        let program = program("twin", "void test(int read, int dead) { if (read > 0) dead = 1; }");
        let flow = Flow::new(&program);
        let setting = Setting { program: &program, parameters: &PARAMETERS, k: 1, sorts: &[] };
        let mut arena = Arena::new(&program.tables, Budget::new(u64::MAX)).unwrap();
        let root = rules::root(&mut arena, setting, Lengths::Classes, 0).unwrap().unwrap();
        let mut found = Vec::new();
        for input in &program.inputs {
            let Input::Integer { register } = *input else { panic!("{input:?}") };
            for size in [InputSize::Smaller, InputSize::NotLarger] {
                let mut herd = root.clone();
                let mut scapegoat = herd.members[0].clone();
                scapegoat.size = size;
                scapegoat.set_register(register, Slot::Integer(arena.constant(7).unwrap())).unwrap();
                herd.members.push(scapegoat);
                let result = twin(&mut arena, (setting, &flow), &herd, MemberId(1));
                assert_eq!(result, kernel(&mut arena, setting, &herd, MemberId(1)), "{register:?} {size:?}");
                found.push(result);
            }
        }
        assert_eq!(found, [Err(Rejection::NotTwin), Err(Rejection::NotSmaller), Ok(()), Err(Rejection::NotSmaller)]);
    }
}
