import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Fault } from "../../../foundation/fault.ts";
import type { RecordedAnswer } from "../../calls/index.ts";
import { askUntilPassed } from "./call-from-graph.ts";

const answer = (status: number, bucket?: string): RecordedAnswer => ({
  status,
  headers: bucket === undefined ? {} : { "x-service-error-type": bucket },
  body: Buffer.from(JSON.stringify({ detail: "Nothing was sent; try again." })),
});

describe("a node that asks for a model", () => {
  const slept: number[] = [];
  const clock = { sleep: async (ms: number) => void slept.push(ms) };
  const asking = (answers: readonly (RecordedAnswer | Fault)[], signal = new AbortController().signal) => {
    let count = 0;
    const once = async () => {
      const next = answers[count++];
      if (next === undefined || next instanceof Fault) throw next ?? new Error("asked once too often");
      return next;
    };
    return { asked: () => count, answer: askUntilPassed(once, { clock, signal }) };
  };

  test("asks again where the server was held up, where the call was taken over and where there was no room", async () => {
    const passing = [
      answer(503, "service_unavailable"),
      new Fault("concurrency_limit_exceeded", "No slot is free."),
      answer(503, "service_unavailable"),
      answer(200),
    ];
    const { asked, answer: found } = asking(passing);
    assert.equal((await found).status, 200);
    assert.equal(asked(), 4);
    assert.deepEqual(slept, [1_000, 2_000, 3_000]);
  });

  test("gets the provider's message, once", async () => {
    for (const [status, bucket] of [
      [503, "provider_error"],
      [502, "provider_error"],
      [422, "validation_error"],
    ] as const) {
      const { asked, answer: found } = asking([answer(status, bucket)]);
      assert.equal((await found).status, status);
      assert.equal(asked(), 1);
    }
  });

  test("asks no more once its job has ended", async () => {
    const { asked, answer: found } = asking([answer(503, "service_unavailable")], AbortSignal.abort());
    await assert.rejects(found, /Nothing was sent/);
    assert.equal(asked(), 1);
  });
});
