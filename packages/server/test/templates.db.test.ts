// Templates over HTTP: what each needs on this server, what it costs before any of its files is here, and what it cannot reach.
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { bearer, listOf, memberOf } from "./support/app-client.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import type { TestApp } from "./support/test-app.ts";

const model = {
  class_type: "AtelierModelImage",
  inputs: {
    model: "sandbox/image-1",
    prompt: "a lighthouse on a cliff at dusk, calm sea",
    width: 768,
    height: 512,
    seed: 7,
    parameters: '{"response_format": "b64_json"}',
  },
};
const save = { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "x" } };
const load = { class_type: "LoadImage", inputs: { image: "photo.png" } };
const graphs = {
  fox: { "1": model, "2": save },
  photo: { "1": load, "2": save },
  flux: { "1": { class_type: "Flux2ImageNode", inputs: {} }, "2": save },
  weights: { "1": { class_type: "CheckpointLoaderSimple", inputs: { ckpt_name: "v1.safetensors" } }, "2": save },
};

describe("templates that were installed", () => {
  let apps: SandboxApps;
  let app: TestApp;
  before(async () => {
    apps = await sandboxApps();
    app = await apps.open({});
    const folder = join(app.home, "templates");
    await mkdir(folder);
    for (const [name, graph] of Object.entries(graphs))
      await writeFile(join(folder, `${name}.json`), JSON.stringify(graph));
    await writeFile(
      join(folder, "index.json"),
      JSON.stringify({ templates: { fox: { title: "A fox", tags: ["red"] } } }),
    );
  });
  after(() => apps.close());

  const get = (path: string) => app.call({ path: `/account/templates${path}`, headers: bearer(app.key) });

  test("each says whether it runs here, and names the key, the class and the weights that are missing", async () => {
    const found = listOf((await get("?source=installed")).json(), "data");
    assert.deepEqual(
      found.map((each) => [memberOf(each, "name"), memberOf(each, "runs_here"), memberOf(each, "needs")]),
      [
        ["fox", true, { classes: [], weights: [], providers: [] }],
        ["flux", false, { classes: [], weights: [], providers: ["bfl"] }],
        ["photo", true, { classes: [], weights: [], providers: [] }],
        ["weights", false, { classes: ["CheckpointLoaderSimple"], weights: ["v1.safetensors"], providers: [] }],
      ],
    );
    assert.deepEqual(
      [found[0], found[2]].map((each) => [memberOf(each, "title"), memberOf(each, "tags"), memberOf(each, "files")]),
      [
        ["A fox", ["red"], []],
        ["Photo", [], ["photo.png"]],
      ],
    );
    assert.deepEqual(listOf((await get("?source=operator")).json(), "data"), []);
    assert.equal((await get("?source=mine")).status, 400);
  });

  test("an estimate needs no file of it; running it does", async () => {
    const fox = await get("/fox/estimate");
    assert.equal(fox.status, 200, fox.text);
    assert.equal(listOf(fox.json(), "nodes").length, 1);
    assert.equal((await get("/photo/estimate")).status, 200);
    const body = { workflow: graphs.photo };
    const run = await app.call({ method: "POST", path: "/api/v2/jobs", headers: bearer(app.key), body });
    assert.equal(run.status, 422, run.text);
  });

  test("an estimate is refused as a submission would be, and there is none of what is no template", async () => {
    assert.equal((await get("/flux/estimate")).status, 422);
    const unknown = await get("/weights/estimate");
    assert.equal(unknown.status, 422);
    assert.match(unknown.text, /CheckpointLoaderSimple/);
    for (const name of ["index", "nothing", "..%2ffirst-key", "fox.json"])
      assert.equal((await get(`/${name}/estimate`)).status, 404, name);
  });
});
