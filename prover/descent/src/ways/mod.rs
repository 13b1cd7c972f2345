//! The ways to search: a strategy is a point in a table of choices, `facet` names the choices, `strategies` lists those that are
//! tried, with `steps` for each; the others make the smaller inputs that scapegoats have.

pub(crate) mod facet;
pub(crate) mod inputs;
pub(crate) mod rounds;
pub(crate) mod spare;
pub(crate) mod steps;
pub(crate) mod strategies;
pub(crate) mod strategy;
