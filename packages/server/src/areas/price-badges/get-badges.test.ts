// The endpoint as the route answers it. The HTTP entrance (HEAD, CORS, no-store on errors) has its own tests.
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { before, describe, test } from "node:test";
import fc from "fast-check";
import { Fault } from "../../foundation/fault.ts";
import type { Answer, BytesAnswer, Incoming } from "../../foundation/http/area.ts";
import { newRequestId } from "../../foundation/ids.ts";
import { parseAppVersion } from "./app-version.ts";
import { type BadgeMap, buildBadgeMap } from "./badge-map.ts";
import { badgeRow } from "./generated-rows.test.ts";
import { getBadgesRoute } from "./get-badges.route.ts";
import { bucketIndex, groupByVersion } from "./resolve-badge.ts";

const rows = [
  ...Array.from({ length: 20 }, (_, at) => badgeRow({ nodeId: `Always${at}` })),
  badgeRow({ nodeId: "Old", untilVersion: [1, 2, 0] }),
  badgeRow({ nodeId: "New", fromVersion: [1, 3, 0] }),
  badgeRow({ nodeId: "Changing", fromVersion: [1, 0, 0], untilVersion: [2, 0, 0], badgeText: '{"expr":"1"}' }),
  badgeRow({ nodeId: "Changing", fromVersion: [2, 0, 0], badgeText: '{"expr":"2"}' }),
  badgeRow({ nodeId: "OnlyCloud", platforms: ["cloud"] }),
  badgeRow({ nodeId: "Ended", ended: true }),
];

let map: BadgeMap;
before(async () => {
  map = await buildBadgeMap(rows, "public, max-age=300");
});

function incoming(queryText: string, headers: Readonly<Record<string, string>> = {}): Incoming<unknown> {
  return {
    requestId: newRequestId(),
    method: "GET",
    path: "/nodes/pricing/badges",
    queryText,
    headers,
    rawHeaders: [],
    peer: "127.0.0.1",
    caller: null,
    params: {},
    query: new URLSearchParams(queryText),
    signal: new AbortController().signal,
    waitSignal: new AbortController().signal,
    bytes: async () => Buffer.alloc(0),
    json: async () => null,
    stream: Readable.from([]),
    waitsForOthers: () => undefined,
  };
}

const route = getBadgesRoute({ maps: { current: () => map } });

function get(queryText: string, headers: Readonly<Record<string, string>> = {}): BytesAnswer {
  const answer: Answer | Promise<Answer> = route.handle(incoming(queryText, headers));
  assert.ok("status" in answer, "answered at once, with bytes");
  return answer;
}

function nodesOf(answer: BytesAnswer): string[] {
  assert.ok(answer.body instanceof Uint8Array);
  return Object.keys(JSON.parse(Buffer.from(answer.body).toString()));
}

function refusal(queryText: string): Fault {
  try {
    get(queryText);
  } catch (thrown) {
    assert.ok(thrown instanceof Fault);
    return thrown;
  }
  throw assert.fail(`${queryText} was answered`);
}

describe("200", () => {
  test("the map is resolved for the client's version and platform", () => {
    const nodes = nodesOf(get("app_version=1.2.3&platform=local"));
    assert.ok(nodes.includes("Always0") && nodes.includes("Changing"));
    assert.ok(
      !nodes.includes("Old") && !nodes.includes("New") && !nodes.includes("OnlyCloud") && !nodes.includes("Ended"),
    );
    assert.ok(nodesOf(get("app_version=1.1.9&platform=cloud")).includes("OnlyCloud"));
  });

  test("nightly and an unparseable version are answered as the latest", () => {
    const latest = get("app_version=99.0.0&platform=cloud");
    for (const version of ["nightly", "v1.2.3", "1.2", "unknown", "%F0%9F%92%A9", "1.2.3-beta"]) {
      assert.equal(get(`app_version=${version}&platform=cloud`), latest);
    }
  });

  test("an encoded version is the same version", () => {
    assert.equal(get("app_version=1%2E2%2e3&platform=%6Cocal"), get("platform=local&app_version=1.2.3"));
  });

  test("other parameters are ignored and never part of the answer", () => {
    const answer = get("app_version=1.2.3&platform=local");
    assert.equal(get("x=1&app_version=1.2.3&callback=evil&platform=local&platform2=cloud&APP_VERSION=9.9.9"), answer);
  });
});

describe("304", () => {
  const query = "app_version=1.2.3&platform=local";
  const etagOf = (headers: Readonly<Record<string, string>> = {}) => String(get(query, headers).headers?.["etag"]);

  test("a matching ETag is answered without a body, in every form of the header", () => {
    const etag = etagOf();
    for (const held of [etag, `W/${etag}`, `"x", ${etag}`, `"x" ,W/"y",${etag}`, "*"]) {
      const answer = get(query, { "if-none-match": held });
      assert.equal(answer.status, 304, held);
      assert.equal(answer.body, undefined);
      assert.equal(answer.headers?.["etag"], etag);
      assert.ok(answer.headers?.["cache-control"]);
    }
  });

  test("any other ETag gets the map", () => {
    const etag = etagOf();
    for (const held of ['"x"', etag.slice(0, -1), etag.replaceAll('"', ""), `x${etag}`, "", "W/*"]) {
      assert.equal(get(query, { "if-none-match": held }).status, 200, held);
    }
  });

  test("the ETag of one coding does not match another", () => {
    const zipped = { "accept-encoding": "gzip" };
    assert.notEqual(etagOf(zipped), etagOf());
    assert.equal(get(query, { ...zipped, "if-none-match": etagOf() }).status, 200);
    assert.equal(get(query, { ...zipped, "if-none-match": etagOf(zipped) }).status, 304);
  });
});

