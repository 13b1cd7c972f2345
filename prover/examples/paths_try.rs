use goatherd::paths::{analysis::*, text::*};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let lts = read_lts(&std::fs::read_to_string(&args[1]).unwrap()).unwrap();
    let pre = args.get(2).filter(|p| !p.is_empty()).map(|p| read_condition(p, &lts.variables).unwrap()).unwrap_or_default();
    let mut limits = Limits::default();
    if let Some(v) = args.get(3) { limits.vertices = v.parse().unwrap(); }
    if let Some(v) = args.get(4) { limits.length = v.parse().ok(); }
    let start = std::time::Instant::now();
    let out = analyse(&lts, &pre, limits).unwrap();
    let t = start.elapsed();
    let p = out.minimised.count_paths(&[30, 50, 100]);
    println!("{} states {} minimal {} edges {} P {} {} {} {:?} rounds {} stop {:?} unexplained {}", args[1], out.unfolding.states.len(), out.minimised.successors.len(), out.minimised.edge_count(), p[0], p[1], p[2], t, out.rounds, out.stop, out.unexplained);
}
