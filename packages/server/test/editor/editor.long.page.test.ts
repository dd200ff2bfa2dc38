// The real editor, unmodified, on a server as it is shipped: what people do with it, in order, and every request that it makes.
// `npm run test:long -- editor`
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { openEditor } from "../../src/capabilities/editor/index.ts";
import { skip } from "../console/scene.ts";
import { textOf } from "../support/app-client.ts";
import { until } from "../support/server-process.ts";
import { checkout, type EditorScene, openEditorScene } from "./editor-scene.ts";
import { type Asked, countOf, type EditorVisit, holds, visitEditor } from "./editor-visit.ts";

const wheel = process.env["ATELIER_TEST_EDITOR_WHEEL"];
const why = wheel === undefined ? "ATELIER_TEST_EDITOR_WHEEL names no wheel: npm run test:long -- editor" : skip;

// What an application answers so as well: files that a person has not saved yet. A refused save is one of our tests.
const alsoThere = ({ method, path, status }: Asked): boolean =>
  path.startsWith("~/api/userdata/") && `${method} ${status}` === (method === "GET" ? "GET 404" : "POST 412");

describe("the editor", { skip: why }, () => {
  let scene: EditorScene;
  let visit: EditorVisit;
  before(async () => {
    scene = await openEditorScene(String(wheel));
    visit = await visitEditor(scene.context, scene.server.baseUrl);
  });
  after(() => scene.close());

  const idle = () =>
    until("no open job", async () => {
      const open = await scene.server.call({ path: "/api/v2/jobs?status=queued,running" });
      return (open.json() as { data: unknown[] }).data.length === 0 || null;
    });
  // The file itself, and not a preview of it.
  const shown = (className: string) =>
    holds(
      visit.page,
      `window.app.graph.nodes.some(({ type, imgs }) => type === ${JSON.stringify(className)}
        && imgs?.[0]?.naturalWidth > 0 && imgs[0].src.includes("/view?"))`,
    ).catch(async (thrown) => {
      const drawn = `JSON.stringify(window.app.graph.nodes.map(({ id, type, imgs, images, widgets }) => ({ id, type, images,
        imgs: imgs?.map(({ src, naturalWidth }) => [src, naturalWidth]), values: widgets?.map(({ value }) => value) })))`;
      throw new Error(
        `${thrown}\nThe nodes show: ${await visit.page.evaluate<string>(drawn)}\nLast asked: ${JSON.stringify(visit.asked.slice(-8))}`,
      );
    });
  // As the editor's own command clears, so that no preview is left for a new node with the number of an old one.
  const clear = () => visit.page.evaluate("window.app.clean()");

  const threeNodes = async () => {
    await clear();
    await visit.add("EmptyImage", 300, 300);
    await visit.add("ImageBlur", 640, 300);
    await visit.add("SaveImage", 980, 300);
    await visit.connect("EmptyImage", "ImageBlur");
    await visit.connect("ImageBlur", "SaveImage");
  };

  test("starts from its own address, and knows our classes", async () => {
    await visit.page.goto(`${scene.server.baseUrl}/editor`);
    await visit.started();
    await visit.page.keyboard.press("Escape");
    const known = await visit.page.evaluate<string[]>("Object.keys(window.LiteGraph.registered_node_types)");
    for (const name of ["EmptyImage", "SaveImage", "ImageBlur", "LoadImage"]) assert.ok(known.includes(name), name);
    await visit.picture("started");
  });

  test("a graph is built by adding nodes and connecting them, and undone and redone", async () => {
    await threeNodes();
    await visit.page.mouse.click(640, 700);
    await visit.page.keyboard.press("Control+z");
    await holds(visit.page, "[...window.app.graph.links.values()].length === 1");
    await visit.page.keyboard.press("Control+y");
    await holds(visit.page, "[...window.app.graph.links.values()].length === 2");
    assert.equal(await countOf(visit.page, "nodes"), 3);
  });

  test("it runs, shows its preview and its picture, and is a job of the workspace", async () => {
    await visit.run();
    await shown("SaveImage");
    await visit.picture("ran");
    await idle();
    const jobs = (await scene.server.call({ path: "/api/v2/jobs" })).json() as { data: { status: string }[] };
    assert.equal(jobs.data[0]?.status, "succeeded");
  });

  test("it is saved, and after loading the page again it is there as a saved workflow of the workspace", async () => {
    await visit.page.keyboard.press("Control+s");
    await visit.page.getByRole("dialog").getByRole("textbox").fill("from the editor");
    await visit.page.keyboard.press("Enter");
    await holds(visit.page, "window.app.extensionManager.workflow.activeWorkflow?.isPersisted === true");
    const saved = (await scene.server.call({ path: "/account/workflows" })).json() as { data: { name: string }[] };
    assert.deepEqual(
      saved.data.map(({ name }) => name),
      ["from the editor"],
    );
    await visit.page.reload();
    await visit.started();
    await holds(visit.page, "window.app.graph.nodes.length === 3");
    await visit.picture("saved");
  });

  test("two tabs do not overwrite each other: the second save is refused, and says why", async () => {
    const other = await scene.context.newPage();
    await other.goto(`${scene.server.baseUrl}/editor?workflow=from+the+editor`);
    await holds(other, "window.app?.extensionManager?.workflow?.activeWorkflow?.isPersisted === true");
    const save = `window.app.extensionManager.workflow.activeWorkflow.save({ force: true }).then(() => "saved", String)`;
    // The same bytes again would be no change.
    await other.evaluate(`(() => {
      window.app.graph.nodes[0].pos[1] += 40;
      window.app.extensionManager.workflow.activeWorkflow.changeTracker.checkState();
    })()`);
    assert.equal(await other.evaluate(save), "saved");
    await other.close();
    assert.match(await visit.page.evaluate<string>(save), /412|Precondition/);
    await visit.page.getByText("This workflow was saved elsewhere").first().waitFor();
    await visit.picture("saved-elsewhere");
  });

  test("a person sets the most that a run may cost", async () => {
    await visit.page.evaluate(`window.app.extensionManager.setting.set("Atelier.MaxCredits", "1.5")`);
    const kept = `window.comfyAPI.api.api.fetchApi("/settings/Atelier.MaxCredits").then((answer) => answer.json())`;
    await until("the setting on the server", async () => (await visit.page.evaluate(kept)) === "1.5" || null);
    await visit.page.evaluate(`window.app.extensionManager.setting.set("Atelier.MaxCredits", "")`);
  });

  test("the console opens the saved workflow and a job's graph in it, and it leads back to the console", async () => {
    const saved = (await scene.server.call({ path: "/account/workflows" })).json() as { data: { id: string }[] };
    const { context } = scene;
    const from = await context.newPage();
    await from.goto(`${scene.server.baseUrl}/console/workflows/${saved.data[0]?.id}`);
    const [opened] = await Promise.all([
      context.waitForEvent("page"),
      from.getByRole("link", { name: "Open in editor" }).click(),
    ]);
    const active = "window.app?.extensionManager?.workflow?.activeWorkflow?.path";
    await holds(opened, `${active} === "workflows/from the editor.json"`);
    await holds(opened, "window.app.graph.nodes.length === 3");
    const [back] = await Promise.all([
      context.waitForEvent("page"),
      opened.evaluate(`window.app.extensionManager.command.execute("Atelier.OpenConsole")`),
    ]);
    await back.waitForURL(`**/console/workflows/${saved.data[0]?.id}`);
    await back.close();
    await opened.close();
    const jobs = (await scene.server.call({ path: "/api/v2/jobs" })).json() as { data: { id: string }[] };
    await from.goto(`${scene.server.baseUrl}/editor?job=${jobs.data[0]?.id}`);
    await holds(from, `window.app?.graph?.nodes?.length === 3`);
    await from.close();
  });

  test("a node says what it will cost, and says it again when a widget changes", async () => {
    await clear();
    const model = "AtelierModelImage";
    const price = /^[\d.-]+ credits\/Run$/;
    const first = await visit.drawnAfter(() => visit.create(model), price);
    const voice = await visit.drawnAfter(() => visit.setWidget(model, "model", "sandbox/voice-1"), price);
    await visit.picture("price");
    // No account elsewhere is asked for.
    await visit.page.getByRole("button", { name: "Run", exact: true }).first().waitFor();
    const film = await visit.drawnAfter(() => visit.setWidget(model, "model", "sandbox/video-1"), price);
    assert.deepEqual([first, voice, film], ["0 credits/Run", "2.1 credits/Run", "10.6-42.2 credits/Run"]);
  });

  test("three runs are queued, one that waits is deleted, and the running one is interrupted", async () => {
    await threeNodes();
    await scene.server.call({ method: "PUT", path: "/account/queue", body: { paused: true } });
    const before = (await scene.server.call({ path: "/api/v2/jobs" })).json() as { data: unknown[] };
    for (const radius of [2, 3, 4]) {
      await visit.setWidget("ImageBlur", "blur_radius", radius);
      await visit.run();
    }
    const waiting = await until("three that wait", async () => {
      const queue = await queueOf(visit);
      return queue.pending.length === 3 ? queue.pending : null;
    });
    const body = JSON.stringify({ delete: [waiting[1]] });
    await visit.page.evaluate(`window.comfyAPI.api.api.fetchApi("/queue", { method: "POST", body: ${JSON.stringify(body)},
      headers: { "content-type": "application/json" } })`);
    await until("two that wait", async () => (await queueOf(visit)).pending.length === 2 || null);
    await scene.server.call({ method: "PUT", path: "/account/queue", body: { paused: false } });
    await idle();
    const after = (await scene.server.call({ path: "/api/v2/jobs" })).json() as { data: { status: string }[] };
    assert.deepEqual(
      after.data.slice(0, after.data.length - before.data.length).map(({ status }) => status),
      ["succeeded", "canceled", "succeeded"],
    );
    await visit.setWidget("EmptyImage", "width", 2048);
    await visit.setWidget("EmptyImage", "height", 2048);
    await visit.setWidget("EmptyImage", "batch_size", 4);
    await visit.setWidget("ImageBlur", "blur_radius", 31);
    await visit.run();
    await until("one that runs", async () => (await queueOf(visit)).running.length === 1 || null);
    await visit.page.evaluate("window.comfyAPI.api.api.interrupt(null)");
    await until("its end", async () => {
      const last = await scene.server.call({ path: "/api/v2/jobs?limit=1" });
      return (last.json() as { data: { status: string }[] }).data[0]?.status === "canceled";
    });
  });

  test("a picture and a mask are uploaded and used", async () => {
    await clear();
    await visit.add("LoadImage", 400, 300);
    const pixels = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR4nGP8z4APMOGVHbHSAEEsAROxCnMTAAAAAElFTkSuQmCC",
      "base64",
    );
    const chooser = visit.page.waitForEvent("filechooser");
    await visit.page.evaluate(`window.app.graph.nodes[0].widgets.find(({ name }) => name === "upload").callback()`);
    await (await chooser).setFiles({ name: "small.png", mimeType: "image/png", buffer: pixels });
    await shown("LoadImage");
    const sent = await visit.page.evaluate<{ name: string }>(`(async () => {
      const picture = await (await window.comfyAPI.api.api.fetchApi("/view?filename=small.png&type=input")).blob();
      const form = new FormData();
      form.append("image", picture, "mask.png");
      form.append("type", "input");
      form.append("original_ref", JSON.stringify({ filename: "small.png", type: "input" }));
      const answer = await window.comfyAPI.api.api.fetchApi("/upload/mask", { method: "POST", body: form });
      return answer.json();
    })()`);
    assert.match(sent.name, /^mask/);
  });

  test("a server that is killed in the middle comes back: the editor reconnects and the run ends with its picture", async () => {
    await threeNodes();
    await visit.setWidget("EmptyImage", "width", 1024);
    await visit.setWidget("EmptyImage", "height", 1024);
    await visit.setWidget("ImageBlur", "blur_radius", 31);
    await visit.run();
    const queue = await until("one that is open", async () => {
      const { running, pending } = await queueOf(visit);
      return [...running, ...pending].length > 0 ? [...running, ...pending] : null;
    });
    await scene.killAndStart();
    await holds(visit.page, "window.comfyAPI.api.api.socket?.readyState === 1");
    // The picture of this run, and not one of an earlier run.
    const isShown = `imgs?.[0]?.naturalWidth > 0 && imgs[0].src.includes(${JSON.stringify(queue[0])})`;
    await holds(visit.page, `window.app.graph.nodes.some(({ type, imgs }) => type === "SaveImage" && ${isShown})`);
    await idle();
    const job = await scene.server.call({ path: `/api/v2/jobs/${queue[0]}` });
    assert.equal(textOf(job.json(), "status"), "succeeded");
    await visit.picture("after-a-kill");
  });

  test("a run outlives the tab, and another tab shows it", async () => {
    await visit.setWidget("ImageBlur", "blur_radius", 17);
    await visit.run();
    await until("one that is open", async () => {
      const { running, pending } = await queueOf(visit);
      return running.length + pending.length > 0 || null;
    });
    await visit.page.goto("about:blank");
    await idle();
    const last = (await scene.server.call({ path: "/api/v2/jobs?limit=1" })).json() as { data: { status: string }[] };
    assert.equal(last.data[0]?.status, "succeeded");
  });

  test("every request was answered as an application answers it, and none reached another host", (t) => {
    const kinds = new Set(visit.asked.map(({ method, path, status }) => `${method} ${shortened(path)} ${status}`));
    for (const line of [...kinds].sort()) t.diagnostic(line);
    assert.ok(kinds.size > 30);
    const refused = visit.asked.filter((asked) => asked.status >= 400 && !alsoThere(asked));
    assert.deepEqual([...new Set(refused.map(({ method, path, status }) => `${method} ${path} ${status}`))], []);
    assert.deepEqual(visit.complaints, []);
  });

  test("no line of the editor is in our tree", async () => {
    const installed = await openEditor(scene.server.home).current();
    assert.ok(installed);
    const theirs = new Set<string>();
    for (const path of globSync("assets/**/*.map", { cwd: installed.folder })) {
      const map = JSON.parse(readFileSync(join(installed.folder, path), "utf8")) as {
        sources: string[];
        sourcesContent?: string[];
      };
      for (const [at, source] of map.sources.entries())
        if (!source.includes("node_modules"))
          for (const line of linesOf(map.sourcesContent?.[at] ?? "")) theirs.add(line);
    }
    assert.ok(theirs.size > 20_000);
    const tracked = execFileSync("git", ["ls-files"], { cwd: checkout, encoding: "utf8" }).trim().split("\n");
    const shared = tracked
      .filter((path) => /\.(?:ts|tsx|js|mjs|css|html)$/.test(path))
      .flatMap((path) => linesOf(readFileSync(join(checkout, path), "utf8")).filter((line) => theirs.has(line)));
    assert.deepEqual([...new Set(shared)], []);
  });
});

// Long enough that two people do not write the same.
const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.length >= 80);

const shortened = (path: string): string =>
  path
    .replace(/\?.*$/, "")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "{id}")
    .replace(/^~\/assets\/.*/, "~/assets/…");

async function queueOf({ page }: EditorVisit): Promise<{ readonly running: string[]; readonly pending: string[] }> {
  return page.evaluate(`(async () => {
    const queue = await (await window.comfyAPI.api.api.fetchApi("/queue")).json();
    return { running: queue.queue_running.map(([, id]) => id), pending: queue.queue_pending.map(([, id]) => id) };
  })()`);
}
