// A work is called like every other model: the router's rules without exception, and what its nodes use is paid once.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CatalogPage, ModelDetail, Work, WorkVersion } from "@atelier/contract";
import { parseCredits } from "../src/capabilities/prices/index.ts";
import { sql } from "../src/foundation/database/index.ts";
import { requireValid } from "../src/foundation/json/schema.ts";
import { allInvariants } from "../src/processes/invariants.ts";
import { bearer, headerOf, listOf, memberOf, textOf } from "./support/app-client.ts";
import { addTenant, raiseRates, type Tenant } from "./support/app-people.ts";
import { publisher } from "./support/publish-works.ts";
import { aKey } from "./support/router-calls.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import { until } from "./support/server-process.ts";
import { storeWork } from "./support/stored-works.ts";
import type { TestApp } from "./support/test-app.ts";
import { pictureOf, posterForm, posterGraph } from "./support/work-calls.ts";

let apps: SandboxApps;
let app: TestApp;
let stranger: Tenant;
let poster: string;
let frame: string;
const provider = "w.studio";

before(async () => {
  apps = await sandboxApps();
  app = await apps.open({ env: { ATELIER_BOOTSTRAP_CREDITS: "100000", ATELIER_ENGINE_SLOTS: "2" } });
  stranger = await addTenant(app, "stranger");
  const { workspaceId } = app;
  await raiseRates(app, workspaceId);
  poster = await storeWork(app.database, {
    workspaceId,
    provider,
    name: "poster",
    graph: posterGraph,
    form: posterForm,
  });
  frame = await storeWork(app.database, {
    workspaceId,
    provider,
    name: "frame",
    graph: {
      "1": { class_type: "LoadImage", inputs: { image: "nothing.png" } },
      "2": { class_type: "ImageInvert", inputs: { image: ["1", 0] } },
      "3": { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: "frame" } },
    },
    form: {
      inputs: [{ name: "picture", node: "1", input: "image", kind: "picture", required: true }],
      outputs: [{ name: "result", node: "3" }],
    },
  });
});
after(() => apps.close());

const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}, key = app.key) =>
  app.call({
    method,
    path,
    headers: { ...bearer(key), ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body }),
  });
const call = (id: string, body: unknown, headers: Record<string, string> = {}, key = app.key) =>
  send("POST", `/v1/models/${id}`, body, headers, key);

const balance = async () => {
  const answer = await send("GET", "/account/credits");
  return parseCredits(textOf(answer.json(), "available")) ?? assert.fail(answer.text);
};

describe("a work in the catalog", () => {
  test("stands beside every partner model, with detail and schema document", async () => {
    const page = requireValid(CatalogPage, (await send("GET", "/v1/models?limit=100")).json());
    const ids = page.data.map(({ id }) => id);
    assert.ok(ids.includes(poster) && ids.includes("sandbox/image-1"), ids.join());
    assert.deepEqual(ids, [...ids].sort());
    const detail = requireValid(ModelDetail, (await send("GET", `/v1/models/${poster}`)).json());
    assert.deepEqual([detail.title, detail.kind], ["poster", "image"]);
    const schema = await send("GET", `/v1/models/${poster}/openapi.json`);
    assert.equal(schema.status, 200, schema.text);
    assert.match(schema.text, /"maxLength":200/);
    assert.match(schema.text, /"picture"/);
  });

  test("is walked with any page size, each model once", async () => {
    const visited: string[] = [];
    let cursor = "";
    do {
      const page = requireValid(CatalogPage, (await send("GET", `/v1/models?limit=1${cursor}`)).json());
      visited.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor === undefined ? "" : `&cursor=${encodeURIComponent(page.next_cursor)}`;
    } while (cursor !== "");
    assert.equal(new Set(visited).size, visited.length);
    assert.ok(visited.includes(poster) && visited.includes(frame));
  });

  test("does not exist for another workspace, unless it is public", async () => {
    assert.equal((await call(poster, { prompt: "x" }, {}, stranger.key)).status, 404);
    assert.equal((await send("GET", `/v1/models/${poster}`, undefined, {}, stranger.key)).status, 404);
    const listed = await send("GET", "/v1/models?limit=100", undefined, {}, stranger.key);
    assert.doesNotMatch(listed.text, /w\.studio/);
  });
});

