// The whole life of a node, as a person with curl would go through it.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { endDeleted } from "../../src/capabilities/registry/versions/end-deleted.ts";
import { versionInvariants } from "../../src/capabilities/registry/versions/version-invariants-store.ts";
import { systemClock } from "../../src/foundation/clock.ts";
import { sql } from "../../src/foundation/database/sql.ts";
import { bearer, listOf, memberOf, textOf } from "../support/app-client.ts";
import {
  announce,
  codesOf,
  createPublisher,
  download,
  type Publisher,
  packed,
  publish,
} from "../support/publishing.ts";
import { until } from "../support/server-process.ts";
import { type TestApp, testApp } from "../support/test-app.ts";

let app: TestApp;
let acme: Publisher;
before(async () => {
  app = await testApp();
  acme = await createPublisher(app, "acme");
});
after(() => app.close());

const get = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await app.call({ path, headers });
  assert.equal(answer.status, 200, `${path}: ${answer.text}`);
  return answer.json();
};

test("a node is published, installed, flagged, banned, described, and its class refused", async (t) => {
  const nodeId = "Fine-Pack";
  await t.test("create the node", async () => {
    const body = { id: nodeId, name: "Fine pack", description: "Does fine things." };
    const made = await app.call({ method: "POST", path: "/publishers/acme/nodes", headers: bearer(app.key), body });
    assert.equal(made.status, 201, made.text);
    assert.ok(!("latest_version" in Object(await get(`/nodes/${nodeId}`))));
  });

  await t.test("publish 1.9.0 and 1.10.0: both clean, active at once", async () => {
    for (const version of ["1.9.0", "1.10.0"]) {
      const published = await publish(app, acme, { nodeId, version, nodeVersion: { changelog: `It is ${version}` } });
      assert.equal(published.status, "NodeVersionStatusActive");
      assert.deepEqual(published.findings, []);
    }
  });

  await t.test("latest is 1.10.0 for get, list, versions and install alike", async () => {
    assert.equal(textOf(await get(`/nodes/${nodeId}`), "latest_version", "version"), "1.10.0");
    assert.equal(textOf(await get("/nodes?latest=true"), "nodes", 0, "latest_version", "version"), "1.10.0");
    assert.equal(textOf(await get(`/nodes/${nodeId}/versions`), 0, "version"), "1.10.0");
    const installed = await get("/nodes/fine-pack/install");
    assert.equal(textOf(installed, "version"), "1.10.0");
    assert.equal(textOf(installed, "changelog"), "It is 1.10.0");
    const archive = await download(textOf(installed, "downloadUrl"));
    assert.equal(archive.status, 200);
    assert.deepEqual(archive.bytes, packed("acme", { nodeId, version: "1.10.0" }));
    const shown = textOf(await get(`/nodes/${nodeId}`), "latest_version", "downloadUrl");
    assert.equal(shown, textOf(installed, "downloadUrl"));
  });

  const evil = { nodeId, version: "2.0.0" };
  let evilId = "";
  await t.test("a malicious archive is flagged; its publisher reads why at once and later", async () => {
    const source =
      'import subprocess, sys\nsubprocess.run([sys.executable, "-m", "pip", "install", "x"])\neval(input())\n';
    const parts = [{ name: "nodes/evil.py", bytes: source }];
    const published = await publish(app, acme, evil, packed("acme", evil, parts));
    evilId = published.id;
    assert.equal(published.status, "NodeVersionStatusFlagged");
    assert.deepEqual(
      published.findings.map(
        (finding) => `${textOf(finding, "code")} ${textOf(finding, "file")}:${memberOf(finding, "line")}`,
      ),
      ["python_subprocess_install nodes/evil.py:2", "python_eval nodes/evil.py:3"],
    );
    const path = `/publishers/acme/nodes/${nodeId}/versions/${evilId}/review`;
    const review = await get(path, bearer(app.key));
    assert.equal(listOf(review, "findings").length, 2);
    assert.equal(textOf(review, "rule_set"), "atelier-2");
    assert.equal(textOf(review, "history", 0, "by"), "checks");
    const own = await get(`/nodes/${nodeId}/versions/2.0.0`, bearer(app.key));
    assert.deepEqual(codesOf(listOf(own, "findings")), ["python_subprocess_install", "python_eval"]);
    assert.match(textOf(own, "status_reason"), /python_eval \(nodes\/evil\.py:3\)/);
  });

  await t.test(
    "others see that it is flagged, but neither findings nor a way to its bytes; install gives 1.10.0",
    async () => {
      const seen = await get(`/nodes/${nodeId}/versions/2.0.0`);
      assert.equal(textOf(seen, "status"), "NodeVersionStatusFlagged");
      for (const hidden of ["findings", "downloadUrl", "status_reason", "tags_admin"]) {
        assert.ok(!(hidden in Object(seen)), hidden);
      }
      assert.equal(textOf(await get(`/nodes/${nodeId}/install`), "version"), "1.10.0");
      const named = await app.call({ path: `/nodes/${nodeId}/install?version=2.0.0` });
      assert.equal(named.status, 403, named.text);
      const reasons = await get(`/nodes/${nodeId}/versions?include_status_reason=true`);
      assert.match(textOf(reasons, 0, "status_reason"), /python_eval/);
    },
  );

  await t.test("an operator bans it with a reason, which is shown and remembered", async () => {
    const body = { status: "NodeVersionStatusBanned", status_reason: "It installs things behind your back." };
    const path = `/admin/nodes/${nodeId}/versions/2.0.0`;
    const banned = await app.call({ method: "PUT", path, headers: bearer(app.adminToken), body });
    assert.equal(banned.status, 200, banned.text);
    assert.equal(textOf(banned.json(), "status"), "NodeVersionStatusBanned");
    const review = await get(`${path}/review`, bearer(app.adminToken));
    assert.deepEqual(
      listOf(review, "history").map((move) => textOf(move, "status_after")),
      ["NodeVersionStatusFlagged", "NodeVersionStatusBanned"],
    );
    assert.equal(textOf(review, "history", 1, "reason"), body.status_reason);
    const audit = await get("/admin/audit?action=node_version.review", bearer(app.adminToken));
    assert.equal(textOf(audit, "data", 0, "after", "reason"), body.status_reason);
  });

  await t.test("a descriptor is updated, and its policy only by operators", async () => {
    const path = `/nodes/${nodeId}/versions/1.10.0/svc-nodes/EmptyImage`;
    const edit = (credential: string, body: object) =>
      app.call({ method: "PUT", path, headers: bearer(credential), body });
    const described = await edit(app.key, { description: "Makes an image.", category: "image", input_types: "{}" });
    assert.equal(described.status, 200, described.text);
    assert.equal(textOf(described.json(), "policy"), "NodePolicyActive");
    const refused = await edit(app.key, { description: "Changed", policy: "NodePolicyBanned" });
    assert.equal(refused.status, 403, refused.text);
    const same = await edit(app.key, { category: "images", policy: "NodePolicyActive" });
    assert.equal(same.status, 200, same.text);
    assert.equal(textOf(await get(path), "description"), "Makes an image.");
    assert.equal(textOf(await get(path), "category"), "images");
    const graph = {
      "7": { class_type: "EmptyImage", inputs: { width: 8, height: 8, batch_size: 1, color: 0 } },
      "9": { class_type: "SaveImage", inputs: { images: ["7", 0], filename_prefix: "x" } },
    };
    const submit = () =>
      app.call({ method: "POST", path: "/api/v2/jobs", headers: bearer(app.key), body: { workflow: graph } });
    const allowed = await submit();
    assert.ok(allowed.status < 300, allowed.text);
    for (const policy of ["NodePolicyBanned", "NodePolicyLocalOnly"]) {
      assert.equal((await edit(app.adminToken, { policy })).status, 200);
      const stopped = await submit();
      assert.equal(stopped.status, 422, stopped.text);
      assert.match(stopped.text, /"7"/);
      assert.match(stopped.text, /EmptyImage/);
    }
    assert.equal((await edit(app.adminToken, { policy: "NodePolicyActive" })).status, 200);
    assert.ok((await submit()).status < 300);
  });
});

