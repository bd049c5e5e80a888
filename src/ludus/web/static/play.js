// The page of a table: what the server tells goes onto the board and beside it, what the person does goes to the server.

import { Board } from "./board.js";
import { connect } from "./socket.js";

const $ = (id) => document.getElementById(id);
const LATE = 0.8; // share of the limit from which on a clock is red
const TICK_MS = 200;

const place = $("play");
const query = place.dataset.seat ? `?seat=${encodeURIComponent(place.dataset.seat)}` : "";
const log = []; // [name, seat, seconds] of every move
let you = [];
let company = "machine";
let table = null; // what was told last, besides the board
let toldAt = 0;
let isConnected = false;
let past = null; // the ply of an earlier position that is looked at

const board = new Board($("board"), {
  name: document.querySelector("h1").textContent,
  onMove: (move) => ask({ do: "move", move, ply: board.frame.ply }),
  onWhy: (key) => (past === null ? ask({ do: "why", key }) : say(PAST, true)),
});
const PAST = "This is an earlier position. ▶| (End) leads back to the game.";
const socket = connect(`/play/${place.dataset.table}/socket${query}`, { onMessage: told, onState: connected });

function ask(message) {
  if (!socket.send(message)) say("The connection is lost; it is tried again.", true);
}

// ---- what the server says

function told(message) {
  if (message.is === "hello") ({ you, company } = message);
  else if (message.is === "frame") showFrame(message);
  else if (message.is === "look") showPast(message);
  else if (message.is === "say" || message.is === "error") say(message.text, true);
  else if (message.is === "next") location.assign(message.to);
  else if (message.is === "gone") say("This game is no longer here.", true);
}

function connected(state) {
  isConnected = state === "open";
  $("state").classList.toggle("lost", state !== "open");
  $("state").title = state === "open" ? "connected" : "not connected";
  if (state === "lost") say("The connection is lost; it is tried again.", true);
  else if (state === "open") say("");
}

// Who looks back is told how the game goes on, and sees the board of it only on coming back, when all is told anew.
function showFrame(frame) {
  if (frame.full) past = null;
  if (past === null) board.show(frame);
  place.style.setProperty("--shape", frame.size[0] / frame.size[1]);
  table = frame.table;
  toldAt = performance.now();
  log.length = table.log.from;
  log.push(...table.log.moves);
  if (past !== null && past >= log.length) look(log.length); // taken back up to there
  $("status").textContent = frame.status;
  $("state").classList.toggle("busy", table.thinking);
  frame.seats.forEach((seat, number) => showSeat(seat, number, frame.marks?.[number]));
  showAdvice(table.hint);
  showChances();
  showLog(); // after what takes room from it, so that its end is seen
  showControls();
  showSteps();
  if (table.asking !== null && you.length) showQuestion();
  else if (past === null) say(table.note);
  tick();
}

function look(ply) {
  if (table === null || ply < 0 || ply > log.length || ply === (past ?? log.length)) return;
  ask({ do: "look", ply });
}

function showPast(frame) {
  past = frame.ply;
  board.show(frame);
  say(`After move ${past} of ${log.length}: ${frame.status}. ▶| (End) leads back to the game.`);
  showLog();
  showChances();
  showSteps();
}

function showSteps() {
  const [ply, last] = [past ?? log.length, log.length];
  for (const id of ["to-start", "back"]) $(id).disabled = ply === 0;
  for (const id of ["forth", "to-end"]) $(id).disabled = ply === last;
  place.classList.toggle("past", past !== null);
  const moves = log.slice(0, ply).map(([name]) => name).join(";");
  $("analyse").href = `/analyse#${new URLSearchParams({ game: place.dataset.game, start: place.dataset.start, moves })}`;
}

function showSeat(seat, number, mark) {
  const row = $(`seat${number}`);
  const isYou = you.length === 1 && you[0] === number;
  row.classList.toggle("turn", table.turn === number);
  row.querySelector(".who").textContent = seat.player || seat.name;
  row.querySelector(".sub").textContent = isYou && seat.player !== "you" ? `${seat.name}, you` : seat.name;
  row.querySelector(".score").textContent = seat.score;
  if (mark !== undefined) row.querySelector(".glyph").innerHTML = mark;
}

