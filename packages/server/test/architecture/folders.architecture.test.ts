// No folder has more than 30 product files: a larger one is several rooms without walls.
import assert from "node:assert/strict";
import { dirname } from "node:path/posix";
import { test } from "node:test";
import { packageSources, planted, productSources, type Sources } from "./sources.ts";

const filesMax = 30;
const sources: Sources = new Map([...productSources].filter(([path]) => packageSources.has(path)));

test("no folder of a package has more than 30 product files", () => {
  assert.deepEqual(halls(sources), []);
});

test("a planted crowded folder is found, and its tests do not count", () => {
  const files = Array.from(
    { length: filesMax + 1 },
    (_, at) => [`packages/sdk/src/planted/file-${at}.ts`, ""] as const,
  );
  assert.deepEqual(halls(planted(sources, ...files)), ["packages/sdk/src/planted has 31 files"]);
  assert.deepEqual(halls(planted(sources, ...files.slice(1))), []);
});

function halls(all: Sources): string[] {
  const counts = new Map<string, number>();
  for (const path of all.keys()) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > filesMax).map(([folder, count]) => `${folder} has ${count} files`);
}
