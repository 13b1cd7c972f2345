//! `goatherd models`

use super::{Trouble, arguments::Models, print};
use goatherd_frontend::models::{names, text};

/// Lists the models, or prints one.
pub fn run(arguments: &Models) -> Result<(), Trouble> {
    let Some(name) = &arguments.name else {
        return print(&(names().collect::<Vec<_>>().join("\n") + "\n"));
    };
    match text(name) {
        Some(text) => print(text),
        None => Err(Trouble::Usage(format!("there is no model of `{name}`; `goatherd models` lists them"))),
    }
}
