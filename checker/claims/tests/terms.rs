//! The terms that evidence names are those of its own table (`spec/calculus.md#attacks` K1), whatever its reader has read before.

use goatherd_certificates::{certificate::Position, decode::Decode, rejection::Defect};
use goatherd_checker::{
    Budget, Rejection,
    decode::{certificate, statement, terms},
    error::Failure,
    reader::Reader,
};
use goatherd_claims::{Limits, frame::frame};
use sha2::{Digest, Sha256};

#[test]
fn no_terms_are_those_of_a_table_that_was_read_before() -> Result<(), Failure> {
    // A slot of its template holds the linear term 2, and its table has two of them; two such tables have four.
    let bytes = include_bytes!("../../../tests/vectors/table-slot.goatherd");
    let limits = Limits {
        memory: 64 << 20,
        work: 1 << 32,
    };
    let mut budget = Budget::within(limits);
    let framed = frame(bytes, &mut budget, limits, |bytes| {
        Sha256::digest(bytes).into()
    })?;
    let (claim, reader) = framed.statement(0, &mut budget)?;
    let (statement, _) = statement(reader, claim)?;

    let mut reader = framed.evidence(&mut budget);
    let evidence = reader.rest();
    Vec::<String>::decode(&mut reader)?;
    Vec::<Position>::decode(&mut reader)?;
    let table = reader.rest();
    terms(&mut reader)?;
    let table = table.strip_suffix(reader.rest()).unwrap_or_default();

    let behind_a_table = [table, evidence].concat();
    let mut reader = Reader::new(&behind_a_table, 0, &mut budget);
    terms(&mut reader)?;
    let failure = certificate(limits, statement, reader).map(|_| ());
    assert!(
        matches!(
            failure,
            Err(Failure::Rejected {
                rejection: Rejection::Malformed(Defect::Term),
                ..
            })
        ),
        "{failure:?}"
    );
    Ok(())
}
