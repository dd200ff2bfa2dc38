import assert from "node:assert/strict";
import { test } from "node:test";
import { progressLine, sizeText } from "./progress-line.ts";
import { pictureTerminal, pictureText } from "./terminal-picture.ts";

test("the progress line has the percentage, the node and the time, for any numbers", () => {
  const line = progressLine({ value: 0.42, nodes_done: 10, nodes_total: 31, message: "ImageBlur 2/5" }, 12.34, true);
  assert.match(line, /^▶ ImageBlur 2\/5 +━{11}─{17} {2}42% {3}node 11 of 31 {3}12\.3 s$/);
  assert.match(
    progressLine({ value: 7, nodes_done: 3, nodes_total: 3 }, 0, false),
    /^> running +#{28} 100% {3}node 3 of 3/,
  );
  assert.deepEqual([999, 1_834, 24_000_000, 999_600_000].map(sizeText), ["999 B", "1.8 kB", "24 MB", "1.0 GB"]);
});

test("the progress line fits every terminal that is wide enough for a percentage and a time", () => {
  const progress = { value: 0.42, nodes_done: 10, nodes_total: 31, message: "AtelierModelImage 2/5" };
  for (let columns = 34; columns < 140; columns++) {
    const line = progressLine(progress, 12.34, true, columns);
    assert.ok(line.length <= columns, `${columns}: ${line}`);
    assert.match(line, / 42% .*12\.3 s$/);
  }
  assert.match(progressLine(progress, 1, true, 59), /^▶ AtelierModelI… ━+─+ {2}42% {3}node 11 of 31 {3}1\.0 s$/);
});

test("pictures are drawn only in terminals that can, and never through a multiplexer", () => {
  assert.equal(pictureTerminal({ TERM: "xterm-kitty" }), "kitty");
  assert.equal(pictureTerminal({ TERM: "xterm-256color", TERM_PROGRAM: "iTerm.app" }), "iterm");
  assert.equal(pictureTerminal({ TERM: "xterm-kitty", TMUX: "/tmp/x" }), null);
  assert.equal(pictureTerminal({ TERM: "xterm-256color" }), null);
});

test("kitty gets PNG in pieces of at most 4096 characters, the last one marked; nothing else", () => {
  const text = pictureText("kitty", new Uint8Array(10_000), "image/png") ?? "";
  const pieces = text
    .split("\u001b_G")
    .slice(1)
    .map((piece) => piece.replace("\u001b\\", "").split(";"));
  assert.equal(pieces.map((piece) => piece[1]).join(""), Buffer.alloc(10_000).toString("base64"));
  assert.ok(pieces.every((piece) => (piece[1] ?? "").length <= 4096));
  assert.deepEqual(
    pieces.map((piece) => piece[0]?.at(-1)),
    ["1", "1", "1", "0"],
  );
  assert.equal(pictureText("kitty", new Uint8Array(4), "image/jpeg"), null);
  assert.equal(pictureText("iterm", new Uint8Array(4), "video/mp4"), null);
});
