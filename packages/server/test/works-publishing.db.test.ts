// Publishing over HTTP: versions that never change, examples that run first, names, sharing, and nothing half published.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { ModelDetail, Work, WorkDiff, WorkList, WorkVersion, WorkVersionList } from "@atelier/contract";
import { sql } from "../src/foundation/database/index.ts";
import { requireValid } from "../src/foundation/json/schema.ts";
import { type AppAnswer, headerOf, listOf, memberOf, textOf } from "./support/app-client.ts";
import { addTenant, type Tenant } from "./support/app-people.ts";
import { form, graph, publisher } from "./support/publish-works.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let app: TestApp;
let acme: Tenant;
let stranger: Tenant;
let call: ReturnType<typeof publisher>["call"];
let workflow: ReturnType<typeof publisher>["workflow"];
let nextVersion: ReturnType<typeof publisher>["nextVersion"];
let published: ReturnType<typeof publisher>["published"];
before(async () => {
  app = await testApp({ env: { ATELIER_ENGINE_SLOTS: "2" } });
  acme = await addTenant(app, "Acme Studio");
  stranger = await addTenant(app, "stranger");
  ({ call, workflow, nextVersion, published } = publisher(app, acme.key));
});
after(() => app.close());

const problemsOf = (answer: AppAnswer) => listOf(answer.json(), "details").map((each) => textOf(each, "path"));
const works = async () => requireValid(WorkList, (await call("GET", "?limit=100")).json()).data;

