// Saved workflows over HTTP: exact bytes, versions without gaps, two people at once, search, and nothing of another workspace.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { SavedWorkflow, SavedWorkflowList, WorkflowDiff, WorkflowVersionList } from "@atelier/contract";
import fc from "fast-check";
import { requireValid } from "../src/foundation/json/schema.ts";
import { bearer, headerOf, memberOf, textOf } from "./support/app-client.ts";
import { addTenant, type Tenant } from "./support/app-people.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let app: TestApp;
let stranger: Tenant;
before(async () => {
  app = await testApp({ env: { ATELIER_ENGINE_SLOTS: "1" } });
  stranger = await addTenant(app, "stranger");
});
after(() => app.close());

const json = { "content-type": "application/json" };
const call = (
  method: string,
  path: string,
  body?: object | string,
  headers: Record<string, string> = {},
  key = app.key,
) =>
  app.call({
    method,
    path: path.startsWith("/") ? path : `/account/workflows${path === "" ? "" : `/${path}`}`,
    headers: { ...bearer(key), ...(body === undefined ? {} : json), ...headers },
    ...(body === undefined ? {} : { body }),
  });

const graph = (width = 64) => ({
  "1": { class_type: "EmptyImage", inputs: { width, height: 64, batch_size: 1, color: 255 } },
  "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "lighthouse" } },
});

let count = 0;
async function saved(more: object = {}): Promise<{ id: string; etag: string }> {
  count += 1;
  const answer = await call("POST", "", { name: `Workflow ${count}`, document: graph(), ...more });
  assert.equal(answer.status, 201, answer.text);
  requireValid(SavedWorkflow, answer.json());
  const id = textOf(answer.json(), "id");
  assert.equal(headerOf(answer, "location"), `/account/workflows/${id}`);
  return { id, etag: headerOf(answer, "etag") ?? "" };
}

describe("a document is kept byte for byte", () => {
  test("with its spaces, escapes, unknown members and integers beyond 2^53", async () => {
    const text =
      '{ "1" : {"class_type":"EmptyImage", "inputs":{"seed": 18446744073709551615, "x":1.50}, "later":{"\\u00e9":[ ]}} ,"extra":{"ds":{"scale":1e0}} }';
    const answer = await call("POST", "", `{"name":"Exact", "note":"n", "document":${text}}`);
    assert.equal(answer.status, 201, answer.text);
    const read = await call("GET", `${textOf(answer.json(), "id")}/versions/1/document`);
    assert.equal(read.text, text);
    const [version] = requireValid(
      WorkflowVersionList,
      (await call("GET", `${textOf(answer.json(), "id")}/versions`)).json(),
    ).data;
    assert.equal(version?.sha256, createHash("sha256").update(text).digest("hex"));
    assert.deepEqual([version?.note, version?.created_by?.kind, version?.nodes], ["n", "key", 1]);
  });

  test("for any JSON it contains", async () => {
    const { id } = await saved();
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), fc.integer(), async (odd, at) => {
        const text = JSON.stringify({ ...graph(at), extra: odd }, null, at % 3);
        const saving = await call("POST", `${id}/versions`, `{"document":${text}}`);
        assert.ok([200, 201].includes(saving.status), saving.text);
        assert.equal((await call("GET", `${id}/versions/latest/document`)).text, text);
      }),
      { numRuns: 25 },
    );
  });
});

