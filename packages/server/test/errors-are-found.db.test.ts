// Every failure can be found by the id that its answer carried, and is shown as the caller saw it: with a key and without
// one, in every area. It also shows what became of a call whose answer got lost, and what the provider said.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { type AppAnswer, bearer, headerOf, listOf, memberOf, textOf } from "./support/app-client.ts";
import { addTenant, owner, type Tenant } from "./support/app-people.ts";
import { aKey, bucketOf, invokeOn, readOn } from "./support/router-calls.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import { pollOf, type ScriptedUpstream, scriptedUpstream } from "./support/scripted-upstream.ts";
import { until } from "./support/server-process.ts";
import type { TestApp } from "./support/test-app.ts";

let apps: SandboxApps;
let app: TestApp;
let upstream: ScriptedUpstream;
let neighbour: Tenant;
const credential = "provider-secret-0123456789";

before(async () => {
  apps = await sandboxApps();
  upstream = await scriptedUpstream({
    boom: {
      answer: {
        status: 500,
        headers: { "content-type": "text/plain" },
        body: `boom at inner.example:8080 ${credential}`,
      },
    },
    page: {
      answer: { status: 503, headers: { "content-type": "text/html" }, body: "<html><h1>Try later</h1></html>" },
    },
    fields: { answer: { status: 422, body: '{"detail":[{"loc":["body","image"],"msg":"too small","type":"x"}]}' } },
    task: {
      answer: { status: 200, body: '{"id":"1","status":"FAILED","message":"no room"}' },
      model: { poll: pollOf("task") },
    },
  });
  const definition = {
    ...upstream.definition,
    credential: { kind: "bearer" as const, setting: "ATELIER_PROVIDER_SCRIPTED" },
  };
  const scripted = await apps.write("scripted", definition);
  app = await apps.open({
    credentials: { ATELIER_PROVIDER_SCRIPTED: credential },
    env: {
      ATELIER_PROVIDERS: `${apps.file},${scripted}`,
      ATELIER_BOOTSTRAP_CREDITS: "1000000",
    },
  });
  neighbour = await addTenant(app, "Eve");
});
after(async () => {
  await apps.close();
  await upstream.close();
});

const free = "sandbox/image-1";
const priced = "sandbox/image-1-queued";
const requestIdOf = (answer: AppAnswer) =>
  headerOf(answer, "x-service-request-id") ?? assert.fail("an answer names its request");

// Rows are written shortly after the answer.
async function shown(id: string, isReady: (request: unknown) => boolean = () => true): Promise<unknown> {
  return until(`request ${id} is as wanted`, async () => {
    const answer = await readOn(app, `/account/requests/${id}`);
    const request: unknown = answer.status === 200 ? answer.json() : null;
    const isNoted = request !== null && memberOf(request, "error_answer") !== null;
    return isNoted && isReady(request) ? request : null;
  });
}
const seenIn = (request: unknown) => [memberOf(request, "status"), memberOf(request, "outcome")];
async function found(id: string, key: string = app.key): Promise<readonly unknown[]> {
  const answer = await app.call({ path: `/account/find?q=${id}`, headers: bearer(key) });
  return listOf(answer.json(), "data").map((thing) => textOf(thing, "subtitle"));
}

describe("a lost answer", () => {
  for (const simulate of ["truncate", "reset"]) {
    test(`of a free call without a key (${simulate}) is found as the 502 it was, counted, and free`, async () => {
      const answer = await invokeOn(app, free, { prompt: "x", simulate });
      assert.deepEqual([answer.status, bucketOf(answer)], [502, "provider_error"]);
      assert.equal(headerOf(answer, "x-service-credits-used"), "0");
      assert.doesNotMatch(answer.text, /Idempotency-Key/, "there is none to ask again with");
      const request = await shown(requestIdOf(answer), (one) => listOf(one, "rows").length === 1);
      assert.deepEqual(seenIn(request), [502, "provider_error"]);
      assert.equal(memberOf(request, "error_answer", "message"), textOf(answer.json(), "detail"));
      assert.deepEqual(
        listOf(request, "rows").map((row) => [memberOf(row, "status"), memberOf(row, "outcome")]),
        [[502, "provider_error"]],
      );
      assert.equal(listOf(request, "attempts").length, 1);
    });
  }

  test("of a paid call under a key stays a 502, beside the call's outcome; the key collects it", async () => {
    const key = aKey();
    const body = { prompt: "x", simulate: "truncate" };
    const answer = await invokeOn(app, priced, body, key);
    assert.equal(answer.status, 502, answer.text);
    assert.match(answer.text, /the same Idempotency-Key/);
    assert.equal(headerOf(answer, "x-service-credits-used"), undefined, "it may still be charged");
    const id = requestIdOf(answer);
    assert.deepEqual(seenIn(await shown(id)), [502, "provider_error"]);
    const ended = await shown(id, (one) => memberOf(one, "call", "state") === "finished");
    assert.deepEqual(seenIn(ended), [502, "provider_error"], "what the caller saw does not change");
    assert.equal(memberOf(ended, "call", "outcome"), "succeeded");
    assert.equal(memberOf(ended, "credits"), memberOf(ended, "call", "charged"));
    assert.deepEqual(
      listOf(ended, "attempts").map((attempt) => memberOf(attempt, "status")),
      [null],
      "the attempt whose answer got lost",
    );
    assert.deepEqual(
      listOf(ended, "rows").map((row) => [memberOf(row, "status"), memberOf(row, "outcome")]),
      [[502, "provider_error"]],
      "one row, which the list of requests shows too",
    );
    assert.match(String((await found(id))[0]), /provider_error 502/);
    const collected = await invokeOn(app, priced, body, key);
    assert.deepEqual([collected.status, headerOf(collected, "idempotent-replayed")], [200, "true"]);
  });

  test("of a paid call without a key promises nothing that cannot be had", async () => {
    const answer = await invokeOn(app, priced, { prompt: "x", simulate: "reset" });
    assert.equal(answer.status, 502);
    assert.doesNotMatch(answer.text, /Retry with the same/);
    const ended = await shown(requestIdOf(answer), (one) => memberOf(one, "call", "state") === "finished");
    assert.deepEqual(seenIn(ended), [502, "provider_error"]);
  });
});

