// What holds for a node's versions, for every caller: numbers, archives, states, installs, and ownership.
import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { versionInvariants } from "../../src/capabilities/registry/versions/version-invariants-store.ts";
import { type AppRequest, bearer, listOf, memberOf, textOf } from "../support/app-client.ts";
import { addTenant, type Tenant } from "../support/app-people.ts";
import { craftZip } from "../support/craft-zip.ts";
import {
  announce,
  codesOf,
  createPublisher,
  download,
  type Publisher,
  packed,
  publish,
  put,
} from "../support/publishing.ts";
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

describe("a number", () => {
  test("can be announced again until an upload has completed; a failed upload burns nothing", async () => {
    const request = { nodeId: "again", version: "1.0" };
    const first = await announce(app, acme, request);
    assert.equal(first.status, 201, first.text);
    assert.equal(textOf(first.json(), "node_version", "version"), "1.0.0");
    assert.equal(textOf(first.json(), "node_version", "status"), "NodeVersionStatusPending");
    const cut = await put(textOf(first.json(), "signedUrl"), Buffer.from("half an upl"));
    assert.equal(cut.status, 400);
    assert.deepEqual(codesOf(listOf(cut.json(), "details")), ["archive_unreadable"]);
    assert.equal((await put(textOf(first.json(), "signedUrl"), Buffer.alloc(0))).status, 400);
    const second = await announce(app, acme, { ...request, nodeVersion: { changelog: "Better" } });
    assert.equal(second.status, 201, second.text);
    assert.equal(textOf(second.json(), "node_version", "id"), textOf(first.json(), "node_version", "id"));
    const archive = packed("acme", { nodeId: "again", version: "1.0.0" });
    const uploaded = await put(textOf(second.json(), "signedUrl"), archive, "application/gzip");
    assert.equal(uploaded.status, 200);
    assert.equal(textOf(uploaded.json(), "status"), "NodeVersionStatusActive");
  });

  test("is immutable afterwards: announcing it is 409, other bytes are 409, the same bytes are fine", async () => {
    const request = { nodeId: "fixed", version: "1.0.0" };
    const archive = packed("acme", request);
    const { signedUrl } = await publish(app, acme, request, archive);
    const again = await announce(app, acme, request);
    assert.equal(again.status, 409);
    assert.match(again.text, /node version already exists/);
    assert.equal((await put(signedUrl, packed("acme", request, [{ name: "x.txt" }]))).status, 409);
    assert.equal((await put(signedUrl, archive)).status, 200);
    const { bytes } = await download(
      textOf((await expect(200, { path: "/nodes/fixed/install" })).json(), "downloadUrl"),
    );
    assert.deepEqual(bytes, archive);
  });

  test("that was deleted never returns, and its bytes are gone", async () => {
    const request = { nodeId: "gone", version: "1.0.0" };
    const { id } = await publish(app, acme, request);
    const url = textOf((await expect(200, { path: "/nodes/gone/install" })).json(), "downloadUrl");
    await expect(204, { method: "DELETE", path: `/publishers/acme/nodes/gone/versions/${id}`, headers: own() });
    assert.equal((await announce(app, acme, request)).status, 409);
    assert.equal((await download(url)).status, 404);
    await expect(404, { path: "/nodes/gone/install" });
    await expect(404, { path: "/nodes/gone/versions/1.0.0" });
    await review("gone", "1.0.0", { status: "NodeVersionStatusActive" }, 409);
    const listed = await expect(200, {
      path: "/admin/nodeversions?include_deleted=true&nodeId=GONE",
      headers: admin(),
    });
    assert.deepEqual(
      listOf(listed.json(), "versions").map((version) => textOf(version, "id")),
      [id],
    );
  });

  test("goes to one of two concurrent uploads, and to one of two announcements", async () => {
    const request = { nodeId: "race", version: "1.0.0" };
    const both = await Promise.all([announce(app, acme, request), announce(app, acme, request)]);
    assert.deepEqual(
      both.map(({ status }) => status),
      [201, 201],
    );
    const ids = both.map((answer) => textOf(answer.json(), "node_version", "id"));
    assert.equal(ids[0], ids[1]);
    const [a, b] = ["a.txt", "b.txt"].map((name) => packed("acme", request, [{ name }]));
    assert.ok(a && b);
    const url = textOf(both[0]?.json(), "signedUrl");
    const statuses = (await Promise.all([put(url, a), put(url, b)])).map(({ status }) => status);
    assert.deepEqual(statuses.sort(), [200, 409]);
  });

  test("uploaded twice at once gives both callers its verdict", async () => {
    const request = { nodeId: "twice", version: "1.0.0" };
    const url = textOf((await announce(app, acme, request)).json(), "signedUrl");
    const archive = packed("acme", request, [{ name: "bad.py", bytes: "eval(input())\n" }]);
    for (const answer of await Promise.all([put(url, archive), put(url, archive)])) {
      assert.equal(textOf(answer.json(), "status"), "NodeVersionStatusFlagged");
      assert.deepEqual(codesOf(listOf(answer.json(), "findings")), ["python_eval"]);
    }
    const spoilt = textOf((await announce(app, acme, { ...request, version: "1.0.1" })).json(), "signedUrl");
    const both = await Promise.all([put(spoilt, Buffer.from("no zip")), put(spoilt, Buffer.from("no zip"))]);
    assert.deepEqual(
      both.map(({ status }) => status),
      [400, 400],
    );
  });

  test("is a semantic version, of a node with a valid id, and the path means the same node as the body", async () => {
    for (const version of ["latest", "1.2.3.4", "", "1..2", "1.0.0-"]) {
      assert.equal((await announce(app, acme, { nodeId: "numbers", version })).status, 400, version);
    }
    for (const nodeId of ["search", "Pricing", "v2", "-a", "a%20b"]) {
      assert.equal((await announce(app, acme, { nodeId, version: "1.0.0", node: { id: "" } })).status, 400, nodeId);
    }
    assert.equal((await announce(app, acme, { nodeId: "a", version: "1", node: { id: "b" } })).status, 400);
    await expect(404, { path: "/nodes/numbers" });
    const node = { id: "other", name: 5 };
    const wrong = await announce(app, acme, { nodeId: "v2", version: "x", node, nodeVersion: { dependencies: "q" } });
    assert.deepEqual(
      listOf(wrong.json(), "details")
        .map((detail) => textOf(detail, "path"))
        .sort(),
      ["/node/id", "/node/name", "/nodeId", "/node_version/dependencies", "/node_version/version"],
      "every bad field in one answer",
    );
  });

  test("may carry build metadata, which does not make it a different one", async () => {
    await publish(app, acme, { nodeId: "built", version: "1.0.0-beta.1+build" });
    assert.equal((await announce(app, acme, { nodeId: "built", version: "1.0.0-beta.1+other" })).status, 409);
    for (const query of ["1.0.0-beta.1", "1.0.0-beta.1%2Bbuild", "1.0.0-beta.1+build"]) {
      const installed = await expect(200, { path: `/nodes/built/install?version=${query}` });
      assert.equal(textOf(installed.json(), "version"), "1.0.0-beta.1", query);
    }
  });
});