describe("a workflow is published", () => {
  test("under the workspace's provider, with its form, needs and an example that ran", async () => {
    const id = await workflow();
    const answer = await call("PUT", "lighthouse", { workflow_id: id, form, title: " Lighthouse ", note: "first" });
    assert.equal(answer.status, 201, answer.text);
    const work = requireValid(Work, answer.json());
    assert.deepEqual(
      [work.id, work.provider, work.name, work.title, work.version, work.versions, work.workflow_id, work.visibility],
      ["w.acme-studios/lighthouse", "w.acme-studios", "lighthouse", "Lighthouse", 1, 1, id, "private"],
    );
    assert.equal(headerOf(answer, "location"), "/account/works/lighthouse");
    assert.equal(headerOf(answer, "etag"), '"1"');
    const version = requireValid(WorkVersion, (await call("GET", "lighthouse/versions/latest")).json());
    assert.deepEqual(
      [version.id, version.note, version.created_by?.kind],
      ["w.acme-studios/lighthouse.v1", "first", "key"],
    );
    assert.deepEqual(version.form.inputs[0]?.default, 64, "the form is complete");
    assert.deepEqual(
      version.needs.node_classes.map(({ name }) => name),
      ["EmptyImage", "SaveImage"],
    );
    const [example] = version.examples;
    assert.deepEqual(example?.inputs, { width: 64 });
    assert.equal(example?.assets.length, 1);
    assert.equal(work.cover, example?.assets[0]);
    const job = await call("GET", `/api/v2/jobs/${example?.job_id}`);
    assert.equal(memberOf(job.json(), "status"), "succeeded");
    const detail = requireValid(ModelDetail, (await call("GET", `/v1/models/${work.id}`)).json());
    const [shown] = detail.examples ?? [];
    assert.deepEqual([shown?.title, shown?.inputs], [null, { width: 64 }], "those who may call it see its examples");
    const picture = await fetch(shown?.urls[0] ?? "");
    assert.deepEqual([picture.status, picture.headers.get("content-type")], [200, "image/png"]);
  });

  test("again without a change, which makes no version and runs nothing", async () => {
    const { workflowId } = await published("again");
    const answer = await call("PUT", "again", { workflow_id: workflowId, form, examples: [] });
    assert.deepEqual([answer.status, headerOf(answer, "etag")], [200, '"1"']);
    const retitled = await call("PUT", "again", { workflow_id: workflowId, form, examples: [], title: "New" });
    assert.deepEqual([retitled.status, headerOf(retitled, "etag")], [200, '"2"']);
    assert.equal(requireValid(Work, retitled.json()).versions, 1);
  });

  test("as a new version, which keeps the form where none is sent; the old version stays as it was", async () => {
    const { workflowId } = await published("two");
    const first = (await call("GET", "two/versions/1")).text;
    await nextVersion(workflowId, graph(128));
    const answer = await call("PUT", "two", { workflow_id: workflowId, examples: [] });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual([requireValid(Work, answer.json()).version, requireValid(Work, answer.json()).versions], [2, 2]);
    assert.equal((await call("GET", "two/versions/1")).text, first);
    const second = requireValid(WorkVersion, (await call("GET", "two/versions/2")).json());
    assert.deepEqual([second.form.inputs[0]?.label, second.workflow_version], ["Width", 2]);
    const list = requireValid(WorkVersionList, (await call("GET", "two/versions")).json());
    assert.deepEqual(
      list.data.map(({ version }) => version),
      [2, 1],
    );
    const diff = requireValid(WorkDiff, (await call("GET", "two/diff")).json());
    assert.deepEqual([diff.from, diff.to, diff.is_same], [1, 2, false]);
    assert.deepEqual(
      diff.changes.map(({ words }) => words),
      ["EmptyImage (1): width changed from 64 to 128."],
    );
    assert.match(diff.form.join(), /default changed from 64 to 128/);
  });

  test("without a form, with one made from the workflow", async () => {
    const { work } = await published("suggested", { form: undefined });
    const version = requireValid(WorkVersion, (await call("GET", `${work.name}/versions/1`)).json());
    assert.deepEqual(
      version.form.outputs.map(({ node }) => node),
      ["2"],
    );
  });

  test("with integers beyond 2^53 exact in the form and in examples", async () => {
    const id = await workflow({
      "1": { class_type: "PrimitiveInt", inputs: { value: 5 } },
      "2": { class_type: "PreviewAny", inputs: { source: ["1", 0] } },
    });
    const body = `{"workflow_id":"${id}","form":{"inputs":[{"name":"seed","node":"1","input":"value","kind":"integer","maximum":9223372036854775807}],"outputs":[{"name":"text","node":"2"}]},"examples":[{"inputs":{"seed":9007199254740993}}]}`;
    const answer = await call("PUT", "exact", body);
    assert.equal(answer.status, 201, answer.text);
    const { text } = await call("GET", "exact/versions/1");
    assert.match(text, /"maximum":9223372036854775807/);
    assert.match(text, /"inputs":\{"seed":9007199254740993\}/);
    const detail = await call("GET", "/v1/models/w.acme-studios/exact");
    assert.match(detail.text, /"inputs":\{"seed":9007199254740993\}/);
  });
});

describe("what an example made", () => {
  test("outlives its job, cannot be deleted, and ends with the work", async () => {
    const id = await workflow(graph(80));
    await call("PUT", "kept", { workflow_id: id, form });
    const version = requireValid(WorkVersion, (await call("GET", "kept/versions/1")).json());
    const assetId = version.examples[0]?.assets[0];
    const expiry = async () =>
      app.database.query<{ expires_at: Date | null }>(sql`select expires_at from assets where id = ${assetId}`);
    assert.deepEqual(await expiry(), [{ expires_at: null }]);
    assert.equal((await call("DELETE", `/api/v2/assets/${assetId}`)).status, 409);
    assert.equal((await call("DELETE", "kept")).status, 204);
    const [after] = await expiry();
    assert.ok(after?.expires_at instanceof Date, "it expires with its job again");
  });
});

