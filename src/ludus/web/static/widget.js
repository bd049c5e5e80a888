// The board in a notebook: draws the frame of its model, and tells the kernel what was clicked.
import { Board } from "/static/board.js";

function render({ model, el }) {
  const root = document.createElement("div");
  root.className = "ludus-widget";
  const place = document.createElement("div");
  const status = document.createElement("p");
  const bar = document.createElement("div");
  bar.className = "bar";
  const tell = (message) => model.send({ ...message, ply: model.get("frame").ply });
  for (const [action, text] of [["undo", "Take back"], ["restart", "Start over"]]) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.addEventListener("click", () => tell({ do: action }));
    bar.append(button);
  }
  status.setAttribute("role", "status");
  bar.append(status);
  root.append(place, bar);
  el.append(root);
  const board = new Board(place, {
    name: model.get("title"),
    onMove: (move) => tell({ do: "move", move }),
    onWhy: (key) => tell({ do: "why", key }),
  });
  const say = () => {
    status.textContent = model.get("note") || model.get("frame").status;
  };
  const show = () => {
    board.show(model.get("frame"));
    say();
  };
  model.on("change:frame", show);
  model.on("change:note", say);
  show();
  return () => {
    model.off("change:frame", show);
    model.off("change:note", say);
  };
}

export default { render };
