// Spec, Price badges, sentence by sentence, over HTTP against a whole app.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { handClock } from "../src/foundation/hand-clock.fixture.ts";
import { strongEtag } from "../src/foundation/http/etag.ts";
import { type AppAnswer, bearer, headerOf, listOf, memberOf, textOf } from "./support/app-client.ts";
import { aBadgeRow } from "./support/example-calls.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

const path = "/nodes/pricing/badges";
const cacheControl = "public, max-age=300, stale-while-revalidate=3600, stale-if-error=86400";

let apps: SandboxApps;
let app: TestApp;
before(async () => {
  apps = await sandboxApps();
  app = await apps.open();
});
after(() => apps.close());

const get = (query: string, headers: Readonly<Record<string, string>> = {}) =>
  app.call({ path: `${path}?${query}`, headers });
const mapFor = async (version: string, platform: string, from: TestApp = app) => {
  const answer = await from.call({ path: `${path}?app_version=${version}&platform=${platform}` });
  assert.equal(answer.status, 200, answer.text);
  const map = answer.json();
  assert.ok(typeof map === "object" && map !== null && !Array.isArray(map));
  return new Map<string, unknown>(Object.entries(map));
};
const admin = (request: Parameters<TestApp["call"]>[0], at: TestApp = app) =>
  at.call({ method: "POST", ...request, headers: { ...bearer(at.adminToken), ...request.headers } });

function assertRefused(answer: AppAnswer, what: string): void {
  assert.equal(answer.status, 400, `${what}: ${answer.text}`);
  assert.equal(headerOf(answer, "cache-control"), "no-store", what);
  assert.equal(headerOf(answer, "etag"), undefined, what);
  assert.deepEqual(Object.keys(Object(answer.json())), ["error", "message"], what);
}

describe("the map", () => {
  test("is read without authentication", async () => {
    assert.equal((await get("app_version=1.2.3&platform=local")).status, 200);
    assert.equal((await get("app_version=1.2.3&platform=local", bearer("letmein"))).status, 200);
  });

  test("maps node ids to badge objects with exactly engine, depends_on and expr, and never holds null", async () => {
    for (const platform of ["cloud", "local"]) {
      const map = await mapFor("1.2.3", platform);
      assert.ok(map.size >= 12, `${platform} shows ${map.size}`);
      for (const [node, badge] of map) {
        assert.ok(typeof badge === "object" && badge !== null, node);
        assert.deepEqual(Object.keys(badge).sort(), ["depends_on", "engine", "expr"], node);
        assert.equal(memberOf(badge, "engine"), "jsonata");
        assert.ok(textOf(badge, "expr").length > 0);
        assert.equal(Object.keys(Object(memberOf(badge, "depends_on"))).length, 3, node);
        for (const list of ["widgets", "inputs", "input_groups"]) listOf(badge, "depends_on", list);
      }
    }
  });

  test("is resolved for version and platform: some badges begin, end or differ", async () => {
    const texts = new Set<string>();
    for (const version of ["0.0.1", "1.2.3", "99.0.0"]) {
      for (const platform of ["cloud", "local"]) texts.add(JSON.stringify([...(await mapFor(version, platform))]));
    }
    assert.ok(texts.size >= 3, `${texts.size} different maps`);
  });

  test("omits the key of a node whose badge does not apply or has ended", async () => {
    const row = aBadgeRow();
    const made = await admin({ path: "/admin/badges", body: { ...row, until_version: "2.0.0", platforms: ["local"] } });
    assert.equal(made.status, 201, made.text);
    const has = async (version: string, platform: string) => (await mapFor(version, platform)).has(row.node_id);
    assert.deepEqual(
      [await has("0.9.9", "local"), await has("1.0.0", "local"), await has("1.9.9", "local")],
      [false, true, true],
    );
    assert.deepEqual(
      [await has("2.0.0", "local"), await has("nightly", "local"), await has("1.5.0", "cloud")],
      [false, false, false],
    );
    const ended = await admin({ path: `/admin/badges/${textOf(made.json(), "id")}/end`, body: {} });
    assert.equal(ended.status, 200, ended.text);
    assert.equal(await has("1.5.0", "local"), false);
  });
});

describe("app_version", () => {
  test("nightly and anything unparseable mean the latest", async () => {
    const latest = (await get("app_version=nightly&platform=local")).bytes;
    for (const text of [
      "latest",
      "1.2",
      "1.2.3.4",
      "v1.2.3",
      "1.2.3-beta",
      "%20",
      "1.2.x",
      "%F0%9F%98%80",
      "null",
      "-1.0.0",
      "1.2.3%20",
      "%00",
      "%zz",
    ]) {
      const answer = await get(`app_version=${text}&platform=local`);
      assert.equal(answer.status, 200, text);
      assert.deepEqual(answer.bytes, latest, text);
    }
    assert.deepEqual(
      (await get("app_version=999999999.0.0&platform=local")).bytes,
      latest,
      "the highest version is the latest",
    );
  });

  test("absent, empty or repeated is 400", async () => {
    for (const query of [
      "platform=local",
      "app_version=&platform=local",
      "app_version&platform=local",
      "app_version=1.2.3&app_version=1.2.3&platform=local",
    ]) {
      assertRefused(await get(query), query);
    }
  });
});

