import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { submitInTurn } from "./submit-in-turn.ts";

const busy = new Error("busy");

async function run(all: readonly number[], answers: readonly (Error | null)[], from = 0) {
  const sent: number[] = [];
  const waited: number[] = [];
  const counts: number[] = [];
  const left = [...answers];
  const turn = await submitInTurn(all, {
    from,
    submit: async (each) => {
      const answer = left.shift() ?? null;
      if (answer) throw answer;
      sent.push(each);
    },
    waitFor: (thrown) => (thrown === busy ? 50 : null),
    pause: async (ms) => void waited.push(ms),
    onDone: (count) => counts.push(count),
  });
  return { ...turn, sent, waited, counts };
}

describe("the jobs of a batch", () => {
  test("are submitted in order, each once, and counted", async () => {
    const { done, fault, sent, counts } = await run([1, 2, 3], []);
    assert.deepEqual([done, fault, sent, counts], [3, null, [1, 2, 3], [1, 2, 3]]);
  });

  test("stop at the first refusal, and go on from there", async () => {
    const refused = new Error("no credits");
    const first = await run([1, 2, 3], [null, refused]);
    assert.deepEqual([first.done, first.fault, first.sent], [1, refused, [1]]);
    const rest = await run([1, 2, 3], [], first.done);
    assert.deepEqual([rest.done, rest.sent], [3, [2, 3]]);
  });

  test("wait while the server is busy, and not for ever", async () => {
    const some = await run([1, 2], [busy, busy, null, busy]);
    assert.deepEqual([some.done, some.sent, some.waited.length], [2, [1, 2], 3]);
    const always = await run(
      [1],
      Array.from({ length: 100 }, () => busy),
    );
    assert.deepEqual([always.done, always.fault], [0, busy]);
  });
});
