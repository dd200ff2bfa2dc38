import assert from "node:assert/strict";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createBackground } from "../../foundation/background.ts";
import { Fault } from "../../foundation/fault.ts";
import { type HandClock, handClock } from "../../foundation/hand-clock.fixture.ts";
import { silentLog } from "../../foundation/log.ts";
import { type KeyRingOptions, openKeyRing } from "./key-ring.ts";
import { newRing } from "./ring.ts";
import { createRingFile } from "./ring-file.ts";
import { formatRing } from "./ring-text.ts";

interface RingFixture {
  readonly path: string;
  readonly clock: HandClock;
  open(changes?: Partial<KeyRingOptions>): ReturnType<typeof openKeyRing>;
}

async function withRing(run: (fixture: RingFixture) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "atelier-ring-"));
  const path = join(folder, "secrets.json");
  const clock = handClock();
  try {
    await run({ path, clock, open: (changes) => openKeyRing({ path, clock, createIfMissing: true, ...changes }) });
  } finally {
    await rm(folder, { recursive: true });
  }
}

// Waits for a condition that depends on reading files: the hand clock moves, but the file system takes its time.
async function until(clock: HandClock, condition: () => boolean): Promise<void> {
  for (let round = 0; round < 10_000 && !condition(); round++) {
    await clock.advance(10_000);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  assert.ok(condition());
}

test("the first start makes a ring, the second one finds it", () =>
  withRing(async ({ open }) => {
    const [one, two] = [await open(), await open()];
    assert.equal(one.fingerprint(), two.fingerprint());
    assert.deepEqual(one.current("cursor"), two.current("cursor"));
  }));

test("two processes that start at once share one ring", () =>
  withRing(async ({ open }) => {
    const rings = await Promise.all(Array.from({ length: 6 }, () => open()));
    assert.equal(new Set(rings.map((ring) => ring.fingerprint())).size, 1);
  }));

test("a ring that was given as text signs like one in a file, makes none, and cannot be rotated", () =>
  withRing(async ({ open, path, clock }) => {
    const text = formatRing(newRing(clock.now()));
    const [one, two] = [await open({ text }), await open({ text })];
    assert.deepEqual(one.current("cursor"), two.current("cursor"));
    await assert.rejects(one.rotate("all"), /cannot be changed here.*secrets new/);
    await assert.rejects(readFile(path), /ENOENT/);
    await assert.rejects(open({ text: "{}" }), /given as text cannot be used: it must have/);
  }));

test("a further ring is believed and never signs", () =>
  withRing(async ({ open, clock }) => {
    const [own, other] = [newRing(clock.now()), newRing(clock.now())].map(formatRing);
    assert.ok(own && other);
    const before = await open({ text: own });
    const during = await open({ text: own, further: { text: other } });
    const after = await open({ text: other, further: { text: own } });
    assert.deepEqual(during.current("cursor"), before.current("cursor"));
    assert.notDeepEqual(after.current("cursor"), before.current("cursor"));
    const idsOf = (ring: typeof during) => new Set(ring.verifying("cursor").map(({ id }) => id));
    assert.deepEqual(idsOf(during), idsOf(after));
    assert.equal(idsOf(during).size, 2);
    await assert.rejects(open({ further: { path: "/nowhere/ring.json" } }), /no additional key ring/);
  }));

test("a missing ring is refused where it may not be made", () =>
  withRing(async ({ open }) => {
    await assert.rejects(open({ createIfMissing: false }), /There is no key ring at/);
  }));

test("a purpose nobody knows is a bug, not a key", () =>
  withRing(async ({ open }) => {
    const ring = await open();
    assert.throws(() => ring.current("unheard-of"), /Invariant broken/);
    assert.deepEqual(ring.verifying("unheard-of"), []);
  }));

test("a rotation in one process reaches the other before the new key signs", () =>
  withRing(async ({ open, clock }) => {
    const [one, two] = [await open(), await open()];
    const old = one.current("cursor").id;
    const stop = new AbortController();
    const following = two.follow(createBackground({ clock, log: silentLog }), stop.signal);
    await one.rotate("all");
    await until(clock, () => two.verifying("cursor").length === 2);
    assert.equal(two.current("cursor").id, old);
    await clock.advance(300_000);
    assert.notEqual(one.current("cursor").id, old);
    assert.equal(one.current("cursor").id, two.current("cursor").id);
    assert.equal(two.verifying("cursor")[0]?.id, old);
    stop.abort();
    await following;
  }));

test("the lead of a rotation is the operator's choice", () =>
  withRing(async ({ open, clock }) => {
    const ring = await open();
    const old = ring.current("session").id;
    await ring.rotate("session", 10);
    await clock.advance(10_000);
    assert.notEqual(ring.current("session").id, old);
  }));

test("a file that becomes unusable is reported once, and the ring in memory goes on until it is mended", () =>
  withRing(async ({ open, clock, path }) => {
    const problems: string[] = [];
    const log = { info: () => undefined, warn: (_: object, text: string) => problems.push(text) };
    const ring = await open();
    const other = newRing(clock.now());
    const stop = new AbortController();
    const following = ring.follow(createBackground({ clock, log: log as never }), stop.signal);
    const key = ring.current("cursor");
    await writeFile(path, "torn");
    await until(clock, () => problems.length > 0);
    const lookedUntil = clock.monotonicMs() + 50_000;
    await until(clock, () => clock.monotonicMs() >= lookedUntil);
    assert.deepEqual(ring.current("cursor"), key);
    assert.equal(problems.length, 1);
    await writeFile(path, formatRing(other));
    await until(clock, () => ring.current("cursor").id !== key.id);
    stop.abort();
    await following;
  }));

test("a ring that was opened up to others after the start is not read again", { skip: !process.getuid }, () =>
  withRing(async ({ open, path, clock }) => {
    const ring = await open();
    await writeFile(path, formatRing(newRing(clock.now())));
    await chmod(path, 0o644);
    const before = ring.fingerprint();
    await assert.rejects(ring.reload(), Fault);
    assert.equal(ring.fingerprint(), before);
    await chmod(path, 0o600);
    assert.equal(await ring.reload(), true);
    assert.notEqual(ring.fingerprint(), before);
  }),
);

test("an ended key is ended in the file, and a new one signs", () =>
  withRing(async ({ open, clock }) => {
    const ring = await open();
    const old = ring.current("signed-url").id;
    await clock.advance(1_000);
    await ring.end(old);
    const again = await open();
    assert.ok(again.verifying("signed-url").every(({ id }) => id !== old));
    assert.equal(again.current("signed-url").id, ring.current("signed-url").id);
  }));

test("a ring of an older version is completed, and the file with it", () =>
  withRing(async ({ open, path, clock }) => {
    await createRingFile(
      path,
      newRing(clock.now()).filter(({ purpose }) => purpose !== "webhook"),
    );
    const ring = await open();
    assert.equal(ring.verifying("webhook").length, 1);
    assert.match(await readFile(path, "utf8"), /"webhook"/);
  }));