describe("publishing", () => {
  test("needs a token of this publisher or a member's credential", async () => {
    const path = "/publishers/acme/nodes/mine/versions";
    const body = { node_version: { version: "1.0.0" } };
    await expect(401, { method: "POST", path, body });
    const unknown = { ...body, personal_access_token: "x".repeat(43) };
    assert.match((await expect(401, { method: "POST", path, body: unknown })).text, /publisher token is unknown/);
    await expect(403, { method: "POST", path, body: { ...body, personal_access_token: rival.token } });
    await expect(403, { method: "POST", path, body, headers: bearer(tenant.key) });
    await expect(201, { method: "POST", path, body, headers: own() });
  });

  test("under another publisher's node is refused, in any spelling", async () => {
    await publish(app, acme, { nodeId: "Owned", version: "1.0.0" });
    for (const nodeId of ["Owned", "owned"]) {
      assert.equal((await announce(app, rival, { nodeId, version: "2.0.0" })).status, 403);
    }
    const again = await announce(app, acme, { nodeId: "OWNED", version: "2.0.0" });
    assert.equal(textOf(again.json(), "node_version", "node_id"), "Owned");
  });

  test("updates the node from the body, and changes nothing the server owns", async () => {
    const node = {
      name: "New name",
      description: "Said so",
      downloads: 999,
      status: "NodeStatusBanned",
      search_ranking: 1,
    };
    await publish(app, acme, { nodeId: "fresh", version: "1.0.0", node });
    const shown = (await expect(200, { path: "/nodes/fresh" })).json();
    assert.equal(textOf(shown, "name"), "New name");
    assert.equal(textOf(shown, "description"), "Said so");
    assert.equal(memberOf(shown, "downloads"), 0);
    assert.equal(textOf(shown, "status"), "NodeStatusActive");
  });

  test("keeps the tags of a version, which its members change; operator tags are hidden from others, except their warnings", async () => {
    const nodeVersion = { tags: ["fast", ""], tags_admin: ["trusted"] };
    const { id } = await publish(app, acme, { nodeId: "tagged", version: "1.0.0", nodeVersion });
    const path = "/nodes/tagged/versions/1.0.0";
    const seen = async (headers: Record<string, string> = {}) => {
      const shown: unknown = (await expect(200, { path, headers })).json();
      return ["tags", "tags_admin"].map((name) => Reflect.get(Object(shown), name));
    };
    assert.deepEqual(await seen(own()), [["fast"], undefined]);
    const change = { tags: ["slow"], tags_admin: ["trusted"] };
    await expect(200, {
      method: "PUT",
      path: `/publishers/acme/nodes/tagged/versions/${id}`,
      headers: own(),
      body: change,
    });
    const tagsAdmin = ["network at start", "warning: reads the clipboard"];
    await review("tagged", "1.0.0", { tags_admin: tagsAdmin });
    assert.deepEqual(await seen(own()), [["slow"], undefined]);
    assert.deepEqual(await seen(admin()), [["slow"], tagsAdmin]);
    assert.deepEqual(await seen(), [["slow"], undefined]);
    // Everyone sees operators' warnings, above all the person who installs it.
    for (const at of [path, "/nodes/tagged/install", "/nodes/tagged/install?version=1.0.0"]) {
      const answer = await expect(200, { path: at });
      assert.deepEqual(memberOf(answer.json(), "warnings"), ["reads the clipboard"], at);
      assert.doesNotMatch(answer.text, /network at start/, at);
    }
    const audit = await expect(200, { path: "/admin/audit?action=node_version.review", headers: admin() });
    assert.match(audit.text, /"fields":\["tags_admin"\]/);
  });

  test("is over for banned publishers and nodes, including announced uploads", async () => {
    const path = "/publishers/acme/nodes/soon";
    const announced = await announce(app, acme, { nodeId: "soon", version: "1.0.0" });
    await expect(204, { method: "POST", path: `${path}/ban`, headers: admin() });
    assert.equal((await announce(app, acme, { nodeId: "soon", version: "1.0.1" })).status, 403);
    const late = await put(textOf(announced.json(), "signedUrl"), packed("acme", { nodeId: "soon", version: "1.0.0" }));
    assert.equal(late.status, 403);
  });

  test("an archive above the workspace's limit is 413, and its number stays free", async () => {
    const small = await addTenant(app, "Small");
    const publisher = await createPublisher(app, "small", small.key);
    const path = `/admin/workspaces/${small.workspaceId}/limits/node_archive_bytes`;
    await expect(200, { method: "PUT", path, headers: admin(), body: { value: 2_000 } });
    const request = { nodeId: "too-large", version: "1.0.0" };
    const announced = await announce(app, publisher, request);
    const url = textOf(announced.json(), "signedUrl");
    const noise = { name: "a.bin", bytes: randomBytes(4_000) };
    assert.equal((await put(url, packed("small", request, [noise]))).status, 413);
    assert.equal((await put(url, packed("small", request))).status, 200);
  });

  test("an altered upload address does not work", async () => {
    const announced = await announce(app, acme, { nodeId: "signed", version: "1.0.0" });
    const url = textOf(announced.json(), "signedUrl");
    const archive = packed("acme", { nodeId: "signed", version: "1.0.0" });
    const wrong = [
      url.replace(/uploads\/[^?]+/, `uploads/${randomUUID()}`),
      url.replace(/s=./, "s=_"),
      url.replace(/e=\d/, "e=2"),
      `${url}&x=1`,
      url.split("?")[0] ?? "",
    ];
    for (const location of wrong)
      if (location !== url) assert.ok([400, 403].includes((await put(location, archive)).status), location);
  });
});

