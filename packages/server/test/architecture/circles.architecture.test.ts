// No file imports itself through a circle, in any package, script or benchmark. Type imports count too: a circle of types
// is a circle of ideas.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { allSources, importsOf, packageSources, planted, type Sources } from "./sources.ts";

const sources: Sources = new Map([...packageSources, ...allSources]);

test("no import cycle in any package, script, benchmark or test", () => {
  assert.deepEqual(circles(sources), []);
});

describe("a planted fault is found", () => {
  const folders = ["cli", "contract", "engine", "sandbox", "sdk", "server"].map((name) => `packages/${name}/src`);
  for (const folder of [...folders, "packages/server/test", "scripts", "bench"])
    test(`a cycle in ${folder}, type imports included`, () => {
      const found = circles(
        planted(
          sources,
          [`${folder}/one.ts`, 'import type { Two } from "./two.ts";'],
          [`${folder}/two.ts`, 'export { One } from "./one.ts";'],
        ),
      );
      assert.deepEqual(found, [`a circle: ${folder}/one.ts → ${folder}/two.ts → ${folder}/one.ts`]);
    });

  test("a cycle of pages", () => {
    const found = circles(
      planted(
        sources,
        ["packages/console/src/pages/one.tsx", 'import { Two } from "./two.tsx";'],
        ["packages/console/src/pages/two.tsx", 'const One = lazy(() => import("./one.tsx"));'],
      ),
    );
    const [one, two] = ["packages/console/src/pages/one.tsx", "packages/console/src/pages/two.tsx"];
    assert.deepEqual(found, [`a circle: ${one} → ${two} → ${one}`]);
  });
});

function circles(all: Sources): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start !== -1) {
      found.push(`a circle: ${[...trail.slice(start), path].join(" → ")}`);
      return;
    }
    if (done.has(path)) return;
    for (const target of importsOf(path, all.get(path) ?? "")) if (all.has(target)) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of all.keys()) visit(path, []);
  return found;
}
