//! Any bytes, under small limits and digests that are made right: decoded and checked as a certificate.
#![no_main]

use goatherd_generator::{bytes, encode};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut certificate = data.to_vec();
    bytes::limit(&mut certificate);
    encode::repair_statement(&mut certificate, bytes::HEAD);
    encode::repair_trailer(&mut certificate);
    // Whatever it says, it says it without a panic.
    let _ = bytes::check(&certificate);
});
