// Two people in the real editor at the same time, on a server of two gateways that is killed while both of them run something.
// `npm run test:long -- editor`
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { skip } from "../console/scene.ts";
import { memberOf, textOf } from "../support/app-client.ts";
import { until } from "../support/server-process.ts";
import { type EditorScene, openEditorScene } from "./editor-scene.ts";
import { type EditorVisit, holds, visitEditor } from "./editor-visit.ts";

const wheel = process.env["ATELIER_TEST_EDITOR_WHEEL"];
const why = wheel === undefined ? "ATELIER_TEST_EDITOR_WHEEL names no wheel: npm run test:long -- editor" : skip;

describe("two people in the editor", { skip: why }, () => {
  let scene: EditorScene;
  let [ann, bob]: EditorVisit[] = [];
  const people = (): readonly [EditorVisit, EditorVisit] => {
    assert.ok(ann && bob);
    return [ann, bob];
  };
  before(async () => {
    scene = await openEditorScene(String(wheel), { ATELIER_PROCESSES: "2" });
    const { call, baseUrl } = scene.server;
    const workspace = textOf((await call({ path: "/account" })).json(), "workspace", "id");
    const members = `/account/workspaces/${workspace}/members`;
    const invited = await call({ method: "POST", path: members, body: { name: "Bob" } });
    assert.equal(invited.status, 201, invited.text);
    const hers = scene.context;
    const his = await scene.signIn(textOf(invited.json(), "sign_in", "url"));
    [ann, bob] = [await visitEditor(hers, baseUrl), await visitEditor(his, baseUrl)];
    for (const { page, started } of people()) {
      await page.goto(`${baseUrl}/editor`);
      await started();
      await page.keyboard.press("Escape");
    }
  });
  after(() => scene.close());

  const build = async ({ page, create, setWidget }: EditorVisit, radius: number) => {
    await page.evaluate("window.app.clean()");
    for (const name of ["EmptyImage", "ImageBlur", "SaveImage"]) await create(name);
    await page.evaluate(`(() => {
      const [from, blur, save] = window.app.graph.nodes;
      from.connect(0, blur, 0);
      blur.connect(0, save, 0);
    })()`);
    await setWidget("EmptyImage", "width", 1024);
    await setWidget("EmptyImage", "height", 1024);
    await setWidget("ImageBlur", "blur_radius", radius);
  };
  // A picture of one of these jobs, and not one of an earlier run.
  const shows = ({ page }: EditorVisit, ids: readonly string[]) =>
    holds(
      page,
      `window.app.graph.nodes.find(({ type }) => type === "SaveImage")?.imgs?.some(({ naturalWidth, src }) =>
        naturalWidth > 0 && ${JSON.stringify(ids)}.some((id) => src.includes(id)))`,
    );
  const ownRuns = ({ page }: EditorVisit) =>
    page.evaluate<string[]>(`(async () => {
      const { jobs } = await (await window.comfyAPI.api.api.fetchApi("/jobs")).json();
      return jobs.map(({ id }) => id);
    })()`);
  const allRuns = async () => {
    const data = memberOf((await scene.server.call({ path: "/api/v2/jobs" })).json(), "data");
    assert.ok(Array.isArray(data));
    return data.map((job: unknown) => textOf(job, "id"));
  };

  test("each sees their own run and its picture, and nothing of the other's", async () => {
    for (const [at, person] of people().entries()) await build(person, 5 + at);
    await Promise.all(people().map((person) => person.run()));
    const [hers, his] = await Promise.all(
      people().map(async (person) => {
        const own = await until("their run", async () => {
          const runs = await ownRuns(person);
          return runs.length > 0 ? runs : null;
        });
        await shows(person, own);
        return own;
      }),
    );
    assert.equal(hers?.length, 1);
    assert.equal(his?.length, 1);
    assert.deepEqual([...(hers ?? []), ...(his ?? [])].sort(), (await allRuns()).sort());
  });

  test("what one of them saves, the other opens", async () => {
    const [a, b] = people();
    await a.page.keyboard.press("Control+s");
    await a.page.getByRole("dialog").getByRole("textbox").fill("shared by Ann");
    await a.page.keyboard.press("Enter");
    await holds(a.page, "window.app.extensionManager.workflow.activeWorkflow?.isPersisted === true");
    await b.page.goto(`${scene.server.baseUrl}/editor?workflow=shared+by+Ann`);
    const active = "window.app?.extensionManager?.workflow?.activeWorkflow?.path";
    await holds(b.page, `${active} === "workflows/shared by Ann.json"`);
    await holds(b.page, "window.app.graph.nodes.length === 3");
  });

  test("the server is killed while both run something: both editors come back and show their pictures", async () => {
    const before = new Set(await allRuns());
    for (const [at, person] of people().entries()) await build(person, 30 - at);
    await Promise.all(people().map((person) => person.run()));
    const open = await until("both are there", async () => {
      const more = (await allRuns()).filter((id) => !before.has(id));
      return more.length === 2 ? more : null;
    });
    await scene.killAndStart();
    await Promise.all(people().map((person) => shows(person, open)));
    for (const id of open) {
      const job = await until(`${id} has ended`, async () => {
        const read = (await scene.server.call({ path: `/api/v2/jobs/${id}` })).json();
        return ["queued", "running"].includes(textOf(read, "status")) ? null : read;
      });
      assert.equal(textOf(job, "status"), "succeeded");
    }
    await bob?.picture("two-people");
  });

  test("a person who signed out elsewhere is told so by the editor, and asks for nothing more", async () => {
    const [, b] = people();
    const { baseUrl } = scene.server;
    const elsewhere = await b.page.context().newPage();
    await elsewhere.goto(`${baseUrl}/console`);
    const left = await elsewhere.evaluate<number>(
      `fetch("/profile/sign-out", { method: "POST" }).then(({ status }) => status)`,
    );
    assert.ok(left < 400, String(left));
    await b.page.getByText("You are signed out").first().waitFor();
    const refused = await b.page.evaluate<number>(
      `window.comfyAPI.api.api.fetchApi("/queue").then(({ status }) => status)`,
    );
    assert.equal(refused, 401);
    await b.picture("signed-out");
  });
});