// Rows of both seats; several moves of one turn share a place.
function showLog() {
  const rows = [];
  log.forEach(([, seat], ply) => {
    const isSameTurn = ply > 0 && log[ply - 1][1] === seat;
    const row = rows.at(-1);
    if (!row || (!isSameTurn && (row[seat].length || row[1].length))) rows.push([[], []]);
    rows.at(-1)[seat].push(ply);
  });
  const items = rows.flatMap((row, number) => [item("number", `${number + 1}`), ...row.map(logged)]);
  const hadFocus = $("log") !== document.activeElement && $("log").contains(document.activeElement);
  $("log").replaceChildren(...items);
  if (hadFocus) $("log").focus({ preventScroll: true });
  const here = $("log").querySelector(".last");
  $("log").scrollTop = past === null || !here ? $("log").scrollHeight : here.offsetTop - $("log").clientHeight / 2;
}

function logged(plies) {
  const made = item(plies.includes((past ?? log.length) - 1) ? "move last" : "move", "");
  made.append(...plies.map(step));
  const passed = plies.reduce((sum, ply) => sum + log[ply][2], 0);
  if (passed > 0) { // moves that the start brought along took no time here
    const seconds = document.createElement("em");
    seconds.textContent = `${passed.toFixed(1)} s`;
    made.append(seconds);
  }
  return made;
}

// A move in the list, which leads to the position after it.
function step(ply) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "plain";
  made.tabIndex = -1; // keys step as well, and nobody wants to tab through a whole game
  made.textContent = log[ply][0];
  made.addEventListener("click", () => look(ply + 1));
  return made;
}

function item(className, text) {
  const made = document.createElement("li");
  made.className = className;
  made.textContent = text;
  return made;
}

function showAdvice(hint) {
  const advice = $("advice");
  advice.hidden = hint === null;
  if (hint === null) return;
  const words = document.createElement("b");
  words.className = "words";
  words.textContent = hint.words;
  const lines = hint.lines.map(([name, percent, then]) => {
    const line = document.createElement("div");
    line.className = "line";
    const [chance, move, rest] = ["b", "strong", "span"].map((tag) => document.createElement(tag));
    [chance.textContent, move.textContent, rest.textContent] = [`${percent} %`, name, then];
    line.append(chance, move, rest);
    return line;
  });
  advice.replaceChildren(words, ...lines);
}

// The bar shows the last chance that is known; the graph all of them.
function showChances() {
  const known = table.chances.flatMap((chance, ply) => (chance === null ? [] : [[ply, chance]]));
  const isShown = table.bar || (table.turn === null && known.length > 1);
  const last = known.at(-1)?.[1] ?? 0.5;
  $("evaluation").hidden = !table.bar;
  $("evaluation").firstChild.style.height = `${100 * last}%`;
  const [one] = board.frame.seats;
  $("evaluation").setAttribute("aria-label", `chance of ${one.player || one.name}: ${Math.round(100 * last)} percent`);
  $("graph").hidden = !isShown;
  if (isShown) $("graph").replaceChildren(graph(known, Math.max(20, log.length)));
}

function graph(known, length) {
  const svg = drawn("svg", { viewBox: `0 0 ${length} 100`, preserveAspectRatio: "none", role: "img" });
  svg.setAttribute("aria-label", "how the chances went");
  const points = known.map(([ply, chance]) => `${ply},${100 - 100 * chance}`);
  if (points.length) {
    const [first, last] = [known[0][0], known.at(-1)[0]];
    svg.append(drawn("rect", { class: "ground", x: first, width: last - first, height: 100 }));
    svg.append(drawn("polygon", { class: "first", points: `${first},100 ${points.join(" ")} ${last},100` }));
    const edge = points.length > 1 ? "edge" : "edge dot";
    svg.append(drawn("polyline", { class: edge, points: [points[0], ...points].join(" ") }));
  }
  svg.append(drawn("line", { class: "half", x2: length, y1: 50, y2: 50 }));
  const here = past ?? log.length;
  svg.append(drawn("line", { class: "now", x1: here, x2: here, y2: 100 }));
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    look(Math.min(log.length, Math.round(((event.clientX - box.left) / box.width) * length)));
  });
  return svg;
}

