// The analysis board. The server holds the position and the engine; the address holds what is needed to come back.

import { Board } from "./board.js";
import { connect } from "./socket.js";
import { Graph, showBar } from "./graph.js";

const $ = (id) => document.getElementById(id);
const SHOWN_MOVES = 9; // of a line

let line = null; // the last message of that kind
let advice = { on: false, running: false, lines: [] };
let seats = ["first", "second"];
let graph = null;
let isSetting = false; // a position that the form asked for is on its way

const board = new Board($("board"), {
  name: "analysis board",
  onMove: (move) => send({ do: "move", move, ply: line.ply }),
  onWhy: (key) => send({ do: "why", key }),
});
const socket = connect("/analyse/socket", { onMessage: hear, onState: showState });

function send(message) {
  say("");
  socket.send(message);
}

function hear(message) {
  if (message.is === "hello") begin();
  else if (message.is === "frame") showFrame(message);
  else if (message.is === "line") showLine(message);
  else if (message.is === "advice") showAdvice(message);
  else if (message.is === "say") say(message.text, true);
  else if (message.is === "error") complain(message.text);
}

function showState(state) {
  $("state").classList.toggle("lost", state !== "open");
  if (state === "lost") say("The connection is lost; it comes back by itself.");
}

// ---- the position

function begin() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const ply = asked.get("ply");
  send({
    do: "set",
    game: asked.get("game") ?? $("game").value,
    start: asked.get("start") ?? "",
    moves: (asked.get("moves") ?? "").split(";").filter(Boolean),
    ply: ply === null ? null : Number(ply),
  });
  if (advice.on) switchEngine(true);
}

function showFrame(frame) {
  seats = frame.seats.map((seat) => seat.name);
  $("status").textContent = frame.status;
  board.show(frame);
}

function showLine(message) {
  line = message;
  say("");
  const address = new URLSearchParams({ game: line.game, start: line.start, moves: line.moves.join(";"), ply: line.ply });
  history.replaceState(null, "", `#${address}`);
  if (isSetting || $("game").value !== line.game) {
    $("game").value = line.game;
    $("complaint").textContent = "";
  }
  if (isSetting) $("board").scrollIntoView({ block: "nearest" }); // the form stands below the board
  isSetting = false;
  $("state-json").value = line.state;
  document.title = `${line.title} · analysis · Ludus`;
  fillLog();
  for (const [id, isUseless] of [["to-start", line.ply === 0], ["back", line.ply === 0]]) $(id).disabled = isUseless;
  for (const id of ["forth", "to-end"]) $(id).disabled = line.ply === line.moves.length;
  showGraph();
}

function made(tag, className, text = "") {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
}

// A row has a place for each side; a side that moves twice begins a new row.
function fillLog() {
  const parts = [];
  let before = 2;
  let rows = 0;
  line.moves.forEach((name, index) => {
    const seat = line.turns[index];
    if (seat <= before) parts.push(made("li", "number", String(++rows)));
    if (seat <= before && seat === 1) parts.push(made("li", "move", ""));
    else if (seat === 0 && before === 0) parts.splice(-1, 0, made("li", "move", ""));
    before = seat;
    const item = made("li", index + 1 === line.ply ? "move last" : "move");
    const link = made("button", "plain", name);
    link.type = "button";
    link.addEventListener("click", () => go(index + 1));
    if (index + 1 === line.ply) link.setAttribute("aria-current", "true");
    item.append(link);
    parts.push(item);
  });
  $("log").replaceChildren(...parts);
  keepInView();
}

// The last move, within the list: the page itself does not scroll.
function keepInView() {
  const list = $("log");
  const here = list.querySelector(".last");
  if (here === null) list.scrollTop = 0;
  else if (here.offsetTop < list.scrollTop || here.offsetTop + here.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = here.offsetTop - list.clientHeight / 2;
  }
}

function go(ply) {
  send({ do: "go", ply });
}

