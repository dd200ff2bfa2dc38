import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "../clock.ts";
import { type Log, silentLog } from "../log.ts";
import { natsBus } from "./nats-bus.ts";

test("a bus that is away at the start is logged once for each reason and tried again with a growing pause", async () => {
  const reasons = [...Array.from({ length: 6 }, () => "connection refused"), "no route", "no route"];
  const [logged, pauses]: [string[], number[]] = [[], []];
  const log: Log = { ...silentLog, warn: ({ reason }) => void logged.push(String(reason)) };
  const { promise: isOver, resolve: over } = Promise.withResolvers<void>();
  const bus = natsBus({
    servers: ["nats://127.0.0.1:1"],
    prefix: "test",
    credentials: null,
    authority: null,
    client: {
      connect: async () => {
        throw new Error(reasons.shift() ?? "connection refused");
      },
      credsAuthenticator: () => assert.fail("there are no credentials"),
    },
    clock: {
      ...systemClock,
      async sleep(ms, signal) {
        pauses.push(ms);
        if (reasons.length > 0) return;
        over();
        await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
      },
    },
    log,
  });
  await isOver;
  assert.deepEqual(logged, ["Error: connection refused", "Error: no route"]);
  assert.deepEqual(pauses, [1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000, 15_000]);
  assert.match(bus.problem() ?? "", /not available: Error: no route/);
  await bus.close();
});