describe("platform", () => {
  test("is cloud or local, in lower case", async () => {
    for (const platform of ["moon", "Local", "CLOUD", "local%20", "cloud,local", "null", "1"]) {
      assertRefused(await get(`app_version=1.2.3&platform=${platform}`), platform);
    }
  });

  test("absent, empty or repeated is 400", async () => {
    for (const query of [
      "app_version=1.2.3",
      "app_version=1.2.3&platform=",
      "app_version=1.2.3&platform=local&platform=local",
    ]) {
      assertRefused(await get(query), query);
    }
    assertRefused(await app.call({ path }), "no query at all");
  });
});

test("other parameters are ignored", async () => {
  const plain = await get("app_version=1.2.3&platform=local");
  for (const extra of [
    "&a=1",
    "&a=1&a=2",
    "&APP_VERSION=9.9.9",
    "&platforms=cloud",
    "&=",
    "&&&",
    "&callback=alert(1)",
  ]) {
    const answer = await get(`app_version=1.2.3&platform=local${extra}`);
    assert.deepEqual([answer.status, headerOf(answer, "etag")], [200, headerOf(plain, "etag")], extra);
    assert.deepEqual(answer.bytes, plain.bytes, extra);
  }
});

describe("caching", () => {
  test("a successful answer carries Cache-Control and a strong ETag made from its bytes", async () => {
    for (const coding of ["identity", "gzip", "br"]) {
      const answer = await get("app_version=1.2.3&platform=local", { "accept-encoding": coding });
      assert.equal(headerOf(answer, "cache-control"), cacheControl);
      assert.equal(headerOf(answer, "etag"), strongEtag(answer.bytes));
      assert.equal(headerOf(answer, "vary"), "Accept-Encoding");
    }
  });

  test("compressed forms hold the same map", async () => {
    const ask = (coding: string) => get("app_version=1.2.3&platform=local", { "accept-encoding": coding });
    const [plain, zipped, brotli] = [await ask("identity"), await ask("gzip"), await ask("br")];
    assert.equal(headerOf(plain, "content-encoding"), undefined);
    assert.equal(headerOf(zipped, "content-encoding"), "gzip");
    assert.equal(headerOf(brotli, "content-encoding"), "br");
    assert.deepEqual(gunzipSync(zipped.bytes), plain.bytes);
    assert.deepEqual(brotliDecompressSync(brotli.bytes), plain.bytes);
  });

  test("If-None-Match that matches is 304 with ETag and Cache-Control and without a body", async () => {
    const etag = headerOf(await get("app_version=1.2.3&platform=local"), "etag") ?? "";
    for (const held of [etag, `W/${etag}`, `"other", ${etag}`, `"a",W/${etag} , "b"`, "*"]) {
      const answer = await get("app_version=1.2.3&platform=local", { "if-none-match": held });
      assert.equal(answer.status, 304, held);
      assert.equal(answer.bytes.length, 0, held);
      assert.deepEqual([headerOf(answer, "etag"), headerOf(answer, "cache-control")], [etag, cacheControl], held);
      assert.equal(headerOf(answer, "content-type"), undefined, held);
    }
    for (const held of ['"other"', etag.slice(1, -1), `${etag.slice(0, -1)}x"`, "", "W/", '"']) {
      assert.equal((await get("app_version=1.2.3&platform=local", { "if-none-match": held })).status, 200, held);
    }
  });

  test("an error is never answered with 304", async () => {
    assertRefused(await get("app_version=1.2.3&platform=moon", { "if-none-match": "*" }), "moon");
  });
});

test("HEAD answers as GET does, without the body", async () => {
  for (const query of ["app_version=1.2.3&platform=local", "app_version=1.2.3&platform=moon", "platform=local"]) {
    const [full, head] = [await get(query), await app.call({ method: "HEAD", path: `${path}?${query}` })];
    assert.deepEqual([head.status, head.bytes.length], [full.status, 0]);
    for (const name of ["etag", "cache-control", "content-length", "content-type"]) {
      assert.equal(headerOf(head, name), headerOf(full, name), `${name} of ${query}`);
    }
  }
});

