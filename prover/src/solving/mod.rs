//! stub
use goatherd_certificates::{
    derivation::Refutation,
    term::{ArrayId, LinearId, Literal},
};
use goatherd_checker::{outcome::Oracle, rejection::Rejection, term::Arena};
#[derive(Clone, Default)]
pub struct Context;
impl Context {
    pub fn new() -> Self {
        Self
    }
    pub fn assume(&mut self, _: &mut Arena, _: Literal) {}
    pub fn is_contradictory(&self) -> bool {
        false
    }
    pub fn entails(&mut self, arena: &mut Arena, literal: Literal) -> bool {
        arena.evident(literal) == Some(true)
    }
    pub fn refutes(&mut self, _: &mut Arena, _: &[Literal]) -> bool {
        false
    }
    pub fn difference_bounds(&mut self, _: &mut Arena, _: LinearId, _: LinearId) -> (Option<i128>, Option<i128>) {
        (None, None)
    }
    pub fn bounds_matrix(&mut self, _: &mut Arena, _: &[LinearId]) -> Vec<Vec<Option<i128>>> {
        Vec::new()
    }
    pub fn disequalities(&mut self, _: &mut Arena, _: &[LinearId]) -> Vec<(usize, usize, i128)> {
        Vec::new()
    }
    pub fn arrays_equal(&mut self, _: &mut Arena, a: ArrayId, b: ArrayId) -> bool {
        a == b
    }
}
pub struct ContextOracle<'a>(&'a mut Context);
impl<'a> ContextOracle<'a> {
    pub fn new(c: &'a mut Context) -> Self {
        Self(c)
    }
}
impl Oracle for ContextOracle<'_> {
    fn refute(&mut self, arena: &mut Arena, _: &[Literal], a: &[Literal]) -> Result<(), Rejection> {
        if self.0.refutes(arena, a) { Ok(()) } else { Err(Rejection::NotRefuted) }
    }
}
#[derive(Default)]
pub struct HintRecorder {
    pub hints: Vec<Refutation>,
}
impl Oracle for HintRecorder {
    fn refute(&mut self, _: &mut Arena, _: &[Literal], _: &[Literal]) -> Result<(), Rejection> {
        Err(Rejection::NotRefuted)
    }
}
