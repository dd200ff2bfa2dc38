import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../../fault.ts";
import { handClock } from "../../hand-clock.fixture.ts";
import { silentLog } from "../../log.ts";
import { RefusalLog } from "./refusal-log.ts";

interface Line {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

function aLog() {
  const clock = handClock();
  const lines: Line[] = [];
  let unlogged = 0;
  const at = (level: string) => (fields: Readonly<Record<string, unknown>>, message: string) =>
    void lines.push({ level, message, fields });
  const log = { ...silentLog, debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
  const refusals = new RefusalLog({ clock, onUnlogged: () => void unlogged++ });
  const where = (peer: string) => ({ requestId: "r", operation: "o", method: "GET", peer, path: "/" });
  const refuse = (peer: string, fault = new Fault("not_found", "There is nothing here.")) =>
    refusals.report(log, fault, peer, where(peer));
  return {
    clock,
    refuse,
    unlogged: () => unlogged,
    lines: (level: string) => lines.filter((line) => line.level === level),
  };
}

test("a caller refused nonstop gets thirty log lines and then one a second; the rest is a count", async () => {
  const it = aLog();
  for (let at = 0; at < 1_000; at++) it.refuse("203.0.113.7");
  assert.equal(it.lines("info").length, 30);
  assert.equal(it.unlogged(), 970);
  assert.equal(it.lines("debug").length, 970, "at the finest level each has its line");
  // The first one left out is reported immediately, later ones together.
  assert.deepEqual(
    it.lines("warn").map(({ fields }) => fields),
    [{ count: 1, codes: { not_found: 1 } }],
  );
  await it.clock.advance(10_000);
  for (let at = 0; at < 100; at++) it.refuse("203.0.113.7", new Fault("unauthorized", "No."));
  assert.equal(it.lines("info").length, 40);
  assert.deepEqual(it.lines("warn").at(-1)?.fields, { count: 969, codes: { not_found: 969 } });
});

test("one caller's flood takes no other's lines, and no refusals take those of failures", () => {
  const it = aLog();
  for (let at = 0; at < 1_000; at++) it.refuse("203.0.113.7");
  it.refuse("198.51.100.1");
  assert.equal(it.lines("info").at(-1)?.fields["peer"], "198.51.100.1");
  for (let at = 0; at < 50_000; at++) it.refuse(`10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`);
  assert.equal(it.lines("info").length, 600, "all together have no more");
  it.refuse("203.0.113.7", new Fault("internal_error", "Ours.", { cause: new Error("why") }));
  assert.equal(it.lines("error").length, 1);
});

test("failures are bounded as well: a database that is away fills no disk", async () => {
  const it = aLog();
  const fault = new Fault("service_unavailable", "Away.");
  for (let at = 0; at < 5_000; at++) it.refuse("203.0.113.7", fault);
  assert.equal(it.lines("error").length, 600);
  await it.clock.advance(1_000);
  for (let at = 0; at < 5_000; at++) it.refuse("203.0.113.7", fault);
  assert.equal(it.lines("error").length, 610);
});

test("overload refusals are summed up elsewhere and use no log lines here", () => {
  const it = aLog();
  for (let at = 0; at < 1_000; at++) it.refuse("a", new Fault("service_unavailable", "Full.", { isOverload: true }));
  it.refuse("a");
  assert.deepEqual([it.lines("debug").length, it.lines("info").length, it.unlogged()], [1_000, 1, 0]);
});