function drawn(tag, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

function showControls() {
  const [isOver, plays] = [table.turn === null, you.length > 0];
  const hasAdvice = company !== "link";
  $("controls").hidden = !plays;
  $("undo").disabled = !log.some(([, seat]) => you.includes(seat));
  $("hint").hidden = $("bar").hidden = !hasAdvice;
  $("hint").disabled = isOver || (!you.includes(table.turn) && table.hint === null);
  $("hint").setAttribute("aria-pressed", String(table.hint !== null));
  $("bar").setAttribute("aria-pressed", String(table.bar));
  $("resign").disabled = isOver;
  $("rematch").hidden = !plays || (company === "link" && !isOver);
  $("rematch").classList.toggle("primary", isOver);
  $("analyse").hidden = !hasAdvice && !isOver;
}

function say(text, isWrong = false) {
  $("message").textContent = text;
  $("message").classList.toggle("bad", isWrong);
}

function showQuestion() {
  if (you.includes(table.asking)) return say("You asked to take back; the other one decides.");
  say("May the last move be taken back? ");
  for (const [text, action] of [["Yes", "agree"], ["No", "refuse"]]) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.addEventListener("click", () => ask({ do: action }));
    $("message").append(button);
  }
  return undefined;
}

// ---- clocks

function tick() {
  if (table === null) return;
  const passed = table.turn === null ? 0 : (performance.now() - toldAt) / 1000;
  for (const number of [0, 1]) {
    const isTurn = table.turn === number;
    const row = $(`seat${number}`);
    const clock = row.querySelector(".clock");
    const text = clockText(table.clock.used[number] + (isTurn ? passed : 0));
    if (clock.textContent !== text) clock.textContent = text;
    const isLate = isTurn && table.clock.limit !== null && table.clock.thought + passed > LATE * table.clock.limit;
    row.classList.toggle("late", isLate);
  }
}

function clockText(seconds) {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}

// ---- what the person does

async function isSure(question) {
  const dialog = $("question-dialog");
  $("question").textContent = question;
  dialog.returnValue = "";
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  return dialog.returnValue === "yes";
}

function showLinks() {
  const watch = ["To watch", whole(`/play/${place.dataset.table}`)];
  const rows = [watch, ...[...$("links-dialog").querySelectorAll("[data-seat-link]")].map(seatLink)];
  $("link-list").replaceChildren(...rows.map(linkRow));
  $("links-dialog").showModal();
}

function seatLink(element) {
  return [element.textContent, whole(element.dataset.seatLink)];
}

// The address for somebody else, with the token where the server wants one.
function whole(path) {
  const address = new URL(path, location.origin);
  if (place.dataset.token) address.searchParams.set("token", place.dataset.token);
  return address.href;
}

function linkRow([name, address]) {
  const row = document.createElement("div");
  row.className = "link";
  const [label, title, input, button] = ["label", "span", "input", "button"].map((tag) => document.createElement(tag));
  label.className = "field";
  title.textContent = name;
  input.readOnly = true;
  input.value = address;
  input.addEventListener("focus", () => input.select());
  label.append(title, input);
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    input.select();
    try {
      await navigator.clipboard.writeText(address);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Ctrl+C"; // the text is selected already
    }
  });
  row.append(label, button);
  return row;
}

const actions = {
  undo: () => ask({ do: "undo" }),
  hint: () => {
    look(log.length);
    ask({ do: "hint" });
  },
  bar: () => ask({ do: "bar" }),
  resign: async () => (await isSure("Resign this game?")) && ask({ do: "resign" }),
  rematch: async () =>
    (table.turn === null || log.length === 0 || (await isSure("Leave this game and begin again?"))) &&
    ask({ do: "rematch" }),
  links: showLinks,
  "to-start": () => look(0),
  back: () => look((past ?? log.length) - 1),
  forth: () => look((past ?? log.length) + 1),
  "to-end": () => look(log.length),
};
const keys = {
  u: "undo", h: "hint", e: "bar", r: "resign", n: "rematch", l: "links",
  Home: "to-start", ",": "back", ".": "forth", End: "to-end",
};
const arrows = { ArrowLeft: "back", ArrowRight: "forth" }; // elsewhere than on the board, where they move the cursor

for (const [name, action] of Object.entries(actions)) $(name).addEventListener("click", action);
document.addEventListener("keydown", (event) => {
  const isTyped = event.target.closest("input, select, textarea, dialog") !== null;
  if (isTyped || event.ctrlKey || event.altKey || event.metaKey) return;
  const name = keys[event.key] ?? ($("board").contains(event.target) ? undefined : arrows[event.key]);
  if (event.key === "b") board.focus();
  else if (name && table !== null) {
    const button = $(name);
    if (button.disabled || button.hidden || button.parentElement.hidden) return;
    actions[name]();
  } else return;
  event.preventDefault();
});
$("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const input = event.target.elements.move;
  if (past !== null) return say(PAST, true);
  if (input.value.trim()) ask({ do: "move", text: input.value, ply: board.frame.ply });
  input.value = "";
  return undefined;
});
setInterval(tick, TICK_MS);
