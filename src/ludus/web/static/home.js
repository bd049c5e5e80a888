// The form of a new game: the options of the game that is chosen, and its start as a board to look at and to click on.

import { Board } from "./board.js";

const $ = (id) => document.getElementById(id);
const PAUSE_MS = 150; // after the last key, before the board is drawn anew

const form = $("new");
const games = JSON.parse(form.dataset.games);
const board = new Board($("preview"), { name: "the start", onMove: addMove, onWhy: () => {} });
let timer = null;
let asked = 0;

const moves = () => form.elements.moves.value.split(/[\s;]+/).filter(Boolean);

// ---- fields

function showOptions() {
  const game = games[form.elements.game.value];
  $("options").replaceChildren(...game.options.map(optionField));
  $("seed-field").hidden = $("again").hidden = !game.random;
  form.elements.start.value = form.elements.moves.value = "";
  if (game.random) drawNumber();
  else form.elements.seed.value = "";
}

function optionField({ name, kind, default: standard }) {
  const label = document.createElement("label");
  label.className = `field ${kind}`;
  const title = document.createElement("span");
  title.textContent = name;
  const input = document.createElement("input");
  input.name = `option.${name}`;
  input.autocomplete = "off";
  if (kind === "flag") {
    input.type = "checkbox";
    input.checked = standard === "True";
    input.value = "True";
    const off = document.createElement("input");
    off.type = "hidden";
    off.name = input.name;
    off.value = "False";
    label.append(title, input);
    input.addEventListener("change", () => (input.checked ? off.remove() : label.append(off)));
    if (!input.checked) label.append(off);
    return label;
  }
  input.placeholder = standard;
  if (kind === "number") input.inputMode = "numeric";
  label.append(title, input);
  return label;
}

function drawNumber() {
  form.elements.seed.value = String(crypto.getRandomValues(new Uint32Array(1))[0]);
}

function showWho() {
  const isNamed = form.elements.opponent.value === "named";
  $("who-field").hidden = !isNamed;
  form.elements.who.required = isNamed;
}

// ---- the start

function later() {
  asked++; // an answer that is on its way would overwrite what is being typed
  clearTimeout(timer);
  timer = setTimeout(preview, PAUSE_MS);
}

async function post(address) {
  const headers = { Accept: "application/json" };
  const response = await fetch(address, { method: "POST", headers, body: new URLSearchParams(new FormData(form)) });
  return response.ok ? response.json() : { error: "The server does not take this." };
}

async function preview() {
  const number = ++asked;
  const told = await post("/play/preview").catch(() => ({ error: "The server does not answer." }));
  if (number !== asked) return; // a later question was asked
  $("complaint").textContent = told.error ?? "";
  if (told.error) return;
  board.show(told);
  form.elements.moves.value = told.played.join(" ");
  $("back").hidden = $("clear").hidden = told.played.length === 0;
  if (!$("grid").contains(document.activeElement)) showGrid(told.board);
}

function addMove(move) {
  const [, , name] = board.frame.moves.find(([number]) => number === move);
  form.elements.moves.value = [...moves(), name].join(" ");
  preview();
}

// A board of numbers as fields, one a number.
function showGrid(rows) {
  const grid = $("grid");
  grid.hidden = !rows;
  if (!rows) return;
  grid.style.gridTemplateColumns = `repeat(${rows[0].length}, minmax(0, 1fr))`;
  const inputs = rows.flatMap((row, r) => row.map((number, c) => gridField(number, r, c)));
  grid.replaceChildren(...inputs);
}

function gridField(number, row, column) {
  const input = document.createElement("input");
  input.value = number || "";
  input.inputMode = "numeric";
  input.setAttribute("aria-label", `number at row ${row} column ${column}`);
  input.addEventListener("focus", () => input.select());
  input.addEventListener("input", () => {
    const width = getComputedStyle($("grid")).gridTemplateColumns.split(" ").length;
    const values = [...$("grid").children].map((one) => one.value.trim() || "0");
    const rows = values.flatMap((_, at) => (at % width === 0 ? [values.slice(at, at + width).join(" ")] : []));
    form.elements.start.value = rows.join("\n");
    form.elements.moves.value = "";
    later();
  });
  return input;
}

form.elements.game.addEventListener("change", () => {
  showOptions();
  preview();
});
form.elements.opponent.addEventListener("change", showWho);
form.addEventListener("input", (event) => {
  if (event.target.closest("#options") || ["start", "moves", "seed"].includes(event.target.name)) later();
});
$("again").addEventListener("click", () => {
  form.elements.start.value = form.elements.moves.value = "";
  drawNumber();
  preview();
});
$("back").addEventListener("click", () => {
  form.elements.moves.value = moves().slice(0, -1).join(" ");
  preview();
});
$("clear").addEventListener("click", () => {
  form.elements.moves.value = "";
  preview();
});
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const told = await post("/play").catch(() => ({ error: "The server does not answer." }));
  if (told.to) location.assign(told.to);
  else $("complaint").textContent = told.error;
});
showOptions();
showWho();
preview();
