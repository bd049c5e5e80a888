// What a replay has on the server besides the player of reports: values of all positions, the worst moves, playing on.

import { connect } from "./socket.js";
import { Graph, made, showBar } from "./graph.js";

const $ = (id) => document.getElementById(id);

let game = null;
let ply = 0;
let graph = null;
let signs = null; // drawn above the board
const chances = [];
const exact = new Set();
let worst = new Map(); // by ply

document.addEventListener("ludus-game", (event) => {
  game = event.detail;
  const last = game.frames.length - 1;
  graph = new Graph($("values"), { last, onPick: go, label: "chances of both sides, move by move" });
  signs = $("board").appendChild(made("g"));
  fillDossier();
  connect(`/replay/evaluation${location.search}`, { onMessage: hear });
});

document.addEventListener("ludus-ply", (event) => {
  ply = event.detail;
  $("take-over-ply").value = ply;
  $("take-over-seat").value = String(game.turns[ply] ?? 0);
  const moves = game.moves.slice(0, ply).join(";");
  $("to-analysis").href = `/analyse#${game.analysis}&moves=${encodeURIComponent(moves)}`;
  const isOver = ply === game.frames.length - 1 && game.verdict !== null && game.verdict.seat === null;
  document.querySelector(".take-over button").disabled = isOver;
  $("take-over-note").textContent = isOver
    ? "The game is over here; go back to a position that goes on."
    : `Play on from the position after ${ply} ${ply === 1 ? "move" : "moves"}.`;
  show();
});

function go(wanted) {
  location.replace(`#ply=${wanted}`);
}

function hear(message) {
  if (message.is === "values") {
    for (const value of message.values) {
      chances[value.ply] = value.chance;
      if (value.exact) exact.add(value.ply);
    }
    show();
  } else if (message.is === "progress") {
    const isWhole = message.done === message.of;
    $("progress").textContent = message.note || (isWhole ? "" : `evaluating: ${message.done} of ${message.of} positions`);
  } else if (message.is === "worst") {
    showWorst(message.moves);
  } else if (message.is === "error") {
    $("progress").textContent = message.text;
  }
}

function show() {
  if (graph === null) return;
  graph.show(chances, { ply, bad: [...worst.keys()] });
  showBar($("evaluation"), chances[ply], game.players, exact.has(ply) ? "exact" : "an estimate");
  const bad = worst.get(ply);
  signs.innerHTML = bad ? bad.sign : ""; // made and escaped by the server
  signs.setAttribute("aria-label", bad ? `better was ${bad.better[0]}` : "");
}

function percent(share) {
  return `${Math.round(100 * share)} %`;
}

function loss(bad) {
  if (bad.loss >= 0.005) return `loses ${percent(bad.loss)} of the chances`;
  return `gives away ${bad.points} ${bad.points === 1 ? "point" : "points"}`;
}

function showWorst(moves) {
  worst = new Map(moves.map((bad) => [bad.ply, bad]));
  const items = moves.map((bad) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = `#ply=${bad.ply}`;
    link.textContent = game.moves[bad.ply - 1];
    const more = document.createElement("span");
    const who = game.players[game.turns[bad.ply - 1]];
    more.textContent = `move ${bad.ply}, ${who}: ${loss(bad)}; better ${bad.better.join(" ")}`;
    item.append(link, more);
    return item;
  });
  if (!items.length) {
    items.push(document.createElement("li"));
    items[0].textContent = "No move of this game lost much.";
  }
  $("worst").replaceChildren(...items);
  for (const bad of moves) {
    const cell = document.querySelector(`#moves a[href="#ply=${bad.ply}"]:not(.failed)`);
    if (!cell || cell.classList.contains("worst")) continue;
    cell.classList.add("worst");
    cell.title = `${loss(bad)}; better was ${bad.better[0]}`;
    cell.querySelector("b").append(" ??");
  }
  show();
}

function fillDossier() {
  $("dossier-card").hidden = game.dossier.length === 0;
  for (const [name, text] of game.dossier) {
    const term = document.createElement("dt");
    const body = document.createElement("dd");
    const words = document.createElement("pre");
    term.textContent = name;
    words.textContent = text;
    words.tabIndex = 0;
    body.append(words);
    $("dossier").append(term, body);
  }
}
