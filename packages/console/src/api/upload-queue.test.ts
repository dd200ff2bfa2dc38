// The queue of uploads, with a hash and a server whose pace the test sets.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Asset } from "@atelier/sdk";
import fc from "fast-check";
import { type Sending, type Upload, UploadQueue } from "./upload-queue.ts";

const fileOf = (name: string, bytes = 10): File => new File([new Uint8Array(bytes)], name);
const assetOf = (id: string, more: Partial<Asset> = {}): Asset => ({ id, created_new: true, ...more }) as Asset;
// Everything that can go on without the test goes on.
const settle = () => new Promise((resolve) => setImmediate(resolve));

interface Step<Result> {
  readonly name: string;
  readonly resolve: (result: Result) => void;
  readonly reject: (thrown: unknown) => void;
}

function scene() {
  const hashing: (Step<string> & { onBytes: (bytes: number) => void })[] = [];
  const sending: (Step<Asset> & { given: Sending })[] = [];
  const stopped = (signal: AbortSignal, reject: (thrown: unknown) => void) =>
    signal.addEventListener("abort", () => reject(signal.reason));
  const queue = new UploadQueue({
    hash: (file, signal, onBytes) =>
      new Promise((resolve, reject) => {
        hashing.push({ name: file.name, resolve, reject, onBytes });
        stopped(signal, reject);
      }),
    put: (file, given) =>
      new Promise((resolve, reject) => {
        sending.push({ name: file.name, resolve, reject, given });
        stopped(given.signal, reject);
      }),
  });
  const states = () => queue.now().map(({ file, state }) => `${file.name} ${state}`);
  return { queue, hashing, sending, states };
}

describe("uploads", () => {
  test("run two at a time, in the order they came", async () => {
    const { queue, hashing, sending, states } = scene();
    queue.start(["a", "b", "c"].map((name) => fileOf(name)));
    queue.start([fileOf("d")]);
    assert.deepEqual(states(), ["a hashing", "b hashing", "c waiting", "d waiting"]);
    for (const { resolve } of hashing) resolve("hash");
    await settle();
    assert.deepEqual(states(), ["a sending", "b sending", "c waiting", "d waiting"]);
    sending[1]?.resolve(assetOf("B"));
    await settle();
    assert.deepEqual(states(), ["a sending", "b done", "c hashing", "d waiting"]);
  });

  test("say whether the server had the bytes already", async () => {
    const { queue, hashing, sending } = scene();
    queue.start([fileOf("a"), fileOf("b")]);
    for (const { resolve } of hashing) resolve("hash");
    await settle();
    sending[0]?.resolve(assetOf("A", { created_new: false }));
    sending[1]?.resolve(assetOf("B"));
    await settle();
    assert.deepEqual(
      queue.now().map(({ state, bytes, asset }) => [state, bytes, asset?.id]),
      [
        ["here", 10, "A"],
        ["done", 10, "B"],
      ],
    );
  });

  test("report their progress, of the hash and then of the bytes", async () => {
    const { queue, hashing, sending } = scene();
    const seen: string[] = [];
    queue.watch(() =>
      seen.push(
        queue
          .now()
          .map(({ state, bytes }) => `${state} ${bytes}`)
          .join(),
      ),
    );
    queue.start([fileOf("a")]);
    hashing[0]?.onBytes(4);
    hashing[0]?.resolve("hash");
    await settle();
    sending[0]?.given.onProgress(7);
    sending[0]?.resolve(assetOf("A"));
    await settle();
    assert.deepEqual(seen, ["waiting 0", "hashing 0", "hashing 4", "sending 0", "sending 7", "done 10"]);
  });

  test("notify listeners of each asset once, and none that left", async () => {
    const { queue, hashing, sending } = scene();
    const [notified, left]: [string[], string[]] = [[], []];
    queue.onUploaded(({ id }) => notified.push(id));
    const leave = queue.onUploaded(({ id }) => left.push(id));
    leave();
    queue.start([fileOf("a")]);
    hashing[0]?.resolve("hash");
    await settle();
    sending[0]?.resolve(assetOf("A"));
    await settle();
    assert.deepEqual([notified, left], [["A"], []]);
  });

  test("that fail keep the server's words, and the next one begins", async () => {
    const { queue, hashing, states } = scene();
    queue.start(["a", "b", "c"].map((name) => fileOf(name)));
    hashing[0]?.reject(new Error("The file is gone."));
    await settle();
    assert.deepEqual(states(), ["a failed", "b hashing", "c hashing"]);
    assert.equal(queue.now()[0]?.fault?.message, "The file is gone.");
    queue.resume(1);
    assert.equal(queue.now()[0]?.fault, null, "tried again, without the old words");
  });
});

