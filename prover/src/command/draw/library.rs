//! Library functions of which C leaves open what they give: tests take from the path what that is.

use goatherd_counterexample::replay::scan::Scan;
use goatherd_frontend::models::{names, text};
use goatherd_paths::draw::c::subject::LibraryModel;

/// Names in models of what is asked of the environment: values and memory. Where `errno` lies is none of it.
const ASKED: [&str; 2] = ["__VERIFIER_nondet_", "__builtin_malloc"];

/// The name of the model that is no function of the library.
const ERRNO: &str = "__errno_location";

/// The models of those that the source uses and does not define.
pub fn models(source: &str) -> Vec<LibraryModel> {
    let scan = Scan::new(source);
    let used = names().filter(|name| *name != ERRNO && scan.needs(name));
    let models = used.filter_map(|name| Some(LibraryModel { name, text: text(name)? }));
    models.filter(|model| ASKED.iter().any(|asked| model.text.contains(asked))).collect()
}

#[cfg(test)]
mod tests {
    use super::models;

    #[test]
    fn models_of_what_c_leaves_open() {
        let names = |source| models(source).iter().map(|model| model.name).collect::<Vec<_>>();
        assert_eq!(names("int f(void) { return getchar() + (int)strlen(strdup(s)); }"), ["getchar", "strdup"]);
        assert_eq!(names("int rand(void) { return 4; } int f(void) { return rand(); }"), [""; 0]);
    }
}
