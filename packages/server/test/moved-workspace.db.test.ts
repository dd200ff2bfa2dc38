// A workspace leaves for another server while a job runs: new work is refused with the new address, what runs ends and is in the last
// export, and afterwards every link says where it went. Until then, and after, it can be taken back.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { exportWorkspace } from "../src/capabilities/workspace-data/index.ts";
import { trustedId } from "../src/foundation/ids.ts";
import { workspaceHoldings as holdings } from "../src/processes/workspace-holdings.ts";
import { type AppAnswer, bearer, textOf } from "./support/app-client.ts";
import { addTenant, type Tenant } from "./support/app-people.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

const there = "https://other.example";
let app: TestApp;
let other: TestApp;
let ada: Tenant;
let move: string;

before(async () => {
  app = await testApp();
  // Another gateway of the same server.
  other = await testApp({ beside: app });
  ada = await addTenant(app, "Ada");
  move = `/account/workspaces/${ada.workspaceId}/move`;
});
after(async () => {
  await other.close();
  await app.close();
});

const call = (method: string, path: string, body?: unknown, of: TestApp = app) =>
  of.call({ method, path, headers: bearer(ada.key), ...(body === undefined ? {} : { body }) });
const workflow = (color: number) => ({
  "1": { class_type: "EmptyImage", inputs: { width: 512, height: 512, batch_size: 4, color } },
  "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "ada" } },
});

function assertGone(answer: AppAnswer, what: string): void {
  assert.equal(answer.status, 403, `${what}: ${answer.text}`);
  assert.ok(answer.text.includes(there), `${what}: ${answer.text}`);
}

test("while a job runs: no new work on any gateway, everything can be read, and the job is in the last export", async () => {
  const job = textOf((await call("POST", "/api/v2/jobs", { workflow: workflow(1) })).json(), "id");
  const begun = await call("PUT", move, { moved_to: `${there}/` });
  assert.equal(begun.status, 200, begun.text);
  assert.deepEqual([textOf(begun.json(), "state"), textOf(begun.json(), "moved_to")], ["moving", there]);
  const again = { workflow: workflow(2) };
  assertGone(await call("POST", "/api/v2/jobs", again), "a job");
  await until("the other gateway heard of it", async () => {
    const answer = await call("POST", "/api/v2/jobs", again, other);
    return answer.status === 403 && answer.text.includes(there);
  });
  assertGone(await call("POST", "/v1/models/sandbox/image-1", { prompt: "x" }), "a model call");
  assertGone(await call("POST", "/account/keys", { name: "new" }), "a key");
  const status = async () => textOf((await call("GET", `/api/v2/jobs/${job}`)).json(), "status");
  await until("the job ended", async () => (await status()) === "succeeded");
  await until("nothing runs", async () => {
    const { open } = (await call("GET", move)).json() as { open: object };
    return Object.keys(open).length === 0;
  });
  const lists = new Map<string, string[]>();
  await exportWorkspace({ database: app.database, holdings }, trustedId(ada.workspaceId), {
    async list(name, rows) {
      const lines: string[] = [];
      for await (const row of rows) lines.push(JSON.stringify(row));
      lists.set(name, lines);
    },
  });
  assert.equal(lists.get("jobs")?.filter((line) => line.includes(job)).length, 1);
  assert.ok((lists.get("assets")?.length ?? 0) >= 4);
});

test("moved: every link says where it went, on any gateway; the owner can take it back", async () => {
  const jobs = (await call("GET", "/api/v2/jobs")).json() as { jobs?: { id: string }[]; data?: { id: string }[] };
  const job = (jobs.data ?? jobs.jobs ?? [])[0]?.id ?? "";
  const listed = await call("GET", "/api/v2/assets");
  const asset = /"id":"([0-9a-f-]{36})"/.exec(listed.text)?.[1] ?? "";
  const signed = textOf((await call("GET", `/api/v2/assets/${asset}`)).json(), "url");
  const done = await call("PUT", move, { moved_to: there, is_done: true });
  assert.equal(done.status, 200, done.text);
  const links = [
    ...[
      `/api/v2/jobs/${job}`,
      `/api/v2/assets/${asset}`,
      "/api/v2/jobs",
      "/account/webhooks/deliveries",
      "/account/usage",
    ],
    ...["/v1/models", "/account/workflows", "/account/credits"],
  ];
  for (const path of links) assertGone(await call("GET", path), path);
  const fetched = await fetch(new URL(signed, app.baseUrl));
  assert.equal(fetched.status, 403);
  assert.match(await fetched.text(), /"moved_to":"https:\/\/other\.example"/);
  await until("the other gateway heard of it", async () => {
    const answer = await call("GET", `/api/v2/jobs/${job}`, undefined, other);
    return answer.status === 403 && answer.text.includes(there);
  });
  assert.equal((await call("GET", "/account")).status, 200);
  assert.equal(textOf((await call("GET", move)).json(), "state"), "moved");
  assert.equal((await app.call({ path: "/account/credits", headers: bearer(app.key) })).status, 200);
  const undone = await call("DELETE", move);
  assert.equal(textOf(undone.json(), "state"), "here");
  assert.equal((await call("GET", `/api/v2/jobs/${job}`)).status, 200);
  assert.equal((await fetch(new URL(signed, app.baseUrl))).status, 200);
  await until("the other gateway heard of it", async () => {
    return (await call("GET", `/api/v2/jobs/${job}`, undefined, other)).status === 200;
  });
});

test("only owners decide, an address is an address, and done is refused while something runs", async () => {
  assert.equal((await call("PUT", move, { moved_to: "ftp://other.example" })).status, 400);
  assert.equal((await call("PUT", move, { moved_to: "https://user@other.example/?a=1" })).status, 400);
  const elsewhere = `/account/workspaces/${app.workspaceId}/move`;
  assert.equal((await call("PUT", elsewhere, { moved_to: there })).status, 404);
  await call("POST", "/api/v2/jobs", { workflow: workflow(3) });
  const early = await call("PUT", move, { moved_to: there, is_done: true });
  assert.equal(early.status, 409, early.text);
  assert.equal(textOf((await call("GET", move)).json(), "state"), "here");
});
