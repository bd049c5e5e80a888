"use strict";

// Shows a recorded game, the same in reports and on the pages of `ludus serve`. A report's page names the game in its
// address, replay.html?game=NAME#ply=17, and its data come as scripts, because a page that was opened from disk may
// load nothing else. A page of the server says in data-source where to fetch them.
//
// Other scripts hear "ludus-game" once a game is there, and "ludus-ply" whenever another position is shown.

const NAME = /^[a-z0-9][a-z0-9.-]*$/;
const STEP_MS = 600;
const SVG = "http://www.w3.org/2000/svg";
const $ = (id) => document.getElementById(id);

let game = null;
let looks = []; // for every ply, the look in each slot: its number + 1, or 0
let layers = [];
let drawn = [];
let book = null;
let ply = 0;
let timer = null;

function load(file) {
  const script = document.createElement("script");
  script.src = file;
  script.addEventListener("error", () => fail("This game is not in the report."));
  document.head.append(script);
}

function fail(sentence) {
  $("where").textContent = sentence;
  $("replay").hidden = true;
}

// The two functions that data scripts call.
window.ludusGame = (data) => {
  game = data;
  load(`books/${Number(game.book)}.js`);
};
window.ludusBook = (data) => {
  book = data;
  begin();
};

function tell(name, detail) {
  document.dispatchEvent(new CustomEvent(name, { detail }));
}

function begin() {
  looks = unfold(game.frames, book.slots.length, book.looks);
  const [width, height] = game.size;
  const board = $("board");
  board.setAttribute("viewBox", `-25 -25 ${100 * width + 50} ${100 * height + 50}`);
  board.style.setProperty("--weight", game.weight);
  board.parentElement.style.setProperty("--shape", (width + 0.5) / (height + 0.5));
  for (let layer = 0; layer < book.layers; layer++) {
    layers.push(board.appendChild(document.createElementNS(SVG, "g")));
    drawn.push("");
  }
  document.title = `${game.players[0]} – ${game.players[1]}`;
  $("where").textContent = game.where;
  $("verdict").textContent = [game.score && `${game.players[0]} ${game.score} ${game.players[1]}`, verdict()]
    .filter(Boolean)
    .join(" · ");
  $("slider").max = last();
  for (const seat of [0, 1]) fillPlayer(seat);
  fillMoves();
  fillClock();
  listen();
  tell("ludus-game", game);
  show(plyOfAddress());
}

function unfold(frames, slots, book) {
  let now = new Int32Array(slots);
  return frames.map((frame) => {
    now = now.slice();
    for (const change of frame) {
      if (change < 0) now[-1 - change] = 0;
      else now[book[change][0]] = change + 1;
    }
    return now;
  });
}

const last = () => game.frames.length - 1;
const failed = () => game.verdict !== null && game.verdict.seat !== null;

function verdict() {
  if (game.verdict === null) return "";
  const line = game.verdict.line ? ` (line ${game.verdict.line})` : "";
  return failed() ? `${game.players[game.verdict.seat]}: ${game.verdict.reason}${line}` : game.verdict.reason;
}

function plyOfAddress() {
  const found = /^#ply=(\d+)$/.exec(location.hash);
  return found ? Number(found[1]) : last();
}

// ---- drawing

function show(wanted) {
  ply = Math.max(0, Math.min(last(), wanted));
  const parts = layers.map(() => []);
  looks[ply].forEach((look, slot) => {
    if (look) parts[book.slots[slot]].push(book.looks[look - 1][1]);
  });
  layers.forEach((layer, number) => {
    const markup = parts[number].join("");
    if (markup !== drawn[number]) layer.innerHTML = drawn[number] = markup;
  });
  const isEnd = ply === last();
  $("status").textContent = isEnd && failed() ? verdict() : game.statuses[ply];
  $("status").className = isEnd && failed() ? "bad" : "";
  for (const seat of [0, 1]) {
    $(`player-${seat}`).querySelector(".tally").textContent = game.scores[ply][seat];
    $(`player-${seat}`).classList.toggle("turn", !isEnd && game.turns[ply] === seat);
  }
  $("slider").value = ply;
  markMove();
  tell("ludus-ply", ply);
}

function markMove() {
  for (const move of document.querySelectorAll("#moves .now, #clock .now")) move.classList.remove("now");
  // Of a failure and the move before it, which have one position, the failure.
  const here = [...document.querySelectorAll(`#moves a[href="#ply=${ply}"]`)].pop();
  const bar = [...document.querySelectorAll(`#clock [data-ply="${ply}"]`)].pop();
  for (const mark of [here, bar]) if (mark) mark.classList.add("now");
  const list = $("moves");
  if (here) {
    const above = here.offsetTop; // within the list, which is what it is placed by
    if (above < list.scrollTop + 30 || above > list.scrollTop + list.clientHeight - 60) {
      list.scrollTop = above - list.clientHeight / 2;
    }
  } else if (ply === 0) list.scrollTop = 0;
}

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

