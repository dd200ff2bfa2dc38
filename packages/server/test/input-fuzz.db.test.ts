// No input breaks the server: up to 20,000 requests generated from the mounted operations (valid, at the bounds,
// mutated), with junk in headers and queries. Nothing is 5xx, nothing is thrown past the HTTP entrance, and every answer
// is declared.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Operation } from "@atelier/contract";
import fc from "fast-check";
import { answerChecker, type CheckAnswer } from "./support/answer-checker.ts";
import { type AppAnswer, type AppRequest, bearer } from "./support/app-client.ts";
import { callerFor, mountedIn } from "./support/app-operations.ts";
import { addTenant, owner, raiseRates, type Tenant } from "./support/app-people.ts";
import { badgeRowIds, exampleCalls } from "./support/example-calls.ts";
import { bodyText, pathText, queryText } from "./support/generated-input.ts";
import { type ScriptedPartner, scriptedPartner } from "./support/scripted-partner.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

// All of them in `npm run test:long -- inputs`.
const requestCount = process.env["ATELIER_TEST_LONG"] ? 20_000 : 3_000;
// A busy machine sends fewer. They are mixed, so the first ones are representative.
const secondsMax = 20;
const requestsMin = 1_000;
const inFlight = 32;

let app: TestApp;
let person: Tenant;
let check: CheckAnswer;
let mounted: readonly Operation[];
let partner: ScriptedPartner;
const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);

before(async () => {
  process.on("unhandledRejection", note);
  process.on("uncaughtExceptionMonitor", note);
  partner = await scriptedPartner();
  app = await testApp({ logLevel: "warn", env: { ...partner.env }, credentials: partner.credentials });
  person = await owner(app);
  check = answerChecker(JSON.parse((await app.call({ path: "/openapi.json" })).text));
  mounted = await mountedIn(app);
  await raiseRates(app, app.workspaceId);
});
after(async () => {
  process.off("unhandledRejection", note);
  process.off("uncaughtExceptionMonitor", note);
  await app.close();
  await partner.close();
});

// Checking a badge takes a child process, and documents and the lists that this test fills are large: those are asked for
// less often, and the public read more often.
const weights: Readonly<Record<string, number>> = {
  getBadges: 40,
  // A whole backup, restored and checked.
  beginBackup: 1,
  createBadgeRow: 2,
  replaceBadgeRow: 2,
  tryBadge: 2,
  getDocs: 1,
  listGuides: 1,
  getGuide: 1,
  getOpenApi: 1,
  getRegistryOpenApi: 1,
  getMetrics: 2,
  showApiKeys: 2,
  listAdminTokens: 2,
  listWorkspaces: 3,
  listMembers: 3,
  signOut: 0,
};

// Existing ids, so that some requests reach the operation itself.
async function knownIds(): Promise<Readonly<Record<string, readonly string[]>>> {
  const guest = await addTenant(app, "Guest");
  return {
    badgeRowId: (await badgeRowIds(app)).slice(0, 3),
    keyId: [guest.keyId],
    workspaceId: [app.workspaceId, guest.workspaceId],
    personId: [guest.personId],
    tokenId: ["environment"],
    name: ["jobs", "keys", "concurrency"],
  };
}

const junkHeaders = fc.dictionary(
  fc.constantFrom(
    "accept",
    "accept-encoding",
    "if-none-match",
    "range",
    "x-service-job-id",
    "idempotency-key",
    "x-junk",
    "cookie",
  ),
  fc.oneof(
    fc.stringMatching(/^[ -~]{0,40}$/),
    fc.constantFrom("*", '"', "W/", "bytes=0-", ",,,", "gzip;q=9", "a=b; c"),
  ),
  { maxKeys: 3 },
);