describe("400", () => {
  const refused: readonly [string, RegExp][] = [
    ["", /app_version is missing/],
    ["platform=local", /app_version is missing/],
    ["app_version=&platform=local", /app_version is empty/],
    ["app_version=1.2.3&app_version=1.2.3&platform=local", /app_version .* once/],
    ["app_version=1.2.3", /platform is missing/],
    ["app_version=1.2.3&platform=", /platform is empty/],
    ["app_version=1.2.3&platform=local&platform=local", /platform .* once/],
    ["app_version=1.2.3&platform=moon", /cloud and local/],
    ["app_version=1.2.3&platform=Local", /cloud and local/],
    ["app_version=1.2.3&platform=constructor", /cloud and local/],
  ];
  for (const [query, why] of refused) {
    test(`?${query} is refused with what to send`, () => {
      const fault = refusal(query);
      assert.equal(fault.code, "invalid_request");
      assert.match(fault.message, why);
    });
  }
});

test("before the first map is built the answer is a Fault of 500", () => {
  const waiting = getBadgesRoute({
    maps: {
      current: () => {
        throw new Fault("internal_error", "not yet");
      },
    },
  });
  assert.throws(() => waiting.handle(incoming("app_version=1.2.3&platform=local")), Fault);
});

test("5,000 generated requests: only 200, 304 and 400, and an equal version bucket and platform means equal bytes and ETag", () => {
  const value = fc.oneof(
    fc.constantFrom(
      "1.2.3",
      "1.2.4",
      "1.3.0",
      "0.9.0",
      "2.0.0",
      "nightly",
      "v1",
      "",
      "cloud",
      "local",
      "moon",
      "%",
      "%zz",
    ),
    fc.tuple(fc.nat(3), fc.nat(4), fc.nat(9)).map((numbers) => numbers.join(".")),
    fc.string({ unit: "binary", maxLength: 12 }).map(encodeURIComponentSafely),
    fc.string({ maxLength: 12 }),
  );
  const name = fc.oneof(
    { arbitrary: fc.constantFrom("app_version", "platform"), weight: 8 },
    { arbitrary: fc.constantFrom("x", "__proto__", "callback", "app_version[]", ""), weight: 1 },
  );
  const usual = fc.tuple(value, fc.constantFrom("cloud", "local")).map(([v, p]) => `app_version=${v}&platform=${p}`);
  const odd = fc
    .array(
      fc.tuple(name, value).map(([n, v]) => `${n}=${v}`),
      { maxLength: 5 },
    )
    .map((parts) => parts.join("&"));
  const coding = fc.constantFrom(undefined, "gzip", "br", "gzip, deflate, br", "*;q=0", "identity;q=0");
  const seen = new Map<string, BytesAnswer>();
  const statuses = new Set<number>();
  fc.assert(
    fc.property(
      fc.oneof(usual, usual, odd),
      coding,
      fc.constantFrom(undefined, "*", '"x"'),
      (query, accepted, held) => {
        let answer: BytesAnswer;
        try {
          answer = get(query, {
            ...(accepted === undefined ? {} : { "accept-encoding": accepted }),
            ...(held === undefined ? {} : { "if-none-match": held }),
          });
        } catch (thrown) {
          assert.ok(thrown instanceof Fault && thrown.code === "invalid_request", String(thrown));
          statuses.add(thrown.status);
          return;
        }
        statuses.add(answer.status);
        const key = `${bucketKey(query)} ${accepted} ${answer.status}`;
        const before = seen.get(key) ?? answer;
        seen.set(key, before);
        assert.equal(answer.headers?.["etag"], before.headers?.["etag"]);
        assert.ok(sameBytes(answer.body, before.body));
      },
    ),
    { numRuns: 5000 },
  );
  assert.deepEqual([...statuses].sort(), [200, 304, 400]);
  assert.ok(seen.size > 20);
});

const boundaries = {
  cloud: groupByVersion(rows, "cloud").boundaries,
  local: groupByVersion(rows, "local").boundaries,
};

function sameBytes(one: BytesAnswer["body"], other: BytesAnswer["body"]): boolean {
  if (one instanceof Uint8Array && other instanceof Uint8Array) return Buffer.compare(one, other) === 0;
  return one === undefined && other === undefined;
}

function bucketKey(queryText: string): string {
  const query = new URLSearchParams(queryText);
  const platform = query.get("platform") === "cloud" ? "cloud" : "local";
  return `${platform} ${bucketIndex(boundaries[platform], parseAppVersion(query.get("app_version") ?? ""))}`;
}

function encodeURIComponentSafely(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
