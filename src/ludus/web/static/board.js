// A board that shows frames and reports clicks. It knows no rule: the frame says which areas each move goes through.

const SVG = "http://www.w3.org/2000/svg";
const LAYERS = ["ground", "areas", "under", "marks", "big", "over", "top", "hit"];
const ANIMATED = new Set(["marks", "big", "over", "top"]);
const RIM = 6; // around the board, for strokes that stand on its edge
const SIDEWAYS = 3; // a step to the right prefers what lies right of here to what is near
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function made(tag, attributes = {}) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

export class Board {
  // onMove(move) for a whole move; onWhy(key) for an area that no move goes to from here.
  constructor(element, { onMove = null, onWhy = null, name = "board" } = {}) {
    this.element = element;
    this.onMove = onMove;
    this.onWhy = onWhy;
    this.frame = { moves: [], legal: [], marks: ["", ""], mover: null };
    this.drawn = new Map(LAYERS.map((layer) => [layer, new Map()])); // layer -> key -> element
    this.picked = []; // the areas of a path so far
    this.cursor = null; // the area that the keyboard is on
    this.pointed = null; // the area under the pointer, or of the visible focus
    this.menu = null;
    this.#build(name);
  }

  #build(name) {
    this.svg = made("svg", { class: "ludus", role: "group", "aria-label": name });
    this.layers = new Map(LAYERS.map((layer) => [layer, made("g", { "data-layer": layer })]));
    this.svg.append(...this.layers.values());
    this.glow = made("g", { class: "glow", "aria-hidden": "true" }); // under the marks, where legal moves begin
    this.glowing = new Map(); // area -> its glow
    this.svg.insertBefore(this.glow, this.layers.get("under"));
    this.ghost = made("g", { class: "ghost", "aria-hidden": "true" });
    this.svg.insertBefore(this.ghost, this.layers.get("over"));
    this.voice = document.createElement("p");
    this.voice.className = "unseen";
    this.voice.setAttribute("role", "status");
    this.element.classList.add("board");
    this.element.replaceChildren(this.svg, this.voice);
    this.svg.addEventListener("click", (event) => this.#clicked(event));
    this.svg.addEventListener("keydown", (event) => this.#pressed(event));
    this.svg.addEventListener("focusin", (event) => this.#focused(event));
    this.svg.addEventListener("focusout", () => this.#point(null));
    this.svg.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "touch") this.#point(keyOf(event.target));
    });
    this.svg.addEventListener("pointerleave", () => this.#point(null));
  }

  // ---- frames

  show(frame) {
    const before = this.frame;
    this.frame = { ...before, ...frame };
    const active = document.activeElement;
    const hadFocus = active !== null && (this.svg.contains(active) || this.menu?.contains(active));
    const isStill = frame.full || frame.still;
    this.svg.setAttribute(
      "viewBox",
      `${-RIM} ${-RIM} ${100 * frame.size[0] + 2 * RIM} ${100 * frame.size[1] + 2 * RIM}`,
    );
    this.svg.style.setProperty("--weight", frame.weight);
    this.element.style.setProperty("--shape", frame.size[0] / frame.size[1]);
    if (frame.full) this.#clear();
    for (const [layer, key] of frame.del ?? []) {
      this.drawn.get(layer).get(key)?.remove();
      this.drawn.get(layer).delete(key);
    }
    for (const [layer, fragments] of Object.entries(frame.set ?? {})) this.#draw(layer, fragments, isStill);
    this.#close();
    this.picked = [];
    this.#offer();
    if (hadFocus) this.focus();
    if (frame.say && frame.say !== this.voice.textContent && !frame.full) this.voice.textContent = frame.say;
  }

  focus() {
    this.#button(this.cursor)?.focus({ preventScroll: true });
  }

  #clear() {
    for (const layer of LAYERS) {
      this.layers.get(layer).replaceChildren();
      this.drawn.get(layer).clear();
    }
  }

