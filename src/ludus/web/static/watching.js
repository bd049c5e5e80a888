// One live game after the other, on the slot where they are played.

import { Board } from "./board.js";
import { LiveClock } from "./live.js";
import { connect } from "./socket.js";

const TICK_MS = 100;
const STATES = {
  running: "Waiting for the next game. Games that are over in a moment are not shown.",
  waiting: "The tournament is about to begin.",
  stopped: "The run was stopped or has died; nothing is played now.",
  finished: "The tournament is over.",
};

const $ = (id) => document.getElementById(id);
const place = $("watch");
const clock = new LiveClock();
const board = new Board($("board"), { name: "the board of the live game" });
const log = []; // [name, seat, milliseconds] of every move
let hasGame = false;
let isOver = false;
let game = null;
let state = "running"; // of the tournament

connect(`${place.dataset.place}live/${encodeURIComponent(place.dataset.slot)}/socket`, {
  onMessage: told,
  onState: connected,
});

function told(message) {
  if (message.is === "live") show(message);
  else if (message.is === "clock") clock.tell(message.clock);
  else if (message.is === "state") tellState(message.state);
}

function connected(state) {
  $("state").classList.toggle("lost", state !== "open");
  $("state").title = state === "open" ? "connected" : "not connected";
  if (state === "lost") say("The connection is lost; it is tried again.");
  else if (state === "open") say("");
}

function tellState(next) {
  state = next in STATES ? next : "stopped";
  if (!hasGame) $("status").textContent = STATES[state];
  else if (isOver) end();
  else if (state !== "running") say(STATES[state]);
}

function show(message) {
  const { frame } = message;
  hasGame = true;
  if (message.game) begin(message.game);
  isOver = message.ending !== "";
  board.show(frame);
  place.style.setProperty("--shape", frame.size[0] / frame.size[1]);
  log.length = message.log.from;
  log.push(...message.log.moves);
  if (message.clock) clock.tell(message.clock);
  $("status").textContent = frame.status;
  $("state").classList.toggle("busy", !isOver);
  frame.seats.forEach((seat, number) => showSeat(seat, number, frame.marks?.[number]));
  showLog();
  if (isOver) end();
  tick();
}

function begin(next) {
  game = next;
  $("where").textContent = game.where;
  document.title = `${game.names.join(" – ")} · live`;
  say("");
}

function end() {
  const link = document.createElement("a");
  link.href = `${place.dataset.place}replay.html?game=${encodeURIComponent(game.id.replaceAll("/", "."))}`;
  link.textContent = "Replay";
  $("note").replaceChildren(state === "running" ? "The next game comes by itself. " : `${STATES[state]} `, link);
}

function showSeat(seat, number, mark) {
  const row = $(`seat${number}`);
  row.querySelector(".who").textContent = seat.player || seat.name;
  row.querySelector(".sub").textContent = seat.name;
  row.querySelector(".score").textContent = seat.score;
  if (mark !== undefined) row.querySelector(".glyph").innerHTML = mark;
}

// A row for each two turns; several moves of one turn share a place.
function showLog() {
  const rows = [];
  log.forEach(([name, seat, milliseconds], ply) => {
    const isSameTurn = ply > 0 && log[ply - 1][1] === seat;
    if (!rows.length || (!isSameTurn && (rows.at(-1)[seat] || rows.at(-1)[1]))) rows.push([null, null]);
    const turn = (rows.at(-1)[seat] ??= { names: [], milliseconds: 0, isLast: false });
    turn.names.push(name);
    turn.milliseconds += milliseconds;
    turn.isLast = ply === log.length - 1;
  });
  const items = rows.flatMap((row, number) => [item("number", `${number + 1}`), ...row.map(turnItem)]);
  $("log").replaceChildren(...items);
  $("log").scrollTop = $("log").scrollHeight;
}

function turnItem(turn) {
  if (turn === null) return item("move", "");
  const made = item(turn.isLast ? "move last" : "move", turn.names.join(" "));
  const time = document.createElement("em");
  time.textContent = turn.milliseconds < 100 ? `${turn.milliseconds.toFixed(0)} ms` : `${(turn.milliseconds / 1000).toFixed(1)} s`;
  made.append(time);
  return made;
}

function item(className, text) {
  const made = document.createElement("li");
  made.className = className;
  made.textContent = text;
  return made;
}

function say(text) {
  $("note").textContent = text;
}

function tick() {
  for (const seat of [0, 1]) {
    const { text, isTurn, isLate } = clock.read(seat);
    const row = $(`seat${seat}`);
    row.classList.toggle("turn", isTurn);
    row.classList.toggle("late", isLate);
    const shown = row.querySelector(".clock");
    if (shown.textContent !== text) shown.textContent = text;
  }
}

setInterval(tick, TICK_MS);
