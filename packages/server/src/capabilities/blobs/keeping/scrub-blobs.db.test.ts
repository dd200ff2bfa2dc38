import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFile, rm, truncate, writeFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { countedClock } from "../../../../test/support/counted-clock.ts";
import { type BlobsFixture, blobsFixture, keepHeld, never, readWhole } from "../blobs.fixture.ts";
import type { Blobs } from "../blobs.ts";

let fixture: BlobsFixture;
let blobs: Blobs;
before(async () => {
  fixture = await blobsFixture();
  blobs = fixture.blobs({ scrubEverySeconds: 0 });
});
after(() => fixture.close());

const scrub = (scrubber: Blobs = blobs) => scrubber.scrub({ bytesPerSecondMax: 1e12, signal: never });

test("a scrub finds every blob with a flipped bit, a missing one and a short one, and no other", async () => {
  const kept = await Promise.all(Array.from({ length: 230 }, () => keepHeld(blobs, randomBytes(300))));
  const broken = new Map<string, string>();
  for (const [index, { hash }] of kept.entries()) {
    if (index % 10 !== 0) continue;
    const bytes = await readFile(fixture.pathOf(hash));
    bytes[index % 300] = (bytes[index % 300] ?? 0) ^ (1 << (index % 8));
    await writeFile(fixture.pathOf(hash), bytes);
    broken.set(hash, "bytes");
  }
  const [missing, short] = [kept[1]?.hash ?? "", kept[2]?.hash ?? ""];
  await rm(fixture.pathOf(missing));
  await truncate(fixture.pathOf(short), 10);
  broken.set(missing, "missing").set(short, "size");

  const report = await scrub();
  assert.equal(report.blobs, 230);
  assert.equal(report.bytes, 230 * 300);
  assert.equal(report.damagedCount, broken.size);
  assert.deepEqual(new Map(report.damaged.map(({ hash, problem }) => [hash, problem])), broken);
  // Everything again, since every blob is always due here.
  assert.equal((await scrub()).damagedCount, broken.size);
});

test("an upload of the same bytes mends what the scrub found", async () => {
  const bytes = randomBytes(5000);
  const { hash } = await keepHeld(blobs, bytes);
  const damagedBefore = (await scrub()).damagedCount;
  await rm(fixture.pathOf(hash));
  assert.equal((await scrub()).damagedCount, damagedBefore + 1);
  await keepHeld(blobs, bytes);
  assert.equal((await scrub()).damagedCount, damagedBefore);
  assert.ok((await readWhole(blobs, hash))?.equals(bytes));
});

test("a blob checked within the week is skipped", async () => {
  await scrub();
  const weekly = fixture.blobs();
  assert.equal((await scrub(weekly)).blobs, 0);
  await fixture.age("8 days");
  assert.ok((await scrub(weekly)).blobs > 200);
  assert.equal((await scrub(weekly)).blobs, 0);
});

test("no faster than its limit: the next byte waits for its second", async () => {
  const clock = countedClock();
  const own = await blobsFixture();
  try {
    const slow = own.blobs({ scrubEverySeconds: 0, clock });
    for (let count = 0; count < 3; count++) await keepHeld(slow, randomBytes(1000));
    let isDone = false;
    const scrubbing = slow.scrub({ bytesPerSecondMax: 1000, signal: never }).then((report) => {
      isDone = true;
      return report;
    });
    for (let second = 1; second <= 2; second++) {
      await clock.slept(second);
      await clock.advance(1000);
    }
    await clock.slept(3);
    assert.equal(isDone, false);
    await clock.advance(1000);
    assert.equal((await scrubbing).blobs, 3);
  } finally {
    await own.close();
  }
});

test("a scrub that is stopped says so and goes on where it was", async () => {
  const stop = new AbortController();
  const own = await blobsFixture();
  try {
    const scrubber = own.blobs({ scrubEverySeconds: 3600 });
    for (let count = 0; count < 6; count++) await keepHeld(scrubber, randomBytes(100));
    await own.age("2 hours");
    let opened = 0;
    const storage = {
      ...own.storage,
      open: (hash: string) => {
        if (++opened === 4) stop.abort();
        return own.storage.open(hash);
      },
    };
    const first = await own
      .blobs({ scrubEverySeconds: 3600, storage })
      .scrub({ bytesPerSecondMax: 1e9, signal: stop.signal });
    assert.equal(first.isInterrupted, true);
    assert.equal(first.blobs, 3);
    const second = await scrub(scrubber);
    assert.deepEqual({ blobs: second.blobs, isInterrupted: second.isInterrupted }, { blobs: 3, isInterrupted: false });
  } finally {
    await own.close();
  }
});
