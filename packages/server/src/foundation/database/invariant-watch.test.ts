// The invariant watch, on a hand-moved clock.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createBackground } from "../background.ts";
import { handClock } from "../hand-clock.fixture.ts";
import { silentLog } from "../log.ts";
import { createMetrics } from "../metrics.ts";
import { type Queryable, type Statement, sql } from "./index.ts";
import { createInvariantWatch } from "./invariant-watch.ts";

test("a broken invariant at the start is checked again after 15 s, and reported only if it is still broken", async () => {
  const clock = handClock();
  const metrics = createMetrics();
  const invariants = [
    { name: "left by a killed server", statement: sql`select 1` },
    { name: "always holds", statement: sql`select 2` },
  ];
  const rows = new Map<Statement, number>(invariants.map(({ statement }) => [statement, 0]));
  const [left, holds] = invariants.map(({ statement }) => statement);
  assert.ok(left && holds);
  const looks: string[] = [];
  const query = async (statement: Statement) => {
    looks.push(`${statement === left ? "left" : "holds"} at ${clock.monotonicMs() / 1000}`);
    return Array.from({ length: rows.get(statement) ?? 0 }, () => ({}));
  };
  const said: unknown[] = [];
  const log = { ...silentLog, error: (facts: unknown) => void said.push(facts) };
  const database = { query } as unknown as Queryable;
  const watch = createInvariantWatch({ database, log, metrics, invariants });
  const background = createBackground({ clock, log: silentLog });
  const stopping = new AbortController();
  const gauge = async () => / (\S+)$/m.exec((await metrics.text()).split("killed server")[1] ?? "")?.[1];

  rows.set(left, 1);
  const running = watch.run(background, stopping.signal);
  await clock.advance(0);
  assert.equal(await gauge(), "1");
  rows.set(left, 0);
  await clock.advance(15_000);
  assert.deepEqual([await gauge(), said], ["0", []]);
  await clock.advance(285_000);
  assert.deepEqual(looks.splice(0), ["left at 0", "holds at 0", "left at 15", "left at 300", "holds at 300"]);

  rows.set(left, 2);
  await clock.advance(330_000);
  assert.deepEqual(looks, ["left at 600", "holds at 600", "left at 615", "left at 630"]);
  assert.deepEqual(said, [{ invariant: "left by a killed server", rows: 2 }]);
  stopping.abort();
  await running;
  metrics.stop();
});
