// The form of a saved workflow over HTTP: suggested before anything is published, kept afterwards as far as it fits.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { WorkflowForm } from "@atelier/contract";
import { sql } from "../src/foundation/database/index.ts";
import { requireValid } from "../src/foundation/json/schema.ts";
import { bearer, headerOf, textOf } from "./support/app-client.ts";
import { addTenant, type Tenant } from "./support/app-people.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let app: TestApp;
let stranger: Tenant;
before(async () => {
  app = await testApp({ env: { ATELIER_ENGINE_SLOTS: "0" } });
  stranger = await addTenant(app, "stranger");
});
after(() => app.close());

const call = (method: string, path: string, body?: object, key = app.key) =>
  app.call({ method, path: `/account/${path}`, headers: bearer(key), ...(body === undefined ? {} : { body }) });

const graph = (width = 64) => ({
  "1": { class_type: "EmptyImage", inputs: { width, height: 64, batch_size: 1, color: 255 } },
  "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "lighthouse" } },
});

let count = 0;
async function saved(document: object = graph()): Promise<string> {
  count += 1;
  const answer = await call("POST", "workflows", { name: `Workflow ${count}`, document });
  assert.equal(answer.status, 201, answer.text);
  return textOf(answer.json(), "id");
}

async function formOf(id: string, query = "") {
  const answer = await call("GET", `workflows/${id}/form${query}`);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(headerOf(answer, "cache-control"), "no-store");
  return { text: answer.text, ...requireValid(WorkflowForm, answer.json()) };
}

async function nextVersion(id: string, document: object): Promise<void> {
  const answer = await call("POST", `workflows/${id}/versions`, { document });
  assert.equal(answer.status, 201, answer.text);
}

const locations = (inputs: WorkflowForm["inputs"]) => inputs.map(({ name, node, input }) => `${name} ${node}.${input}`);

describe("200", () => {
  test("a graph in API format has an inferred form, and every other value is listed", async () => {
    const { version, source, form, inputs, outputs, problems } = await formOf(await saved());
    assert.deepEqual([version, source, problems], [1, "inferred", []]);
    assert.deepEqual(locations(form.inputs), ["width 1.width", "height 1.height"]);
    assert.deepEqual(form.outputs, [{ name: "picture", node: "2", label: "Picture" }]);
    assert.deepEqual(locations(inputs), [
      "width 1.width",
      "height 1.height",
      "batch_size 1.batch_size",
      "color 1.color",
      "filename_prefix 2.filename_prefix",
    ]);
    assert.deepEqual(outputs, form.outputs);
  });

  test("limits beyond 2^53 are on the wire to the digit", async () => {
    const inputs = { model: "sandbox/image-1", prompt: "x", width: 64, height: 64, seed: 1 };
    const id = await saved({
      "1": { class_type: "AtelierModelImage", inputs },
      "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "x" } },
    });
    assert.match((await formOf(id)).text, /"minimum":0,"maximum":18446744073709551615,"random":true/);
  });

  test("a document of the editor has the form of its app mode", async () => {
    const slot = (name: string, link: number) => ({ name, type: "IMAGE", link });
    const id = await saved({
      nodes: [
        { id: 1, type: "EmptyImage", widgets_values: [64, 32, 1, 255] },
        { id: 2, type: "SaveImage", inputs: [slot("images", 5)], widgets_values: ["x"] },
        { id: 3, type: "PreviewImage", inputs: [slot("images", 6)] },
      ],
      links: [
        [5, 1, 0, 2, 0, "IMAGE"],
        [6, 1, 0, 3, 0, "IMAGE"],
      ],
      extra: {
        linearData: {
          inputs: [
            [1, "color"],
            ["1", "height", { description: "How high." }],
            [9, "x"],
          ],
          outputs: [3],
        },
      },
    });
    const { source, form, problems } = await formOf(id);
    assert.equal(source, "app_mode");
    assert.deepEqual(
      form.inputs.map(({ name, kind, default: standard, description }) => [name, kind, standard, description]),
      [
        ["color", "color", "#0000ff", undefined],
        ["height", "integer", 32, "How high."],
      ],
    );
    assert.deepEqual(form.outputs, [{ name: "picture", node: "3", label: "Picture" }]);
    assert.deepEqual(problems, ["The app mode sets x of node 9, which has no value in the graph that runs."]);
  });

  test("what was published is the form from then on, with the graph's values and without what is gone", async () => {
    const id = await saved();
    const form = {
      inputs: [
        { name: "breadth", node: "1", input: "width", kind: "integer", label: "Breadth", maximum: 512 },
        { name: "batch", node: "1", input: "batch_size", kind: "integer", default: 2 },
        { name: "file", node: "2", input: "filename_prefix", kind: "text" },
      ],
      outputs: [{ name: "result", node: "2" }],
    };
    const name = `form-${count}`;
    const answer = await call("PUT", `works/${name}`, { workflow_id: id, form, examples: [] });
    assert.equal(answer.status, 201, answer.text);

    const published = await formOf(id);
    assert.equal(published.source, "published");
    assert.deepEqual(
      published.form.inputs.map(({ name: each, default: standard }) => [each, standard]),
      [
        ["breadth", 64],
        ["batch", 2],
        ["file", "lighthouse"],
      ],
    );
    assert.deepEqual(locations(published.inputs), [
      "breadth 1.width",
      "height 1.height",
      "batch 1.batch_size",
      "color 1.color",
      "file 2.filename_prefix",
    ]);
    assert.deepEqual(published.outputs, [{ name: "result", node: "2" }]);

    const changed = graph(128);
    await nextVersion(id, {
      "1": changed["1"],
      "2": { ...changed["2"], class_type: "PreviewImage", inputs: { images: ["1", 0] } },
    });
    const later = await formOf(id);
    assert.deepEqual([later.version, later.source], [2, "published"]);
    assert.deepEqual(
      later.form.inputs.map(({ name: each, default: standard }) => [each, standard]),
      [
        ["breadth", 128],
        ["batch", 2],
      ],
    );
    assert.deepEqual(later.problems, ["The published form no longer fits: inputs/2/input is not an input of node 2."]);
    assert.equal((await formOf(id, "?version=1")).form.inputs.length, 3);

    await nextVersion(id, {
      "7": changed["1"],
      "8": { ...changed["2"], inputs: { images: ["7", 0], filename_prefix: "x" } },
    });
    const other = await formOf(id);
    assert.equal(other.source, "inferred");
    assert.ok(
      other.problems.includes("The published form no longer fits: outputs/0/node is not a node of the workflow."),
    );
  });
});

