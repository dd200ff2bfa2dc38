import assert from "node:assert/strict";
import { test } from "node:test";
import { aligned, distance, tabSeparated } from "./table.ts";

const now = new Date("2026-11-15T12:00:00.000Z");
const table = {
  columns: ["id", "name", "used"],
  rows: [
    ["1", "a\tb\nc", new Date("2026-11-15T11:55:00.000Z")],
    ["20", "laptop", null],
  ],
};

test("programs get whole values between tabs, no head line, and no stray tab or line end", () => {
  assert.equal(tabSeparated(table), "1\ta b c\t2026-11-15T11:55:00.000Z\n20\tlaptop\t");
});

test("people get aligned columns under a head line, and relative times", () => {
  const lines = aligned(table, { isColoured: false, isUnicode: true }, now).split("\n");
  assert.deepEqual(lines, ["id  name    used", "1   a b c   5 min ago", "20  laptop  –"]);
});

test("only the head line is dim, and only where colour is wanted", () => {
  const [head, ...rest] = aligned(table, { isColoured: true, isUnicode: true }, now).split("\n");
  assert.ok(head?.startsWith("\u001b[2m") && head.endsWith("\u001b[0m"));
  assert.ok(!rest.join("").includes("\u001b"));
});

test("an empty list is empty for programs and a head line for people", () => {
  const none = { columns: ["id"], rows: [] };
  assert.equal(tabSeparated(none), "");
  assert.equal(aligned(none, { isColoured: false, isUnicode: true }, now), "id");
});

const plain = { isColoured: false, isUnicode: true };
const jobs = {
  columns: ["id", "name", "about"],
  rows: [["0198c1a2-3b4c-7d5e-8f60-718293a4b5c6", "a-rather-long-name-of-a-file.png", "made by a job of mine"]],
};

test("a row that is too wide has its middle cut and its last column wrapped; an id stays whole", () => {
  assert.deepEqual(aligned(jobs, plain, now, 64).split("\n"), [
    "id                                    name              about",
    "0198c1a2-3b4c-7d5e-8f60-718293a4b5c6  a-rather-long-n…  made by",
    "                                                        a job of",
    "                                                        mine",
  ]);
});

test("where a row does not fit it becomes lines, and nothing is lost", () => {
  assert.deepEqual(aligned(jobs, plain, now, 44).split("\n"), [
    "id     0198c1a2-3b4c-7d5e-8f60-718293a4b5c6",
    "name   a-rather-long-name-of-a-file.png",
    "about  made by a job of mine",
  ]);
});

test("relative times go both ways and become dates when they are long", () => {
  const at = (seconds: number) => distance(new Date(now.getTime() + seconds * 1000), now);
  assert.equal(at(-20), "now");
  assert.equal(at(300), "in 5 min");
  assert.equal(at(-3 * 3600), "3 h ago");
  assert.equal(at(-3 * 86_400), "3 d ago");
  assert.equal(at(400 * 86_400), "2027-12-20");
});
