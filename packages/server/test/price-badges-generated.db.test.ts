// 5,000 generated badge requests. A cache in front of us keys answers by URL and coding, so nothing else in a request may
// show in the bytes: equal version bucket, platform and coding, equal bytes and ETag. And nothing is ever 5xx.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sandboxModels } from "@atelier/sandbox";
import fc from "fast-check";
import { parseAppVersion, parseBoundary } from "../src/areas/price-badges/app-version.ts";
import { chooseCoding } from "../src/foundation/http/body/content-coding.ts";
import { strongEtag } from "../src/foundation/http/etag.ts";
import { type AppAnswer, type AppRequest, headerOf } from "./support/app-client.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import type { TestApp } from "./support/test-app.ts";

const requestCount = 5_000;
let apps: SandboxApps;
let app: TestApp;
before(async () => {
  apps = await sandboxApps();
  app = await apps.open({ logLevel: "warn" });
});
after(() => apps.close());

// A fresh server's badges are those of the sandbox's and the partners' prices.
const badges = sandboxModels
  .flatMap(({ nodes }) => nodes)
  .map((node) => ({
    platforms: node.platforms ?? (["cloud", "local"] as const),
    fromVersion: parseBoundary(node.from_version ?? "0.0.0") ?? assert.fail(),
    untilVersion: node.until_version === undefined ? null : parseBoundary(node.until_version),
  }));