  #draw(layer, fragments, isStill) {
    const shelf = made("g");
    shelf.innerHTML = Object.values(fragments).join("");
    const elements = [...shelf.children];
    const drawn = this.drawn.get(layer);
    Object.keys(fragments).forEach((key, index) => {
      const element = elements[index];
      const old = drawn.get(key);
      if (old) old.replaceWith(element);
      else this.layers.get(layer).append(element);
      if (!isStill && !old && ANIMATED.has(layer)) element.classList.add("new");
      drawn.set(key, element);
    });
  }

  // ---- what may be clicked

  #button(key) {
    return key === null ? undefined : this.drawn.get("hit").get(`hit ${key}`);
  }

  // The areas that the next click may go to, after those that were picked.
  #targets() {
    const count = this.picked.length;
    const fits = ([, path]) => path.length > count && this.picked.every((key, index) => path[index] === key);
    return new Set(this.frame.moves.filter(fits).map(([, path]) => path[count]));
  }

  #offer() {
    const targets = this.#targets();
    const over = this.drawn.get("over");
    this.svg.dataset.mover = this.frame.mover ?? "";
    this.svg.classList.toggle("mine", this.frame.moves.length > 0);
    this.glowing.clear();
    for (const [key, element] of this.drawn.get("hit")) {
      const area = key.slice(4);
      const isNoted = over.has(`hint ${area}`) || over.has(`line ${area}`);
      element.classList.toggle("may", targets.has(area));
      element.classList.toggle("picked", this.picked.includes(area));
      element.setAttribute("aria-disabled", String(!targets.has(area)));
      if (targets.has(area) && !isNoted) this.glowing.set(area, glowOf(element));
    }
    this.glow.replaceChildren(...this.glowing.values());
    this.#showGhost(this.pointed); // the answer may come while the pointer rests
    if (!this.#button(this.cursor)) this.cursor = [...targets][0] ?? this.#areas()[0] ?? null;
    for (const element of this.drawn.get("hit").values()) element.setAttribute("tabindex", "-1");
    this.#button(this.cursor)?.setAttribute("tabindex", "0");
  }

  #areas() {
    return [...this.drawn.get("hit").keys()].map((key) => key.slice(4));
  }

  #pick(key) {
    this.#close();
    for (const path of this.picked.length ? [[...this.picked, key], [key]] : [[key]]) {
      const fitting = this.frame.moves.filter(([, keys]) => path.every((one, index) => keys[index] === one));
      const whole = fitting.filter(([, keys]) => keys.length === path.length);
      if (fitting.length === 1) return this.#play(fitting[0][0]);
      if (fitting.length === 0) continue;
      this.picked = path;
      this.#offer();
      if (whole.length === fitting.length) this.#choose(key, whole);
      return undefined;
    }
    this.picked = [];
    this.#offer();
    return this.onWhy?.(key);
  }

  #play(move) {
    this.picked = [];
    this.#close();
    this.onMove?.(move);
  }

  #cancel() {
    const hadMenu = this.menu !== null;
    this.#close();
    this.picked = [];
    this.#offer();
    if (hadMenu) this.focus();
  }

  // ---- several moves of one area

  #choose(key, moves) {
    this.menu = document.createElement("div");
    this.menu.className = "choices";
    this.menu.setAttribute("role", "menu");
    this.menu.setAttribute("aria-label", `which move at ${this.#button(key).getAttribute("aria-label")}`);
    for (const [move, , name, choice] of moves) {
      const button = document.createElement("button");
      button.type = "button";
      button.setAttribute("role", "menuitem");
      button.textContent = choice || name;
      button.addEventListener("click", () => {
        this.cursor = key;
        this.#play(move);
        this.focus();
      });
      this.menu.append(button);
    }
    this.menu.addEventListener("keydown", (event) => this.#pressedInMenu(event));
    this.menu.addEventListener("focusout", (event) => {
      if (event.relatedTarget && !this.menu?.contains(event.relatedTarget)) this.#cancel();
    });
    this.element.append(this.menu);
    const [box, frame] = [this.#button(key).getBoundingClientRect(), this.element.getBoundingClientRect()];
    const [half, x] = [this.menu.offsetWidth / 2, box.x + box.width / 2 - frame.x];
    this.menu.style.left = `${Math.max(half, Math.min(frame.width - half, x))}px`;
    this.menu.style.top = `${box.y + box.height / 2 - frame.y}px`;
    this.menu.firstChild.focus({ preventScroll: true });
  }

  #pressedInMenu(event) {
    const buttons = [...this.menu.children];
    const at = buttons.indexOf(document.activeElement);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") this.#cancel();
    else if (step) buttons[(at + step + buttons.length) % buttons.length].focus();
    else if (/^[1-9]$/.test(event.key) && buttons[event.key - 1]) buttons[event.key - 1].click();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #close() {
    const menu = this.menu;
    this.menu = null;
    menu?.remove();
  }

  // ---- pointer and keyboard

  #clicked(event) {
    const key = keyOf(event.target);
    if (key === null) return this.#cancel();
    this.#go(key, document.activeElement !== document.body && this.svg.contains(document.activeElement));
    return this.#pick(key);
  }

  #pressed(event) {
    const key = keyOf(event.target);
    if (key === null || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") this.#pick(key);
    else if (event.key === "Escape") this.#cancel();
    else if (event.key in ARROWS) this.#go(this.#neighbour(key, ...ARROWS[event.key]));
    else if (event.key === "PageDown") this.#go(this.#nextLegal(key, 1));
    else if (event.key === "PageUp") this.#go(this.#nextLegal(key, -1));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #focused(event) {
    const key = keyOf(event.target);
    if (key === null) return;
    this.#go(key, false);
    if (event.target.matches(":focus-visible")) this.#point(key);
  }

  #go(key, takesFocus = true) {
    this.#button(this.cursor)?.setAttribute("tabindex", "-1");
    this.cursor = key;
    this.#button(key).setAttribute("tabindex", "0");
    if (takesFocus) this.focus();
  }

  #neighbour(key, dx, dy) {
    const [x, y] = this.#middle(key);
    let [best, least] = [key, Infinity];
    for (const other of this.#areas()) {
      const [farX, farY] = this.#middle(other);
      const along = (farX - x) * dx + (farY - y) * dy;
      const across = Math.abs((farX - x) * dy) + Math.abs((farY - y) * dx);
      if (along > 10 && along + SIDEWAYS * across < least) [best, least] = [other, along + SIDEWAYS * across];
    }
    return best;
  }

  #nextLegal(key, step) {
    const targets = this.#targets();
    const areas = this.#areas();
    const start = areas.indexOf(key);
    for (let count = 1; count <= areas.length; count++) {
      const next = areas[(start + step * count + count * areas.length) % areas.length];
      if (targets.has(next)) return next;
    }
    return key;
  }

  #box(key) {
    const rect = this.#button(key).querySelector("rect");
    return ["x", "y", "width", "height"].map((name) => Number(rect.getAttribute(name)));
  }

  #middle(key) {
    const [x, y, width, height] = this.#box(key);
    return [x + width / 2, y + height / 2];
  }

  #point(key) {
    this.pointed = key;
    this.#showGhost(key);
  }

  // The mark of the mover, where one click there is a whole move.
  #showGhost(key) {
    const button = key === null ? undefined : this.#button(key);
    this.hot?.classList.remove("hot");
    this.hot = this.glowing.get(key);
    this.hot?.classList.add("hot");
    const moves = this.frame.moves.filter(([, path]) => path[0] === key);
    const isCell = this.drawn.get("areas").get(key)?.classList.contains("cell");
    const isShown = button?.classList.contains("may") && isCell && moves.length === 1 && moves[0][1].length === 1;
    const shown = isShown ? (this.frame.marks?.[this.frame.mover] ?? "") : "";
    if (shown !== this.ghostShown) this.ghost.innerHTML = this.ghostShown = shown;
    if (!shown) return;
    const [, , width, height] = this.#box(key);
    const [x, y] = this.#middle(key);
    this.ghost.setAttribute("transform", `translate(${x} ${y}) scale(${Math.min(width, height) / 100})`);
  }
}

function glowOf(button) {
  const rect = button.querySelector("rect").cloneNode();
  rect.removeAttribute("class");
  rect.removeAttribute("data-key");
  return rect;
}

function keyOf(target) {
  return target.closest("[data-area]")?.dataset.area ?? null;
}