test("every reader gets the same latest version: by number, not by time, and never a flagged one; deprecated or not", async () => {
  const nodeId = "one-latest";
  const putVersion = async (id: string, body: object) => {
    const path = `/publishers/acme/nodes/${nodeId}/versions/${id}`;
    assert.equal((await app.call({ method: "PUT", path, headers: bearer(app.key), body })).status, 200);
  };
  await publish(app, acme, { nodeId, version: "1.9.0" });
  const best = await publish(app, acme, { nodeId, version: "1.10.0" });
  await publish(app, acme, { nodeId, version: "1.9.1" });
  const evil = { nodeId, version: "3.0.0" };
  await publish(app, acme, evil, packed("acme", evil, [{ name: "a.py", bytes: "eval(x)" }]));
  const descriptor = `/nodes/${nodeId}/versions/1.10.0/svc-nodes/LatestClass`;
  await app.call({ method: "PUT", path: descriptor, headers: bearer(app.key), body: {} });
  const readers: readonly [path: string, ...keys: (string | number)[]][] = [
    [`/nodes/${nodeId}`, "latest_version", "version"],
    [`/nodes?node_id=${nodeId}&latest=true`, "nodes", 0, "latest_version", "version"],
    [`/nodes/search?search=${nodeId}`, "nodes", 0, "latest_version", "version"],
    [`/nodes/search?svc_node_search=LatestClass`, "nodes", 0, "latest_version", "version"],
    ["/svc-nodes/LatestClass/node", "latest_version", "version"],
    ["/publishers/acme/nodes/v2?limit=100", "nodes", 0, "latest_version", "version"],
    [`/nodes/${nodeId}/install`, "version"],
  ];
  const everywhere = async (version: string) => {
    for (const [path, ...keys] of readers) {
      const answer = await get(path);
      const nodes = memberOf(answer, "nodes");
      const own = Array.isArray(nodes) ? { nodes: nodes.filter((one) => textOf(one, "id") === nodeId) } : answer;
      assert.equal(textOf(own, ...keys), version, path);
    }
    const dump = await app.call({ path: "/bulk/nodes" });
    const line = dump.text.split("\n").find((one) => one.includes(`"id":"${nodeId}"`)) ?? "{}";
    assert.equal(textOf(JSON.parse(line), "latest_version", "version"), version);
  };
  await everywhere("1.10.0");
  // Decisions, section 5: the highest among the active ones. Deprecation is only shown and changes nothing else.
  await putVersion(best.id, { deprecated: true });
  await everywhere("1.10.0");
  assert.equal(memberOf(await get(`/nodes/${nodeId}/install`), "deprecated"), true, "installing says so");
});

