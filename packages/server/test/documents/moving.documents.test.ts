// The table of docs/MOVING.md has every list of an export, and says of each whether it moves and why what does not stays.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { workspaceHoldings } from "../../src/processes/workspace-holdings.ts";

const page = readFileSync(join(import.meta.dirname, "../../../../docs/MOVING.md"), "utf8");
const rows = [...page.matchAll(/^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \|$/gm)].map(
  ([, name = "", moves = "", keeps = ""]) => ({
    ...{ name, moves: moves.trim(), keeps },
  }),
);
const lists = workspaceHoldings.flatMap(({ exports = [] }) => exports);

test("every list is on the page, and no other", () => {
  const listed = rows.map(({ name }) => name);
  assert.deepEqual(listed.filter((name) => !name.startsWith("atelier ")).sort(), lists.map(({ name }) => name).sort());
});

test("the page says whether a list moves, and why not", () => {
  for (const { name, restore } of lists) {
    const row = rows.find((each) => each.name === name);
    assert.ok(row, name);
    assert.equal(row.moves === "no", typeof restore === "string", name);
    const why = typeof restore === "string" ? restore : (restore.stays?.why ?? "");
    assert.ok(row.keeps.includes(why), `${name} keeps: ${why}`);
  }
});
