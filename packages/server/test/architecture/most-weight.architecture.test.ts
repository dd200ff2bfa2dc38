// Two modules have an upper bound however well their growth is explained, because what would make them grow belongs elsewhere.
// The roof has the order in which things are made, and commands: what decides belongs to the capability, area or surface that
// owns the matter. The model router only translates: `capabilities/model-calls` decides.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { lineCount, planted, productSources, type Sources } from "./sources.ts";

const linesMax: Readonly<Record<string, number>> = {
  "packages/server/src/processes": 8_000,
  "packages/server/src/areas/model-router": 900,
};

test("the roof and the model router stay within their bounds", () => {
  assert.deepEqual(tooHeavy(productSources), []);
});

describe("a planted fault is found", () => {
  for (const [folder, most] of Object.entries(linesMax))
    test(`one line too many in ${folder}, in any of its rooms`, () => {
      const room = most - weightOf(productSources, folder);
      const withLines = (count: number) =>
        planted(productSources, [`${folder}/planted/planted.ts`, "step();\n".repeat(count)]);
      assert.deepEqual(tooHeavy(withLines(room)), []);
      assert.deepEqual(tooHeavy(withLines(room + 1)), [`${folder} has ${most + 1} lines, and may have ${most}`]);
    });
});

function weightOf(product: Sources, folder: string): number {
  return [...product].reduce((sum, [path, text]) => (path.startsWith(`${folder}/`) ? sum + lineCount(text) : sum), 0);
}

function tooHeavy(product: Sources): string[] {
  return Object.entries(linesMax).flatMap(([folder, most]) => {
    const lines = weightOf(product, folder);
    return lines > most ? [`${folder} has ${lines} lines, and may have ${most}`] : [];
  });
}
