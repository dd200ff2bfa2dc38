// The head of an answer says what was asked for now, however often the same record was asked for before.
import assert from "node:assert/strict";
import { test } from "node:test";
import { answerContent, type ContentRequest, type ServedBytes } from "./asset-content.ts";

const bytes = Buffer.from("0123456789");
const asset: ServedBytes = {
  id: "a1",
  hash: "ab".repeat(32),
  size: bytes.length,
  servedType: "image/png",
  filePath: "in/picture.png",
};
const blobs = {
  inMemory: (_hash: string, range?: { start: number; end: number }) => ({
    size: bytes.length,
    bytes: range ? bytes.subarray(range.start, range.end + 1) : bytes,
  }),
  open: () => Promise.reject(new Error("what is in memory is not opened")),
};

function headOf(seconds: number, asAttachment: boolean, headers: ContentRequest["headers"] = {}, record = asset) {
  const rules = { cacheControl: `private, max-age=${seconds}`, asAttachment };
  const answer = answerContent(blobs, record, { method: "GET", headers }, rules);
  assert.ok(!(answer instanceof Promise) && "status" in answer && answer.headers);
  return { status: answer.status, headers: answer.headers };
}

test("a record that is asked for again and again is answered by the rules and the range of each request", () => {
  const shown = `inline; filename="picture.png"`;
  const saved = `attachment; filename="picture.png"`;
  for (const [seconds, asAttachment, disposition] of [
    [60, false, shown],
    [60, false, shown],
    [59, false, shown],
    [59, true, saved],
    [59, false, shown],
  ] as const) {
    const whole = headOf(seconds, asAttachment);
    assert.equal(whole.status, 200);
    assert.equal(whole.headers["cache-control"], `private, max-age=${seconds}`);
    assert.equal(whole.headers["content-disposition"], disposition);
    assert.equal(whole.headers["content-length"], "10");
    assert.equal(whole.headers["content-range"], undefined);
    const part = headOf(seconds, asAttachment, { range: "bytes=2-4" });
    assert.equal(part.status, 206);
    assert.deepEqual(part.headers, { ...whole.headers, "content-length": "3", "content-range": "bytes 2-4/10" });
    assert.equal(headOf(seconds, asAttachment, { "if-none-match": `"${asset.hash}"` }).status, 304);
  }
});

test("another record over the same bytes has a head of its own", () => {
  headOf(60, false);
  const other = headOf(60, false, {}, { ...asset, servedType: "application/zip", filePath: null });
  assert.equal(other.headers["content-disposition"], `attachment; filename="a1"`);
  assert.equal(other.headers["content-type"], "application/zip");
  assert.equal(other.headers["content-security-policy"], "sandbox; default-src 'none'");
});
