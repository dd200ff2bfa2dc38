// The commands that pages and sources name are there: the npm scripts, and the words that `test:long` and `torture` take.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { allSources } from "../architecture/sources.ts";

const root = join(import.meta.dirname, "../../../..");
const pages = globSync("{*.md,{docs,deploy,examples}/**/*.md,packages/*/README.md}", { cwd: root })
  .filter((path) => path !== "CHANGELOG.md" && !path.includes("node_modules"))
  .map((path) => readFileSync(join(root, path), "utf8"));
const scripts: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).scripts;
const proofs = spawnSync(process.execPath, ["scripts/test-long.mjs"], { cwd: root, encoding: "utf8" });
const wordsOf: Readonly<Record<string, readonly string[]>> = {
  "test:long": [...proofs.stderr.matchAll(/^ {2}(\w+) /gm)].map(([, word = ""]) => word),
  torture: [
    ...(/^\/\/ {3}(ledger.*)$/m.exec(readFileSync(join(root, "scripts/torture.mjs"), "utf8"))?.[1] ?? "").split(" "),
  ],
};

function missingCommands(text: string): string[] {
  return [...text.matchAll(/npm run ([\w:]+)(?: -- ([a-z][\w-]*))?/g)]
    .filter(
      ([, script = "", word]) =>
        !(script in scripts) || (word !== undefined && wordsOf[script]?.includes(word) === false),
    )
    .map(([command]) => command);
}

test("every npm script that a page or a source names exists, and so does the word after it", () => {
  const texts = [
    ...pages,
    ...[...allSources].filter(([path]) => !path.endsWith("commands.documents.test.ts")).map(([, text]) => text),
  ];
  assert.deepEqual(texts.flatMap(missingCommands), []);
  assert.deepEqual(missingCommands("`npm run tset`, npm run test:long -- s4 x, npm run torture -- jobs"), [
    "npm run tset",
    "npm run test:long -- s4",
  ]);
});

test("the long command without a word lists the proofs and refuses", () => {
  assert.equal(proofs.status, 2);
  assert.ok(wordsOf["test:long"]?.includes("properties"));
});