describe("a form is saved", () => {
  const form = {
    inputs: [
      { name: "breadth", node: "1", input: "width", kind: "integer", label: "Breadth", group: "Size", maximum: 512 },
      { name: "file", node: "2", input: "filename_prefix", kind: "text", required: true, description: "Its name." },
    ],
    outputs: [{ name: "result", node: "2", label: "The picture" }],
  };
  const save = (id: string, body: object, headers: Record<string, string> = {}, key = app.key) =>
    app.call({ method: "PUT", path: `/account/workflows/${id}/form`, headers: { ...bearer(key), ...headers }, body });
  const documentOf = async (id: string, version: number) =>
    (await call("GET", `workflows/${id}/versions/${version}/document`)).text;
  const versionsOf = async (id: string) => {
    const { data } = (await call("GET", `workflows/${id}/versions`)).json() as {
      data: { version: number; note: string | null }[];
    };
    return data.map(({ version, note }) => [version, note]);
  };
  const editorText = `{"nodes":[{"id":1,"type":"EmptyImage","widgets_values":[64,32,1,255]},
    {"id":2,"type":"SaveImage","inputs":[{"name":"images","type":"IMAGE","link":5}],"widgets_values":["lighthouse"]}],
    "links":[[5,1,0,2,0,"IMAGE"]],"big":18446744073709551615,"extra":{"ds":{"scale":1.10}}}`;
  const savedText = async (text: string) => {
    count += 1;
    const body = Buffer.from(`{"name":"Workflow ${count}","document":${text}}`);
    const headers = { ...bearer(app.key), "content-type": "application/json" };
    const answer = await app.call({ method: "POST", path: "/account/workflows", headers, body });
    assert.equal(answer.status, 201, answer.text);
    return textOf(answer.json(), "id");
  };

  test("201: a new version of an editor's document has it and every other byte, and the form is read from it", async () => {
    const id = await savedText(editorText);
    const answer = await save(id, { form, note: "Two inputs." }, { "if-match": '"1"' });
    assert.equal(answer.status, 201, answer.text);
    assert.equal(headerOf(answer, "etag"), '"2"');
    const read = requireValid(WorkflowForm, answer.json());
    assert.deepEqual([read.version, read.source, read.problems], [2, "saved", []]);
    const complete = form.inputs.map((input, at) => ({ ...input, default: at === 0 ? 64 : "lighthouse" }));
    assert.deepEqual(read.form, { ...form, inputs: complete });
    const { text: _, ...again } = await formOf(id);
    assert.deepEqual(again, read);
    assert.deepEqual(await versionsOf(id), [
      [2, "Two inputs."],
      [1, null],
    ]);

    const before = await documentOf(id, 1);
    assert.equal(before, editorText);
    const own = `"atelier":{"form":${JSON.stringify(form)}},`;
    const data = `"linearData":{"inputs":[[1,"width"],[2,"filename_prefix",{"description":"Its name."}]],"outputs":[2]},`;
    assert.equal(await documentOf(id, 2), editorText.replace('"extra":{', `"extra":{${own}${data}`));

    // The same again makes no version, and so does the form as it was read.
    for (const given of [form, read.form]) {
      const same = await save(id, { form: given });
      assert.equal(same.status, 200, same.text);
      assert.equal(headerOf(same, "etag"), '"2"');
      assert.deepEqual(requireValid(WorkflowForm, same.json()), read);
    }
  });

  test("201: a graph in API format keeps it in a node, where a published work does not have it", async () => {
    const id = await saved();
    const answer = await save(id, { form });
    assert.equal(answer.status, 201, answer.text);
    const document = JSON.parse(await documentOf(id, 2));
    assert.deepEqual(document["2"]._meta, { atelier: { form } });
    const { _meta, ...rest } = document["2"];
    assert.deepEqual({ ...document, "2": rest }, graph());
    assert.deepEqual(await versionsOf(id), [
      [2, "Form saved."],
      [1, null],
    ]);
    assert.equal((await formOf(id)).source, "saved");

    // It is the form that is published, before the one of the last version.
    const other = { inputs: [], outputs: form.outputs };
    const name = `saved-${count}`;
    const publish = (body: object) => call("PUT", `works/${name}`, { workflow_id: id, examples: [], ...body });
    assert.equal((await publish({ form: other })).status, 201);
    assert.equal((await formOf(id)).source, "saved");
    assert.equal((await publish({})).status, 200);
    const latest = (await call("GET", `works/${name}/versions/latest`)).json() as {
      version: number;
      form: typeof form;
    };
    assert.deepEqual(
      [latest.version, latest.form.inputs.map(({ name: each, label }) => [each, label])],
      [
        2,
        [
          ["breadth", "Breadth"],
          ["file", undefined],
        ],
      ],
    );
    const [run] = await app.database.query<{ graph: Buffer }>(
      sql`select v.graph from work_versions v join published_works w on w.id = v.work_id where w.name = ${name} and v.version = 2`,
    );
    assert.doesNotMatch(String(run?.graph), /atelier/);
  });

  test("later versions have it as far as it fits, and defaults follow the graph", async () => {
    const id = await saved();
    assert.equal((await save(id, { form })).status, 201);
    const document = JSON.parse(await documentOf(id, 2));
    await nextVersion(id, { ...document, "1": { ...document["1"], inputs: { ...graph(128)["1"].inputs } } });
    const moved = await formOf(id);
    assert.deepEqual([moved.source, moved.form.inputs[0]?.default], ["saved", 128]);
    await nextVersion(id, { ...document, "1": { class_type: "LoadImage", inputs: { image: "a.png" } } });
    const fewer = await formOf(id);
    assert.deepEqual([fewer.source, locations(fewer.form.inputs)], ["saved", ["file 2.filename_prefix"]]);
    assert.deepEqual(fewer.problems, ["The saved form no longer fits: inputs/0/input is not an input of node 1."]);
  });

  test("limits beyond 2^53 are saved to the digit", async () => {
    const model = { model: "sandbox/image-1", prompt: "x", width: 64, height: 64, seed: 1 };
    const id = await saved({
      "1": { class_type: "AtelierModelImage", inputs: model },
      "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "x" } },
    });
    const text = `{"form":{"inputs":[{"name":"seed","node":"1","input":"seed","kind":"integer","maximum":18446744073709551614}],
      "outputs":[{"name":"picture","node":"2"}]}}`;
    const headers = { ...bearer(app.key), "content-type": "application/json" };
    const path = `/account/workflows/${id}/form`;
    const answer = await app.call({ method: "PUT", path, headers, body: Buffer.from(text) });
    assert.equal(answer.status, 201, answer.text);
    assert.match(answer.text, /"maximum":18446744073709551614/);
    assert.match((await formOf(id)).text, /"maximum":18446744073709551614/);
  });

  test("400: no form, too many inputs, a member that is none", async () => {
    const id = await saved();
    const many = Array.from({ length: 10_000 }, (_, at) => ({
      name: `n${at}`,
      ...{ node: "1", input: "width", kind: "integer" },
    }));
    for (const [given, path] of [
      [undefined, "/form"],
      [{ ...form, inputs: many }, "/form/inputs"],
      [{ ...form, colour: 1 }, "/form/colour"],
    ] as const) {
      const answer = await save(id, { form: given });
      assert.equal(answer.status, 400, answer.text);
      assert.ok(answer.text.includes(path), answer.text);
    }
    assert.deepEqual(await versionsOf(id), [[1, null]]);
  });

  test("404 and 412: another workspace's workflow, and one that has changed since", async () => {
    const id = await saved();
    assert.equal((await save(id, { form }, {}, stranger.key)).status, 404);
    await nextVersion(id, graph(128));
    const late = await save(id, { form }, { "if-match": '"1"' });
    assert.equal(late.status, 412, late.text);
    assert.deepEqual(await versionsOf(id), [
      [2, null],
      [1, null],
    ]);
  });

  test("422: a form that does not fit, with the place of each problem", async () => {
    const id = await saved();
    const inputs = [{ name: "x", node: "9", input: "width", kind: "integer" }];
    const answer = await save(id, { form: { inputs, outputs: [{ name: "y", node: "1" }] } });
    assert.equal(answer.status, 422, answer.text);
    assert.match(answer.text, /"path":"\/form\/inputs\/0\/node","message":"is not a node of the workflow"/);
    assert.match(answer.text, /"path":"\/form\/outputs\/0\/node"/);
    const foreign = await saved({ nodes: [{ id: 1, type: "KSampler", widgets_values: [] }], links: [] });
    const unknown = await save(foreign, { form });
    assert.equal(unknown.status, 422, unknown.text);
    assert.match(unknown.text, /"unknown_classes":\["KSampler"\]/);
    assert.deepEqual(await versionsOf(foreign), [[1, null]]);
  });

  test("two at once, and a save between, lose nothing", async () => {
    const id = await saved();
    const answers = await Promise.all([
      save(id, { form }),
      save(id, { form: { ...form, inputs: form.inputs.slice(1) } }),
      call("POST", `workflows/${id}/versions`, { document: graph(256) }),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201, 201],
    );
    // The graph of the save, and a form unless the save was the last.
    const last = JSON.parse(await documentOf(id, 4));
    assert.equal(last["1"].inputs.width, 256);
  });
});

test("400: a version that is none", async () => {
  const id = await saved();
  assert.equal((await call("GET", `workflows/${id}/form?version=0`)).status, 400);
});

test("404: an unknown workflow or version, or another workspace's", async () => {
  const id = await saved();
  assert.equal((await call("GET", `workflows/${id}/form?version=2`)).status, 404);
  assert.equal((await call("GET", `workflows/${id}/form`, undefined, stranger.key)).status, 404);
});

test("422: a workflow without an output, or with a class that the server cannot convert", async () => {
  const nothing = await call("GET", `workflows/${await saved({ "1": graph()["1"] })}/form`);
  assert.equal(nothing.status, 422, nothing.text);
  assert.match(nothing.text, /no output node/);
  const foreign = await saved({ nodes: [{ id: 1, type: "KSampler", widgets_values: [] }], links: [] });
  const unknown = await call("GET", `workflows/${foreign}/form`);
  assert.equal(unknown.status, 422, unknown.text);
  assert.match(unknown.text, /"unknown_classes":\["KSampler"\]/);
});
