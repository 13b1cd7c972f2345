//! Cactus plots as in Shrinker's Figure 1: a point (n, t) of the upper panel says that n programs are solved in t milliseconds together,
//! one of the lower panel that the n-th easiest takes t.

use std::fmt::Write as _;
use std::ops::RangeInclusive;

/// A curve: its name and the times of what was solved, in milliseconds, in any order.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// What the legend says.
    pub name: String,
    /// Milliseconds.
    pub times: Vec<f64>,
}

const WIDTH: f64 = 720.0;
const PANEL_HEIGHT: f64 = 300.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 56.0;
const BETWEEN: f64 = 72.0;
/// The decades of milliseconds that an axis can begin and end with: from a microsecond to eleven days.
const DECADES: RangeInclusive<i32> = -3..=9;
/// Colours that differ in lightness too.
const COLOURS: [&str; 4] = ["#0b5394", "#cc4125", "#6aa84f", "#8e7cc3"];

/// Draws the curves, with time on a logarithmic axis.
pub fn plot(title: &str, curves: &[Curve]) -> String {
    let curves: Vec<Curve> = curves.iter().filter(|curve| !curve.times.is_empty()).cloned().map(sorted).collect();
    let height = TOP + 2.0 * (PANEL_HEIGHT + BETWEEN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"14\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"24\" font-size=\"17\">{}</text>\n",
        escaped(title)
    );
    let most = curves.iter().map(|curve| curve.times.len()).max().unwrap_or(1);
    let totals: Vec<Curve> = curves.iter().map(total).collect();
    panel(&mut svg, &totals, "total time", TOP, most);
    panel(&mut svg, &curves, "time of each", TOP + PANEL_HEIGHT + BETWEEN, most);
    svg.push_str("</svg>\n");
    svg
}

fn sorted(mut curve: Curve) -> Curve {
    curve.times.sort_by(f64::total_cmp);
    curve
}

fn total(curve: &Curve) -> Curve {
    let times = curve.times.iter().scan(0.0, |sum, time| {
        *sum += time;
        Some(*sum)
    });
    Curve { name: curve.name.clone(), times: times.collect() }
}

/// The axes of a panel: where a number of programs and a time stand.
struct Axes {
    top: f64,
    most: f64,
    /// Decades of milliseconds: the first and the last.
    decades: (i32, i32),
}

impl Axes {
    fn x(&self, solved: usize) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * number(solved) / self.most
    }

    fn y(&self, milliseconds: f64) -> f64 {
        let (first, last) = (f64::from(self.decades.0), f64::from(self.decades.1));
        self.top + PANEL_HEIGHT * (last - milliseconds.max(1e-3).log10()) / (last - first)
    }
}

fn panel(svg: &mut String, curves: &[Curve], label: &str, top: f64, most: usize) {
    let times = || curves.iter().flat_map(|curve| curve.times.iter().copied());
    let (shortest, longest) = (times().fold(f64::MAX, f64::min), times().fold(0.0, f64::max));
    let first = DECADES.rev().find(|decade| 10_f64.powi(*decade) <= shortest).unwrap_or(*DECADES.start());
    let last = DECADES.clone().find(|decade| *decade > first && 10_f64.powi(*decade) >= longest).unwrap_or(*DECADES.end());
    let axes = Axes { top, most: number(most.max(1)), decades: (first, last) };
    let (right, bottom) = (WIDTH - RIGHT, top + PANEL_HEIGHT);
    for decade in first..=last {
        let (y, text) = (axes.y(10_f64.powi(decade)), time_label(decade));
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>",
            LEFT - 8.0,
            y + 5.0
        );
    }
    for solved in (0..=most).step_by(step(most)) {
        let x = axes.x(solved);
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" y1=\"{bottom}\" x2=\"{x:.1}\" y2=\"{:.1}\" stroke=\"black\"/>\n\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{solved}</text>",
            bottom + 5.0,
            bottom + 21.0
        );
    }
    let (middle, below) = (f64::midpoint(LEFT, right), bottom + 42.0);
    let _ = writeln!(
        svg,
        "<rect x=\"{LEFT}\" y=\"{top}\" width=\"{}\" height=\"{PANEL_HEIGHT}\" fill=\"none\" stroke=\"black\"/>\n\
         <text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\">programs solved</text>\n\
         <text transform=\"translate(18 {}) rotate(-90)\" text-anchor=\"middle\">{label}</text>",
        right - LEFT,
        top + PANEL_HEIGHT / 2.0
    );
    for (curve, (colour, row)) in curves.iter().zip(COLOURS.iter().cycle().zip(0_u32..)) {
        draw(svg, curve, colour, &axes);
        let y = top + 20.0 + 20.0 * f64::from(row);
        let _ = writeln!(
            svg,
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\" stroke-width=\"3\"/>\n\
             <text x=\"{:.1}\" y=\"{y:.1}\">{}</text>",
            LEFT + 12.0,
            y - 5.0,
            LEFT + 40.0,
            y - 5.0,
            LEFT + 48.0,
            escaped(&curve.name)
        );
    }
}

fn draw(svg: &mut String, curve: &Curve, colour: &str, axes: &Axes) {
    let points: Vec<String> =
        curve.times.iter().zip(1..).map(|(time, solved)| format!("{:.1},{:.1}", axes.x(solved), axes.y(*time))).collect();
    let _ = writeln!(svg, "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>", points.join(" "));
    for point in &points {
        let (x, y) = point.split_once(',').unwrap_or_default();
        let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"2\" fill=\"{colour}\"/>");
    }
}

/// 1, 2 or 5 times a power of ten, so that there are at most ten labels.
fn step(most: usize) -> usize {
    let steps = (0..9).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_usize.pow(power)));
    steps.into_iter().find(|step| most <= step * 10).unwrap_or(most)
}

fn time_label(decade: i32) -> String {
    match u32::try_from(decade) {
        Ok(decade @ 0..3) => format!("{} ms", 10_u32.pow(decade)),
        Ok(decade) => format!("{} s", 10_u32.saturating_pow(decade - 3)),
        Err(_) => format!("{} us", 10_f64.powi(decade + 3)),
    }
}

fn number(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::{Curve, plot, step, time_label};

    #[test]
    fn labels_are_readable() {
        assert_eq!([1, 10, 11, 129].map(step), [1, 1, 2, 20]);
        assert_eq!([-1, 0, 2, 3, 4].map(time_label), ["100 us", "1 ms", "100 ms", "1 s", "10 s"]);
    }

    #[test]
    fn draws_a_point_for_each_program_in_both_panels() {
        let svg = plot("a < b", &[Curve { name: "proved".into(), times: vec![20.0, 5.0, 700.0] }]);
        assert_eq!(svg.matches("<circle").count(), 6);
        assert!(svg.contains("a &lt; b") && svg.contains(">1 s<") && svg.ends_with("</svg>\n"));
    }

    #[test]
    fn nothing_solved_is_no_fault() {
        assert!(plot("none", &[]).contains("programs solved"));
    }
}
