import assert from "node:assert/strict";
import { test } from "node:test";
import { DrainOver } from "./area.ts";
import { Stopping } from "./incoming-request.ts";

test("running requests are aborted at the end of the drain, late ones at once, and finished ones not", () => {
  const stopping = new Stopping();
  const [early, gone, late] = [new AbortController(), new AbortController(), new AbortController()];
  stopping.abortAtEnd(early);
  stopping.abortAtEnd(gone)();
  assert.equal(stopping.isDraining, false);
  stopping.begin();
  assert.equal(stopping.isDraining, true);
  assert.equal(early.signal.aborted, false, "a running call is not told of the stop");
  stopping.end();
  stopping.abortAtEnd(late);
  assert.deepEqual([early.signal.aborted, gone.signal.aborted, late.signal.aborted], [true, false, true]);
  assert.ok(early.signal.reason instanceof DrainOver && late.signal.reason instanceof DrainOver);
});

test("waiting streams hear of the stop as it begins", () => {
  const stopping = new Stopping();
  const heard: string[] = [];
  stopping.onStop(() => heard.push("early"));
  stopping.onStop(() => heard.push("gone"))();
  stopping.begin();
  stopping.onStop(() => heard.push("late"));
  assert.deepEqual(heard, ["early", "late"]);
});
