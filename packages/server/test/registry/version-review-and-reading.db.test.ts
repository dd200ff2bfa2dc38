// Versions after they are published: reviewed, read, and hidden from others.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { versionInvariants } from "../../src/capabilities/registry/versions/version-invariants-store.ts";
import { type AppRequest, bearer, headerOf, listOf, memberOf, textOf } from "../support/app-client.ts";
import { addTenant, type Tenant } from "../support/app-people.ts";
import { calmHour } from "../support/calm-hour.ts";
import { announce, createPublisher, download, type Publisher, packed, publish } from "../support/publishing.ts";
import { type TestApp, testApp } from "../support/test-app.ts";

let app: TestApp;
let acme: Publisher;
let rival: Publisher;
let tenant: Tenant;
before(async () => {
  app = await testApp();
  acme = await createPublisher(app, "acme");
  tenant = await addTenant(app, "Rival");
  rival = await createPublisher(app, "rival", tenant.key);
});
after(async () => {
  // After all of this every invariant holds.
  for (const { name, statement } of versionInvariants) assert.deepEqual(await app.database.query(statement), [], name);
  await app.close();
});

async function expect(status: number, request: AppRequest) {
  const answer = await app.call(request);
  assert.equal(answer.status, status, `${request.method ?? "GET"} ${request.path}: ${answer.text}`);
  return answer;
}
const admin = () => bearer(app.adminToken);
const own = () => bearer(app.key);
const review = (nodeId: string, version: string, body: object, status = 200) =>
  expect(status, { method: "PUT", path: `/admin/nodes/${nodeId}/versions/${version}`, headers: admin(), body });

describe("review", () => {
  test("approves a flagged version, which then is the latest; undoing it moves latest again", async () => {
    const flagged = { nodeId: "judged", version: "2.0.0" };
    await publish(app, acme, { nodeId: "judged", version: "1.0.0" });
    await publish(app, acme, flagged, packed("acme", flagged, [{ name: "a.py", bytes: "exec(x)" }]));
    const latest = async () =>
      textOf((await expect(200, { path: "/nodes/judged" })).json(), "latest_version", "version");
    assert.equal(await latest(), "1.0.0");
    await review("judged", "2.0.0", { status: "NodeVersionStatusActive", status_reason: "Read it; it is fine." });
    assert.equal(await latest(), "2.0.0");
    assert.equal(textOf((await expect(200, { path: "/nodes/judged/install" })).json(), "version"), "2.0.0");
    await review("judged", "2.0.0", { status: "NodeVersionStatusBanned" });
    assert.equal(await latest(), "1.0.0");
    await expect(403, { path: "/nodes/judged/install?version=2.0.0" });
  });

  test("of a batch is undone together, except for versions that changed since", async () => {
    const batch_id = randomUUID();
    for (const version of ["1.0.0", "1.1.0", "1.2.0"]) {
      await publish(app, acme, { nodeId: "batch", version });
      await review("batch", version, { status: "NodeVersionStatusBanned", batch_id });
    }
    await expect(404, { path: "/nodes/batch/install" });
    await review("batch", "1.2.0", { status: "NodeVersionStatusFlagged" });
    const path = `/admin/nodeversions/batches/${batch_id}/undo`;
    const undone = await expect(200, { method: "POST", path, headers: admin() });
    assert.equal(listOf(undone.json()).length, 2);
    assert.equal(textOf((await expect(200, { path: "/nodes/batch/install" })).json(), "version"), "1.1.0");
    await expect(404, { method: "POST", path: `/admin/nodeversions/batches/${randomUUID()}/undo`, headers: admin() });
    await expect(404, { method: "POST", path: "/admin/nodeversions/batches/x/undo", headers: admin() });
  });

  test("activates nothing that was never uploaded", async () => {
    await announce(app, acme, { nodeId: "judged", version: "3.0.0" });
    await review("judged", "3.0.0", { status: "NodeVersionStatusActive" }, 409);
  });
});

