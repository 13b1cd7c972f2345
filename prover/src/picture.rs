//! Pictures: graphs in the DOT language, and as SVG.

use layout::{
    backends::svg::SVGWriter,
    core::{
        format::{ClipHandle, RenderBackend},
        geometry::Point,
        style::StyleAttr,
    },
    gv::{DotParser, GraphBuilder},
};
use std::fmt::{Display, Write};

/// A graph under construction.
#[derive(Default, Debug)]
pub struct Graph {
    text: String,
}

/// A text as a DOT string.
fn quoted(text: impl Display) -> String {
    format!("\"{}\"", text.to_string().replace('\\', "\\\\").replace('"', "\\\""))
}

impl Graph {
    /// A node; `attributes` are further ones, with a comma before each.
    pub fn node(&mut self, name: impl Display, label: impl Display, attributes: &str) {
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "    {name} [label={}{attributes}];", quoted(label));
    }

    /// An edge.
    pub fn edge(&mut self, from: impl Display, to: impl Display, label: impl Display) {
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "    {from} -> {to} [label={}];", quoted(label));
    }

    /// The whole.
    pub fn finish(self) -> String {
        format!("digraph {{\n{}}}\n", self.text)
    }
}

/// Graphs with more lines are not laid out: it would take long, and nobody could read them.
const LARGEST: usize = 400;

/// A graph as SVG; none where it is too large.
pub fn svg(dot: &str) -> Option<String> {
    if dot.lines().count() > LARGEST {
        return None;
    }
    let graph = DotParser::new(dot).process().ok()?;
    let mut builder = GraphBuilder::new();
    builder.visit_graph(&graph);
    let mut visual = builder.get();
    let mut canvas = Canvas { writer: SVGWriter::new(), width: 0.0, height: 0.0 };
    visual.do_it(false, false, false, &mut canvas);
    Some(canvas.finish())
}

/// What is drawn, and how far it reaches: the library's own frame is as high as a text is long, and as wide as if circles began at their
/// centres.
struct Canvas {
    writer: SVGWriter,
    width: f64,
    height: f64,
}

/// Between what is drawn and the frame.
const MARGIN: f64 = 12.0;

impl Canvas {
    fn reach(&mut self, corner: Point) {
        self.width = self.width.max(corner.x);
        self.height = self.height.max(corner.y);
    }

    /// The picture with a frame that fits.
    fn finish(self) -> String {
        let text = self.writer.finalize();
        let [width, height] = [self.width, self.height].map(|length| (length + MARGIN).ceil());
        match (text.find("<svg "), text.find("<defs>")) {
            (Some(start), Some(end)) => format!(
                "{}<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n{}",
                &text[..start],
                &text[end..]
            ),
            _ => text,
        }
    }
}

impl RenderBackend for Canvas {
    fn draw_rect(&mut self, xy: Point, size: Point, look: &StyleAttr, properties: Option<String>, clip: Option<ClipHandle>) {
        self.reach(xy.add(size));
        self.writer.draw_rect(xy, size, look, properties, clip);
    }

    fn draw_line(&mut self, start: Point, stop: Point, look: &StyleAttr, properties: Option<String>) {
        self.reach(start);
        self.reach(stop);
        self.writer.draw_line(start, stop, look, properties);
    }

    fn draw_circle(&mut self, xy: Point, size: Point, look: &StyleAttr, properties: Option<String>) {
        self.reach(xy.add(size.scale(0.5)));
        self.writer.draw_circle(xy, size, look, properties);
    }

    fn draw_text(&mut self, xy: Point, text: &str, look: &StyleAttr) {
        let lines = text.lines().map(|line| u16::try_from(line.chars().count()).unwrap_or(u16::MAX));
        let (letters, count) = lines.fold((0, 0u16), |(letters, count), line| (line.max(letters), count.saturating_add(1)));
        let size = u16::try_from(look.font_size).map_or(14.0, f64::from);
        // Centred; a letter is half as wide as it is high.
        self.reach(xy.add(Point::new(f64::from(letters) * size / 4.0, f64::from(count) * size / 2.0)));
        self.writer.draw_text(xy, text, look);
    }

    fn draw_arrow(
        &mut self,
        path: &[(Point, Point)],
        dashed: bool,
        head: (bool, bool),
        look: &StyleAttr,
        properties: Option<String>,
        text: &str,
    ) {
        for (point, control) in path {
            self.reach(*point);
            self.reach(*control);
        }
        self.writer.draw_arrow(path, dashed, head, look, properties, text);
    }

    fn create_clip(&mut self, xy: Point, size: Point, rounded_px: usize) -> ClipHandle {
        self.writer.create_clip(xy, size, rounded_px)
    }
}
