"use strict";

// ---- whoever is pointed at, or has the focus, is marked wherever it appears

let followed = null;

function follow(team) {
  if (team === followed) return;
  for (const element of document.querySelectorAll(".follow")) element.classList.remove("follow");
  followed = team;
  if (team === null) return;
  for (const element of document.querySelectorAll(`[data-team="${team}"], [data-column="${team}"]`)) {
    element.classList.add("follow");
  }
}

function teamOf(target) {
  const element = target instanceof Element ? target.closest("[data-team]") : null;
  return element === null ? null : Number(element.dataset.team);
}

document.addEventListener("pointerover", (event) => follow(teamOf(event.target)));
document.addEventListener("focusin", (event) => {
  const slot = event.target.querySelector ? event.target.querySelector(".slot.won[data-team]") : null;
  follow(teamOf(slot || event.target));
});

// A page that changes while it is read says so, and who is pointed at stays marked.
document.addEventListener("ludus-changed", () => {
  const team = followed;
  followed = null;
  if (team !== null) follow(team);
});

// ---- the list of games: only those with all the words

const filter = document.getElementById("filter");
if (filter) {
  const rows = [...document.querySelectorAll("table.games tbody tr")].map((row) => [row, row.textContent.toLowerCase()]);
  filter.addEventListener("input", () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const [row, text] of rows) row.hidden = !words.every((word) => text.includes(word));
  });
}
