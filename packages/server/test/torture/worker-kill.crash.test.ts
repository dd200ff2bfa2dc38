// The crash smoke of workers outside; `npm run torture:workers` is the long one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { tortureWorkers } from "./worker-torture.ts";

test("kill -9 of a worker and of an application in the middle of 20 jobs: all succeed once, outputs outlive them", {
  timeout: 110_000,
}, async () => {
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  const { violations, spread } = await tortureWorkers({
    jobs: 20,
    leaseSeconds: 4,
    jobSeconds: 0.3,
    forGood: false,
    say,
  });
  assert.deepEqual(violations, [], lines.join("\n"));
  assert.ok(
    spread.every((count) => count > 0),
    `both applications worked: ${spread}`,
  );
});
