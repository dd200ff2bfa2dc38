import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "../../../foundation/hand-clock.fixture.ts";
import type { JobPreview } from "../../jobs/index.ts";
import { fitPreviews } from "./fit-previews.ts";

const preview = (text: string, bytes = text.length): JobPreview => ({
  nodeId: "1",
  contentType: "image/png",
  bytes: Buffer.concat([Buffer.from(text), Buffer.alloc(Math.max(0, bytes - text.length))]),
});
const large = (text: string) => preview(text, 200_000);
const turns = async () => {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
};

// Shrinks by hand, one at a time.
function stage() {
  const reported: string[] = [];
  const asked: { readonly name: string; readonly done: (small: Uint8Array | null) => void }[] = [];
  const previews = fitPreviews({
    show: ({ bytes, contentType }) => void reported.push(`${bytes.toString()} ${contentType}`),
    shrink: (bytes) =>
      new Promise((done) => void asked.push({ name: Buffer.from(bytes.subarray(0, 1)).toString(), done })),
    clock: handClock(),
  });
  return { reported, asked, previews };
}

test("what is small enough goes as it is, and what is not is made small, the newest only", async () => {
  const { reported, asked, previews } = stage();
  previews.offer(preview("a"));
  for (const name of ["b", "c", "d"]) previews.offer(large(name));
  asked[0]?.done(Buffer.from("small b"));
  await turns();
  const settled = previews.settle();
  asked[1]?.done(Buffer.from("small d"));
  await settled;
  assert.deepEqual(
    asked.map(({ name }) => name),
    ["b", "d"],
  );
  assert.deepEqual(reported, ["a image/png", "small b image/webp", "small d image/webp"]);
});

test("a preview overtaken while shrinking, or unshrinkable, is dropped; noise is shrunk further", async () => {
  const { reported, asked, previews } = stage();
  previews.offer(large("b"));
  previews.offer(preview("newer"));
  asked[0]?.done(Buffer.from("small b"));
  await turns();
  previews.offer(large("c"));
  asked[1]?.done(null);
  await previews.settle();
  previews.offer(large("d"));
  asked[2]?.done(Buffer.alloc(200_000));
  await turns();
  asked[3]?.done(Buffer.from("smaller d"));
  await previews.settle();
  previews.offer(large("e"));
  for (const at of [4, 5]) {
    asked[at]?.done(Buffer.alloc(200_000));
    await turns();
  }
  await previews.settle();
  assert.deepEqual(reported, ["newer image/png", "smaller d image/webp"]);
});

test("without means to make it small a large one is left out", async () => {
  const reported: JobPreview[] = [];
  const previews = fitPreviews({ show: (one) => void reported.push(one), shrink: null, clock: handClock() });
  previews.offer(large("b"));
  await previews.settle();
  assert.deepEqual(reported, []);
});
