"use strict";
// All that others have named is put in as text, never as HTML.
const { texts, lines, herds } = JSON.parse(document.getElementById("content").textContent);
const panel = document.getElementById("panel");
const SVG = "http://www.w3.org/2000/svg";

const make = (name, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};
const draw = (name, attributes, ...children) => {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};
// A click, or the enter key.
const press = (element, act) => {
  element.addEventListener("click", act);
  element.addEventListener("keydown", (event) => event.key === "Enter" && act(event));
};
const list = (numbers) => make("ul", {}, ...numbers.map((number) => make("li", { textContent: texts[number] })));
const times = (count) => (count === 1 ? "" : `, ${count} times`);

let chosen = [];
function choose(...elements) {
  chosen.forEach((element) => element.classList.remove("chosen"));
  chosen = elements.filter(Boolean);
  chosen.forEach((element) => element.classList.add("chosen"));
}

function show(hash, title, ...content) {
  history.replaceState(null, "", hash);
  panel.replaceChildren(make("h2", { textContent: title }), ...content);
  panel.scrollTop = 0;
  if (matchMedia("(max-width: 900px)").matches) panel.scrollIntoView({ block: "start" });
}

// The source: a mark for each line with checks.
const items = new Map();
for (const item of document.querySelectorAll("#source li[data-file]")) items.set(`${item.dataset.file}:${item.dataset.line}`, item);
for (const line of lines) {
  const item = items.get(`${line.file}:${line.line}`);
  if (!item) continue;
  item.classList.add(line.blame ? "blamed" : "excluded");
  item.title = texts[line.kinds];
  press(item, () => {
    choose(item);
    const told = line.text
      ? make("pre", { textContent: line.text.map((number) => texts[number]).join("\n") })
      : make("p", { className: "hint", textContent: `There is no room for it here: goatherd explain CERT --at ${line.line}` });
    show(`#line-${line.file}-${line.line}`, `Line ${line.line}: ${texts[line.kinds]}`, told);
  });
}

// The graph: herds by the places where they are.
const name = (herd) => (herd.template === null ? "the entry" : `herd ${herd.template}`);
const byTemplate = new Map(herds.map((herd) => [herd.template, herd]));
const heads = new Map();
for (const herd of herds) {
  if (!heads.has(herd.place)) heads.set(herd.place, { place: herd.place, herds: [], leads: new Map(), blames: 0 });
  heads.get(herd.place).herds.push(herd);
}
for (const head of heads.values())
  for (const herd of head.herds) {
    for (const [template, count] of herd.leads) {
      const target = byTemplate.get(template);
      if (target) head.leads.set(target.place, (head.leads.get(target.place) || 0) + count);
    }
    head.blames += herd.blames.reduce((sum, [, count]) => sum + count, 0);
  }
const arrivals = new Map();
for (const herd of herds) for (const [template, count] of herd.leads) arrivals.set(template, [...(arrivals.get(template) || []), [herd, count]]);

function herdLink(herd, count) {
  const link = make("button", { textContent: `${name(herd)} (${texts[herd.place]})${times(count)}` });
  link.addEventListener("click", () => showHerd(herd));
  return link;
}

function showHerd(herd) {
  choose(document.querySelector(`#heads g[data-place="${herd.place}"]`), document.querySelector(`#herds button[data-herd="${herd.template}"]`));
  const content = [];
  const part = (title, ...children) => children.length && content.push(make("h3", { textContent: title }), ...children);
  if (herd.begins === null) content.push(make("p", { className: "hint", textContent: "There is no room for what is known of it here: goatherd-check CERT --print shows it." }));
  (herd.begins || []).forEach(([members, known], position) => {
    const several = herd.begins.length > 1;
    if (several) content.push(make("h3", { className: "size", textContent: `Size class ${position + 1}` }));
    for (const [title, ...facts] of members) part(texts[title], list(facts));
    if (known.length) part("Known besides", list(known));
  });
  part("Comes from", ...(arrivals.get(herd.template) || []).map(([from, count]) => herdLink(from, count)));
  part("Goes on to", ...herd.leads.filter(([template]) => byTemplate.has(template)).map(([template, count]) => herdLink(byTemplate.get(template), count)));
  part("Takes the blame", ...herd.blames.map(([words, count]) => make("p", { className: "blame", textContent: `a scapegoat ${texts[words]}${times(count)}` })));
  if (herd.ends) part("Ends", make("p", { textContent: `the run ends without failing${times(herd.ends)}` }));
  if (herd.excluded) part("Excluded", make("p", { textContent: `what could be is excluded by facts${times(herd.excluded)}` }));
  show(`#herd-${herd.template}`, `${name(herd)[0].toUpperCase()}${name(herd).slice(1)}, at ${texts[herd.place]}`, ...content);
}

