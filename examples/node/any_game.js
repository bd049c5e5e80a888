#!/usr/bin/env node
// A program for Node that plays any game over the line protocol: one JSON object per line in, one out.
// It needs no packages. It plays ultimate and ultimate-adjacent with a little sense, any other game at random.
"use strict";

const readline = require("node:readline");

const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
const GAMES_WITH_BLOCKS = ["ultimate", "ultimate-adjacent"];
let game = "";

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line);
  if (request.type === "start") {
    game = request.game;
    answer({ type: "ready", protocol: "ludus/1", name: "any-game" });
  } else if (request.type === "move") {
    answer({ type: "move", move: choose(request) });
  }
  // Anything else, such as "end", wants no answer.
});

function answer(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

// Take a block; else keep the opponent from taking one; else anything.
function choose({ moves, legal }) {
  if (!GAMES_WITH_BLOCKS.includes(game)) {
    return randomOf(legal);
  }
  // Not from request.state: its numbers may have 63 bits, and JSON.parse keeps only 53 of them.
  const blocks = replay(moves);
  const mine = moves.length % 2; // in these games the seats take turns
  const winning = legal.filter((move) => makesLine(blocks, move, mine));
  const saving = legal.filter((move) => makesLine(blocks, move, 1 - mine));
  return randomOf([winning, saving, legal].find((list) => list.length > 0));
}

// Nine blocks of nine cells, each undefined, 0 or 1: the seat that has played there.
function replay(moves) {
  const blocks = Array.from({ length: 9 }, () => new Array(9));
  moves.forEach((move, ply) => {
    const [block, cell] = blockAndCell(move);
    blocks[block][cell] = ply % 2;
  });
  return blocks;
}

function makesLine(blocks, move, seat) {
  const [block, cell] = blockAndCell(move);
  const isMine = (place) => place === cell || blocks[block][place] === seat;
  return LINES.some((line) => line.includes(cell) && line.every(isMine));
}

// "4,7" is row 4, column 7: block 5, and in it cell 4.
function blockAndCell(move) {
  const [row, column] = move.split(",").map(Number);
  const third = (number) => Math.floor(number / 3);
  return [3 * third(row) + third(column), 3 * (row % 3) + (column % 3)];
}

function randomOf(list) {
  return list[Math.floor(Math.random() * list.length)];
}