describe("an appeal", () => {
  const flagged = async (nodeId: string) => {
    const asked = { nodeId, version: "1.0.0" };
    const { id } = await publish(app, acme, asked, packed("acme", asked, [{ name: "a.py", bytes: "exec(x)" }]));
    return `/publishers/acme/nodes/${nodeId}/versions/${id}`;
  };
  const appeal = (path: string, status: number, reason = "It only runs in tests.", headers = own()) =>
    expect(status, { method: "POST", path: `${path}/appeal`, headers, body: { reason } });
  const waiting = async () =>
    listOf((await expect(200, { path: "/admin/nodeversions?appealed=true", headers: admin() })).json(), "versions").map(
      (version) => [textOf(version, "node_id"), textOf(version, "appeal", "reason")],
    );

  test("waits in the operators' queue with its finding, and the decision and its reason reach the publisher", async () => {
    const path = await flagged("appealed");
    await flagged("not-appealed");
    await appeal(path, 403, "It is not yours.", bearer(tenant.key));
    await appeal(path, 400, "  ");
    assert.equal(textOf((await appeal(path, 200)).json(), "appeal", "reason"), "It only runs in tests.");
    await appeal(path, 409, "One waits already.");
    assert.deepEqual(await waiting(), [["appealed", "It only runs in tests."]]);
    const seen = (await expect(200, { path: "/nodes/appealed/versions/1.0.0" })).json();
    assert.equal(memberOf(seen, "appeal"), undefined, "strangers do not see it");
    assert.equal(memberOf(seen, "status"), "NodeVersionStatusFlagged");

    await review("appealed", "1.0.0", { status: "NodeVersionStatusFlagged", status_reason: "It also runs elsewhere." });
    assert.deepEqual(await waiting(), []);
    await appeal(path, 200, "I removed that.");
    await review("appealed", "1.0.0", { status: "NodeVersionStatusActive", status_reason: "Read it; it is fine." });
    const { history } = (await expect(200, { path: `${path}/review`, headers: own() })).json() as {
      readonly history: readonly { readonly by: string; readonly reason: string; readonly status_after: string }[];
    };
    assert.deepEqual(
      history.slice(1).map(({ by, reason, status_after }) => [by, status_after, reason]),
      [
        ["publisher", "NodeVersionStatusFlagged", "It only runs in tests."],
        ["admin", "NodeVersionStatusFlagged", "It also runs elsewhere."],
        ["publisher", "NodeVersionStatusFlagged", "I removed that."],
        ["admin", "NodeVersionStatusActive", "Read it; it is fine."],
      ],
    );
    await appeal(path, 409, "There is nothing to appeal.");
    const audited = await expect(200, { path: "/admin/audit?action=node_version.appeal", headers: admin() });
    assert.equal(listOf(audited.json(), "data").length, 2);
  });
});

describe("the readme of a version", () => {
  const hostile = "# Lamps\u202e\n\n<script>alert(1)</script> \u0000\u0007and [a](javascript:alert(1))\r\nlast line\n";

  test("comes from the archive without control characters; others read it only while the version is active", async () => {
    const asked = { nodeId: "described", version: "1.0.0" };
    const parts = [
      { name: "docs/README.md", bytes: "not this" },
      { name: "readme.txt", bytes: "nor this" },
      { name: "README.md", bytes: hostile },
    ];
    await publish(app, acme, asked, packed("acme", asked, parts));
    const path = "/nodes/described/versions/1.0.0";
    assert.equal(textOf((await expect(200, { path })).json(), "readme"), "README.md");
    assert.deepEqual((await expect(200, { path: `${path}/readme` })).json(), {
      file: "README.md",
      text: "# Lamps\n\n<script>alert(1)</script> and [a](javascript:alert(1))\nlast line",
      truncated: false,
    });
    assert.equal(
      textOf((await expect(200, { path: "/nodes/described" })).json(), "latest_version", "readme"),
      "README.md",
    );
    await review("described", "1.0.0", { status: "NodeVersionStatusBanned" });
    await expect(404, { path: `${path}/readme` });
    assert.equal(memberOf((await expect(200, { path })).json(), "readme"), undefined);
    await expect(200, { path: `${path}/readme`, headers: own() });
    await expect(404, { path: "/nodes/judged/versions/1.0.0/readme" });
  });
});

