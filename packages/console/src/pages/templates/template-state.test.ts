// What a card says about a template, and which a search finds.
import assert from "node:assert/strict";
import { test } from "node:test";
import { matchesTemplate, stateOf, stateWords } from "./template-state.ts";

const none = { classes: [], weights: [], providers: [] };
const fox = {
  name: "api_fox",
  source: "installed" as const,
  title: "A red fox",
  description: "Film of a fox",
  category: "Video",
  tags: ["API"],
  has_picture: false,
  runs_here: true,
  needs: none,
  files: [] as string[],
};

test("a key is a smaller step than weights or nodes", () => {
  const lacking = (needs: Partial<typeof none> | Record<string, string[]>) => ({
    ...fox,
    runs_here: false,
    needs: { ...none, ...needs },
  });
  assert.equal(stateOf(fox), "runs");
  assert.equal(stateOf(lacking({ providers: ["bfl"] })), "key");
  assert.equal(stateOf(lacking({ providers: ["bfl"], weights: ["a.ckpt"] })), "more");
  assert.equal(stateWords(fox), "Runs here");
  assert.equal(stateWords({ ...fox, files: ["a.png", "b.png"] }), "Runs with your 2 files");
  assert.equal(stateWords(lacking({ providers: ["bfl"] })), "Needs a key for bfl");
  assert.equal(stateWords(lacking({ weights: ["a", "b", "c", "d"] })), "Needs weights: a, b and 2 more");
  assert.equal(stateWords(lacking({})), "Not a workflow");
});

test("a search finds every word in name, title, description or tags, and both filters narrow it", () => {
  for (const q of ["", "fox", "FILM api", "red fox"]) assert.equal(matchesTemplate(fox, { q }), true, q);
  for (const q of ["wolf", "fox wolf"]) assert.equal(matchesTemplate(fox, { q }), false, q);
  assert.equal(matchesTemplate(fox, { category: "Image" }), false);
  assert.equal(matchesTemplate(fox, { state: "key" }), false);
});
