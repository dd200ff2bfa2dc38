// The form of a saved workflow over HTTP: suggested before anything is published, kept afterwards as far as it fits.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { WorkflowForm } from "@atelier/contract";
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
