import assert from "node:assert/strict";
import { test } from "node:test";
import { inProcessBus } from "../../../foundation/bus/bus.ts";
import { newId } from "../../../foundation/ids.ts";
import { changedTopic, createJobHints, type ReadyHint, readyTopic } from "./job-hints.ts";

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

test("hints reach this process at once and once, the others through the bus, the first of each lane for many", async () => {
  const bus = inProcessBus();
  const [here, there] = [createJobHints(bus), createJobHints(bus)];
  const got: { here: ReadyHint[]; there: ReadyHint[] } = { here: [], there: [] };
  here.onReady((hint) => got.here.push(hint));
  there.onReady((hint) => got.there.push(hint));
  const lane = { poolId: newId<"pool">(), workspaceId: newId<"workspace">() };
  const ids = Array.from({ length: 200 }, () => newId<"job">()).sort();
  here.ready(ids.map((id, index) => ({ id, ...lane, priority: index === 150 ? 7 : 0, needsId: "n" })));
  const expected = [{ ...lane, rank: -7, jobId: ids[150], needsId: "n" }];
  assert.deepEqual(got.here, expected);
  await turn();
  assert.deepEqual(got.here, expected);
  assert.deepEqual(got.there, expected);
  here.close();
  there.close();
});

test("unknown bus messages are ignored", async () => {
  const bus = inProcessBus();
  const hints = createJobHints(bus);
  const got: unknown[] = [];
  hints.onReady((hint) => got.push(hint));
  hints.onChanged((ids) => got.push(ids));
  for (const message of [
    null,
    1,
    "x",
    [],
    {},
    { from: "a" },
    { from: "a", entries: 1 },
    { from: "a", entries: [1, [], ["x"]] },
  ]) {
    bus.publish(readyTopic, message);
    bus.publish(changedTopic, message);
  }
  await turn();
  assert.deepEqual(got, []);
  hints.close();
});
