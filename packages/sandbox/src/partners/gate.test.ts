import assert from "node:assert/strict";
import { test } from "node:test";
import { Gate } from "./gate.ts";

test("there are never more inside than places, and everybody gets through, even after a failure", async () => {
  const gate = new Gate(3);
  let [inside, most, done] = [0, 0, 0];
  const visits = Array.from({ length: 40 }, (_, visit) =>
    gate
      .pass(async () => {
        inside += 1;
        most = Math.max(most, inside);
        await new Promise((resolve) => setImmediate(resolve));
        inside -= 1;
        if (visit % 7 === 0) throw new Error("stumbled");
        return visit;
      })
      .catch(() => -1)
      .then(() => {
        done += 1;
      }),
  );
  await Promise.all(visits);
  assert.deepEqual([inside, most, done], [0, 3, 40]);
  assert.equal(await gate.pass(async () => "free"), "free");
});