describe("a paused upload", () => {
  test("gives its turn to the next, and does not count as failed", async () => {
    const { queue, states } = scene();
    queue.start(["a", "b", "c"].map((name) => fileOf(name)));
    queue.pause(1);
    await settle();
    assert.deepEqual(states(), ["a paused", "b hashing", "c hashing"]);
  });

  test("resumes at its address, without hashing again", async () => {
    const { queue, hashing, sending, states } = scene();
    queue.start([fileOf("a")]);
    hashing[0]?.resolve("blake3:a");
    await settle();
    sending[0]?.given.onAddress("/api/v2/uploads/1");
    queue.pause(1);
    await settle();
    queue.resume(1);
    await settle();
    assert.equal(hashing.length, 1);
    const { given } = sending[1] ?? assert.fail("it was not sent again");
    assert.deepEqual([given.hash, given.resumeFrom, given.signal.aborted], ["blake3:a", "/api/v2/uploads/1", false]);
    assert.equal(sending[0]?.given.resumeFrom, undefined);
    assert.deepEqual(states(), ["a sending"]);
  });

  test("waits for its turn if others took it", async () => {
    const { queue, states } = scene();
    queue.start(["a", "b", "c"].map((name) => fileOf(name)));
    queue.pause(1);
    await settle();
    queue.resume(1);
    await settle();
    assert.deepEqual(states(), ["a waiting", "b hashing", "c hashing"]);
  });
});

describe("a dropped upload", () => {
  test("is stopped and gone, and the next one begins", async () => {
    const { queue, hashing, sending, states } = scene();
    queue.start(["a", "b", "c"].map((name) => fileOf(name)));
    hashing[0]?.resolve("hash");
    await settle();
    queue.drop(1);
    await settle();
    assert.deepEqual(states(), ["b hashing", "c hashing"]);
    assert.equal(sending[0]?.given.signal.aborted, true);
  });

  test("leaves no trace if it had ended, while the others stay", async () => {
    const { queue, hashing, sending, states } = scene();
    queue.start([fileOf("a"), fileOf("b")]);
    for (const { resolve } of hashing) resolve("hash");
    await settle();
    sending[0]?.resolve(assetOf("A"));
    await settle();
    queue.dropEnded();
    assert.deepEqual(states(), ["b sending"]);
    queue.resume(99);
    queue.pause(99);
    assert.deepEqual(states(), ["b sending"], "an unknown id changes nothing");
  });
});

test("however a person pauses, resumes and drops, at most two run, and each file ends in one state", async () => {
  const act = fc.record({
    what: fc.constantFrom("pause", "resume", "drop", "hash", "send", "fail"),
    id: fc.integer({ min: 1, max: 5 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 30 }), async (acts) => {
      const { queue, hashing, sending } = scene();
      const notified: string[] = [];
      queue.onUploaded(({ id }) => notified.push(id));
      const isBusy = ({ state }: Upload) => state === "hashing" || state === "sending";
      queue.watch(() => assert.ok(queue.now().filter(isBusy).length <= 2, "two at most"));
      queue.start(Array.from({ length: 5 }, (_, at) => fileOf(String(at + 1))));
      for (const { what, id } of acts) {
        const isOf = ({ name }: { readonly name: string }) => name === String(id);
        const { state } = queue.now().find((each) => each.id === id) ?? {};
        if (what === "pause" && (state === "hashing" || state === "sending")) queue.pause(id);
        else if (what === "resume" && (state === "paused" || state === "failed")) queue.resume(id);
        else if (what === "drop") queue.drop(id);
        else if (what === "hash") hashing.findLast(isOf)?.resolve("hash");
        else if (what === "send") sending.findLast(isOf)?.resolve(assetOf(String(id)));
        else if (what === "fail") sending.findLast(isOf)?.reject(new Error("No."));
        await settle();
      }
      const waiting = queue.now().filter(({ state }) => state === "waiting").length;
      assert.ok(waiting === 0 || queue.now().filter(isBusy).length === 2, "none waits while there is room");
      for (const { state, asset } of queue.now()) assert.equal(asset !== null, state === "done" || state === "here");
      assert.equal(new Set(notified).size, notified.length, "each is told once");
    }),
    { numRuns: 60 },
  );
});
