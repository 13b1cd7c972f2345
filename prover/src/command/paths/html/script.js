"use strict";
const states = [...document.querySelectorAll(".state")];
const lines = new Map([...document.querySelectorAll("[data-line]")].map((line) => [line.dataset.line, line]));
const picture = document.querySelector(".graph svg");
const panel = document.querySelector("aside");
const hint = panel.innerHTML;
const linesOf = (state) => state.dataset.lines.split(" ").filter((line) => lines.has(line));
const linksAt = new Map();
let kept = null;

for (const link of document.querySelectorAll(".link"))
  for (const row of new Set([link.dataset.from, link.dataset.to])) linksAt.set(row, [...(linksAt.get(row) || []), link]);

for (const state of states) linesOf(state).forEach((line) => lines.get(line).classList.add("used"));

function describe(state) {
  const title = document.createElement("h2");
  title.textContent = `State ${state.querySelector(".number").textContent}: location ${state.querySelector(".caption").textContent}`;
  const entries = document.createElement("dl");
  for (const [name, text] of [["known", state.dataset.literals], ["goes on", state.dataset.ways], ["refuted", state.dataset.marks], ["safeguards", state.dataset.safeguards]]) {
    if (!text) continue;
    const term = document.createElement("dt");
    const words = document.createElement("dd");
    term.textContent = name;
    words.append(...text.split("\n").map((line) => Object.assign(document.createElement("span"), { textContent: line })));
    entries.append(term, words);
  }
  panel.replaceChildren(title, entries);
}

// What is lit: only that has to be put out again.
let lit = [];

function show(chosen, from) {
  lit.forEach((element) => element.classList.remove("lit"));
  const numbers = new Set(chosen.flatMap(linesOf));
  lit = [...chosen, ...[...numbers].map((number) => lines.get(number)), ...chosen.flatMap((state) => linksAt.get(state.dataset.row) || [])];
  lit.forEach((element) => element.classList.add("lit"));
  picture.classList.toggle("chosen", chosen.length > 0);
  if (chosen.length > 0) describe(chosen[0]);
  else panel.innerHTML = hint;
  const other = from === "graph" ? lines.get([...numbers][0]) : from === "source" ? chosen[0] : null;
  if (other) other.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function watch(element, choose, from) {
  element.addEventListener("mouseenter", () => kept || show(choose(), from));
  element.addEventListener("mouseleave", () => kept || show([], null));
  element.addEventListener("focus", () => kept || show(choose(), from));
  element.addEventListener("click", (event) => {
    event.stopPropagation();
    kept = kept === element ? null : element;
    show(choose(), from);
  });
  element.addEventListener("keydown", (event) => event.key === "Enter" && element.dispatchEvent(new MouseEvent("click")));
}

// The number of a state leads there.
for (const jump of document.querySelectorAll(".graph a"))
  jump.addEventListener("click", (event) => {
    event.preventDefault();
    event.stopPropagation();
    const target = document.querySelector(jump.getAttribute("href"));
    kept = target;
    show([target], "graph");
    target.scrollIntoView({ block: "center", inline: "nearest" });
  });

states.forEach((state) => watch(state, () => [state], "graph"));
lines.forEach((line, number) => watch(line, () => states.filter((state) => linesOf(state).includes(number)), "source"));
document.addEventListener("click", () => { kept = null; show([], null); });