$("setting").addEventListener("submit", (event) => {
  event.preventDefault();
  isSetting = true;
  $("complaint").textContent = "";
  send({ do: "set", game: $("game").value, start: $("start").value, moves: $("moves").value });
  say("The position is being set …");
});
$("game").addEventListener("change", () => {
  $("start").value = $("moves").value = "";
  $("setting").requestSubmit();
});
$("to-setting").addEventListener("click", (event) => {
  event.preventDefault(); // the address holds the position
  $("setting").scrollIntoView();
  $("start").focus();
});
window.addEventListener("hashchange", begin);

function say(text, isBad = false) {
  $("message").textContent = text;
  $("message").classList.toggle("bad", isBad);
}

function complain(text) {
  say(isSetting ? "" : text, !isSetting);
  if (isSetting) $("complaint").textContent = text;
  isSetting = false;
}

// ---- the engine

function switchEngine(on) {
  send({ do: "engine", on, seconds: Number($("seconds").value) });
}

function short(number) {
  for (const [size, unit] of [[1e9, " G"], [1e6, " M"], [1e3, " k"]]) {
    if (number >= size) return `${Number((number / size).toPrecision(3))}${unit}`;
  }
  return String(Math.round(number));
}

function showAdvice(message) {
  advice = message;
  const button = $("engine");
  button.setAttribute("aria-pressed", String(advice.on));
  button.textContent = advice.on ? "Stop the engine" : "Start the engine";
  $("state").classList.toggle("busy", advice.running);
  $("words").textContent = advice.words ?? "";
  $("kind").textContent = advice.chance === undefined ? "" : advice.exact ? "exact" : "estimate";
  $("kind").classList.toggle("exact", Boolean(advice.exact));
  $("lines").replaceChildren(...advice.lines.map(shownLine));
  const effort = advice.nodes
    ? [`depth ${advice.depth}`, `${short(advice.nodes)} nodes`, `${short(advice.speed)}/s`, `${advice.seconds} s`]
    : [];
  $("effort").textContent = [effort.join(" · "), advice.doing, advice.note].filter(Boolean).join(". ");
  $("advice").hidden = !advice.words && !advice.lines.length && !advice.note;
  if (line !== null && advice.chance !== undefined) line.chances[line.ply] = advice.chance;
  showBar($("evaluation"), advice.chance, seats, advice.exact ? "exact" : "an estimate");
  showGraph();
  keepInView();
}

function shownLine(one) {
  const item = made("li", one.exact ? "line exact" : "line");
  const play = made("button", "plain", one.move);
  play.type = "button";
  play.title = "play this move";
  play.addEventListener("click", () => send({ do: "move", move: one.code, ply: line.ply }));
  const chance = made("b", "", one.percent);
  item.append(chance, play, made("em", "", one.worth), made("span", "", one.then.slice(0, SHOWN_MOVES).join(" ")));
  return item;
}

function showGraph() {
  if (line === null) return;
  const known = Object.keys(line.chances).map(Number);
  $("graph").hidden = known.length < 2;
  if (known.length < 2) return;
  const last = Math.max(line.moves.length, ...known);
  if (graph === null || graph.last !== Math.max(1, last)) {
    graph = new Graph($("graph"), { last, onPick: go, label: "chances of both sides where the engine looked" });
  }
  const chances = [];
  for (const ply of known) chances[ply] = line.chances[ply];
  graph.show(chances, { ply: line.ply });
}

// ---- buttons and keys

$("engine").addEventListener("click", () => switchEngine(!advice.on));
$("seconds").addEventListener("change", () => advice.on && switchEngine(true));
const steps = {
  "to-start": () => go(0),
  back: () => go(line.ply - 1),
  forth: () => go(line.ply + 1),
  "to-end": () => go(line.moves.length),
};
for (const [id, step] of Object.entries(steps)) $(id).addEventListener("click", step);
$("copy").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(location.href);
    say("The link is copied.");
  } catch {
    window.prompt("The link to this position:", location.href);
  }
});

const KEYS = { PageUp: "back", PageDown: "forth", Home: "to-start", End: "to-end", e: "engine" };
const ARROWS = { ArrowLeft: "back", ArrowRight: "forth" }; // elsewhere than on the board, where they move the cursor
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea")) return;
  const id = KEYS[event.key] ?? ($("board").contains(event.target) ? undefined : ARROWS[event.key]);
  if (id === undefined || line === null) return;
  event.preventDefault();
  $(id).click();
});
