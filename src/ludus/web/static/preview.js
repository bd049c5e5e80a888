// The page of `ludus preview`: one position drawn three ways, what is wrong with the file, and buttons to play both seats.
import { Board } from "/static/board.js";
import { connect } from "/static/socket.js";

const LONGEST = 10000; // moves of a random game
const SAY_MS = 6000;
const KEYS = { u: "undo", r: "random", e: "finish" };

const at = (id) => document.getElementById(id);
const panes = at("panes");
let ply = 0;
let fields = ""; // the names of the options that the form was made for
let saying = null;

const board = new Board(at("board"), {
  name: "the board, playable",
  onMove: (move) => socket.send({ do: "move", move, ply }),
  onWhy: (key) => socket.send({ do: "why", key }),
});

function made(tag, text = "", attributes = {}) {
  const element = document.createElement(tag);
  element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

function say(element, text) {
  element.textContent = text;
  element.hidden = !text;
}

// ---- the three drawings

function showTerminal(rows) {
  const lines = rows.map((pieces) => {
    const line = made("div");
    for (const [text, colour, ground, isBold] of pieces) {
      const span = made("span", text);
      if (colour) span.style.color = `var(--${colour})`;
      if (ground) span.style.background = `var(--${ground})`;
      if (isBold) span.style.fontWeight = "700";
      line.append(span);
    }
    return line;
  });
  at("terminal").style.setProperty("--columns", Math.max(...lines.map((line) => line.textContent.length)));
  at("terminal").replaceChildren(...lines);
}

function showPictures(pictures, title, status) {
  for (const [theme, source] of Object.entries(pictures)) {
    const image = at(`svg-${theme}`);
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`;
    image.alt = `${title}: ${status}`;
  }
}

function showMoves(names, turns) {
  const items = names.map((name, index) => {
    const button = made("button", name, { type: "button", title: `go back to the position after move ${index + 1}` });
    button.className = turns[index] === 0 ? "first" : "second";
    button.addEventListener("click", () => socket.send({ do: "goto", ply: index + 1 }));
    const item = made("li");
    item.append(button);
    return item;
  });
  at("moves").replaceChildren(...items);
  at("moves").parentElement.hidden = names.length === 0;
}

// A form is made anew only when the options are others, so that nothing is lost that somebody types.
function showOptions(options) {
  const form = at("options");
  form.hidden = options.length === 0;
  const names = JSON.stringify(options.map((option) => [option.name, option.usual]));
  if (names !== fields) {
    fields = names;
    const inputs = options.map((option) => {
      const label = made("label", `${option.name} `);
      label.append(made("input", "", { name: option.name, placeholder: option.usual, autocomplete: "off" }));
      return label;
    });
    form.replaceChildren(...inputs, made("button", "Start with these", { type: "submit" }));
  }
  for (const option of options) {
    const input = form.elements.namedItem(option.name);
    if (input !== document.activeElement) input.value = option.value;
  }
}

function showPosition(message) {
  ply = message.moves.length;
  board.show(message.frame);
  showTerminal(message.terminal);
  showPictures(message.svg, message.title, message.frame.status);
  showMoves(message.moves, message.turns);
  showOptions(message.options);
  at("title").textContent = message.title;
  at("status").textContent = message.frame.status;
  at("status").dataset.mover = message.frame.mover ?? "";
  if (message.note) tellBriefly(message.note);
  panes.classList.add("drawn");
}

// ---- what is known of the file

function showState(message) {
  const { complaint, checked, is_loading: isLoading, is_stale: isStale, file } = message;
  at("file").textContent = `${file}, followed as you save it`;
  say(at("complaint"), isStale ? `${complaint} (this is the last good board)` : complaint);
  panes.classList.toggle("stale", isStale);
  const [tone, text] = isLoading
    ? ["", "loading"]
    : complaint
      ? ["bad", "something is wrong"]
      : checked
        ? ["good", checked]
        : ["", "checking"];
  at("state").className = `chip ${tone}`;
  at("state").textContent = text;
}

function tellBriefly(text) {
  say(at("note"), text);
  clearTimeout(saying);
  saying = setTimeout(() => say(at("note"), ""), SAY_MS);
}

const socket = connect("/preview/socket", {
  onMessage(message) {
    if (message.is === "position") showPosition(message);
    else if (message.is === "state") showState(message);
    else if (message.is === "say" || message.is === "error") tellBriefly(message.text);
  },
  onState(state) {
    document.body.classList.toggle("lost", state === "lost");
    if (state === "lost") at("state").textContent = "the server is gone; waiting for it";
  },
});

// ---- the buttons

const ACTIONS = {
  restart: { do: "goto", ply: 0 },
  undo: { do: "undo" },
  random: { do: "random", count: 1 },
  finish: { do: "random", count: LONGEST },
};

for (const button of document.querySelectorAll("button[data-do]")) {
  button.addEventListener("click", () => socket.send(ACTIONS[button.dataset.do]));
}

document.addEventListener("keydown", (event) => {
  if (event.target.matches("input") || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key in KEYS) socket.send(ACTIONS[KEYS[event.key]]);
});

at("options").addEventListener("submit", (event) => {
  event.preventDefault();
  socket.send({ do: "options", options: Object.fromEntries(new FormData(event.target)) });
});
