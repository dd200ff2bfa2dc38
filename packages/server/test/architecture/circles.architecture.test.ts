// No file imports itself in a circle, in any package. Type imports count too: a circle of types is a circle of ideas.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { importsOf, packageSources, planted, type Sources } from "./sources.ts";

test("no circle in any package", () => {
  assert.deepEqual(circles(packageSources), []);
});

describe("a planted fault is found", () => {
  for (const name of ["cli", "contract", "engine", "sandbox", "sdk", "server"]) {
    const folder = `packages/${name}/src`;
    test(name === "server" ? "a circle, type imports included" : `a circle in ${name}, type imports included`, () => {
      const sources = planted(
        packageSources,
        [`${folder}/one.ts`, 'import type { Two } from "./two.ts";'],
        [`${folder}/two.ts`, 'export { One } from "./one.ts";'],
      );
      assert.deepEqual(circles(sources), [`a circle: ${folder}/one.ts → ${folder}/two.ts → ${folder}/one.ts`]);
    });
  }
});

function circles(sources: Sources): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start !== -1) {
      found.push(`a circle: ${[...trail.slice(start), path].join(" → ")}`);
      return;
    }
    if (done.has(path)) return;
    for (const target of importsOf(path, sources.get(path) ?? ""))
      if (sources.has(target)) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of sources.keys()) visit(path, []);
  return found;
}
