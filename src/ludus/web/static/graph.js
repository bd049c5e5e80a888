// Chances along a game, as a curve between both sides: for every page that has them.

const SVG = "http://www.w3.org/2000/svg";

export function made(tag, attributes = {}) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

// chances: those of the first seat by ply, undefined where nobody knows. onPick(ply) for a click.
export class Graph {
  constructor(element, { last, onPick, label }) {
    this.element = element;
    this.last = Math.max(1, last);
    this.svg = made("svg", { viewBox: `0 0 ${this.last} 100`, preserveAspectRatio: "none", role: "img", "aria-label": label });
    element.classList.add("graph");
    element.replaceChildren(this.svg);
    this.svg.addEventListener("click", (event) => {
      const box = this.svg.getBoundingClientRect();
      onPick(Math.round(((event.clientX - box.left) / box.width) * this.last));
    });
  }

  show(chances, { ply, bad = [] }) {
    const parts = [];
    for (const run of runs(chances, this.last)) {
      const points = run.map((at) => `${at},${100 - 100 * chances[at]}`).join(" ");
      parts.push(made("rect", { class: "ground", x: run[0], width: run.at(-1) - run[0], height: 100 }));
      parts.push(made("polygon", { class: "first", points: `${run[0]},100 ${points} ${run.at(-1)},100` }));
      parts.push(made("polyline", { class: "edge", points }));
    }
    parts.push(made("line", { class: "half", x1: 0, x2: this.last, y1: 50, y2: 50 }));
    for (const at of bad) parts.push(made("line", { class: "worst", x1: at, x2: at, y1: 0, y2: 100 }));
    parts.push(made("line", { class: "now", x1: ply, x2: ply, y1: 0, y2: 100 }));
    this.svg.replaceChildren(...parts);
  }
}

// The plies that are known, in runs without a gap.
function runs(chances, last) {
  const found = [];
  for (let ply = 0; ply <= last; ply++) {
    if (chances[ply] === undefined) continue;
    if (ply === 0 || chances[ply - 1] === undefined) found.push([]);
    found.at(-1).push(ply);
  }
  return found;
}

// The bar beside a board: how the chances are shared.
export function showBar(bar, chance, names, words = "") {
  bar.classList.toggle("unknown", chance === undefined);
  bar.firstElementChild.style.height = `${100 * (chance ?? 0.5)}%`;
  const percent = Math.round(100 * chance);
  const label = chance === undefined ? "not known yet" : `${names[0]} ${percent} %, ${names[1]} ${100 - percent} %`;
  bar.setAttribute("aria-label", words ? `${label}, ${words}` : label);
  bar.title = label;
}
