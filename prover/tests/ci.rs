//! The examples for CI systems and make are run as they are written.

use std::{
    env, fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn example(name: &str) -> String {
    fs::read_to_string(workspace().join("examples").join(name)).unwrap()
}

/// A project with two programs, and beside it a folder with both commands.
fn project(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ci").join(name);
    drop(fs::remove_dir_all(&folder));
    let root = folder.join("project");
    for file in ["strlen.c", "list-append.c"] {
        fs::create_dir_all(root.join("src")).unwrap();
        fs::write(root.join("src").join(file.replace("list-append", "list")), format!("#include \"common.h\"\n{}", example(file))).unwrap();
    }
    fs::write(root.join("src/common.h"), "").unwrap();
    fs::write(root.join("goatherd.toml"), "[[task]]\nfiles = \"src/*.c\"\n").unwrap();
    let bin = folder.join("bin");
    fs::create_dir_all(&bin).unwrap();
    symlink(env!("CARGO_BIN_EXE_goatherd"), bin.join("goatherd")).unwrap();
    // Of the checker's command, `archive` is what the prover's has as well.
    fs::write(bin.join("goatherd-check"), "#!/bin/sh\nexec goatherd \"$@\"\n").unwrap();
    fs::set_permissions(bin.join("goatherd-check"), fs::Permissions::from_mode(0o755)).unwrap();
    root
}

fn run(root: &Path, program: &str, arguments: &[&str]) -> Output {
    let path = format!("{}:{}", root.join("../bin").display(), env::var("PATH").unwrap());
    Command::new(program).args(arguments).current_dir(root).env("PATH", path).stdin(Stdio::null()).output().unwrap()
}

/// What GitHub runs: the lines below each `run: |`, as one script.
fn github_steps(text: &str) -> Vec<String> {
    let (mut steps, mut lines) = (Vec::new(), text.lines().peekable());
    let depth = |line: &str| line.len() - line.trim_start().len();
    while let Some(line) = lines.next() {
        if line.trim() == "run: |" {
            let mut step = String::new();
            while let Some(below) = lines.next_if(|below| depth(below) > depth(line)) {
                step.push_str(below.trim());
                step.push('\n');
            }
            steps.push(step);
        }
    }
    steps
}

/// What GitLab runs: the items of `before_script` and `script`, one after the other.
fn gitlab_lines(text: &str) -> Vec<String> {
    let (mut found, mut is_script) = (Vec::new(), false);
    for line in text.lines() {
        match line.trim().strip_prefix("- ") {
            Some(item) if is_script => found.push(item.to_owned()),
            _ => is_script = matches!(line.trim(), "before_script:" | "script:"),
        }
    }
    found
}

fn assert_runs(root: &Path, script: &str) {
    let output = run(root, "bash", &["-e", "-o", "pipefail", "-c", script]);
    assert!(output.status.success(), "{script}: {output:?}");
}

#[test]
fn workflows_run_as_shell() {
    let steps = github_steps(&example("ci/github.yml"));
    assert_eq!(steps.len(), 3);
    let root = project("github");
    for step in &steps {
        assert_runs(&root, step);
    }
    let lines = gitlab_lines(&example("ci/gitlab.yml"));
    assert_eq!(lines.len(), 4);
    let root = project("gitlab");
    assert_runs(&root, &lines.join("\n"));
    for report in ["proofs.xml", "proofs.sarif", "proofs.intoto.json"] {
        assert!(root.join("reports").join(report).is_file(), "{report}");
    }
}

#[test]
fn a_workflow_fails_where_a_program_does() {
    let root = project("failing");
    fs::write(root.join("src/bad.c"), example("strlen.buggy.c")).unwrap();
    let steps = github_steps(&example("ci/github.yml"));
    let output = run(&root, "bash", &["-e", "-c", &steps[1]]);
    assert_eq!(output.status.code(), Some(1));
    assert!(root.join("reports/proofs.sarif").is_file());
}

#[test]
fn make_proves_again_where_a_header_has_changed() {
    let root = project("make");
    fs::write(root.join("Makefile"), example("ci/Makefile")).unwrap();
    let proofs = || {
        let output = run(&root, "make", &["-j2"]);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap().matches("proved: ").count()
    };
    assert_eq!([proofs(), proofs()], [2, 0]);
    let header = fs::File::options().write(true).open(root.join("src/common.h")).unwrap();
    let later = fs::metadata(root.join("build/list.goat")).unwrap().modified().unwrap() + std::time::Duration::from_secs(5);
    header.set_modified(later).unwrap();
    assert_eq!(proofs(), 2);
}