test("an archive with .git/config and a .pth file is flagged, and both are named", async () => {
  const request = { nodeId: "carried-along", version: "1.0.0" };
  const parts = [
    { name: ".git/config", bytes: "[core]\n\tfsmonitor = ./run-me\n" },
    { name: "start.pth", bytes: "import os\n" },
  ];
  const published = await publish(app, acme, request, packed("acme", request, parts));
  assert.equal(published.status, "NodeVersionStatusFlagged");
  assert.deepEqual(codesOf(published.findings).sort(), ["python_path_file", "version_control_folder"]);
});

test("a version is not changed through another node of the same publisher", async () => {
  const { id } = await publish(app, acme, { nodeId: "node-a", version: "1.0.0" });
  await publish(app, acme, { nodeId: "node-b", version: "1.0.0" });
  for (const method of ["PUT", "DELETE"] as const) {
    const path = `/publishers/acme/nodes/node-b/versions/${id}`;
    const body = method === "PUT" ? { body: { deprecated: true } } : {};
    assert.equal((await app.call({ method, path, headers: bearer(app.key), ...body })).status, 404, method);
  }
  assert.equal(memberOf(await get("/nodes/node-a/versions/1.0.0"), "deprecated"), false);
});

test("an operator's own rules apply to later publishes, and the verdict names both versions", async () => {
  const rules = join(app.home, "rules.json");
  const own = {
    code: "acme_pickle",
    message: "No pickles.",
    languages: ["python"],
    in: "code",
    pattern: "pickle\\.load",
  };
  await writeFile(rules, JSON.stringify({ version: "acme-7", rules: [own], without: ["python_eval"] }));
  const strict = await testApp({ beside: app, env: { ATELIER_REGISTRY_RULES: rules } });
  try {
    const request = { nodeId: "own-rules", version: "1.0.0" };
    const archive = packed("acme", request, [{ name: "a.py", bytes: "import pickle\neval(x)\npickle.load(f)\n" }]);
    const published = await publish(strict, acme, request, archive);
    assert.deepEqual(
      published.findings.map((one) => `${textOf(one, "code")} ${textOf(one, "file")}:${memberOf(one, "line")}`),
      ["acme_pickle a.py:3"],
    );
    const review = await get(`/publishers/acme/nodes/own-rules/versions/${published.id}/review`, bearer(app.key));
    assert.equal(textOf(review, "rule_set"), "atelier-2+acme-7");
  } finally {
    await strict.close();
  }
});

test("the archives of a deleted node are removed after the stated days, and its numbers never return", async () => {
  const request = { nodeId: "ended", version: "1.0.0" };
  const { id } = await publish(app, acme, request);
  await announce(app, acme, { ...request, version: "2.0.0" });
  const path = "/publishers/acme/nodes/ended";
  assert.equal((await app.call({ method: "DELETE", path, headers: bearer(app.key) })).status, 204);
  const never = new AbortController().signal;
  const untouched = { release: () => assert.fail("not yet") };
  const deps = { ...app, blobs: untouched, clock: systemClock, log: { info: () => {} }, deletedDays: 30 };
  assert.equal(await endDeleted(deps, never), 0);
  const held = () => app.database.query(sql`select from blob_references where holder_id = ${id}`);
  assert.equal((await held()).length, 1);
  await app.database.execute(sql`update nodes set deleted_at = now() - interval '31 days' where node_id = 'ended'`);
  // What a process does at startup, and every hour.
  const later = await testApp({ beside: app });
  await until("its bytes are let go", async () => (await held()).length === 0).finally(() => later.close());
  assert.equal(await endDeleted(deps, never), 0, "once");
  for (const version of ["1.0.0", "2.0.0"])
    assert.equal((await announce(app, acme, { ...request, version })).status, 409);
  const [last] = await app.database.query<{ actor_kind: string; status_after: string }>(sql`
    select actor_kind, status_after from node_version_moves where version_id = ${id} order by moved_at desc limit 1`);
  assert.deepEqual(last, { actor_kind: "registry", status_after: "NodeVersionStatusDeleted" });
  for (const { name, statement } of versionInvariants) assert.deepEqual(await app.database.query(statement), [], name);
});