describe("malicious archives", () => {
  const nodeId = "harm";
  const cases: Record<string, [code: string, archive: (request: { nodeId: string; version: string }) => Buffer]> = {
    "1.0.1": ["path_escape", (request) => packed("acme", request, [{ name: "../../etc/cron.d/x", bytes: "x" }])],
    "1.0.2": ["link", (request) => packed("acme", request, [{ name: "a", bytes: "/etc/passwd", mode: 0o120777 }])],
    "1.0.3": [
      "archive_ratio",
      (request) => packed("acme", request, [{ name: "z.bin", bytes: Buffer.alloc(30_000_000) }]),
    ],
    "1.0.4": ["manifest_publisher", (request) => packed("somebody", request)],
    "1.0.5": ["manifest_missing", () => craftZip([{ name: "a.py" }])],
    "1.0.6": ["manifest_version", (request) => packed("acme", { ...request, version: "9.9.9" })],
    "1.0.7": ["absolute_name", (request) => packed("acme", request, [{ name: "/abs", bytes: "x" }])],
    "1.0.8": [
      "overlapping_entries",
      (request) => packed("acme", request, [{ name: "a" }, { name: "b", sharesWith: 2 }]),
    ],
  };

  test("are flagged with findings, unpacked nowhere, and not installable", async () => {
    for (const [version, [code, archive]] of Object.entries(cases)) {
      const request = { nodeId, version };
      const published = await publish(app, acme, request, archive(request));
      assert.equal(published.status, "NodeVersionStatusFlagged", version);
      assert.ok(codesOf(published.findings).includes(code), `${version}: ${codesOf(published.findings)}`);
      await expect(403, { path: `/nodes/${nodeId}/install?version=${version}` });
    }
    await expect(404, { path: `/nodes/${nodeId}/install` });
    for (const folder of await readdir(join(app.home, "archives"))) {
      assert.deepEqual(await readdir(join(app.home, "archives", folder)), []);
    }
  });

  test("get the same verdict for the same bytes, regardless of publisher and time", async () => {
    const bad = craftZip([
      { name: "a.py", bytes: "eval(x)" },
      { name: "b.js", bytes: "eval(y)" },
    ]);
    const one = await publish(app, acme, { nodeId: "same", version: "1.0.0" }, bad);
    const two = await publish(app, acme, { nodeId: "same", version: "1.0.1" }, bad);
    assert.deepEqual(one.findings, two.findings);
    assert.deepEqual(codesOf(one.findings), ["manifest_missing", "python_eval", "javascript_eval"]);
  });
});
