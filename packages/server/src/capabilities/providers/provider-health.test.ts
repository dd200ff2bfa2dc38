import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { newId } from "../../foundation/ids.ts";
import { silentLog } from "../../foundation/log.ts";
import type { Outcome } from "./outcome.ts";
import { createProviderHealth } from "./provider-health.ts";

const well: Outcome = { kind: "rejected_input", message: null, detail: null, upstreamStatus: 422 };
const ill: Outcome = { kind: "no_answer", reason: "the connection broke" };

function watched() {
  const clock = handClock();
  const health = createProviderHealth(clock, silentLog);
  const end = (outcome: Outcome, times = 1, credentialOf: Parameters<typeof health.mayAsk>[1] = null) => {
    for (let time = 0; time < times; time++)
      health.ended({ provider: "one", model: "one/draw", credentialOf, outcome, ms: 100 });
  };
  return { clock, health, end, mayAsk: () => health.mayAsk("one", null) };
}

test("a circuit opens after five failures in a row, lets one call try after a pause, and closes with its success", async () => {
  const { clock, health, end, mayAsk } = watched();
  end(ill, 4);
  end(well);
  end(ill, 4);
  assert.equal(mayAsk(), true);
  end(ill);
  assert.deepEqual([mayAsk(), health.isClosed("one", null)], [false, false]);
  await clock.advance(10_000);
  assert.equal(health.list()[0]?.circuit, "half_open");
  assert.deepEqual([mayAsk(), mayAsk()], [true, false], "one call tries");
  end(well);
  assert.deepEqual([mayAsk(), mayAsk(), health.list()[0]?.circuit], [true, true, "closed"]);
});

test("a failed try doubles the pause, up to two minutes", async () => {
  const { clock, end, mayAsk } = watched();
  end(ill, 5);
  for (const pause of [10_000, 20_000, 40_000, 80_000, 120_000, 120_000]) {
    await clock.advance(pause - 1);
    assert.equal(mayAsk(), false, `${pause}`);
    await clock.advance(1);
    assert.equal(mayAsk(), true, `${pause}`);
    end(ill);
  }
});

test("each credential has its own circuit, and the list says how each fares", () => {
  const { health, end } = watched();
  const workspaceId = newId<"workspace">();
  end(ill, 5, workspaceId);
  end(well);
  assert.deepEqual([health.mayAsk("one", workspaceId), health.mayAsk("one", null)], [false, true]);
  assert.deepEqual(
    health
      .list()
      .map(({ credentialOf, circuit, calls, success, lastFailure }) => [
        ...[credentialOf, circuit, calls, success],
        lastFailure?.reason,
      ]),
    [
      [null, "closed", 1, 1, undefined],
      [workspaceId, "open", 5, 0, "the connection broke"],
    ],
  );
  assert.deepEqual(health.ofModel("one/draw", null), { success: 1, latencyMs: 100 });
});