describe("nothing is published if", () => {
  const before: { names?: string[] } = {};
  test("(what there is before)", async () => {
    before.names = (await works()).map(({ name }) => name);
  });

  test("an example fails: 422 names the example, the job and the node", async () => {
    const id = await workflow({
      "1": graph()["1"],
      "2": { class_type: "SaveImage", inputs: { images: ["3", 0], filename_prefix: "edges" } },
      "3": { class_type: "Canny", inputs: { image: ["1", 0], low_threshold: 0.1, high_threshold: 0.5 } },
    });
    const low = { name: "low", node: "3", input: "low_threshold", kind: "number" };
    const answer = await call("PUT", "failing", {
      workflow_id: id,
      form: { inputs: [low], outputs: form.outputs },
      examples: [{ inputs: {} }, { title: "Too low", inputs: { low: 0.9 } }],
    });
    assert.equal(answer.status, 422, answer.text);
    assert.match(answer.text, /Example 2 failed.*low_threshold must not be larger/);
    const details = memberOf(answer.json(), "details");
    assert.deepEqual([textOf(details, "path"), textOf(details, "node_id")], ["/examples/1", "3"]);
    assert.equal((await call("GET", `/api/v2/jobs/${textOf(details, "job_id")}`)).status, 200);
  });

  test("the form names a node that is not there, or does not fit: 422 with the places", async () => {
    const id = await workflow();
    const wrong = {
      inputs: [
        { name: "width", node: "7", input: "width", kind: "integer" },
        { name: "width", node: "1", input: "width", kind: "boolean" },
      ],
      outputs: [{ name: "picture", node: "1" }],
    };
    const answer = await call("PUT", "wrong-form", { workflow_id: id, form: wrong, examples: [] });
    assert.equal(answer.status, 422, answer.text);
    for (const path of ["/form/inputs/0/node", "/form/inputs/1/name", "/form/inputs/1/kind", "/form/outputs/0/node"])
      assert.ok(problemsOf(answer).includes(path), path);
  });

  test("the form has 10,000 inputs, or none of its outputs: 400", async () => {
    const id = await workflow();
    const inputs = Array.from({ length: 10_000 }, (_, at) => ({
      name: `i${at}`,
      node: "1",
      input: "width",
      kind: "integer",
    }));
    for (const given of [
      { ...form, inputs },
      { ...form, outputs: [] },
      { ...form, more: 1 },
    ])
      assert.equal((await call("PUT", "too-many", { workflow_id: id, form: given })).status, 400);
  });

  test("the graph cannot run here: an unknown class is named", async () => {
    const id = await workflow({
      ...graph(),
      "3": { class_type: "NoSuchClass", inputs: {} },
      "2": { class_type: "SaveImage", inputs: { images: ["3", 0], filename_prefix: "x" } },
    });
    const answer = await call("PUT", "unknown-class", { workflow_id: id, form: { inputs: [], outputs: form.outputs } });
    assert.equal(answer.status, 422, answer.text);
    assert.match(answer.text, /NoSuchClass/);
  });

  test("the graph contains a work that is not there", async () => {
    const id = await workflow({ ...graph(), "9": { class_type: "w.nobody/nothing", inputs: {} } });
    const answer = await call("PUT", "inner", { workflow_id: id, form, examples: [] });
    assert.equal(answer.status, 422, answer.text);
  });

  test("an example has inputs beyond the form: 422 with the places", async () => {
    const id = await workflow();
    const examples = [{ inputs: { width: 64 } }, { inputs: { width: 4096, colour: "red" } }];
    const answer = await call("PUT", "wrong-example", { workflow_id: id, form, examples });
    assert.equal(answer.status, 422, answer.text);
    assert.deepEqual(problemsOf(answer), ["/examples/1/inputs/colour", "/examples/1/inputs/width"]);
  });

  test("there is no such workflow or version: 404", async () => {
    const id = await workflow();
    const theirs = await workflow(graph(), stranger.key);
    for (const body of [{ workflow_id: id, version: 2 }, { workflow_id: theirs }])
      assert.equal((await call("PUT", "absent", { form, examples: [], ...body })).status, 404);
  });

  test("the name is hostile: 400, and reading it is 404", async () => {
    const id = await workflow();
    const names = ["Light", "a..b", "-a", "a.v3", "a%20b", "%2e%2e", "a%2Fb", "x".repeat(111), "%00", "%C3%A4", "a_"];
    for (const name of names) {
      const answer = await call("PUT", name, { workflow_id: id, form, examples: [] });
      assert.ok([400, 404].includes(answer.status), `${name} ${answer.status}`);
      assert.ok([400, 404].includes((await call("GET", name)).status), name);
    }
  });

  test("it is shared with a workspace that is not there, or with one although it is private", async () => {
    const id = await workflow();
    const absent = "0198c1a2-3b4c-7d5e-8f60-718293a4b5c6";
    const base = { workflow_id: id, form, examples: [] };
    const unknown = await call("PUT", "share", { ...base, visibility: "shared", shared_with: [absent] });
    assert.deepEqual([unknown.status, problemsOf(unknown)], [422, ["/shared_with/0"]]);
    const odd = await call("PUT", "share", { ...base, shared_with: [stranger.workspaceId] });
    assert.deepEqual([odd.status, problemsOf(odd)], [400, ["/shared_with"]]);
  });

  test("and so there are no new works", async () => {
    assert.deepEqual(
      (await works()).map(({ name }) => name),
      before.names,
    );
  });
});

