// The headers of an answer match the current request, no matter how often the same record was requested before.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { DirectRead } from "../blobs/index.ts";
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
  directUrl: null,
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

describe("callers that may read at the store", () => {
  const asked: DirectRead[] = [];
  const atStore = {
    ...blobs,
    directUrl: async (_hash: string, read: DirectRead) => {
      asked.push(read);
      return "https://store.example/x";
    },
  };
  const answered = async (
    record: ServedBytes,
    { directSeconds, headers = {} }: { directSeconds?: number; headers?: ContentRequest["headers"] },
  ) => {
    const rules = { cacheControl: "private", asAttachment: false, ...(directSeconds ? { directSeconds } : {}) };
    const answer = await answerContent(atStore, record, { method: "GET", headers }, rules);
    assert.ok("status" in answer);
    return answer;
  };
  const film = { ...asset, servedType: "video/mp4", filePath: "film.mp4" };
  const page = { ...asset, servedType: "application/octet-stream", filePath: "page.html" };

  test("are sent there for no longer than their address works, films for as long as one lasts, and no cache keeps it", async () => {
    for (const [record, directSeconds, seconds, kind] of [
      [asset, 20_000, 60, "inline"],
      [asset, 12.9, 12, "inline"],
      [film, 20_000, 3600, "inline"],
      [film, 100, 100, "inline"],
      [page, 20_000, 60, "attachment"],
    ] as const) {
      const { status, headers } = await answered(record, { directSeconds });
      assert.deepEqual(
        [status, headers?.["location"], headers?.["cache-control"]],
        [302, "https://store.example/x", "no-store"],
      );
      const read = asked.pop();
      assert.deepEqual([read?.seconds, read?.contentType], [seconds, record.servedType]);
      assert.ok(read?.contentDisposition.startsWith(`${kind}; filename=`));
    }
  });

  test("are those without a credential, without a page's script, and whose text is not shown", async () => {
    const text = { ...asset, servedType: "text/plain; charset=utf-8", filePath: "a.txt" };
    const directSeconds = 100;
    const cases = [
      answered(asset, { directSeconds, headers: { origin: "https://studio.example" } }),
      answered(asset, { directSeconds, headers: { authorization: "Bearer x" } }),
      answered(asset, { directSeconds, headers: { "x-api-key": "x" } }),
      answered(asset, { directSeconds, headers: { cookie: "a=b" } }),
      answered(asset, { directSeconds: 0.9 }),
      answered(asset, {}),
      answered(text, { directSeconds }),
    ];
    assert.deepEqual(
      (await Promise.all(cases)).map(({ status }) => status),
      cases.map(() => 200),
    );
    assert.deepEqual(asked, []);
  });

  test("get 304 and 416 from the server itself", async () => {
    const unchanged = await answered(asset, { directSeconds: 9, headers: { "if-none-match": `"${asset.hash}"` } });
    assert.equal(unchanged.status, 304);
    const rules = { cacheControl: "private", asAttachment: false, directSeconds: 9 };
    const request = { method: "GET", headers: { range: "bytes=10-" } } as const;
    assert.deepEqual(await answerContent(atStore, asset, request, rules), { contentRange: "bytes */10" });
    assert.deepEqual(asked, []);
  });
});
