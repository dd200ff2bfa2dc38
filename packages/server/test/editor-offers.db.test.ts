// What the editor asks for beside its API: templates, the list of uploads, and cancelling by id.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type AppRequest, bearer, headerOf, memberOf, textOf } from "./support/app-client.ts";
import { owner, ownPage, type Tenant } from "./support/app-people.ts";
import { type TestApp, testApp } from "./support/test-app.ts";
import { installTinyEditor } from "./support/tiny-editor.ts";

const workflow =
  '{"1": {"class_type": "EmptyImage", "inputs": {"width": 8, "height": 8, "batch_size": 1, "color": 0}}}';
const prompt = {
  "1": { class_type: "EmptyImage", inputs: { width: 8, height: 8, batch_size: 1, color: 255 } },
  "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "made" } },
};
const about = { templates: { "night-glow": { title: "Night glow", category: "Print", tags: ["dark"] } } };

let folder: string;
let app: TestApp;
let person: Tenant;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "atelier-templates-"));
  await writeFile(join(folder, "night-glow.json"), workflow);
  await writeFile(join(folder, "night-glow.webp"), "picture");
  await writeFile(join(folder, "index.json"), JSON.stringify(about));
  app = await testApp({ env: { ATELIER_TEMPLATES: folder } });
  person = await owner(app);
  await installTinyEditor(app.home);
});
after(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const own = (request: AppRequest) =>
  app.call({
    ...request,
    path: `/editor/${app.workspaceId}${request.path}`,
    headers: { ...ownPage(app, person.cookie), ...request.headers },
  });

test("templates are listed by category, with a workflow and a picture of each, and nothing else of the folder", async () => {
  const index = (await own({ path: "/templates/index.json" })).json();
  assert.equal(memberOf(index, 0, "title"), "Print");
  assert.deepEqual(memberOf(index, 0, "templates", 0), {
    name: "night-glow",
    title: "Night glow",
    description: "",
    mediaType: "image",
    mediaSubtype: "webp",
    tags: ["dark"],
  });
  assert.equal((await own({ path: "/templates/night-glow.json" })).text, workflow);
  const picture = await own({ path: "/templates/night-glow-1.webp" });
  assert.deepEqual([picture.text, headerOf(picture, "content-type")], ["picture", "image/webp"]);
  const etag = headerOf(picture, "etag") ?? "";
  const again = await own({ path: "/templates/night-glow-1.webp", headers: { "if-none-match": etag } });
  assert.equal(again.status, 304);
  for (const name of ["none.json", "none-1.webp", "..%2Fnight-glow.json", "night-glow.webp", "index.fr.json"])
    assert.equal((await own({ path: `/templates/${name}` })).status, 404, name);
  assert.deepEqual((await own({ path: "/templates/index_logo.json" })).json(), {});
});

test("uploads are listed, and a waiting prompt is cancelled by its id", async () => {
  assert.deepEqual((await own({ path: "/internal/files/input" })).json(), []);
  const pause = (paused: boolean) =>
    app.call({ method: "PUT", path: "/account/queue", headers: bearer(person.jwt), body: { paused } });
  await pause(true);
  const sent = await own({ method: "POST", path: "/api/prompt", body: { prompt } });
  const id = textOf(sent.json(), "prompt_id");
  const cancelled = await own({ method: "POST", path: "/api/jobs/cancel", body: { job_ids: [id] } });
  assert.equal(cancelled.status, 200, cancelled.text);
  assert.equal(memberOf((await own({ path: `/api/jobs/${id}` })).json(), "status"), "cancelled");
  assert.equal((await own({ method: "POST", path: `/api/jobs/${id}/cancel` })).status, 200, "it has ended already");
  await pause(false);
});