describe("another's version", () => {
  test("cannot be reached by its id through one's own path, nor by an invalid id", async () => {
    const theirs = await publish(app, acme, { nodeId: "theirs", version: "1.0.0" });
    await publish(app, rival, { nodeId: "ours", version: "1.0.0" });
    const body = { deprecated: true };
    const headers = bearer(tenant.key);
    for (const id of [theirs.id, "1", "not-a-uuid", "%00", "../x"]) {
      const path = `/publishers/rival/nodes/ours/versions/${id}`;
      for (const method of ["PUT", "DELETE"]) {
        const answer = await app.call({ method, path, headers, ...(method === "PUT" ? { body } : {}) });
        assert.ok([400, 404].includes(answer.status), `${method} ${path}: ${answer.status} ${answer.text}`);
      }
    }
    const path = `/publishers/acme/nodes/theirs/versions/${theirs.id}`;
    await expect(403, { method: "PUT", path, headers, body });
    await expect(403, { path: `${path}/review`, headers });
    await expect(200, { method: "PUT", path, headers: own(), body: { deprecated: true, changelog: "Use another." } });
    const seen = (await expect(200, { path: "/nodes/theirs/versions/1.0.0" })).json();
    assert.equal(memberOf(seen, "deprecated"), true);
    assert.equal(textOf(seen, "changelog"), "Use another.");
  });

  test("of a private publisher does not exist for others; its archive has a signed address", async () => {
    const body = { visibility: "workspace" };
    await createPublisher(app, "hidden", tenant.key);
    await expect(200, { method: "PUT", path: "/publishers/hidden", headers: bearer(tenant.key), body });
    const token = await app.call({
      method: "POST",
      path: "/publishers/hidden/tokens",
      headers: bearer(tenant.key),
      body: { name: "t" },
    });
    const hidden = { id: "hidden", token: textOf(token.json(), "token"), key: tenant.key };
    const { id } = await publish(app, hidden, { nodeId: "private", version: "1.0.0" });
    for (const headers of [{}, own()]) {
      for (const path of ["install", "versions", "versions/1.0.0", "versions/1.0.0/svc-nodes"]) {
        await expect(404, { path: `/nodes/private/${path}`, headers });
      }
    }
    const installed = (await expect(200, { path: "/nodes/private/install", headers: bearer(tenant.key) })).json();
    const url = textOf(installed, "downloadUrl");
    assert.equal((await download(url)).status, 200);
    assert.equal((await download(url.split("?")[0] ?? "")).status, 403);
    assert.equal((await download(url.replace(id, randomUUID()))).status, 404);
    const all = (await expect(200, { path: "/versions?pageSize=100" })).json();
    assert.ok(!JSON.stringify(all).includes(id));
  });
});

describe("reading", () => {
  test("installs are counted once per client, node and day; looking counts nothing", async () => {
    await calmHour();
    await publish(app, acme, { nodeId: "counted", version: "1.0.0" });
    const path = "/nodes/counted/install";
    for (const peer of ["198.18.0.1", "198.18.0.1", "198.18.0.2"]) await expect(200, { path, peer });
    await expect(200, { path, method: "HEAD", peer: "198.18.0.3" });
    await expect(404, { path: `${path}?version=7.0.0`, peer: "198.18.0.4" });
    const fresh = await expect(200, { path: "/nodes/counted", headers: own() });
    assert.equal(memberOf(fresh.json(), "downloads"), 2);
  });

  test("lists filter by state, have an ETag, and refuse pages above 100", async () => {
    const request = { nodeId: "listed", version: "2.0.0" };
    await publish(app, acme, { nodeId: "listed", version: "1.0.0" });
    await publish(app, acme, request, packed("acme", request, [{ name: "a.py", bytes: "eval(x)" }]));
    await announce(app, acme, { nodeId: "listed", version: "3.0.0" });
    const path = "/nodes/listed/versions";
    const numbers = async (query: string, headers = {}) =>
      listOf((await expect(200, { path: `${path}${query}`, headers })).json()).map((one) => textOf(one, "version"));
    assert.deepEqual(await numbers(""), ["2.0.0", "1.0.0"]);
    assert.deepEqual(await numbers("", own()), ["3.0.0", "2.0.0", "1.0.0"]);
    assert.deepEqual(await numbers("?statuses=NodeVersionStatusActive&statuses=NodeVersionStatusPending"), ["1.0.0"]);
    await expect(400, { path: `${path}?statuses=Nonsense` });
    const etag = headerOf(await expect(200, { path }), "etag") ?? "";
    await expect(304, { path, headers: { "if-none-match": etag } });
    const page = (await expect(200, { path: "/versions?nodeId=LISTED&page=1&pageSize=1" })).json();
    assert.deepEqual(
      [memberOf(page, "total"), memberOf(page, "totalPages"), listOf(page, "versions").length],
      [2, 2, 1],
    );
    await expect(400, { path: "/versions?pageSize=101" });
    const why = (await expect(200, { path: "/versions?status_reason=PYTHON_EVAL&nodeId=listed" })).json();
    assert.equal(memberOf(why, "total"), 1);
  });

  test("many versions are answered in one call, each separately and in order", async () => {
    await publish(app, acme, { nodeId: "bulk", version: "1.0.0" });
    const node_versions = [
      { node_id: "bulk", version: "9.0.0" },
      { node_id: "BULK", version: "1.0" },
      { node_id: "nothing", version: "1.0.0" },
      { node_id: "bulk", version: "x" },
    ];
    const answer = await expect(200, { method: "POST", path: "/bulk/nodes/versions", body: { node_versions } });
    const statuses = listOf(answer.json(), "node_versions").map((one) => textOf(one, "status"));
    assert.deepEqual(statuses, ["not_found", "success", "not_found", "error"]);
  });
});
