import assert from "node:assert/strict";
import { test } from "node:test";
import { Stopping } from "./incoming-request.ts";

test("whoever listens hears of the server's end, the latecomer at once, and who has left does not", () => {
  const stopping = new Stopping();
  const [early, gone, late] = [new AbortController(), new AbortController(), new AbortController()];
  stopping.tell(early);
  stopping.tell(gone)();
  assert.equal(stopping.isOver, false);
  stopping.begin();
  stopping.tell(late);
  assert.deepEqual([early.signal.aborted, gone.signal.aborted, late.signal.aborted], [true, false, true]);
  assert.equal(stopping.isOver, true);
});
