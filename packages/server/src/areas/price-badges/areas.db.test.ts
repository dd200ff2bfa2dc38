// Price badges over a real socket, with badges of prices: what a client and the caches in between see.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { BadgeMap as BadgeMapSchema, GenericError } from "@atelier/contract";
import { request } from "undici";
import { serveAreas } from "../../../test/support/small-server.ts";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { type PricedUse, priceOf } from "../../capabilities/prices/index.ts";
import { hostsOf } from "../../foundation/http/loopback-guard.ts";
import type { RunningServer } from "../../foundation/http/serve.ts";
import { requireValid } from "../../foundation/json/schema.ts";
import { priceBadges } from "./areas.ts";
import { type BadgeMaps, createBadgeMaps } from "./badge-maps.ts";
import { pricedRows } from "./priced-rows.ts";

const decidedFreshness = "public, max-age=300, stale-while-revalidate=3600, stale-if-error=86400";

// As many as a fresh server shows, some of them for some versions only.
const names = ["PartnerARelightNode", ...Array.from({ length: 15 }, (_, at) => `Priced${at}Node`)];
const uses = names.map(
  (name, at): PricedUse => ({
    subject: `model:example/${at}`,
    price: priceOf({ usd: `0.${at + 1}` }, 211),
    node: { name, ...(at < 14 ? {} : { from_version: `1.${at}.0` }) },
  }),
);

describe("GET /nodes/pricing/badges", () => {
  let database: TestDatabase;
  let maps: BadgeMaps;
  let server: RunningServer;

  before(async () => {
    database = await testDatabase();
    maps = createBadgeMaps({ database, cacheControl: decidedFreshness });
    await maps.start();
    await maps.follow(pricedRows(uses).rows);
    server = await serveAreas([priceBadges({ maps })], {
      policy: (port) => ({
        hosts: new Set(hostsOf(["127.0.0.1"], port)),
        origins: new Set(),
        openPaths: new Set(["/nodes/pricing/badges"]),
      }),
    });
  });
  after(async () => {
    await server.stop(1);
    await database.close();
  });

  async function get(query: string, headers: Readonly<Record<string, string>> = {}, method: "GET" | "HEAD" = "GET") {
    const answer = await request(`http://127.0.0.1:${server.port}/nodes/pricing/badges?${query}`, { method, headers });
    return { status: answer.statusCode, headers: answer.headers, body: Buffer.from(await answer.body.arrayBuffer()) };
  }

  const usual = "app_version=1.2.3&platform=local";

  test("200: badge objects by node id, with ETag, Cache-Control, open CORS and no credential asked for", async () => {
    const { status, headers, body } = await get(usual, { origin: "https://anywhere.example" });
    assert.equal(status, 200);
    const map = requireValid(BadgeMapSchema, JSON.parse(body.toString()));
    assert.ok(Object.keys(map).length >= 14);
    assert.equal(map["PartnerARelightNode"]?.engine, "jsonata");
    assert.equal(headers["cache-control"], decidedFreshness);
    assert.match(String(headers["etag"]), /^"[^"]+"$/);
    assert.equal(headers["access-control-allow-origin"], "*");
    assert.match(String(headers["access-control-expose-headers"]), /\bETag\b/);
    assert.match(String(headers["content-type"]), /^application\/json/);
    assert.equal(headers["vary"], "Accept-Encoding");
    assert.ok(headers["x-service-request-id"]);
  });

  test("200: compressed forms hold the same map under ETags of their own", async () => {
    const [plain, zipped, brotli] = await Promise.all([
      get(usual),
      get(usual, { "accept-encoding": "gzip" }),
      get(usual, { "accept-encoding": "gzip, br" }),
    ]);
    assert.deepEqual([zipped.headers["content-encoding"], brotli.headers["content-encoding"]], ["gzip", "br"]);
    assert.deepEqual(gunzipSync(zipped.body), plain.body);
    assert.deepEqual(brotliDecompressSync(brotli.body), plain.body);
    assert.equal(new Set([plain, zipped, brotli].map(({ headers }) => headers["etag"])).size, 3);
  });

  test("200: nightly equals the latest, and another version may see other badges", async () => {
    const [nightly, newest, usualMap] = await Promise.all(
      ["nightly", "99.9.9", "1.2.3"].map((version) => get(`app_version=${version}&platform=local`)),
    );
    assert.deepEqual(nightly?.body, newest?.body);
    assert.notDeepEqual(nightly?.body, usualMap?.body);
  });

  test("HEAD: the headers of the GET and no body", async () => {
    const [head, full] = await Promise.all([get(usual, {}, "HEAD"), get(usual)]);
    assert.equal(head.status, 200);
    assert.equal(head.body.byteLength, 0);
    for (const name of ["etag", "cache-control", "content-length", "content-type", "vary"]) {
      assert.equal(head.headers[name], full.headers[name], name);
    }
  });

  test("304: a matching If-None-Match is answered with ETag and Cache-Control and without a body", async () => {
    const { headers } = await get(usual);
    const answer = await get(usual, { "if-none-match": `W/"other", ${String(headers["etag"])}` });
    assert.equal(answer.status, 304);
    assert.equal(answer.body.byteLength, 0);
    assert.equal(answer.headers["etag"], headers["etag"]);
    assert.equal(answer.headers["cache-control"], decidedFreshness);
  });

  test("400: missing, empty, repeated and unknown parameters get the generic body and are not cacheable", async () => {
    for (const query of [
      "",
      "app_version=1.2.3",
      "app_version=&platform=local",
      `${usual}&platform=cloud`,
      "app_version=1.2.3&platform=moon",
    ]) {
      const { status, headers, body } = await get(query);
      assert.equal(status, 400, query);
      assert.equal(headers["cache-control"], "no-store");
      assert.equal(headers["etag"], undefined);
      const { error, message } = requireValid(GenericError, JSON.parse(body.toString()));
      assert.equal(error, "invalid_request");
      assert.match(message, /app_version|platform/);
    }
  });
});
