//! Temporary.
use goatherd_tests::differential::{Dialect, compare, generator, source};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    if args[1] == "show" {
        println!("{}", source(&generator::generate(args[2].parse().unwrap(), args[3].parse().unwrap())));
        return;
    }
    let dir = std::env::temp_dir().join("goatherd-diff");
    std::fs::create_dir_all(&dir).unwrap();
    for dialect in [Dialect::Wrapping, Dialect::Checked] {
        match compare::compile_only(args[1].parse().unwrap(), args[2].parse().unwrap(), dialect, &dir) {
            Ok(map) => {
                for (k, v) in map {
                    println!("{v} {k}");
                }
            }
            Err(e) => println!("{e}"),
        }
    }
}