describe("versions", () => {
  test("count up, the same bytes make none, and an earlier one is restored as a new one", async () => {
    const { id } = await saved();
    const same = await call("POST", `${id}/versions`, { document: graph() });
    assert.deepEqual([same.status, memberOf(same.json(), "version")], [200, 1]);
    const second = await call("POST", `${id}/versions`, { document: graph(128), note: "wider" });
    assert.deepEqual([second.status, memberOf(second.json(), "version")], [201, 2]);
    const restored = await call("POST", `${id}/versions`, { restore: 1 });
    assert.deepEqual(
      [restored.status, memberOf(restored.json(), "version"), memberOf(restored.json(), "restored_from")],
      [201, 3, 1],
    );
    assert.deepEqual((await call("GET", `${id}/versions/3/document`)).json(), graph());
    const page = requireValid(WorkflowVersionList, (await call("GET", `${id}/versions?limit=2`)).json());
    assert.deepEqual(
      page.data.map(({ version }) => version),
      [3, 2],
    );
    const rest = await call("GET", `${id}/versions?limit=2&cursor=${page.next_cursor}`);
    assert.deepEqual(
      requireValid(WorkflowVersionList, rest.json()).data.map(({ version }) => version),
      [1],
    );
    assert.equal((await call("GET", `${id}/versions/4/document`)).status, 404);
    assert.equal((await call("POST", `${id}/versions`, { restore: 9 })).status, 404);
  });

  test("differ in words", async () => {
    const { id } = await saved();
    await call("POST", `${id}/versions`, { document: graph(128) });
    const diff = requireValid(WorkflowDiff, (await call("GET", `${id}/diff`)).json());
    assert.deepEqual([diff.from, diff.to, diff.is_same], [1, 2, false]);
    assert.deepEqual(
      diff.changes.map(({ words }) => words),
      ["EmptyImage (1): width changed from 64 to 128."],
    );
    const none = requireValid(WorkflowDiff, (await call("GET", `${id}/diff?from=2&to=2`)).json());
    assert.deepEqual([none.changes, none.is_same], [[], true]);
  });

  test("of an editor name their inputs as the class does, and convert to API format", async () => {
    const editor = (width: number) => ({
      nodes: [
        { id: 1, type: "EmptyImage", widgets_values: [width, 64, 1, 255], outputs: [{ name: "IMAGE", links: [5] }] },
        { id: 2, type: "SaveImage", inputs: [{ name: "images", link: 5 }], widgets_values: ["lighthouse"] },
      ],
      links: [[5, 1, 0, 2, 0, "IMAGE"]],
      version: 0.4,
    });
    const { id } = await saved({ document: editor(64) });
    await call("POST", `${id}/versions`, { document: editor(128) });
    const diff = requireValid(WorkflowDiff, (await call("GET", `${id}/diff`)).json());
    assert.deepEqual(
      diff.changes.map(({ words }) => words),
      ["EmptyImage (1): width changed from 64 to 128."],
    );
    const converted = await call("GET", `${id}/versions/2/document?format=api`);
    assert.equal(memberOf(converted.json(), "1", "inputs", "width"), 128, converted.text);
    const back = await saved();
    const refused = await call("GET", `${back.id}/versions/1/document?format=editor`);
    assert.deepEqual([refused.status, memberOf(refused.json(), "error")], [422, "validation_failed"]);
  });
});

describe("two people at once", () => {
  test("the second with the same ETag is refused, and nothing of theirs is stored", async () => {
    const { id, etag } = await saved();
    const both = await Promise.all(
      [96, 128].map((width) => call("POST", `${id}/versions`, { document: graph(width) }, { "if-match": etag })),
    );
    assert.deepEqual(both.map(({ status }) => status).sort(), [201, 412]);
    assert.equal(
      memberOf((both.find(({ status }) => status === 412) ?? assert.fail()).json(), "error"),
      "precondition_failed",
    );
    assert.equal(memberOf((await call("GET", id)).json(), "version"), 2);
    assert.equal((await call("PATCH", id, { name: "late" }, { "if-match": etag })).status, 412);
    const now = headerOf(await call("GET", id), "etag") ?? "";
    assert.equal((await call("PATCH", id, { tags: ["B", "a", "b"] }, { "if-match": now })).status, 200);
    assert.deepEqual(memberOf((await call("GET", id)).json(), "tags"), ["a", "b"]);
  });

  test("without an ETag every save becomes a version, without gaps", async () => {
    const { id } = await saved();
    const saves = await Promise.all(
      Array.from({ length: 12 }, (_, at) => call("POST", `${id}/versions`, { document: graph(200 + at) })),
    );
    const versions = saves.map((answer) => Number(memberOf(answer.json(), "version"))).sort((a, b) => a - b);
    assert.deepEqual(
      versions,
      Array.from({ length: 12 }, (_, at) => at + 2),
    );
  });

  test("when two take one name at once, one gets it", async () => {
    const both = await Promise.all([1, 2].map(() => call("POST", "", { name: "Race", document: graph() })));
    assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409]);
  });
});