describe("two publishers at once", () => {
  test("of one name get two versions, or one of them for the same content", async () => {
    const [one, other] = [await workflow(graph(96)), await workflow(graph(112))];
    const answers = await Promise.all(
      [one, other, one].map((id) => call("PUT", "raced", { workflow_id: id, form, examples: [] })),
    );
    for (const answer of answers) assert.ok([200, 201].includes(answer.status), answer.text);
    const list = requireValid(WorkVersionList, (await call("GET", "raced/versions")).json()).data;
    assert.deepEqual(
      list.map(({ version }) => version),
      Array.from({ length: list.length }, (_, at) => list.length - at),
    );
    assert.ok(list.length === 2 || list.length === 3);
  });

  test("of one name with If-None-Match: one wins, the others get 412", async () => {
    const ids = await Promise.all([1, 2, 3].map((width) => workflow(graph(width * 32))));
    const answers = await Promise.all(
      ids.map((id) => call("PUT", "first-only", { workflow_id: id, form, examples: [] }, { "if-none-match": "*" })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 412, 412]);
    assert.equal(requireValid(Work, (await call("GET", "first-only")).json()).versions, 1);
  });

  test("of one provider from two workspaces: one wins, the other gets 409 and nothing", async () => {
    const tenants = [await addTenant(app, "left"), await addTenant(app, "right")];
    const ids = await Promise.all(tenants.map(({ key }) => workflow(graph(), key)));
    const answers = await Promise.all(
      tenants.map(({ key }, at) =>
        call("PUT", "prize", { workflow_id: ids[at], form, examples: [], provider: "w.prize" }, {}, key),
      ),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409]);
    const loser = tenants[answers.findIndex(({ status }) => status === 409)];
    assert.equal((await call("GET", "prize", undefined, {}, loser?.key)).status, 404);
  });
});

describe("a provider", () => {
  test("stays the workspace's own: another one is 409", async () => {
    const { workflowId } = await published("provided");
    const body = { workflow_id: workflowId, form, examples: [], provider: "w.else" };
    assert.equal((await call("PUT", "provided-again", body)).status, 409);
  });

  test("made from a name that is taken gets a number", async () => {
    const twin = await addTenant(app, "Acme-Studio");
    await published("before-twin");
    const id = await workflow(graph(), twin.key);
    const answer = await call("PUT", "twin", { workflow_id: id, form, examples: [] }, {}, twin.key);
    assert.equal(textOf(answer.json(), "id"), "w.acme-studios-2/twin");
  });
});

