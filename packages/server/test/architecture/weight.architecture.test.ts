// A module may grow by a tenth over its line in module-weights.ts; more needs a new line there, with the reason, in the
// same commit. A module that shrank by a quarter needs a new line too, so that the room is not filled again unnoticed.
// `npm run weigh` prints the table.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { moduleWeights } from "./module-weights.ts";
import { planted, productSources, type Sources } from "./sources.ts";
import { weights } from "./weigh.ts";

// A tenth of a small module is a handful of lines.
const roomLeast = 30;

test("no module grew by more than a tenth over the table's figure", () => {
  assert.deepEqual(unexplained(productSources), []);
});

test("every line of the table says why its module has that size", () => {
  for (const [module, { why }] of Object.entries(moduleWeights)) assert.match(why, /^\S.{15,}\.$/, module);
});

describe("a planted fault is found", () => {
  const lines = (count: number) => "step();\n".repeat(count);
  const weightOf = (module: string) => weights(productSources).get(module) ?? 0;

  test("a module that grew by more than a tenth", () => {
    const more = Math.ceil((moduleWeights["engine"]?.lines ?? 0) * 1.1) - weightOf("engine");
    const foundWith = (count: number) =>
      unexplained(planted(productSources, ["packages/engine/src/planted.ts", lines(count)]))
        .filter((sentence) => sentence.startsWith("engine "))
        .join("\n");
    assert.match(foundWith(more + 1), /^engine weighs \d+ lines, and the table says \d+/);
    assert.equal(foundWith(more - 1), "");
  });

  test("a page counts", () => {
    const page = planted(new Map(), ["packages/console/src/pages/planted.tsx", lines(7)]);
    assert.equal(weights(page).get("console"), 7);
  });

  test("a module without a line, and a line without its module", () => {
    const path = "packages/server/src/capabilities/planted/planted.ts";
    const sentences = unexplained(planted(productSources, [path, lines(3)]));
    assert.ok(sentences.includes("server/capabilities/planted weighs 3 lines, and the table does not have it"));
    const without = new Map([...productSources].filter(([each]) => !each.startsWith("packages/sdk/")));
    assert.ok(unexplained(without).includes("sdk is in the table, and there is no such module"));
  });

  test("a module that lost a quarter", () => {
    const files = [...productSources].filter(([each]) => each.startsWith("packages/sandbox/"));
    const dropped = new Set(files.slice(0, Math.ceil(files.length / 2)).map(([each]) => each));
    const less = new Map([...productSources].filter(([each]) => !dropped.has(each)));
    assert.match(unexplained(less).join("\n"), /^sandbox weighs \d+ lines, and the table says \d+/m);
  });
});

function unexplained(product: Sources): string[] {
  const found = weights(product);
  const gone = Object.keys(moduleWeights).filter((module) => !found.has(module));
  return [
    ...[...found].flatMap(([module, lines]) => {
      const listed = moduleWeights[module]?.lines;
      if (listed === undefined) return [`${module} weighs ${lines} lines, and the table does not have it`];
      const isHeavier = lines > listed + Math.max(listed * 0.1, roomLeast);
      const isLighter = lines < listed - Math.max(listed * 0.25, roomLeast);
      return isHeavier || isLighter
        ? [`${module} weighs ${lines} lines, and the table says ${listed}: change its line, and say why`]
        : [];
    }),
    ...gone.map((module) => `${module} is in the table, and there is no such module`),
  ];
}
