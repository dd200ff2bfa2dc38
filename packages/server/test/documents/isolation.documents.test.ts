// docs/ISOLATION.md claims what the code claims, and the code claims what a hostile child was seen to fail at (the engine's
// isolation.test.ts).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { claims, type Escape, escapes, isolationLevels } from "@atelier/engine/isolation";

const page = readFileSync(new URL("../../../../docs/ISOLATION.md", import.meta.url), "utf8");
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("|"))
  .map((line) => line.split("|").map((cell) => cell.trim().replaceAll("`", "")));

describe("the page about isolation", () => {
  test("has each escape with what each level claims", () => {
    const [, , ...levels] = rows.find(([, first]) => first === "A child cannot") ?? [];
    assert.deepEqual(levels.slice(0, -1), isolationLevels);
    for (const [name, words] of Object.entries(escapes)) {
      const cells = rows.find(([, first]) => first === words)?.slice(2, -1);
      const claimed = isolationLevels.map((level) => (claims[level].includes(name as Escape) ? "yes" : "no"));
      assert.deepEqual(cells, claimed, words);
    }
  });

  test("says what each level needs", () => {
    const described = rows.filter((cells) => cells.length === 6).map(([, first]) => first);
    for (const level of isolationLevels) assert.ok(described.includes(level), level);
  });
});