describe("names, folders and the archive", () => {
  test("a name is taken in its folder alone, and free again once archived", async () => {
    const { id } = await saved({ name: "Barn", folder: " farm / red/" });
    assert.equal(memberOf((await call("GET", id)).json(), "folder"), "farm/red");
    assert.equal((await call("POST", "", { name: "Barn", folder: "farm/red", document: graph() })).status, 409);
    assert.equal((await call("POST", "", { name: "Barn", folder: "farm", document: graph() })).status, 201);
    assert.equal((await call("DELETE", id)).status, 409);
    assert.equal((await call("PATCH", id, { archived: true })).status, 200);
    const again = await call("POST", "", { name: "Barn", folder: "farm/red", document: graph() });
    assert.equal(again.status, 201);
    assert.equal((await call("PATCH", id, { archived: false })).status, 409, "its name is taken now");
    const archived = requireValid(SavedWorkflowList, (await call("GET", "/account/workflows?archived=true")).json());
    assert.ok(archived.data.some((one) => one.id === id));
    assert.equal((await call("DELETE", id)).status, 204);
    assert.equal((await call("GET", id)).status, 404);
  });

  test("a copy has its own history", async () => {
    const { id } = await saved({ tags: ["poster"] });
    await call("POST", `${id}/versions`, { document: graph(128) });
    const copy = await call("POST", `${id}/duplicate`, { name: "A copy", version: 1 });
    assert.equal(copy.status, 201, copy.text);
    assert.deepEqual([memberOf(copy.json(), "version"), memberOf(copy.json(), "tags")], [1, ["poster"]]);
    assert.deepEqual((await call("GET", `${textOf(copy.json(), "id")}/versions/1/document`)).json(), graph());
  });

  test("hostile names and empty documents are refused, and leave nothing", async () => {
    const before = requireValid(SavedWorkflowList, (await call("GET", "/account/workflows?limit=100")).json()).data
      .length;
    const bad: object[] = [
      { name: "a/b" },
      { name: "a\nb" },
      { name: ".." },
      { name: "x".repeat(101) },
      { folder: "a/../b" },
      { folder: "1/2/3/4/5/6/7/8/9" },
      { tags: ["x".repeat(41)] },
      { document: {} },
      { document: { nodes: [] } },
      { document: { a: 1 } },
      { document: undefined },
      { job_id: "0198c1a2-3b4c-7d5e-8f60-718293a4b5c6", document: undefined },
      { job_id: "0198c1a2-3b4c-7d5e-8f60-718293a4b5c6" },
    ];
    for (const more of bad) {
      const answer = await call("POST", "", { name: "Hostile", document: graph(), ...more });
      assert.ok([400, 404, 422].includes(answer.status), `${JSON.stringify(more)}: ${answer.status}`);
    }
    const list = requireValid(SavedWorkflowList, (await call("GET", "/account/workflows?limit=100")).json());
    assert.equal(list.data.length, before);
  });
});

