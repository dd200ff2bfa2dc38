import assert from "node:assert/strict";
import { test } from "node:test";
import { hasEnded, readFrame } from "./job-events.ts";
import { progressLine, sizeText } from "./progress-line.ts";
import { safeName } from "./save-outputs.ts";

test("a frame gives its event, its id and its data; comments and broken data give nothing", () => {
  assert.deepEqual(readFrame('event: status\nid: 7\ndata: {"status":"running"}'), {
    event: "status",
    id: "7",
    data: { status: "running" },
  });
  assert.deepEqual(readFrame('data: {"a":\ndata: 1}')?.data, { a: 1 });
  assert.equal(readFrame(": keep-alive"), null);
  assert.equal(readFrame("event: status\ndata: {"), null);
});

test("a name from the server never leaves the folder it is saved in", () => {
  const id = "0198c1a2-3b4c-7d5e-8f60-718293a4b5c6";
  const names = { "../../etc/passwd": "passwd", "a\\..\\b.png": "b.png", "sub/fox.png": "fox.png", "..": id, "": id };
  for (const [name, safe] of Object.entries(names)) assert.equal(safeName({ name, id }), safe);
  assert.equal(safeName({ name: "a\u0000b:c.png", id }), "a_b_c.png");
});

test("the progress line holds the share, the node and the time, whatever the numbers are", () => {
  const line = progressLine({ value: 0.42, nodes_done: 10, nodes_total: 31, message: "ImageBlur 2/5" }, 12.34, true);
  assert.match(line, /^▶ ImageBlur 2\/5 +━{11}─{17} {2}42% {3}node 11 of 31 {3}12\.3 s$/);
  assert.match(
    progressLine({ value: 7, nodes_done: 3, nodes_total: 3 }, 0, false),
    /^> running +#{28} 100% {3}node 3 of 3/,
  );
  assert.deepEqual([sizeText(999), sizeText(1834), sizeText(24_000_000)], ["999 B", "1.8 kB", "24 MB"]);
});

test("a job has ended in its four last states only", () => {
  const ended = ["succeeded", "failed", "canceled", "expired"];
  assert.ok(ended.every(hasEnded));
  assert.ok(!["queued", "running", "canceling", "new_word"].some(hasEnded));
});
