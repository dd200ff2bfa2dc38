import assert from "node:assert/strict";
import { test } from "node:test";
import { partsOf, type TimedRequest } from "./time-parts.ts";

const attempt = (ms: number) => ({ ms }) as TimedRequest["attempts"][number];
const partsIn = (more: Partial<TimedRequest>) =>
  partsOf({ queued: null, total_ms: 1_000, provider_ms: null, attempts: [], ...more }).map(
    ({ name, ms }) => `${name} ${ms}`,
  );

test("the time at a provider is its own, or that of the attempts if it never answered", () => {
  assert.deepEqual(partsIn({ provider_ms: 800, attempts: [attempt(700)] }), ["Server 200", "Provider 800"]);
  assert.deepEqual(partsIn({ attempts: [attempt(400), attempt(590)] }), ["Server 10", "Provider 990"]);
  assert.deepEqual(partsIn({ attempts: [attempt(5_000)] }), ["Server 0", "Provider 1000"]);
  assert.deepEqual(partsIn({}), ["Server 1000"]);
});
