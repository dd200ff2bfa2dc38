import assert from "node:assert/strict";
import { PassThrough, Readable } from "node:stream";
import { test } from "node:test";
import { discardRest } from "./discard-rest.ts";

test("the rest is read to its end, and a client that leaves ends it too", async () => {
  const ended = Readable.from([Buffer.alloc(1000), Buffer.alloc(1000)]);
  await discardRest(ended);
  assert.equal(ended.readableEnded, true);
  const gone = new PassThrough();
  const discarded = discardRest(gone);
  gone.destroy();
  await discarded;
});

test("an endless body is dropped after 64 MiB, and a silent one after a while", async () => {
  const chunk = Buffer.alloc(1024 * 1024);
  let chunks = 0;
  const endless = new Readable({
    read() {
      chunks += 1;
      // As a socket does: each piece in its own turn.
      setImmediate(() => this.push(chunk));
    },
  });
  const silent = new PassThrough();
  await Promise.all([discardRest(endless).then(() => endless.destroy()), discardRest(silent)]);
  assert.ok(chunks >= 64 && chunks < 128, `${chunks} MiB`);
  assert.deepEqual([silent.listenerCount("data"), silent.readableEnded], [0, false]);
});