describe("a call", () => {
  test("answers with signed URLs, the job's id and what its nodes paid", async () => {
    const before = await balance();
    const answer = await call(poster, { prompt: "a lighthouse at dusk", seed: 7 });
    assert.equal(answer.status, 200, answer.text);
    const jobId = headerOf(answer, "x-service-job-id") ?? assert.fail("no job id");
    assert.equal(textOf(answer.json(), "job_id"), jobId);
    assert.equal(textOf(answer.json(), "work"), `${poster}.v1`);
    assert.deepEqual(memberOf(answer.json(), "inputs"), { prompt: "a lighthouse at dusk", seed: 7, width: 64 });
    assert.equal((await pictureOf(answer, "picture")).subarray(1, 4).toString(), "PNG");
    const used = parseCredits(headerOf(answer, "x-service-credits-used") ?? "") ?? assert.fail("no credits");
    assert.ok(used > 0n);
    assert.equal(before - (await balance()), used);
    const job = await send("GET", `/api/v2/jobs/${jobId}`);
    assert.equal(textOf(job.json(), "status"), "succeeded", job.text);
  });

  test("with the same key runs once and is charged once", async () => {
    const before = await balance();
    const headers = aKey();
    const first = await call(poster, { prompt: "twice", seed: 3 }, headers);
    assert.equal(first.status, 200, first.text);
    const paid = before - (await balance());
    const again = await call(poster, { prompt: "twice", seed: 3 }, headers);
    assert.equal(headerOf(again, "idempotent-replayed"), "true");
    assert.equal(again.text, first.text);
    assert.equal(before - (await balance()), paid);
    assert.equal((await call(poster, { prompt: "other", seed: 3 }, headers)).status, 409);
  });

  test("draws a seed if none is given, and says which", async () => {
    const answer = await call(poster, { prompt: "random" });
    assert.equal(answer.status, 200, answer.text);
    const seed = memberOf(memberOf(answer.json(), "inputs"), "seed");
    assert.ok(typeof seed === "number" && Number.isInteger(seed));
    const same = await call(poster, { prompt: "random", seed });
    assert.deepEqual(await pictureOf(same, "picture"), await pictureOf(answer, "picture"));
  });

  test("outside the form is 422 with positions, and nothing is held", async () => {
    const before = await balance();
    for (const [body, name] of [
      [{ seed: 1 }, "prompt"],
      [{ prompt: "x", seed: -1 }, "seed"],
      [{ prompt: "x", width: 1024 }, "width"],
      [{ prompt: "x".repeat(201) }, "prompt"],
      [{ prompt: "x", other: 1 }, "other"],
    ] as const) {
      const answer = await call(poster, body);
      assert.equal(answer.status, 422, answer.text);
      assert.match(answer.text, new RegExp(`"loc":\\["body","${name}"`));
    }
    assert.equal(await balance(), before);
  });

  test("above the caller's limit is refused before anything runs", async () => {
    const estimate = await send("POST", `/v1/models/${poster}/estimate`, { prompt: "x" });
    assert.equal(estimate.status, 200, estimate.text);
    const highest = textOf(memberOf(estimate.json(), "credits"), "highest");
    assert.ok((parseCredits(highest) ?? 0n) > 0n, estimate.text);
    const refused = await call(poster, { prompt: "x" }, { "x-service-max-credits": "0.000001" });
    assert.equal(refused.status, 422, refused.text);
    assert.equal((await call(poster, { prompt: "x" }, { "x-service-max-credits": highest })).status, 200);
  });

  test("takes a picture as an asset or a data URI, and gives data URIs where asked", async () => {
    const picture = await pictureOf(await call(poster, { prompt: "in", seed: 1 }), "picture");
    const uri = `data:image/png;base64,${picture.toString("base64")}`;
    const answer = await call(frame, { picture: uri, outputs_as: "data_uri" });
    assert.equal(answer.status, 200, answer.text);
    const [file] = memberOf(memberOf(answer.json(), "outputs"), "result") as [unknown];
    assert.match(textOf(file, "url"), /^data:image\/png;base64,/);
    const asset = textOf(memberOf(answer.json(), "inputs"), "picture");
    const again = await call(frame, { picture: asset });
    assert.equal(again.status, 200, again.text);
    for (const bad of ["data:image/png;base64,!!", "http://127.0.0.1/x.png", "file:///etc/passwd"]) {
      const refused = await call(frame, { picture: bad });
      assert.equal(refused.status, 422, `${bad}: ${refused.text}`);
    }
  });

  test("waits in the queue of jobs and takes no slot of the router, so its own nodes always find one", async () => {
    const { workspaceId } = app;
    const limited = await app.call({
      method: "PUT",
      path: `/admin/workspaces/${workspaceId}/limits/concurrency`,
      headers: bearer(app.adminToken),
      body: { value: 1 },
    });
    assert.equal(limited.status, 200, limited.text);
    const answers = await Promise.all([1, 2, 3, 4].map((seed) => call(poster, { prompt: "many", seed })));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    );
    const queued = await Promise.all(
      [5, 6, 7].map((seed) => send("POST", `/v1/models/${poster}/requests`, { prompt: "queued", seed })),
    );
    for (const one of queued) {
      assert.equal(one.status, 202, one.text);
      const path = new URL(textOf(one.json(), "response_url")).pathname;
      const done = await until("the queued call is answered", async () => {
        const answer = await send("GET", path);
        return answer.status === 202 ? null : answer;
      });
      assert.equal(done.status, 200, done.text);
      assert.equal(textOf(done.json(), "job_id"), textOf(one.json(), "request_id"));
    }
  });
});

