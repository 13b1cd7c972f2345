//! What is printed of names that others chose, and how much a check may take.

use crate::{
    certificates::{bytes, failing, repetitive, safe, wrong},
    running::{file, run},
};
use goatherd_certificates::certificate::Certificate;
use goatherd_frontend::escape::is_plain;
use std::{
    fs,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// Names that hide, turn around what is read, or move the cursor.
const HOSTILE: &str =
    "a\u{1b}[2J\u{9b}\u{202e}\u{61c}\u{200b}\u{ad}\u{feff}\u{e0041}\u{2066}\u{a0}\n!";

#[test]
fn a_closed_pipe_for_errors_is_no_fault() {
    for arguments in [
        &["no-such-file.goat"] as &[&str],
        &["archive", "verify", "--file", "no"],
        &[],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = Command::new(env!("CARGO_BIN_EXE_goatherd-check"));
        let output = writer.try_clone().unwrap();
        let status = command.args(arguments).stdout(output).stderr(writer);
        assert_eq!(status.status().unwrap().code(), Some(3), "{arguments:?}");
    }
}

#[test]
fn nothing_raw_is_printed() {
    let mut certificates = [safe(), failing(), wrong()];
    for certificate in &mut certificates {
        certificate.statement.origin.file = String::from(HOSTILE);
        certificate.statement.origin.definitions = vec![format!("N={HOSTILE}")];
        certificate.statement.program.entry = String::from(HOSTILE);
        certificate.statement.program.registers[0].name = String::from(HOSTILE);
        certificate.files = vec![String::from(HOSTILE)];
    }
    let source = file("nothing-raw.c");
    fs::write(&source, "void test(unsigned char x) {}\n").unwrap();
    let word = HOSTILE.replace('\n', "");
    let missing = format!("no-such-file-{word}");
    for (number, certificate) in certificates.iter().enumerate() {
        let requests: [&[&str]; 8] = [
            &[],
            &["--print"],
            &["--json"],
            &["--source", source.to_str().unwrap()],
            &["--source", &missing],
            &["--require", "entry=test"],
            &["--require", &word],
            &["--expect", &word],
        ];
        for (request, arguments) in requests.iter().enumerate() {
            let (_, text, errors) = run(
                &format!("raw-{number}-{request}"),
                &bytes(certificate),
                arguments,
            );
            assert!(!text.is_empty() || !errors.is_empty());
            for line in text.lines().chain(errors.lines()) {
                assert!(line.chars().all(is_plain), "{arguments:?}: {line:?}");
                assert!(
                    !line.starts_with('!'),
                    "a name goes on in a line of its own: {line}"
                );
            }
        }
    }
    let (_, text, _) = run("raw-json", &bytes(&certificates[1]), &["--json"]);
    let verdict: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (
            verdict["entry"].as_str(),
            verdict["origin"]["file"].as_str()
        ),
        (Some(HOSTILE), Some(HOSTILE))
    );
}

#[test]
fn output_is_as_long_as_the_certificate_not_as_its_square() {
    let bytes = bytes(&repetitive(5000, 20_000));
    for (name, arguments) in [
        ("long-text", &[][..]),
        ("long-json", &["--json"]),
        ("long-print", &["--print"]),
    ] {
        let (status, text, _) = run(
            name,
            &bytes,
            &[arguments, &["--expect", "unsafe", "--memory", "16M"]].concat(),
        );
        assert_eq!(status, 0, "{name}");
        assert!(text.len() < 3 << 20, "{name}: {}", text.len());
    }
}

#[test]
fn memory_is_limited_whatever_it_is_for() {
    let mut certificate = repetitive(5000, 10);
    let declined = |name: &str, certificate: &Certificate, arguments: &[&str]| {
        let (status, text, _) = run(name, &bytes(certificate), arguments);
        assert_eq!(status, 2, "{text}");
        let limit = arguments.last().unwrap();
        assert_eq!(
            text.lines().last(),
            Some(
                format!("declined: checking it takes more than {limit} bytes of memory (--memory)")
                    .as_str()
            )
        );
    };
    // The check takes 0.84 MB by the allocator's count, with --print 1.46 MB and with --json 1.89 MB.
    certificate.limits.memory = 800_000;
    let limit = ["--expect", "unsafe", "--memory", "1200000"];
    assert_eq!(run("memory-text", &bytes(&certificate), &limit).0, 0);
    declined(
        "memory-print",
        &certificate,
        &[&["--print"], &limit[..]].concat(),
    );
    let (status, text, _) = run(
        "memory-json",
        &bytes(&certificate),
        &[&["--json"], &limit[..]].concat(),
    );
    let verdict: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (status, &verdict["verdict"]),
        (2, &"declined".into()),
        "{text}"
    );
    let source = file("memory.c");
    fs::write(
        &source,
        format!("void test(int x) {{ {} }}\n", "x = x + 1;".repeat(20_000)),
    )
    .unwrap();
    let arguments = [&["--source", source.to_str().unwrap()], &limit[..]].concat();
    declined("memory-source", &certificate, &arguments);
}

/// What the command says of a pipe that begins like this and never ends.
fn endless(start: &[u8], arguments: &[&str], goes_on: bool) -> (Option<i32>, String) {
    use std::io::Write;
    let mut child = Command::new(env!("CARGO_BIN_EXE_goatherd-check"))
        .arg("/dev/stdin")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(start).unwrap();
    // Until nobody reads any more.
    while goes_on && pipe.write_all(&[0; 1 << 12]).is_ok() {}
    let output = child.wait_with_output().unwrap();
    drop(pipe);
    (
        output.status.code(),
        String::from_utf8(output.stdout).unwrap(),
    )
}

#[test]
fn a_pipe_without_end_is_declined() {
    let mut certificate = safe();
    certificate.limits.memory = 1 << 30;
    let (status, text) = endless(&bytes(&certificate), &["--memory", "1073741824"], true);
    assert_eq!(status, Some(2), "{text}");
    assert!(
        text.starts_with("declined: checking it takes more than 1073741824 bytes of memory"),
        "{text}"
    );
}

#[test]
fn time_is_limited_whatever_it_is_for() {
    let start = Instant::now();
    let (status, text) = endless(&bytes(&safe())[..20], &["--timeout", "0.2"], false);
    assert_eq!(
        (status, text.as_str()),
        (
            Some(2),
            "declined: checking it takes more than 0.2 s (--timeout)\n"
        )
    );
    let (status, text) = endless(
        &bytes(&safe())[..20],
        &["--timeout", "0.2", "--json"],
        false,
    );
    let verdict: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (status, &verdict["verdict"]),
        (Some(2), &"declined".into()),
        "{text}"
    );
    assert!(start.elapsed() < Duration::from_secs(30));
    assert_eq!(run("in-time", &bytes(&safe()), &["--timeout", "1000"]).0, 0);
}