describe("every area", () => {
  test("an unknown model, an unknown job, an invalid body and a foreign path are found by their ids", async () => {
    const json = { ...bearer(app.key), "content-type": "application/json" };
    const revoked = await app.call({ method: "POST", path: "/account/keys", headers: json, body: { name: "short" } });
    const short = textOf(revoked.json(), "secret");
    const gone = { method: "DELETE", path: `/account/keys/${textOf(revoked.json(), "id")}`, headers: bearer(app.key) };
    assert.ok((await app.call(gone)).status < 300);
    const answers = [
      await invokeOn(app, "sandbox/nothing", { prompt: "x" }),
      await readOn(app, `/api/v2/jobs/${randomUUID()}`),
      await app.call({ method: "POST", path: "/api/v2/jobs", headers: json, body: { workflow: 7 } }),
      await readOn(app, "/v1/there/is/nothing"),
      await readOn(app, "/account/keys/none"),
      await app.call({ path: "/v1/models", headers: bearer(short) }),
    ];
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [401, 404, 404, 404, 405, 422]);
    for (const answer of answers) {
      const id = requestIdOf(answer);
      const request = await shown(id);
      assert.equal(memberOf(request, "status"), answer.status, answer.text);
      assert.ok(answer.text.includes(textOf(request, "error_answer", "message")), "in the very words of the answer");
      assert.equal(memberOf(request, "call"), null);
      assert.equal((await found(id)).length, 1);
      assert.deepEqual(await found(id, neighbour.key), [], "and by no other workspace");
    }
  });

  test("a refused credential that no workspace has is found by operators, and by nobody else", async () => {
    const { jwt: token } = await owner(app);
    const refused = [
      await app.call({ path: "/v1/models", headers: bearer("service-unknown-0123456789012345678901234567890123") }),
      await app.call({ path: "/api/v2/jobs" }),
    ];
    for (const answer of refused) {
      assert.equal(answer.status, 401);
      const id = requestIdOf(answer);
      const path = `/account/requests/${id}`;
      const request = await until("it is written", async () => {
        const shown = await app.call({ path, headers: bearer(token) });
        return shown.status === 200 ? shown.json() : null;
      });
      assert.ok(answer.text.includes(textOf(request, "error_answer", "message")), "in the very words of the answer");
      assert.equal((await found(id, token)).length, 1);
      for (const key of [app.key, neighbour.key, neighbour.jwt]) {
        assert.equal((await app.call({ path, headers: bearer(key) })).status, 404);
        assert.deepEqual(await found(id, key), []);
      }
    }
  });

  test("are listed together, newest first, page by page, filtered by status, and only for their own workspace", async () => {
    const ids: string[] = [];
    for (let sent = 0; sent < 3; sent++) {
      const answer = await readOn(app, `/api/v2/jobs/${randomUUID()}`);
      ids.unshift(requestIdOf(answer));
    }
    // Not by looking each up: a 404 for a row that is not written yet would be listed too.
    await until("all three are written", async () => {
      const { text } = await readOn(app, "/account/error-answers?limit=10&status=404");
      return ids.every((id) => text.includes(id));
    });
    const foreign = await app.call({ path: `/api/v2/jobs/${randomUUID()}`, headers: bearer(neighbour.key) });
    const page = (await readOn(app, "/account/error-answers?limit=2&status=404")).json();
    assert.deepEqual(
      listOf(page, "data").map((row) => memberOf(row, "request_id")),
      ids.slice(0, 2),
    );
    const cursor = textOf(page, "next_cursor");
    const next = await readOn(app, `/account/error-answers?limit=2&status=404&cursor=${cursor}`);
    const [third] = listOf(next.json(), "data");
    assert.deepEqual(
      [memberOf(third, "request_id"), memberOf(third, "path"), memberOf(third, "message")],
      [ids[2], memberOf(await shown(String(ids[2])), "error_answer", "path"), "There is no such job."],
    );
    assert.equal((await readOn(app, `/account/error-answers?status=409&cursor=${cursor}`)).status, 400);
    assert.equal((await readOn(app, "/account/error-answers?status=200")).status, 400);
    const all = await readOn(app, "/account/error-answers?limit=100");
    assert.doesNotMatch(all.text, new RegExp(requestIdOf(foreign)));
  });

  test("an Idempotency-Key finds the call and the job that were sent with it, and no other workspace's", async () => {
    const key = `order-${randomUUID()}`;
    const answer = await invokeOn(app, free, { prompt: "x" }, { "idempotency-key": key });
    const image = { class_type: "EmptyImage", inputs: { width: 8, height: 8, batch_size: 1, color: 0 } };
    const save = { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "x" } };
    const headers = { ...bearer(app.key), "content-type": "application/json", "idempotency-key": key };
    const body = { workflow: { 1: image, 2: save } };
    const job = await app.call({ method: "POST", path: "/api/v2/jobs", headers, body });
    assert.equal(job.status, 201, job.text);
    const find = async (as: string) =>
      listOf((await app.call({ path: `/account/find?q=${key}`, headers: bearer(as) })).json(), "data");
    assert.deepEqual(
      (await find(app.key)).map((thing) => [memberOf(thing, "kind"), memberOf(thing, "id")]),
      [
        ["request", requestIdOf(answer)],
        ["job", textOf(job.json(), "id")],
      ],
    );
    assert.deepEqual(await find(neighbour.key), []);
  });

  test("an unknown request id is 404, and the answer says how long refusals are kept", async () => {
    const answer = await readOn(app, `/account/requests/${randomUUID()}`);
    assert.equal(answer.status, 404);
    assert.match(answer.text, /30 days.*10,000/);
  });
});