describe("a job of a work", () => {
  test("is submitted with its inputs, and makes the same bytes as the call", async () => {
    const submitted = await send("POST", "/api/v2/jobs", { work: poster, inputs: { prompt: "same", seed: 11 } });
    assert.equal(submitted.status, 201, submitted.text);
    const path = `/api/v2/jobs/${textOf(submitted.json(), "id")}`;
    const job = await until("the job ends", async () => {
      const answer = await send("GET", path);
      return textOf(answer.json(), "status") === "succeeded" ? answer : null;
    });
    const [output] = memberOf(job.json(), "outputs") as [unknown];
    const content = await send("GET", new URL(textOf(output, "url")).pathname);
    const bytes = Buffer.from(await (await fetch(headerOf(content, "location") ?? "")).arrayBuffer());
    assert.deepEqual(bytes, await pictureOf(await call(poster, { prompt: "same", seed: 11 }), "picture"));
  });

  test("is refused for inputs outside the form, an unknown work, or inputs without a work", async () => {
    for (const body of [
      { work: poster, inputs: { prompt: 1 } },
      { work: "w.studio/nothing", inputs: {} },
      { inputs: {} },
      { work: poster, workflow: posterGraph, inputs: { prompt: "x" } },
    ]) {
      const answer = await send("POST", "/api/v2/jobs", body);
      assert.equal(answer.status, 422, answer.text);
    }
  });

  test("may use works as nodes", async () => {
    const graph = {
      a: { class_type: poster, inputs: { prompt: "inner", seed: 5 } },
      b: { class_type: frame, inputs: { picture: ["a", 0] } },
      c: { class_type: "SaveImage", inputs: { images: ["b", 0], filename_prefix: "both" } },
    };
    const submitted = await send("POST", "/api/v2/jobs", { workflow: graph });
    assert.equal(submitted.status, 201, submitted.text);
    const path = `/api/v2/jobs/${textOf(submitted.json(), "id")}`;
    const job = await until("the job ends", async () => {
      const answer = await send("GET", path);
      return ["succeeded", "failed"].includes(textOf(answer.json(), "status")) ? answer : null;
    });
    assert.equal(textOf(job.json(), "status"), "succeeded", job.text);
    assert.equal((memberOf(job.json(), "outputs") as unknown[]).length, 1);
  });
});