function requestsFor(operation: Operation, ids: Readonly<Record<string, readonly string[]>>): fc.Arbitrary<AppRequest> {
  const good = callerFor(operation, app, person);
  // Not the owner's own key: it would be revoked, renamed or throttled half way through, and each malformed credential
  // uses up a budget.
  const caller = fc.oneof(
    { weight: 12, arbitrary: fc.constant(good) },
    {
      weight: 1,
      arbitrary: fc.constantFrom({}, bearer("letmein"), { "x-api-key": "service-x" }, bearer(app.adminToken)),
    },
  );
  return fc
    .record({
      path: pathText(operation, ids),
      query: queryText(operation),
      body: bodyText(operation),
      caller,
      junk: junkHeaders,
      type: fc.oneof(
        { weight: 9, arbitrary: fc.constant(operation.body?.contentType ?? "application/json") },
        {
          weight: 1,
          arbitrary: fc.constantFrom(
            "text/plain",
            "application/json; charset=utf-8",
            "application/JSON",
            ";",
            "multipart/form-data",
          ),
        },
      ),
    })
    .map(({ path, query, body, caller: who, junk, type }) => ({
      method: operation.method,
      path: query === "" ? path : `${path}?${query}`,
      headers: { ...junk, ...who, ...(body === null ? {} : { "content-type": type }) },
      ...(body === null ? {} : { body }),
    }));
}

// 405 and the like come from the HTTP entrance: a mutated path may name another operation or none.
function judge(operation: Operation, request: AppRequest, answer: AppAnswer): void {
  const what = `${request.method} ${request.path} ${JSON.stringify(request.headers)} ${String(request.body).slice(0, 500)}`;
  assert.ok(answer.status < 500, `${what} → ${answer.status} ${answer.text}`);
  if (!answersFor(operation, request.path)) return;
  try {
    check(operation, answer);
  } catch (thrown) {
    throw new Error(what, { cause: thrown });
  }
}

// Whether the router matches this operation for the path: each parameter is filled, and all percent-encoding is valid.
function answersFor(operation: Operation, target: string): boolean {
  const path = target.split("?")[0] ?? "";
  const segments = path.split("/");
  const pattern = operation.path.split("/");
  if (segments.length !== pattern.length || /%(?![0-9a-f]{2})/i.test(path)) return false;
  const isFixedElsewhere = mounted.some((other) => other.path === path && other.path !== operation.path);
  return (
    !isFixedElsewhere &&
    pattern.every((part, at) => (part.startsWith("{") ? segments[at] !== "" : part === segments[at]))
  );
}

// Each of these once broke a promise.
test("earlier findings stay fixed", async () => {
  const admin = bearer(app.adminToken);
  for (const operation of mounted.filter(({ method }) => method !== "GET")) {
    const path = operation.path.replaceAll(/\{\w+\}/g, "x");
    // The framework itself answered a content type it could not read, before the caller was known.
    for (const type of [";", "text", "a/b/c", "application/json;;", "\t"]) {
      const headers = { "content-type": type };
      const stranger = await app.call({ method: operation.method, path, headers, body: "{}" });
      judge(operation, { method: operation.method, path, headers }, stranger);
      if (operation.access !== "public") assert.equal(stranger.status, 401, `${operation.id} with ${type}`);
      const known = { ...headers, ...callerFor(operation, app, person) };
      if (operation.id === "signOut") continue;
      judge(
        operation,
        { method: operation.method, path },
        await app.call({ method: operation.method, path, headers: known, body: "{}" }),
      );
    }
  }
  const elsewhere = await app.call({ method: "POST", path: "/nowhere", headers: { "content-type": ";" }, body: "{}" });
  assert.deepEqual([elsewhere.status, Object.keys(Object(elsewhere.json()))], [404, ["error", "message"]]);
  // PostgreSQL has no NUL.
  for (const path of ["/admin/badges?node_id=%00", "/admin/badges?cursor=%00", "/admin/audit?action=%00&cursor=%00"]) {
    assert.equal((await app.call({ path, headers: admin })).status, 400, path);
  }
});

