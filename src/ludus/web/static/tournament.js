// The page of a tournament: sections come as they change, rows glide to their new place, small boards show live games.

import { Board } from "./board.js";
import { LiveClock } from "./live.js";
import { connect } from "./socket.js";

const GLIDE_MS = 650;
const TICK_MS = 250;

const place = document.getElementById("tournament");
const playing = document.getElementById("playing");
const connection = document.getElementById("connection");
const games = new Map(); // slot -> the small board of its game
let edition = place.dataset.edition;
let version = Number(place.dataset.version);
let isRenewed = new Date();

const socket = connect(`${place.dataset.place}socket`, { onMessage: told, onState: connected });

function told(message) {
  if (message.is === "hello") greet(message);
  else if (message.is === "sections") renewAll(message);
  else if (message.is === "progress") count(message.games);
  else if (message.is === "playing") list(message);
  else if (message.is === "live") games.get(message.slot)?.show(message);
  else if (message.is === "clock") games.get(message.slot)?.clock.tell(message.clock);
}

// The server says which run of it this is; a version of another run means nothing to it.
function greet(message) {
  if (message.edition !== edition) version = 0;
  edition = message.edition;
  socket.send({ do: "since", edition, version });
}

function connected(state) {
  if (state === "open") {
    connection.hidden = true;
  } else if (state === "lost") {
    const time = isRenewed.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });
    connection.textContent = `The connection is lost; it is tried again. This is how things stood at ${time}.`;
    connection.hidden = false;
    list({ slots: [], more: 0 });
  }
}

// ---- sections

function renewAll(message) {
  version = message.version;
  isRenewed = new Date();
  for (const [name, html] of message.sections) {
    const section = place.querySelector(`[data-section="${name}"]`);
    if (section !== null) renew(section, html);
  }
  document.dispatchEvent(new Event("ludus-changed"));
}

function renew(section, html) {
  const rows = rowsOf(section);
  const boxes = [...section.querySelectorAll(".scroll")].map((box) => [box.scrollLeft, box.scrollTop]);
  const focus = focusIn(section);
  section.innerHTML = html; // made by the server's own markup, which escapes every name and text
  section.querySelectorAll(".scroll").forEach((box, number) => {
    if (boxes[number]) [box.scrollLeft, box.scrollTop] = boxes[number];
  });
  if (focus !== null) section.querySelectorAll(focus.selector)[focus.number]?.focus({ preventScroll: true });
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) glide(rows, rowsOf(section));
}

// Between two renewals, which take a while in a tournament of many thousand games.
function count(number) {
  const bar = place.querySelector("progress");
  const figure = place.querySelector('[data-section="opening"] .figures > div:first-child .figure');
  if (bar === null || figure === null || number <= bar.value) return;
  bar.value = number;
  figure.textContent = `${number} / ${bar.max}`;
}

// How far each team's row is from the top of its table.
function rowsOf(section) {
  const found = new Map();
  section.querySelectorAll("tbody").forEach((body, number) => {
    const top = body.getBoundingClientRect().top;
    for (const row of body.querySelectorAll(":scope > tr[data-team]")) {
      found.set(`${number}/${row.dataset.team}`, [row, row.getBoundingClientRect().top - top]);
    }
  });
  return found;
}

function glide(before, after) {
  for (const [key, [row, top]] of after) {
    const way = (before.get(key)?.[1] ?? top) - top;
    if (Math.abs(way) < 2) continue;
    row.animate([{ transform: `translateY(${way}px)` }, { transform: "none" }], {
      duration: GLIDE_MS,
      easing: "cubic-bezier(.25,.9,.3,1)",
    });
    if (way > 0) {
      row.animate([{ backgroundColor: "var(--good_wash)" }, { backgroundColor: "transparent" }], 3 * GLIDE_MS);
    }
  }
}

// Where the keyboard is, so that it is there again afterwards.
function focusIn(section) {
  const active = document.activeElement;
  if (active === null || !section.contains(active)) return null;
  const where = active.getAttribute("href");
  const selector = where === null ? ".scroll" : `a[href="${CSS.escape(where)}"]`;
  return { selector, number: [...section.querySelectorAll(selector)].indexOf(active) };
}

// ---- live games

class SmallGame {
  constructor(slot) {
    this.clock = new LiveClock();
    this.element = made("a", "game");
    this.element.href = `live/${encodeURIComponent(slot)}`;
    this.where = made("span", "where");
    const box = made("div", "small");
    box.inert = true; // it is looked at; the game's own page has a board for keyboards and screen readers
    this.board = new Board(box);
    this.seats = [made("span", "player first"), made("span", "player second")];
    for (const seat of this.seats) seat.append(made("b", ""), made("i", "clock"));
    this.element.append(this.seats[1], box, this.seats[0], this.where);
  }

  show(message) {
    if (message.game) {
      this.where.textContent = message.game.where;
      message.game.names.forEach((name, seat) => (this.seats[seat].firstChild.textContent = name));
      this.element.setAttribute("aria-label", `${message.game.names.join(" against ")}, live`);
    }
    this.board.show(message.frame);
    this.element.classList.toggle("over", message.ending !== "");
    if (message.ending) this.where.textContent = message.ending;
    if (message.clock) this.clock.tell(message.clock);
    this.tick();
  }

  tick() {
    this.seats.forEach((element, seat) => {
      const { text, isTurn, isLate } = this.clock.read(seat);
      const clock = element.lastChild;
      if (clock.textContent !== text) clock.textContent = text;
      element.classList.toggle("turn", isTurn);
      element.classList.toggle("late", isLate);
    });
  }
}

function list({ slots, more }) {
  for (const [slot, game] of games) {
    if (slots.includes(slot)) continue;
    game.element.remove();
    games.delete(slot);
  }
  for (const slot of slots) {
    if (!games.has(slot)) games.set(slot, new SmallGame(slot));
    playing.querySelector(".boards").append(games.get(slot).element);
  }
  playing.hidden = slots.length === 0;
  const note = playing.querySelector("p");
  note.hidden = more <= 0;
  note.textContent = `and ${more} more`;
}

function made(tag, className) {
  const element = document.createElement(tag);
  element.className = className;
  return element;
}

setInterval(() => {
  for (const game of games.values()) game.tick();
}, TICK_MS);