const boundaries = badges.flatMap(({ fromVersion, untilVersion }) => [fromVersion, untilVersion ?? fromVersion]);
const near = fc.constantFrom(...boundaries).chain(([major, minor, patch]) =>
  fc.tuple(fc.integer({ min: -1, max: 1 }), fc.nat(2)).map(([shift, at]) => {
    const numbers = [major, minor, patch].map((number, position) =>
      position === at ? Math.max(0, number + shift) : number,
    );
    return numbers.join(".");
  }),
);
const version = fc.oneof(
  { weight: 4, arbitrary: near },
  { weight: 2, arbitrary: fc.tuple(fc.nat(30), fc.nat(30), fc.nat(99)).map((numbers) => numbers.join(".")) },
  { weight: 1, arbitrary: fc.constantFrom("nightly", "latest", "1.2", "01.02.03", "9".repeat(400), "1.2.3-rc.1") },
  { weight: 1, arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 20 }) },
);
const platform = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom("cloud", "local") },
  { weight: 1, arbitrary: fc.constantFrom("moon", "Cloud", "", "local ") },
  { weight: 1, arbitrary: fc.string({ maxLength: 8 }) },
);
// Percent-encoded more than needed, as some clients do.
const encoded = (text: string, harder: boolean) =>
  harder
    ? [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")
    : encodeURIComponent(text.isWellFormed() ? text : "\u{fffd}");
const junk = fc.array(
  fc.tuple(
    fc.constantFrom("a", "utm_source", "APP_VERSION", "platform[]", "__proto__", "%00", ""),
    fc.webQueryParameters(),
  ),
  { maxLength: 3 },
);
const headers = fc.record(
  {
    "accept-encoding": fc.constantFrom(
      "gzip",
      "br",
      "identity",
      "gzip, br;q=0.5",
      "*;q=0",
      "x-gzip",
      "deflate",
      "br;q=nonsense",
      "",
    ),
    "if-none-match": fc.constantFrom('"x"', "*", "W/", '"', 'W/"x", "y"', "own", "weak own", "listed own"),
    accept: fc.constantFrom("text/html", "application/json", "*/*;q=0"),
    "user-agent": fc.stringMatching(/^[ -~]{0,30}$/),
    cookie: fc.constantFrom("a=b", "atelier_session=x"),
    range: fc.constant("bytes=0-10"),
    authorization: fc.constantFrom("Bearer letmein", "Basic x"),
  },
  { requiredKeys: [] },
);

interface Request {
  readonly versions: readonly string[];
  readonly platforms: readonly string[];
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly method: string;
}

const mostlyOnce = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof(
    { weight: 12, arbitrary: value.map((one) => [one]) },
    { weight: 1, arbitrary: fc.array(value, { maxLength: 3 }) },
  );

const input: fc.Arbitrary<Request> = fc
  .record({
    versions: mostlyOnce(version),
    platforms: mostlyOnce(platform),
    harder: fc.boolean(),
    isSwapped: fc.boolean(),
    junk,
    headers,
    method: fc.constantFrom("GET", "GET", "GET", "HEAD"),
  })
  .map(({ versions, platforms, harder, isSwapped, junk: extra, ...rest }) => {
    const own = [
      ...versions.map((one) => `app_version=${encoded(one, harder)}`),
      ...platforms.map((one) => `platform=${encoded(one, harder)}`),
    ];
    const parts = [...(isSwapped ? own.reverse() : own), ...extra.map(([name, value]) => `${name}=${value}`)];
    return { versions, platforms, query: parts.join("&"), ...rest };
  });

// Which answer the request asks for. Null if it has to be refused.
function askedFor({ versions, platforms, headers: sent, query }: Request): string | null {
  const given = new URLSearchParams(query);
  const [text, ...more] = given.getAll("app_version");
  const [location, ...others] = given.getAll("platform");
  if (!text || more.length > 0 || others.length > 0 || (location !== "cloud" && location !== "local")) return null;
  assert.equal(versions.length * platforms.length, 1, "one of each was sent");
  const asked = parseAppVersion(text);
  const starts = bucketStarts.get(location) ?? [];
  // The latest is the highest bucket.
  const bucket = starts.filter((start) => asked === "latest" || isAtMost(start, asked)).length;
  return `${location} ${bucket} ${chooseCoding(sent["accept-encoding"] ?? "")}`;
}

type Version = readonly [number, number, number];
const isAtMost = (one: Version, other: Version) => (one[0] - other[0] || one[1] - other[1] || one[2] - other[2]) <= 0;
const bucketStarts = new Map<string, readonly Version[]>(
  (["cloud", "local"] as const).map((location) => {
    const rows = badges.filter(({ platforms }) => platforms.includes(location));
    const starts = rows.flatMap(({ fromVersion, untilVersion }) =>
      untilVersion ? [fromVersion, untilVersion] : [fromVersion],
    );
    return [location, [...new Map(starts.map((start) => [start.join("."), start])).values()]];
  }),
);

const seen = new Map<string, { etag: string; bytes: Buffer | null }>();

function requestOf({ query, headers: sent, method }: Request, key: string | null): AppRequest {
  const held = sent["if-none-match"];
  const known = (key === null ? undefined : seen.get(key)?.etag) ?? '"none"';
  const own = { own: known, "weak own": `W/${known}`, "listed own": `"a", W/"b",${known}` }[held ?? ""];
  return {
    method,
    path: `/nodes/pricing/badges?${query}`,
    headers: { ...sent, ...(own === undefined ? {} : { "if-none-match": own }) },
  };
}

function judge(request: AppRequest, key: string | null, answer: AppAnswer): void {
  const what = `${JSON.stringify(request)} → ${answer.status}`;
  if (key === null) {
    assert.equal(answer.status, 400, what);
    assert.equal(headerOf(answer, "cache-control"), "no-store", what);
    assert.equal(headerOf(answer, "etag"), undefined, what);
    return;
  }
  assert.ok(answer.status === 200 || answer.status === 304, what);
  const etag = headerOf(answer, "etag") ?? "";
  assert.match(headerOf(answer, "cache-control") ?? "", /^public, max-age=300/, what);
  if (answer.status === 304) {
    assert.ok(request.headers?.["if-none-match"], what);
    assert.equal(answer.bytes.length, 0, what);
    assert.equal(headerOf(answer, "content-length"), undefined, what);
  }
  const isWhole = answer.status === 200 && request.method === "GET";
  const first = seen.get(key) ?? { etag, bytes: null };
  assert.equal(etag, first.etag, `${what}: the ETag of ${key}`);
  if (isWhole) {
    assert.equal(etag, strongEtag(answer.bytes), what);
    if (first.bytes) assert.ok(answer.bytes.equals(first.bytes), `${what}: the bytes of ${key}`);
  }
  seen.set(key, { ...first, bytes: first.bytes ?? (isWhole ? answer.bytes : null) });
}

test("5,000 generated requests: none is 5xx, and equal version bucket, platform and coding mean equal bytes and ETag", async () => {
  const requests = fc.sample(input, { numRuns: requestCount, seed: 20_261_115 });
  const statuses = new Map<number, number>();
  for (let at = 0; at < requests.length; at += 50) {
    await Promise.all(
      requests.slice(at, at + 50).map(async (each) => {
        const key = askedFor(each);
        const request = requestOf(each, key);
        const answer = await app.call(request);
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        judge(request, key, answer);
      }),
    );
  }
  assert.deepEqual([...statuses.keys()].sort(), [200, 304, 400]);
  assert.ok(
    [...statuses.values()].every((count) => count > 200),
    JSON.stringify([...statuses]),
  );
  assert.ok(seen.size > 12, `${seen.size} different answers were met`);
  const plain = [...seen].filter(([key]) => key.endsWith(" identity") && key.startsWith("local "));
  assert.ok(new Set(plain.map(([, { etag }]) => etag)).size > 2, "buckets differ");
  assert.deepEqual(
    app.logged.filter((line) => line.includes('"level":"error"')),
    [],
  );
});