describe("search", () => {
  const found = async (query: string, key = app.key) => {
    const answer = await call("GET", `/account/workflows?${query.replaceAll(" ", "+")}`, undefined, {}, key);
    return requireValid(SavedWorkflowList, answer.json()).data.map(({ name }) => name);
  };

  test("finds by name, folder, tag, class, title and text, by the beginnings of words", async () => {
    const document = {
      "1": {
        class_type: "TextPrompt",
        _meta: { title: "Mood" },
        inputs: { text: "a zeppelin over fjords, sd_xl_base.safetensors" },
      },
    };
    await saved({ name: "Airship", folder: "sky", tags: ["draft"], document });
    for (const query of [
      "q=airs",
      "q=zepp fjords",
      "q=xl base",
      "q=mood",
      "folder=sky",
      "tag=Draft",
      "class=TextPrompt",
    ])
      assert.deepEqual(await found(query), ["Airship"], query);
    for (const query of ["q=zeppelin+barn", "class=textprompt", "folder=sk", "q=zepp&tag=poster"])
      assert.deepEqual(await found(query), [], query);
    assert.deepEqual(await found(`q=${encodeURIComponent("'&|!:*")}`), await found(""), "signs are not operators");
  });

  test("follows the latest version", async () => {
    const { id } = await saved({ document: { "1": { class_type: "A", inputs: { text: "heliotrope" } } } });
    assert.equal((await found("q=heliotrope")).length, 1);
    await call("POST", `${id}/versions`, { document: { "1": { class_type: "A", inputs: { text: "vermilion" } } } });
    assert.deepEqual([(await found("q=heliotrope")).length, (await found("q=vermilion")).length], [0, 1]);
  });

  test("walks page by page, each once", async () => {
    const all = await found("limit=100");
    const walked: string[] = [];
    let cursor = "";
    do {
      const answer = await call("GET", `/account/workflows?limit=7${cursor && `&cursor=${cursor}`}`);
      const page = requireValid(SavedWorkflowList, answer.json());
      walked.push(...page.data.map(({ name }) => name));
      cursor = page.next_cursor ?? "";
    } while (cursor !== "");
    assert.deepEqual(walked, all);
    assert.equal((await call("GET", "/account/workflows?cursor=nonsense")).status, 400);
  });
});

describe("jobs and saved workflows", () => {
  test("a job's workflow is saved from its id, and its picture becomes the workflow's", async () => {
    const submitted = await call("POST", "/api/v2/jobs", { workflow: graph() });
    const jobId = textOf(submitted.json(), "id");
    const fromJob = await call("POST", "", { name: "From a job", job_id: jobId });
    assert.equal(fromJob.status, 201, fromJob.text);
    const id = textOf(fromJob.json(), "id");
    assert.deepEqual((await call("GET", `${id}/versions/1/document`)).json(), graph());
    assert.equal(memberOf(fromJob.json(), "last_job"), null);
    const run = await call("POST", "/api/v2/jobs", { workflow: graph(), metadata: { workflow: id } });
    const runId = textOf(run.json(), "id");
    await until(
      "the job has run",
      async () => memberOf((await call("GET", `/api/v2/jobs/${runId}`)).json(), "status") === "succeeded",
    );
    const shown = requireValid(SavedWorkflow, (await call("GET", id)).json());
    assert.equal(shown.last_job?.id, runId);
    assert.equal((await call("GET", `/api/v2/assets/${shown.last_job?.picture}`)).status, 200);
  });
});

describe("another workspace", () => {
  test("sees, changes and copies nothing, and gets the same answer as for something that does not exist", async () => {
    const { id } = await saved({ name: "Private fjord" });
    const absent = "0198c1a2-3b4c-7d5e-8f60-718293a4b5c6";
    const tries: [string, string, object?][] = [
      ["GET", ""],
      ["PATCH", "", { name: "mine" }],
      ["DELETE", ""],
      ["GET", "/versions"],
      ["POST", "/versions", { document: graph() }],
      ["POST", "/versions", { restore: 1 }],
      ["GET", "/versions/1/document"],
      ["GET", "/diff"],
      ["POST", "/duplicate", { name: "mine" }],
    ];
    for (const [method, end, body] of tries) {
      const theirs = await call(method, `${id}${end}`, body, {}, stranger.key);
      const none = await call(method, `${absent}${end}`, body, {}, stranger.key);
      assert.equal(theirs.status, 404, `${method} ${end}`);
      assert.equal(memberOf(theirs.json(), "message"), memberOf(none.json(), "message"));
    }
    const list = await call("GET", "/account/workflows?q=fjord", undefined, {}, stranger.key);
    assert.deepEqual(memberOf(list.json(), "data"), []);
  });
});
