//! What words mean, on the command lines of both commands and in `goatherd.toml`.

use goatherd_frontend::lower::Undefined;
use std::time::Duration;

/// A macro definition whose name is an identifier.
///
/// # Errors
///
/// It is none.
pub fn definition(text: &str) -> Result<String, String> {
    let name = text.split_once('=').map_or(text, |(name, _)| name);
    if is_identifier(name) {
        Ok(text.to_owned())
    } else {
        Err(format!("`{name}` is not a macro name"))
    }
}

/// Can C call something so?
pub fn is_identifier(name: &str) -> bool {
    name.starts_with(|first: char| first == '_' || first.is_ascii_alphabetic())
        && name
            .chars()
            .all(|character| character == '_' || character.is_ascii_alphanumeric())
}

/// A positive number of seconds, with decimals if need be.
///
/// # Errors
///
/// It is none.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let time = text
        .parse()
        .ok()
        .filter(|number| *number > 0.0)
        .and_then(|number| Duration::try_from_secs_f64(number).ok());
    time.ok_or_else(|| String::from("a time is a positive number of seconds, such as 10 or 0.5"))
}

/// The most time that a command takes, if it is limited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeLimit(pub Option<Duration>);

/// A positive number of [`seconds`], or 0 for no limit.
///
/// # Errors
///
/// It is neither.
pub fn time_limit(text: &str) -> Result<TimeLimit, String> {
    if text == "0" {
        return Ok(TimeLimit(None));
    }
    seconds(text)
        .map(|time| TimeLimit(Some(time)))
        .map_err(|error| format!("{error}, or 0 for no limit"))
}

/// What a call of a function means that no file defines.
///
/// # Errors
///
/// It is neither `refuse` nor `havoc`.
pub fn undefined(text: &str) -> Result<Undefined, String> {
    match text {
        "refuse" => Ok(Undefined::Refused),
        "havoc" => Ok(Undefined::AnyValue),
        _ => Err(String::from(
            "functions that no file defines are refused (refuse) or return any value (havoc)",
        )),
    }
}

/// A number of bytes: digits, then K, M, G or nothing.
///
/// # Errors
///
/// It is none, or not below 2^64.
pub fn size(text: &str) -> Result<u64, String> {
    let (digits, shift) = match text.strip_suffix(['K', 'M', 'G', 'k', 'm', 'g']) {
        Some(digits) if text.ends_with(['K', 'k']) => (digits, 10),
        Some(digits) if text.ends_with(['M', 'm']) => (digits, 20),
        Some(digits) => (digits, 30),
        None => (text, 0),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(String::from(
            "a size is a number of bytes, or one followed by K, M or G, such as 64M",
        ));
    }
    let units = digits.parse::<u64>().ok();
    units
        .and_then(|units| units.checked_mul(1 << shift))
        .ok_or_else(|| String::from("a size is less than 2^64 bytes"))
}

#[cfg(test)]
mod tests {
    use super::{TimeLimit, definition, seconds, size, time_limit};
    use std::time::Duration;

    #[test]
    fn times() {
        assert_eq!(seconds("10"), Ok(Duration::from_secs(10)));
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for wrong in ["", "0", "-1", "NaN", "inf", "1e300", "1s", "ten"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn limits_of_time() {
        assert_eq!(time_limit("0"), Ok(TimeLimit(None)));
        assert_eq!(
            time_limit("0.5"),
            Ok(TimeLimit(Some(Duration::from_millis(500))))
        );
        for wrong in ["", "0.0", "-1", "none"] {
            assert!(time_limit(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(size("0"), Ok(0));
        assert_eq!(size("4096"), Ok(4096));
        assert_eq!(size("64M"), Ok(64 << 20));
        assert_eq!(size("3k"), Ok(3 << 10));
        assert_eq!(size("1G"), Ok(1 << 30));
        for wrong in [
            "",
            "G",
            "-1",
            "+1",
            "1.5G",
            "1GB",
            "1T",
            "é",
            "18446744073709551616",
            "17179869184G",
        ] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn macro_names() {
        assert!(definition("N").is_ok());
        assert!(definition("N_1=a b").is_ok());
        for wrong in ["", "=1", "1N", "a b", "-N"] {
            assert!(definition(wrong).is_err(), "{wrong}");
        }
    }
}
