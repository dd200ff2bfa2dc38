// People who share a workspace through the application's API see and change their own prompts; other workspaces see nothing.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { WebSocket } from "ws";
import { type AppRequest, bearer, memberOf, textOf } from "./support/app-client.ts";
import { addMember, addTenant, owner } from "./support/app-people.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

const graph = {
  "1": { class_type: "EmptyImage", inputs: { width: 64, height: 32, batch_size: 1, color: 255 } },
  "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "made" } },
};

let app: TestApp;
let [ann, bob, eve] = ["", "", ""];
before(async () => {
  app = await testApp({ env: { ATELIER_DIALECT: "comfy" } });
  ann = (await owner(app)).jwt;
  bob = (await addMember(app, "Bob")).jwt;
  eve = (await addTenant(app, "Eve")).jwt;
});
after(() => app.close());

const as = (jwt: string, request: AppRequest) =>
  app.call({ ...request, headers: { ...bearer(jwt), ...request.headers } });
const post = (jwt: string, path: string, body: object) => as(jwt, { method: "POST", path, body });
const submit = async (jwt: string, clientId = "tab") => {
  const answer = await post(jwt, "/api/prompt", { prompt: graph, client_id: clientId });
  assert.equal(answer.status, 200, answer.text);
  return textOf(answer.json(), "prompt_id");
};
const jobs = async (jwt: string, query = "") => {
  const found = memberOf((await as(jwt, { path: `/api/jobs${query}` })).json(), "jobs");
  assert.ok(Array.isArray(found));
  return found.map((job: unknown) => textOf(job, "id"));
};
const ended = (jwt: string, id: string) =>
  until(`${id} has ended`, async () => ((await jobs(jwt, "?status=completed")).includes(id) ? true : null));
function openSocket(jwt: string, clientId: string): WebSocket {
  const url = `${app.baseUrl.replace("http", "ws")}/api/ws?clientId=${clientId}`;
  return new WebSocket(url, { headers: bearer(jwt) });
}
const pause = async (paused: boolean) =>
  app.call({ method: "PUT", path: "/account/queue", headers: bearer(ann), body: { paused } });

describe("two people in one workspace", () => {
  test("see their own prompts in queue, history and jobs, by state; a key sees all, another workspace none", async () => {
    await pause(true);
    const [hers, his] = [await submit(ann), await submit(bob)];
    assert.deepEqual(await jobs(ann, "?status=in_progress,pending"), [hers]);
    assert.deepEqual(await jobs(bob), [his]);
    assert.deepEqual(await jobs(bob, "?status=completed,failed,cancelled"), []);
    assert.deepEqual((await jobs(app.key)).sort(), [hers, his].sort());
    assert.deepEqual(await jobs(eve), []);
    assert.equal((await as(bob, { path: "/api/jobs?status=odd" })).status, 400);
    assert.deepEqual(memberOf((await as(ann, { path: "/api/prompt" })).json(), "exec_info"), { queue_remaining: 1 });
    const pending = memberOf((await as(bob, { path: "/api/queue" })).json(), "queue_pending");
    assert.deepEqual(memberOf(pending, 0, 1), his);
    await post(bob, "/api/queue", { delete: [hers] });
    await post(bob, "/api/interrupt", { prompt_id: hers });
    await post(eve, "/api/queue", { delete: [hers], clear: true });
    await post(bob, "/api/queue", { clear: true });
    assert.deepEqual(await jobs(ann, "?status=pending"), [hers], "nobody else took hers out");
    assert.deepEqual(await jobs(bob, "?status=cancelled"), [his]);
    await pause(false);
    await ended(ann, hers);
    await post(bob, "/api/history", { clear: true });
    assert.deepEqual(await jobs(bob), []);
    assert.deepEqual(await jobs(ann, "?status=completed&limit=200&offset=0"), [hers]);
    await post(bob, "/api/history", { delete: [hers] });
    assert.deepEqual(Object.keys(Object((await as(ann, { path: "/api/history" })).json())), [hers]);
    assert.equal((await as(eve, { path: `/api/jobs/${hers}` })).status, 404);
  });

  test("hear over their websockets of their own prompts alone, even under the same client id", async () => {
    const listen = (jwt: string) => {
      const heard: string[] = [];
      const socket = openSocket(jwt, "same");
      socket.on("message", (data) => void heard.push(String(data)));
      return { socket, hears: (text: string) => heard.some((message) => message.includes(text)) };
    };
    const [hers, his, theirs] = [listen(ann), listen(bob), listen(eve)];
    for (const each of [hers, his, theirs])
      await until("its name is told", async () => (each.hears('"sid":"same"') ? true : null));
    const promptId = await submit(ann, "same");
    await until("she hears of the end", async () => (hers.hears("execution_success") ? true : null));
    assert.ok(hers.hears(promptId));
    assert.ok(!his.hears(promptId) && !theirs.hears(promptId));
    hers.socket.terminate();
    await until("it is closed", async () => (hers.socket.readyState === WebSocket.CLOSED ? true : null));
    // A tab that comes back under its name hears of a run that ended meanwhile.
    const missed = await submit(ann, "same");
    await ended(ann, missed);
    const again = listen(ann);
    await until("what it missed is told", async () => (again.hears(missed) ? true : null));
    assert.ok(!again.hears(promptId), "what it has heard is not told twice");
    for (const { socket } of [his, theirs, again]) socket.terminate();
  });

  test("have a limited number of websockets each", async () => {
    const sockets = Array.from({ length: 40 }, (_, at) => openSocket(bob, `many${at}`));
    const opened = await Promise.all(
      sockets.map(
        (socket) =>
          new Promise<boolean>((resolve) => {
            socket.once("open", () => resolve(true));
            socket.once("error", () => resolve(false));
          }),
      ),
    );
    const count = opened.filter(Boolean).length;
    assert.ok(count >= 20 && count < 40, `${count} were opened`);
    for (const socket of sockets) socket.terminate();
  });
});

describe("what the editor offers", () => {
  test("loaders list the workspace's own uploads, and folders of weights what the pool's applications have", async () => {
    const form = new FormData();
    form.append("image", new Blob([Buffer.from("R0lGODlhAQABAAAAACwAAAAAAQABAAA=", "base64")]), "dot.gif");
    const sent = await fetch(`${app.baseUrl}/api/upload/image`, { method: "POST", headers: bearer(ann), body: form });
    assert.equal(sent.status, 200);
    const choices = async (jwt: string) =>
      memberOf(
        (await as(jwt, { path: "/api/object_info/LoadImage" })).json(),
        "LoadImage",
        "input",
        "required",
        "image",
      );
    assert.ok(JSON.stringify(await choices(bob)).includes("dot.gif"));
    assert.ok(!JSON.stringify(await choices(eve)).includes("dot.gif"));
    const whole = await as(bob, { path: "/api/object_info" });
    assert.ok(whole.text.includes('"dot.gif"') && !whole.text.includes("atelier:files"));
    const folders = (await as(ann, { path: "/api/experiment/models" })).json();
    assert.deepEqual(memberOf(folders, 0), { name: "checkpoints", folders: [] });
    assert.deepEqual((await as(ann, { path: "/api/experiment/models/loras" })).json(), []);
    for (const path of ["/api/experiment/models/none", "/api/models/none", "/api/view_metadata/loras?filename=x"])
      assert.equal((await as(ann, { path })).status, 404, path);
  });
});