describe("the cause", () => {
  test("names the fields of a 422, ours and the provider's", async () => {
    const ours = await invokeOn(app, free, { prompt: 7 });
    const theirs = await invokeOn(app, "scripted/fields", {});
    assert.deepEqual([ours.status, theirs.status], [422, 422]);
    const fieldsOf = async (answer: AppAnswer) =>
      listOf(await shown(requestIdOf(answer)), "error_answer", "fields").map((field) => listOf(field, "loc").join("."));
    assert.deepEqual(await fieldsOf(ours), ["body.prompt"]);
    assert.deepEqual(await fieldsOf(theirs), ["body.image"]);
  });

  test("keeps a provider's status and first words, without secret and address, and the caller's body has none", async () => {
    const answer = await invokeOn(app, "scripted/boom", {});
    assert.deepEqual([answer.status, headerOf(answer, "x-service-upstream-status")], [502, "500"]);
    assert.equal(headerOf(answer, "x-service-credits-used"), "0");
    assert.doesNotMatch(answer.text, /boom|inner/);
    const request = await shown(requestIdOf(answer), (one) => listOf(one, "rows").length === 1);
    const [attempt] = listOf(request, "attempts");
    assert.deepEqual([memberOf(attempt, "step"), memberOf(attempt, "status")], ["submit", 500]);
    assert.match(textOf(attempt, "words"), /^boom at …/);
    assert.doesNotMatch(JSON.stringify(request), /inner\.example|provider-secret/);
    const [row] = listOf(request, "rows");
    assert.deepEqual(
      [memberOf(row, "provider_status"), memberOf(row, "provider_words")],
      [500, textOf(attempt, "words")],
    );
    const page = await shown(
      requestIdOf(await invokeOn(app, "scripted/page", {})),
      (one) => listOf(one, "rows").length === 1,
    );
    assert.equal(memberOf(listOf(page, "attempts")[0], "words"), "Try later");
  });

  test("of a task that fails later is in the provider's words", async () => {
    const answer = await invokeOn(app, "scripted/task", {}, aKey());
    assert.equal(answer.status, 502, answer.text);
    const request = await shown(requestIdOf(answer), (one) => listOf(one, "rows").length === 1);
    assert.deepEqual(
      listOf(request, "attempts").map((attempt) => [memberOf(attempt, "step"), memberOf(attempt, "words")]),
      [
        ["submit", null],
        ["poll", "no room"],
      ],
    );
  });
});