function fillPlayer(seat) {
  const name = make(game.teams ? "a" : "span", "name", game.players[seat]);
  if (game.teams) name.href = `teams/${Number(game.teams[seat])}.html`;
  $(`player-${seat}`).append(
    make("span", `chip ${seat ? "second" : "first"}`, game.seats[seat].name),
    name,
    make("span", "tally", ""),
  );
}

function duration(ms) {
  if (ms === undefined) return "";
  return ms < 1 ? `${ms.toFixed(1)} ms` : ms < 1000 ? `${Math.round(ms)} ms` : `${Number((ms / 1000).toPrecision(3))} s`;
}

// A line has a move of each seat; a seat that moves twice begins a new line.
function fillMoves() {
  let row = null;
  let before = 2;
  const entry = (number, seat, text, className) => {
    if (row === null || seat <= before) row = $("moves").appendChild(make("li"));
    before = seat;
    const cell = make("a", className);
    cell.href = `#ply=${number}`;
    cell.append(make("b", "", text), make("small", "", duration(game.times[number - 1])));
    cell.classList.add(seat ? "second" : "first");
    row.append(cell);
    return cell;
  };
  game.moves.forEach((name, index) => {
    const cell = entry(index + 1, game.turns[index], name, index < game.opening ? "opening" : "");
    if (index < game.opening) cell.title = "a move of the opening, nobody's own";
  });
  if (failed()) {
    const cell = entry(game.moves.length + 1, game.verdict.seat, game.verdict.kind, "failed");
    cell.href = `#ply=${last()}`;
    cell.title = verdict();
  }
}

// What each move took, against the limit.
function fillClock() {
  $("clock").hidden = game.times.length === 0;
  const limit = game.limit || Infinity;
  const count = Math.max(1, game.times.length);
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${count} 100`);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `time of each move${game.limit ? `; the limit is ${duration(limit)}` : ""}`);
  const most = Math.max(...game.times, 1e-9);
  const top = Math.max(most, Math.min(limit, most * 4));
  game.times.forEach((time, index) => {
    const seat = index < game.turns.length ? game.turns[index] : game.verdict ? game.verdict.seat : 0;
    const bar = document.createElementNS(SVG, "rect");
    const height = Math.max(1.5, (94 * time) / top);
    const place = { x: index + 0.1, width: 0.8, y: 100 - height, height, "data-ply": Math.min(index + 1, last()) };
    for (const [name, value] of Object.entries(place)) bar.setAttribute(name, value);
    bar.setAttribute("class", time > limit ? "late" : seat ? "second" : "first");
    svg.append(bar);
  });
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    go(Math.floor(((event.clientX - box.left) / box.width) * count) + 1);
  });
  $("clock").append(svg, make("small", "", `longest move ${duration(most)}${game.limit ? ` of ${duration(limit)}` : ""}`));
}

// ---- moving through the game

function go(wanted) {
  const next = Math.max(0, Math.min(last(), wanted));
  if (next !== ply || !location.hash) location.replace(`#ply=${next}`); // its event shows the position
}

function pause() {
  clearInterval(timer);
  timer = null;
  $("play").textContent = "▶ Play";
}

function playOrPause() {
  if (timer !== null) return pause();
  if (ply === last()) go(0);
  $("play").textContent = "Pause";
  timer = setInterval(() => (ply === last() ? pause() : go(ply + 1)), STEP_MS);
}

function listen() {
  const act = { "to-start": () => go(0), back: () => go(ply - 1), forth: () => go(ply + 1), "to-end": () => go(last()) };
  for (const [id, action] of Object.entries(act)) {
    $(id).addEventListener("click", () => {
      pause();
      action();
    });
  }
  $("play").addEventListener("click", playOrPause);
  $("slider").addEventListener("input", (event) => {
    pause();
    go(Number(event.target.value));
  });
  $("copy").addEventListener("click", async () => {
    go(ply);
    try {
      await navigator.clipboard.writeText(location.href);
      $("copy").textContent = "Copied";
      setTimeout(() => ($("copy").textContent = "Link"), 1200);
    } catch (error) {
      window.prompt("The link to this position:", location.href);
    }
  });
  const keys = { ArrowLeft: "back", ArrowRight: "forth", Home: "to-start", End: "to-end", " ": "play" };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !(event.key in keys)) return;
    const isTyping = event.target.closest("input:not(#slider), select, textarea");
    if (isTyping || event.target.id === "slider" || (event.key === " " && event.target.closest("button, a"))) return;
    event.preventDefault();
    $(keys[event.key]).click();
  });
  window.addEventListener("hashchange", () => show(plyOfAddress()));
}

async function fetched(source) {
  const response = await fetch(source);
  if (!response.ok) return fail("This game cannot be shown.");
  ({ game, book } = await response.json());
  begin();
}

const source = $("replay").dataset.source;
const asked = new URLSearchParams(location.search).get("game") || "";
if (source) fetched(source);
else if (NAME.test(asked)) load(`games/${asked}.js`);
else fail("The address names no game.");