test("a tool of agents says what any run of its work can cost, and the estimate is within it", async () => {
  const message = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const headers = { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18" };
  const answer = await send("POST", "/mcp", message, headers);
  const text = answer.text.replace(/^[^{]*/, "");
  const tools = listOf(memberOf(JSON.parse(text), "result"), "tools");
  const costOf = (title: string) => {
    const tool = tools.find((each) => textOf(each, "title") === title) ?? assert.fail(`no ${title} in ${text}`);
    const credits = memberOf(memberOf(tool, "_meta"), "atelier/credits");
    const [lowest, highest] = [textOf(credits, "lowest"), textOf(credits, "highest")];
    return { lowest, highest, description: textOf(tool, "description") };
  };
  const { lowest, highest, description } = costOf("poster");
  const estimate = await send("POST", `/v1/models/${poster}/estimate`, { prompt: "x" });
  const estimated = memberOf(estimate.json(), "credits");
  const micro = (credits: string) => parseCredits(credits) ?? assert.fail(credits);
  assert.ok(micro(highest) > 0n && micro(lowest) <= micro(textOf(estimated, "lowest")), answer.text);
  assert.ok(micro(highest) >= micro(textOf(estimated, "highest")), answer.text);
  assert.ok(description.includes(`It costs up to ${highest} credits.`), description);
  assert.match(costOf("frame").description, /It costs nothing\./);
});

describe("a picture that callers must give", () => {
  const framed = (image: unknown) => ({
    "1": { class_type: "LoadImage", inputs: { image } },
    "2": { class_type: "ImageInvert", inputs: { image: ["1", 0] } },
    "3": { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: "framed" } },
  });
  const picture = { name: "picture", node: "1", input: "image", kind: "picture", required: true };
  const formOf = (more: object = {}) => ({
    inputs: [{ ...picture, ...more }],
    outputs: [{ name: "result", node: "3" }],
  });
  const gone = { __type: "core/ASSET", info: { id: "01890000-0000-7000-8000-000000000000", file_path: "harbour.png" } };

  let publishing: ReturnType<typeof publisher>;
  before(() => {
    publishing = publisher(app, app.key);
  });

  test("need not have a file behind it: the work is published without a run, and called with one", async () => {
    const { call: publish, workflow } = publishing;
    const made = await call(poster, { prompt: "in", seed: 2 });
    const png = textOf(listOf(memberOf(made.json(), "outputs"), "picture")[0], "asset_id");
    for (const [name, image] of [
      ["framed", "nothing.png"],
      ["framed-gone", gone],
    ] as const) {
      const workflowId = await workflow(framed(image));
      for (const examples of [{}, { examples: [] }]) {
        const answer = await publish("PUT", name, { workflow_id: workflowId, form: formOf(), ...examples });
        assert.ok([200, 201].includes(answer.status), answer.text);
      }
      const version = requireValid(WorkVersion, (await publish("GET", `${name}/versions/latest`)).json());
      assert.deepEqual([version.examples, version.form.inputs[0]?.default], [[], undefined]);
      const id = version.id.replace(/\.v\d+$/, "");
      const called = await call(id, { picture: png });
      assert.equal(called.status, 200, called.text);
      const missing = await call(id, {});
      assert.equal(missing.status, 422, missing.text);
      const examples = [{ inputs: { picture: png } }];
      const shown = await publish("PUT", name, { workflow_id: workflowId, form: formOf(), examples });
      assert.equal(shown.status, 200, shown.text);
      assert.ok(requireValid(Work, shown.json()).cover !== null, "a given example runs");
    }
  });

  test("needs one if it may be left out, and a graph that is wrong elsewhere is refused as ever", async () => {
    const { call: publish, workflow } = publishing;
    for (const image of ["nothing.png", gone]) {
      const id = await workflow(framed(image));
      const refused = await publish("PUT", "optional", { workflow_id: id, form: formOf({ required: false }) });
      assert.equal(refused.status, 422, refused.text);
    }
    const wrong = { ...framed("nothing.png"), "4": { class_type: "SaveImage", inputs: { images: ["9", 0] } } };
    const refused = await publish("PUT", "wrong", { workflow_id: await workflow(wrong), form: formOf() });
    assert.equal(refused.status, 422, refused.text);
    assert.doesNotMatch(refused.text, /nothing\.png/, "only what is wrong is named");
  });
});

test("afterwards every invariant holds and nothing is held", async () => {
  for (const { name, statement } of allInvariants) assert.deepEqual(await app.database.query(statement), [], name);
  const held = await app.database.query(sql`select workspace_id from wallets where held <> 0 or in_flight <> 0`);
  assert.deepEqual(held, []);
});