describe("a work is changed", () => {
  test("in its description, sharing, current version and end, with an ETag that others must know", async () => {
    const { workflowId } = await published("changing");
    await nextVersion(workflowId, graph(256));
    await call("PUT", "changing", { workflow_id: workflowId, form, examples: [] });
    const changed = await call(
      "PATCH",
      "changing",
      {
        ...{ title: "T", description: "D", visibility: "shared", shared_with: [stranger.workspaceId], version: 1 },
        ...{ deprecated_at: "2026-12-01T00:00:00.000Z", sunset_at: "2027-06-01T00:00:00.000Z" },
      },
      { "if-match": '"2"' },
    );
    assert.equal(changed.status, 200, changed.text);
    const work = requireValid(Work, changed.json());
    assert.deepEqual([work.version, work.versions, work.shared_with], [1, 2, [stranger.workspaceId]]);
    assert.equal((await call("PATCH", "changing", { title: "X" }, { "if-match": '"2"' })).status, 412);
    const open = requireValid(Work, (await call("PATCH", "changing", { visibility: "public", title: null })).json());
    assert.deepEqual([open.shared_with, open.title, open.description], [[], null, "D"]);
    for (const wrong of [{ version: 3 }, { sunset_at: "2026-11-01T00:00:00.000Z" }, { title: " " }])
      assert.equal((await call("PATCH", "changing", wrong)).status, 400, JSON.stringify(wrong));
  });

  test("is withdrawn by owners; its name can be published again", async () => {
    const { workflowId } = await published("withdrawn");
    assert.equal((await call("DELETE", "withdrawn", undefined, { "if-match": '"9"' })).status, 412);
    assert.equal((await call("DELETE", "withdrawn")).status, 204);
    assert.equal((await call("GET", "withdrawn")).status, 404);
    assert.equal((await call("PUT", "withdrawn", { workflow_id: workflowId, form, examples: [] })).status, 201);
  });

  test("shows no workflow once that is deleted", async () => {
    const { workflowId, work } = await published("orphan");
    assert.equal(work.workflow_id, workflowId);
    await call("PATCH", `/account/workflows/${workflowId}`, { archived: true });
    assert.equal((await call("DELETE", `/account/workflows/${workflowId}`)).status, 204);
    assert.equal(requireValid(Work, (await call("GET", "orphan")).json()).workflow_id, null);
    assert.equal(requireValid(WorkVersion, (await call("GET", "orphan/versions/1")).json()).workflow_id, null);
  });
});

test("the list is paged by name, and q finds parts of names and titles", async () => {
  for (const name of ["zz-b", "zz-a", "zz-c"]) await published(name, { title: `Letter ${name.at(-1)?.toUpperCase()}` });
  const first = requireValid(WorkList, (await call("GET", "?q=zz-&limit=2")).json());
  assert.deepEqual([first.data.map(({ name }) => name), first.has_more], [["zz-a", "zz-b"], true]);
  const next = await call("GET", `?q=zz-&limit=2&cursor=${first.next_cursor}`);
  assert.deepEqual(
    requireValid(WorkList, next.json()).data.map(({ name }) => name),
    ["zz-c"],
  );
  const titled = requireValid(WorkList, (await call("GET", "?q=letter%20C")).json());
  assert.deepEqual(
    titled.data.map(({ name }) => name),
    ["zz-c"],
  );
});

test("another workspace reads, changes and withdraws nothing, even if it may call the work", async () => {
  await published("mine", { visibility: "public" });
  for (const [method, end, body] of [
    ["GET", "mine"],
    ["PATCH", "mine", { title: "x" }],
    ["DELETE", "mine"],
    ["GET", "mine/versions"],
    ["GET", "mine/versions/1"],
    ["GET", "mine/diff"],
  ] as const)
    assert.equal((await call(method, end, body, {}, stranger.key)).status, 404, `${method} ${end}`);
  assert.deepEqual(memberOf((await call("GET", "", undefined, {}, stranger.key)).json(), "data"), []);
});
