import assert from "node:assert/strict";
import { test } from "node:test";
import { AwayFault } from "../fault.ts";
import { handClock } from "../hand-clock.fixture.ts";
import { databaseUnavailable } from "./database-errors.ts";
import { MigrationRefused } from "./migration-files.ts";
import { throughRecovery } from "./recovery.ts";

const coded = (code: string, message = code) => Object.assign(new Error(message), { code });
const startingUp = coded("57P03", "the database system is starting up");

// How it ended, when it was tried, and what was logged. Each try meets the next of `failures`, the last one forever.
async function tried(failures: readonly (Error | null)[], seconds: number) {
  const clock = handClock();
  const times: number[] = [];
  const said: unknown[] = [];
  let outcome: unknown = "waits";
  const run = async () => {
    const failure = failures[Math.min(times.length, failures.length - 1)];
    times.push(clock.monotonicMs() / 1000);
    if (failure) throw failure;
    return "done";
  };
  const log = { warn: (facts: unknown) => void said.push(facts) };
  void throughRecovery({ clock, log }, run).then(
    (result) => {
      outcome = result;
    },
    (error: unknown) => {
      outcome = error;
    },
  );
  await clock.advance(0);
  await clock.advance(seconds * 1000);
  return { outcome, times, said };
}

test("a database that recovers is waited for, with one line that says so", async () => {
  const { outcome, times, said } = await tried([startingUp, databaseUnavailable(startingUp), null], 10);
  assert.deepEqual([outcome, times], ["done", [0, 0.5, 1]]);
  assert.deepEqual(said, [{ why: "the database system is starting up", secondsMax: 120 }]);
});

test("a migration that meets the locks of a killed one waits for them", async () => {
  const timeout = coded("55P03", "canceling statement due to lock timeout");
  const refused = new MigrationRefused(`Migration 0002_b failed: ${timeout.message}`, { cause: timeout });
  assert.equal((await tried([refused, null], 1)).outcome, "done");
});

test("the wait ends after 120 s with the reason in a sentence", async () => {
  assert.equal((await tried([startingUp], 119)).outcome, "waits");
  const { outcome } = await tried([startingUp], 121);
  assert.ok(outcome instanceof AwayFault);
  assert.equal(outcome.message, "The database was not ready within 120 s: the database system is starting up");
  const wordless = (await tried([coded("57P02", "")], 121)).outcome;
  assert.match(wordless instanceof Error ? wordless.message : "", /120 s: 57P02$/);
});

test("a permanent failure is reported at once; a server that was there a moment ago is waited for", async () => {
  for (const failure of [
    coded("ECONNREFUSED"),
    coded("42P07"),
    new MigrationRefused("It was changed."),
    new Error("x"),
  ]) {
    const { outcome, times } = await tried([failure], 10);
    assert.deepEqual([outcome, times], [failure, [0]]);
  }
  const restarted = [new Error("Connection terminated unexpectedly"), coded("ENOENT"), coded("ECONNREFUSED"), null];
  assert.equal((await tried(restarted, 10)).outcome, "done");
});