// A NUL or half a surrogate pair passes JSON and most schemas, but no database stores it.
test("text that cannot be stored breaks nothing, anywhere in a path, a query or a body", async () => {
  const failures: string[] = [];
  // One admin example lowers the limit.
  const raiseQueue = async () => {
    const path = `/admin/workspaces/${app.workspaceId}/limits/jobs`;
    await app.call({ method: "PUT", path, headers: bearer(app.adminToken), body: { value: 100_000 } });
  };
  let tagBefore = "";
  const tryOut = async (operation: Operation, request: AppRequest) => {
    const answer = await app.call(request);
    if (answer.status >= 500) failures.push(`${operation.id} ${request.path} ${JSON.stringify(request.body)}`);
  };
  for (const operation of mounted.filter(({ id }) => id !== "signOut")) {
    const { method } = operation;
    const headers = callerFor(operation, app, person);
    for (const [location] of operation.path.matchAll(/\{\w+\}/g)) {
      const rest = operation.path.replace(location, "%00").replaceAll(/\{\w+\}/g, "x");
      await tryOut(operation, { method, path: rest, headers, ...(method === "GET" ? {} : { body: {} }) });
    }
    const example = exampleCalls[operation.id];
    assert.ok(example);
    if (operation.tag !== tagBefore) await raiseQueue();
    tagBefore = operation.tag;
    const made = await example.make({ app, owner: person });
    const path = made.path.split("?")[0] ?? "";
    for (const name of Object.keys(operation.query?.properties ?? {}))
      for (const text of ["%00", "a%00", "%ED%A0%80"])
        await tryOut(operation, { ...made, path: `${path}?${name}=${text}` });
    for (const body of unstorableForms(made.body)) await tryOut(operation, { ...made, body });
  }
  assert.deepEqual(failures, []);
});

// The body with one of its texts, at any depth, replaced.
function* unstorableForms(value: unknown): Generator<object> {
  if (typeof value !== "object" || value === null || Buffer.isBuffer(value)) return;
  for (const [name, held] of Object.entries(value)) {
    const replaced = (by: unknown) => (Array.isArray(value) ? value.with(Number(name), by) : { ...value, [name]: by });
    if (typeof held === "string") for (const text of ["\0", `${held}\0`, "\ud800"]) yield replaced(text);
    else for (const form of unstorableForms(held)) yield replaced(form);
  }
}

test(`${requestCount} generated requests: no 5xx, no unhandled rejection, declared answers only`, {
  timeout: 900_000,
}, async (context) => {
  const ids = await knownIds();
  const choices = mounted.map((operation) => ({
    weight: weights[operation.id] ?? 10,
    arbitrary: requestsFor(operation, ids).map((request) => ({ operation, request })),
  }));
  const generated = fc.sample(fc.oneof(...choices.filter(({ weight }) => weight > 0)), {
    numRuns: requestCount,
    seed: 20_261_115,
  });
  const statuses = new Map<number, number>();
  const met = new Set<string>();
  const failures: string[] = [];
  let sent = 0;
  const late = AbortSignal.timeout(secondsMax * 1000);
  const worker = async () => {
    while (!late.aborted || sent < requestsMin) {
      const one = generated[sent];
      if (!one) return;
      sent += 1;
      const answer = await app.call(one.request);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (answer.status < 400) met.add(one.operation.id);
      try {
        judge(one.operation, one.request, answer);
      } catch (thrown) {
        failures.push(wordsOf(thrown));
      }
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  context.diagnostic(`${sent} requests: ${JSON.stringify([...statuses].sort())}`);
  assert.ok(sent >= requestsMin, `only ${sent} requests`);
  assert.deepEqual(failures.slice(0, 10), [], `${failures.length} answers broke a promise`);
  assert.deepEqual(unhandled, []);
  assert.deepEqual(
    app.logged.filter((line) => line.includes('"level":"error"')),
    [],
  );
  // The generator reaches both sides of the checks.
  assert.ok(
    (statuses.get(200) ?? 0) > sent / 10 && (statuses.get(400) ?? 0) > sent / 10,
    JSON.stringify([...statuses]),
  );
  assert.ok(met.size > 25, `${met.size} operations accepted something: ${[...met].join(", ")}`);
  const still = await app.call({ path: "/readyz" });
  assert.equal(still.status, 200, still.text);
});

function wordsOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return thrown.cause === undefined ? thrown.message : `${thrown.message}: ${wordsOf(thrown.cause)}`;
}
