"use strict";
const states = [...document.querySelectorAll(".state")];
const lines = new Map([...document.querySelectorAll("[data-line]")].map((line) => [line.dataset.line, line]));
const links = [...document.querySelectorAll(".link")];
const panel = document.querySelector("aside");
const hint = panel.innerHTML;
const linesOf = (state) => state.dataset.lines.split(" ").filter((line) => lines.has(line));
let kept = null;

for (const state of states) linesOf(state).forEach((line) => lines.get(line).classList.add("used"));

function describe(state) {
  const title = document.createElement("h2");
  title.textContent = "Location " + state.querySelector(".caption").textContent;
  const columns = document.createElement("div");
  for (const [name, text] of [["known", state.dataset.literals], ["safeguards", state.dataset.safeguards], ["goes on", state.dataset.ways], ["refuted", state.dataset.marks]]) {
    const column = document.createElement("section");
    const heading = document.createElement("h3");
    const list = document.createElement("pre");
    heading.textContent = name;
    list.textContent = text || "nothing";
    column.append(heading, list);
    columns.append(column);
  }
  panel.replaceChildren(title, columns);
}

function show(chosen, from) {
  const rows = new Set(chosen.map((state) => state.dataset.row));
  states.forEach((state) => state.classList.toggle("lit", chosen.includes(state)));
  const lit = new Set(chosen.flatMap(linesOf));
  lines.forEach((line, number) => line.classList.toggle("lit", lit.has(number)));
  for (const link of links) {
    const touches = rows.has(link.dataset.from) || rows.has(link.dataset.to);
    link.classList.toggle("lit", touches);
    link.classList.toggle("faded", rows.size > 0 && !touches);
  }
  if (chosen.length > 0) describe(chosen[0]);
  else panel.innerHTML = hint;
  const other = from === "graph" ? [...lit].map((number) => lines.get(number))[0] : from === "source" ? chosen[0] : null;
  if (other) other.scrollIntoView({ block: "nearest" });
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

states.forEach((state) => watch(state, () => [state], "graph"));
lines.forEach((line, number) => watch(line, () => states.filter((state) => linesOf(state).includes(number)), "source"));
document.addEventListener("click", () => { kept = null; show([], null); });