test("any page may read the map and its ETag, and only this route is open", async () => {
  const origin = "https://studio.example";
  for (const query of ["app_version=1.2.3&platform=local", "platform=moon"]) {
    const answer = await get(query, { origin, "sec-fetch-site": "cross-site" });
    assert.equal(headerOf(answer, "access-control-allow-origin"), "*");
    assert.match(headerOf(answer, "access-control-expose-headers") ?? "", /\bETag\b/);
    assert.equal(headerOf(answer, "access-control-allow-credentials"), undefined);
  }
  const preflight = await app.call({
    method: "OPTIONS",
    path,
    headers: { origin, "access-control-request-method": "GET", "access-control-request-headers": "if-none-match" },
  });
  assert.equal(preflight.status, 204);
  assert.match(headerOf(preflight, "access-control-allow-headers") ?? "", /If-None-Match/);
  const other = await app.call({ path: "/health", headers: { origin } });
  assert.deepEqual([other.status, headerOf(other, "access-control-allow-origin")], [403, undefined]);
});

describe("an operator's write", () => {
  test("is served at once by this process, and a change changes the ETag", async () => {
    const row = aBadgeRow();
    const before = headerOf(await get("app_version=nightly&platform=cloud"), "etag");
    const made = await admin({ path: "/admin/badges", body: row });
    assert.equal(made.status, 201, made.text);
    assert.deepEqual((await mapFor("nightly", "cloud")).get(row.node_id), row.badge);
    assert.notEqual(headerOf(await get("app_version=nightly&platform=cloud"), "etag"), before);
    const id = textOf(made.json(), "id");
    const replaced = await admin({
      method: "PUT",
      path: `/admin/badges/${id}`,
      body: { ...row, badge: { ...row.badge, expr: '{"type": "text", "text": "ask us"}' } },
    });
    assert.equal(replaced.status, 200, replaced.text);
    assert.equal(
      textOf((await mapFor("nightly", "cloud")).get(row.node_id), "expr"),
      '{"type": "text", "text": "ask us"}',
    );
    assert.equal((await admin({ method: "DELETE", path: `/admin/badges/${id}` })).status, 204);
    assert.equal(headerOf(await get("app_version=nightly&platform=cloud"), "etag"), before, "equal maps, equal tags");
  });

  test("is served within two seconds by a second process on the same database", async () => {
    const clock = handClock(new Date());
    const second = await testApp({ beside: app, clock, env: { ATELIER_PROVIDERS: apps.file } });
    try {
      const row = aBadgeRow();
      const made = await admin({ path: "/admin/badges", body: row });
      assert.equal(made.status, 201, made.text);
      assert.equal((await mapFor("nightly", "local", second)).has(row.node_id), false, "nothing looked yet");
      await clock.advance(2000);
      // The lookup has begun; it ends as fast as the database answers.
      await until(async () => (await mapFor("nightly", "local", second)).has(row.node_id));
      const query = `${path}?app_version=nightly&platform=local`;
      const [here, there] = [await app.call({ path: query }), await second.call({ path: query })];
      assert.deepEqual([headerOf(there, "etag"), there.text], [headerOf(here, "etag"), here.text]);
    } finally {
      await second.close();
    }
  });

  test("of a broken badge is refused with code, position and reason, and nothing is stored", async () => {
    const etag = headerOf(await get("app_version=nightly&platform=local"), "etag");
    const broken: readonly [string, RegExp, boolean][] = [
      ['{"type": "usd", "usd": }', /^[A-Z]\d+|^\w+$/, true],
      ["$match(widgets.a, /(a+)+$/)", /./, true],
      ['{"type": "usd", "usd": $random()}', /./, true],
      ['$eval("1")', /./, true],
      ['{"type": "usd", "usd": widgets.unknown}', /./, true],
      ['{"type": "euro", "euro": 1}', /./, false],
      ['{"type": "usd", "usd": -1}', /./, false],
      ["(", /./, false],
    ];
    for (const [expr, code, hasPosition] of broken) {
      const answer = await admin({ path: "/admin/badges", body: aBadgeRow(undefined, expr) });
      assert.equal(answer.status, 400, `${expr}: ${answer.text}`);
      assert.equal(memberOf(answer.json(), "error"), "invalid_request");
      const findings = listOf(answer.json(), "details", "findings");
      const [first] = findings.filter((finding) => memberOf(finding, "severity") === "error");
      assert.match(textOf(first, "code"), code, expr);
      assert.ok(textOf(first, "message").length > 10, expr);
      if (hasPosition) assert.equal(typeof memberOf(first, "position"), "number", `${expr}: ${answer.text}`);
      assert.ok(textOf(answer.json(), "message").includes(textOf(first, "code")), "the message names the code");
    }
    assert.equal(headerOf(await get("app_version=nightly&platform=local"), "etag"), etag);
  });

  test("that would overlap another of its node is 409 and names it", async () => {
    const row = aBadgeRow();
    const made = await admin({ path: "/admin/badges", body: row });
    const again = await admin({ path: "/admin/badges", body: { ...row, from_version: "5.0.0" } });
    assert.equal(again.status, 409, again.text);
    assert.ok(again.text.includes(textOf(made.json(), "id")));
  });
});

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const giveUp = AbortSignal.timeout(60_000);
  while (!(await isTrue())) {
    giveUp.throwIfAborted();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
