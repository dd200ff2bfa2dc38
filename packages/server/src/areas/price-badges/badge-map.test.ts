import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fc from "fast-check";
import type { PreparedAnswer, PreparedAnswers } from "../../foundation/http/prepared-answers.ts";
import { buildBadgeMap } from "./badge-map.ts";
import { anyRows, anyVersion, badgeRow } from "./generated-rows.test.ts";

const cacheControl = "public, max-age=7";
const bytesOf = ({ full }: PreparedAnswer): Buffer => Buffer.from(full.body instanceof Uint8Array ? full.body : "");
const plain = (answers: PreparedAnswers) => bytesOf(answers.identity).toString();

const many = Array.from({ length: 30 }, (_, at) => badgeRow({ nodeId: `Node${at}` }));

test("every coding holds the same map, has a strong ETag of its own and says what it varies on", async () => {
  const answers = (await buildBadgeMap(many, cacheControl)).find("latest", "cloud");
  const text = plain(answers);
  assert.equal(gunzipSync(bytesOf(answers.gzip)).toString(), text);
  assert.equal(brotliDecompressSync(bytesOf(answers.br)).toString(), text);
  assert.equal(new Set([answers.identity.etag, answers.gzip.etag, answers.br.etag]).size, 3);
  for (const coding of ["identity", "gzip", "br"] as const) {
    const { etag, full, notModified } = answers[coding];
    assert.match(etag, /^"[!#-~]+"$/);
    assert.equal(full.status, 200);
    assert.equal(full.headers?.["etag"], etag);
    assert.equal(full.headers?.["cache-control"], cacheControl);
    assert.equal(full.headers?.["vary"], "Accept-Encoding");
    assert.equal(full.headers?.["content-encoding"], coding === "identity" ? undefined : coding);
    assert.equal(full.headers?.["content-length"], String(bytesOf(answers[coding]).byteLength));
    assert.equal(notModified.status, 304);
    assert.equal(notModified.body, undefined);
    assert.deepEqual(notModified.headers, { "cache-control": cacheControl, etag, vary: "Accept-Encoding" });
  }
});

test("an empty table gives an empty map, plain in every coding", async () => {
  const answers = (await buildBadgeMap([], cacheControl)).find([1, 2, 3], "local");
  assert.equal(plain(answers), "{}");
  assert.equal(answers.br, answers.identity);
  assert.equal(answers.gzip, answers.identity);
});

test("ids that mean something to JavaScript are keys like any other", async () => {
  const ids = ["constructor", "__proto__", "toString", "10", "9", 'quo"ted', "Zoë"];
  const map = await buildBadgeMap(
    ids.map((nodeId) => badgeRow({ nodeId })),
    cacheControl,
  );
  const text = plain(map.find("latest", "cloud"));
  const keys = [...text.matchAll(/"((?:[^"\\]|\\.)*)":\{"engine"/g)].map(([, key]) => JSON.parse(`"${key}"`));
  assert.deepEqual(keys, [...ids].sort());
  const read: unknown = JSON.parse(text);
  assert.ok(typeof read === "object" && read !== null);
  for (const id of ids) assert.ok(Object.hasOwn(read, id));
});

test("two builds of one table, in whatever order its rows come, give equal bytes and ETags", async () => {
  await fc.assert(
    fc.asyncProperty(anyRows, anyVersion, async (rows, version) => {
      const [one, other] = await Promise.all([
        buildBadgeMap(rows, cacheControl),
        buildBadgeMap([...rows].reverse(), cacheControl),
      ]);
      for (const platform of ["cloud", "local"] as const) {
        for (const coding of ["identity", "gzip", "br"] as const) {
          const [left, right] = [one.find(version, platform)[coding], other.find(version, platform)[coding]];
          assert.equal(left.etag, right.etag);
          assert.deepEqual(bytesOf(left), bytesOf(right));
        }
      }
    }),
    { numRuns: 15 },
  );
});

test("every body is a JSON object whose values are objects, never null", async () => {
  await fc.assert(
    fc.asyncProperty(anyRows, anyVersion, async (rows, version) => {
      const read: unknown = JSON.parse(plain((await buildBadgeMap(rows, cacheControl)).find(version, "local")));
      assert.ok(typeof read === "object" && read !== null && !Array.isArray(read));
      for (const badge of Object.values(read)) assert.equal(typeof badge === "object" && badge !== null, true);
    }),
    { numRuns: 50 },
  );
});
