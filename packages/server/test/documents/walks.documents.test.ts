// ARCHITECTURE's walks from a route to SQL are the real ones: each file exists and calls the named function, and the next
// file defines it. The walk of money is the longest, and stays within six files between route and store.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";

const root = join(import.meta.dirname, "../../../..");
const source = (path: string) => join(root, "packages/server/src", path);
const page = readFileSync(join(root, "docs/ARCHITECTURE.md"), "utf8");
const section = page.slice(page.indexOf("## From a route to SQL"), page.indexOf("## Ten walks"));
const walks = [...section.matchAll(/^\| `?([\w ]+?)`? \| (`areas.+) \|$/gm)].map(([, name = "", way = ""]) => ({
  name,
  steps: [...way.matchAll(/`([^`]+)`/g)].map(([, step = ""]) => step),
}));
const betweenMax = 6;

test("six operations are walked, including paying for a model", () => {
  assert.equal(walks.length, 6);
  assert.ok(walks.some(({ name }) => name === "invokeModel"));
});

describe("a walk leads from its route to a store", () => {
  for (const { name, steps } of walks) test(name, () => assert.deepEqual(problemsOf(steps), []));
});

test("a wrong path is found", () => {
  const [route = "", store = ""] = ["areas/workflows/assets/assets.route.ts", "capabilities/assets/asset-store.ts"];
  assert.deepEqual(problemsOf([route, "noSuchWord", store]), [
    `${route} does not call noSuchWord`,
    `${store} does not answer for noSuchWord`,
  ]);
  assert.deepEqual(problemsOf([route, "get", "capabilities/assets/no-such-store.ts"]), [
    "there is no capabilities/assets/no-such-store.ts",
  ]);
});

// Files and function names alternate.
function problemsOf(steps: readonly string[]): string[] {
  const files = steps.filter((_, index) => index % 2 === 0);
  const missing = files.filter((path) => !existsSync(source(path)));
  if (missing.length > 0) return missing.map((path) => `there is no ${path}`);
  const problems: string[] = [];
  if (!files[0]?.endsWith(".route.ts") || !files.at(-1)?.endsWith("-store.ts"))
    problems.push("not from route to store");
  if (files.length - 2 > betweenMax) problems.push(`${files.length - 2} files between route and store`);
  for (let index = 1; index < steps.length; index += 2) {
    const [caller = "", word = "", answerer = ""] = steps.slice(index - 1, index + 2);
    const called = new RegExp(`\\b${word}\\(`);
    const answered = new RegExp(`(?:function |const )${word}\\b|^\\s+(?:async )?${word}(?:\\(|:|,)`, "m");
    if (!called.test(readFileSync(source(caller), "utf8"))) problems.push(`${caller} does not call ${word}`);
    if (!answered.test(readFileSync(source(answerer), "utf8")))
      problems.push(`${answerer} does not answer for ${word}`);
  }
  return problems;
}