// Of many herds of one place, so many are shown at once.
const SHOWN = 200;
function showHead(head, group) {
  choose(group);
  const buttons = (from) =>
    head.herds.slice(from, from + SHOWN).map((herd) => {
      const button = make("button", { textContent: name(herd) });
      button.dataset.herd = String(herd.template);
      button.addEventListener("click", () => showHerd(herd));
      return button;
    });
  const chips = make("p", {}, ...buttons(0));
  const more = () => {
    if (chips.childElementCount >= head.herds.length) return;
    const button = make("button", { className: "more", textContent: `${head.herds.length - chips.childElementCount} more` });
    button.addEventListener("click", () => {
      button.remove();
      chips.append(...buttons(chips.childElementCount));
      more();
    });
    chips.append(button);
  };
  more();
  document.getElementById("herds").replaceChildren(make("h3", { textContent: `${head.herds.length} at ${texts[head.place]}` }), chips);
  if (head.herds.length === 1) showHerd(head.herds[0]);
}

function picture() {
  const HEIGHT = 46, WIDTH = 190, LEFT = 8;
  const rows = [...heads.values()].sort((left, right) => (left.herds[0].template === null ? -1 : right.herds[0].template === null ? 1 : left.herds[0].line - right.herds[0].line));
  const middle = (row) => row * HEIGHT + 26;
  const row = new Map(rows.map((head, position) => [head.place, position]));
  const edges = [], boxes = [];
  let widest = 0;
  rows.forEach((head, from) => {
    for (const [place, count] of head.leads) {
      const to = row.get(place);
      const distance = Math.abs(to - from), bend = to === from ? 26 : 18 + 12 * Math.min(distance, 12);
      const right = LEFT + WIDTH, start = middle(from) + (to >= from ? 6 : -6), end = middle(to) + (to > from ? -6 : 6) * (to === from ? -1 : 1);
      widest = Math.max(widest, right + bend);
      edges.push(draw("path", { class: "lead", "marker-end": "url(#tip)", d: `M${right} ${start} C${right + bend * 1.4} ${start} ${right + bend * 1.4} ${end} ${right + 3} ${end}` }, draw("title", {}, `${texts[head.place]} to ${texts[place]}${times(count)}`)));
    }
    if (head.blames) edges.push(draw("path", { class: "blame", "marker-end": "url(#tip)", d: `M${LEFT + WIDTH - 44} ${middle(from) + 16} v7` }, draw("title", {}, `a scapegoat takes the blame${times(head.blames)}`)));
    const words = draw("text", { x: LEFT + 10, y: middle(from) + 4 }, `${texts[head.place]}`);
    const count = draw("text", { x: LEFT + WIDTH - 10, y: middle(from) + 4, "text-anchor": "end", class: "count" }, `${head.herds.length}${head.blames ? ` \u00b7 ${head.blames} blamed` : ""}`);
    const group = draw("g", { class: "head", tabindex: "0", role: "button", "data-place": head.place }, draw("rect", { x: LEFT, y: middle(from) - 16, width: WIDTH, height: 32, rx: 6 }), words, count);
    press(group, () => showHead(head, group));
    boxes.push(group);
  });
  const tip = draw("marker", { id: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, markerUnits: "userSpaceOnUse", orient: "auto" }, draw("path", { d: "M0 0 8 4 0 8z" }));
  const width = Math.max(widest + 12, LEFT + WIDTH + 12), height = rows.length * HEIGHT + 12;
  document.getElementById("heads").append(draw("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": "Herds by place" }, draw("defs", {}, tip), ...edges, ...boxes));
}
picture();

// A link to a herd or to a line.
const [kind, ...numbers] = location.hash.slice(1).split("-");
if (kind === "herd") {
  const herd = herds.find((herd) => String(herd.template) === numbers[0]);
  if (herd) showHerd(herd);
} else if (kind === "line") items.get(numbers.join(":"))?.click();
