use goatherd::solving::{Context, HintRecorder, refute};
use goatherd_certificates::{
    program::IntegerType,
    term::{ArrayVariable, LinearId, Literal, Sign, Variable},
};
use goatherd_checker::{budget::Budget, outcome::Oracle, term::Arena};
use std::time::Instant;

#[test]
fn measure() {
    for size in [10u32, 30, 60] {
        let mut arena = Arena::new(&[], Budget::new(u64::MAX));
        let vars: Vec<LinearId> =
            (0..size).map(|number| arena.variable(Variable { sort: Some(IntegerType::U64), number }).unwrap()).collect();
        let a = arena.array_variable(ArrayVariable { sort: IntegerType::I8, number: 0 }).unwrap();
        let sels: Vec<LinearId> = vars.iter().take(size as usize / 2).map(|v| arena.select(a, *v).unwrap()).collect();
        let mut pred = vec![];
        for w in vars.windows(2) {
            pred.push(arena.less(w[0], w[1]).unwrap());
        }
        for s in &sels {
            pred.push(Literal { sign: Sign::NotZero, term: *s });
        }
        let t = Instant::now();
        for _ in 0..100 {
            let mut c = Context::of(&mut arena, &pred);
            c.is_contradictory(&mut arena);
        }
        println!("size {size}: build {:?}", t.elapsed() / 100);
        let mut c = Context::of(&mut arena, &pred);
        c.is_contradictory(&mut arena);
        let t = Instant::now();
        let mut v = vec![];
        for _ in 0..1000 {
            v.push(c.clone());
        }
        println!("  clone {:?}", t.elapsed() / 1000);
        drop(v);
        let yes = arena.less(vars[1], vars[6]).unwrap();
        let no = arena.less(vars[6], vars[1]).unwrap();
        let ne = Literal { sign: Sign::NotZero, term: arena.difference(vars[3], vars[4]).unwrap() };
        let inc = {
            let q = arena.plus(vars[1], 1).unwrap();
            let w = arena.quotient(q, 1 << 64).unwrap();
            let w = arena.combine(0, &[(q, 1), (w, -(1 << 64))]).unwrap();
            arena.at_most(w, vars[2]).unwrap()
        };
        for (name, l) in [("yes", yes), ("no", no), ("ne", ne), ("wrap", inc)] {
            let t = Instant::now();
            let mut r = false;
            for _ in 0..200 {
                r = c.entails(&mut arena, l);
            }
            println!("  entails {name} {r} {:?}", t.elapsed() / 200);
        }
        let n = arena.negate(inc).unwrap();
        let t = Instant::now();
        for _ in 0..100 {
            refute(&mut arena, &pred, &[n]).unwrap();
        }
        println!("  refute wrap {:?} {:?}", t.elapsed() / 100, refute(&mut arena, &pred, &[n]).unwrap());
        let n = arena.negate(yes).unwrap();
        let mut rec = HintRecorder::new();
        let t = Instant::now();
        for _ in 0..100 {
            rec.refute(&mut arena, &pred, &[n]).unwrap();
        }
        println!("  recorder {:?}", t.elapsed() / 100);
        let k = vars.len();
        let t = Instant::now();
        for _ in 0..20 {
            c.bounds_matrix(&mut arena, &vars);
        }
        println!("  matrix {k} {:?}", t.elapsed() / 20);
        let t = Instant::now();
        for _ in 0..20 {
            c.disequalities(&mut arena, &vars);
        }
        println!("  diseq {k} {:?}", t.elapsed() / 20);
    }
}
