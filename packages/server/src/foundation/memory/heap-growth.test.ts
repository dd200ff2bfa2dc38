import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const here = (file: string) => JSON.stringify(pathToFileURL(`${import.meta.dirname}/${file}`).href);

// Prints how far a heap at rest grew when V8 began to mark it.
const program = (isGrowing: boolean) => `
import { PerformanceObserver } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";
import { getHeapStatistics } from "node:v8";
import { letHeapGrow } from ${here("heap-growth.ts")};
import { findCollector } from ${here("young-garbage.ts")};
if (${isGrowing}) letHeapGrow();
const some = (count) => Array.from({ length: count }, (_, at) => ({ at, text: "held " + at }));
globalThis.held = [some(400_000)];
for (let turn = 0; turn < 3; turn++) findCollector({ type: "major", flavor: "last-resort" })();
await setImmediate();
const atRest = getHeapStatistics().used_heap_size;
let isMarked = false;
new PerformanceObserver((list) => {
  isMarked ||= list.getEntries().some(({ detail }) => detail.kind === 4 || detail.kind === 8);
}).observe({ entryTypes: ["gc"] });
while (!isMarked) {
  held.push(some(2_000));
  await setImmediate();
}
process.stdout.write(String(getHeapStatistics().used_heap_size / atRest));
`;

const grown = (isGrowing: boolean) =>
  Number(execFileSync(process.execPath, ["--input-type=module", "-e", program(isGrowing)], { encoding: "utf8" }));

test("the heap of a server at rest has room to grow before all of it is marked", () => {
  const [without, having] = [grown(false), grown(true)];
  assert.ok(having > without + 0.2, `${having} times what it had at rest, ${without} without`);
});
