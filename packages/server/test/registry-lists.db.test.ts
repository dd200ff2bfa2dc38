// Lists, searches, the dump and look-ups over HTTP on a separate whole app, so that counts can be exact.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../src/foundation/database/sql.ts";
import { bearer, headerOf, listOf, memberOf, textOf } from "./support/app-client.ts";
import { createNode, createPublisher, send } from "./support/registry-app.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let app: TestApp;
let publisherId: string;
before(async () => {
  app = await testApp();
  publisherId = textOf((await createPublisher(app, own())).json(), "id");
  for (const [at, node] of nodes.entries()) {
    await createNode(app, own(), publisherId, node);
    const downloads = [10, 500, 20, 5, 7, 0, 0, 0, 0, 0, 0, 0][at] ?? 0;
    await app.database.execute(sql`update nodes set downloads = ${downloads} where node_id = ${node.id}`);
  }
});
after(() => app.close());

const own = () => bearer(app.key);
const admin = () => bearer(app.adminToken);
const get = (path: string, headers: Record<string, string> = {}) => send(app, "GET", path, headers);
const nodes = [
  { id: "Impact-Pack", name: "Impact Pack", description: "Detailer, detector and pipes", tags: ["detail"] },
  { id: "controlnet-aux", name: "ControlNet Auxiliary Preprocessors", supported_os: ["Linux"], author: "Fannovel" },
  {
    id: "KSamplerTuner",
    name: "KSamplerTuner",
    supported_accelerators: ["CUDA"],
    repository: "https://x.example/Tuner",
  },
  { id: "video-helper", name: "Video Helper Suite", description: "Load and combine film", supported_os: ["Windows"] },
  { id: "impactful", name: "Impactful", description: "A pack of impactful looks for portraits" },
  ...Array.from({ length: 7 }, (_, at) => ({ id: `filler-${at}`, name: `Filler ${at}`, description: "Nothing" })),
];
const idsOf = (answer: { json(): unknown }) => listOf(answer.json(), "nodes").map((one) => textOf(one, "id"));
const ids = async (path: string, headers = {}) => idsOf(await get(path, headers));

describe("a page", () => {
  test("has ten nodes by default, says which page it is, and all pages together have every node once", async () => {
    const first = (await get("/nodes")).json();
    const figures = ["total", "page", "limit", "totalPages"].map((name) => memberOf(first, name));
    assert.deepEqual([...figures, listOf(first, "nodes").length], [12, 1, 10, 2, 10]);
    const walked = [...(await ids("/nodes?page=1&limit=5")), ...(await ids("/nodes?page=2&limit=5"))];
    walked.push(...(await ids("/nodes?page=3&limit=5")));
    assert.deepEqual(walked.sort(), nodes.map(({ id }) => id).sort());
    const beyond = (await get("/nodes?page=9")).json();
    assert.deepEqual([listOf(beyond, "nodes").length, memberOf(beyond, "total")], [0, 12]);
  });

  test("reads less than 1 as the default and more than 100 as 100, and refuses what is not a number", async () => {
    for (const query of ["?page=0", "?page=-3&limit=0", "?limit=-1", "?page=&limit="].slice(0, 3)) {
      const page = (await get(`/nodes${query}`)).json();
      assert.deepEqual([memberOf(page, "page"), memberOf(page, "limit")], [1, 10], query);
    }
    assert.equal(memberOf((await get("/nodes?limit=1000")).json(), "limit"), 100);
    const wrong = await get(
      "/nodes?page=one&limit=1.5&latest=perhaps&timestamp=yesterday&sort=password&include_banned=x",
    );
    assert.equal(wrong.status, 400);
    const named = listOf(wrong.json(), "details").map((one) => textOf(one, "path"));
    assert.deepEqual(named.sort(), ["include_banned", "latest", "limit", "page", "sort", "timestamp"]);
    for (const query of ["page=1&page=2", "search=a%00b", `search=${"x".repeat(2000)}`])
      assert.equal((await get(`/nodes/search?${query}`)).status, 400, query);
  });

  test("contains the nodes that repeated keys name, in any spelling", async () => {
    const found = await ids("/nodes?node_id=impact-pack&node_id=VIDEO-HELPER&node_id=nobody&node_id=%27");
    assert.deepEqual(found.sort(), ["Impact-Pack", "video-helper"]);
  });

  test("is sorted as requested, ties and all, in either direction", async () => {
    assert.deepEqual((await ids("/nodes?sort=downloads;desc&limit=3")).slice(0, 2), [
      "controlnet-aux",
      "KSamplerTuner",
    ]);
    assert.deepEqual(await ids("/nodes?sort=name&limit=2"), ["controlnet-aux", "filler-0"]);
    const byBoth = await ids("/nodes?sort=downloads&sort=id;desc&limit=7");
    assert.deepEqual(
      byBoth,
      [6, 5, 4, 3, 2, 1, 0].map((at) => `filler-${at}`),
    );
    assert.equal((await ids("/nodes"))[0], "filler-6", "newest first without a wish");
  });

  test("shows only nodes for an operating system or accelerator, and a node that declares none runs everywhere", async () => {
    const onLinux = await ids("/nodes?supported_os=linux&limit=100");
    assert.ok(
      onLinux.includes("controlnet-aux") && onLinux.includes("Impact-Pack") && !onLinux.includes("video-helper"),
    );
    const onRocm = await ids("/nodes?supported_accelerator=ROCm&form_factor=git-linux&limit=100");
    assert.ok(!onRocm.includes("KSamplerTuner") && onRocm.length === 11);
    assert.deepEqual(await ids("/nodes/search?search=ksampler&supported_accelerator=cuda"), ["KSamplerTuner"]);
    assert.deepEqual(await ids("/nodes/search?search=ksampler&supported_accelerator=ROCm"), []);
    assert.deepEqual(await ids("/nodes/search?search=video&supported_os=linux"), []);
  });

  test("shows only nodes for a version of the application, if a comparable one is given", async () => {
    const path = (id: string) => `/publishers/${publisherId}/nodes/${id}`;
    const ranges = { "filler-1": ">=2.0.0", "filler-2": "<2.0, >=1.0", "filler-3": "whatever works" };
    for (const [id, supported_app_version] of Object.entries(ranges))
      assert.equal((await send(app, "PUT", path(id), own(), { supported_app_version })).status, 200);
    const fillers = async (query: string) =>
      (await ids(`/nodes?limit=100&sort=id&${query}`)).filter((id) => /^filler-[123]$/.test(id)).join(" ");
    assert.equal(await fillers("app_version=1.2.3"), "filler-2 filler-3");
    assert.equal(await fillers("app_version=v2.0.0"), "filler-1 filler-3");
    for (const none of ["", "app_version=nightly", "app_version="])
      assert.equal(await fillers(none), "filler-1 filler-2 filler-3", none);
    assert.ok(!(await ids("/nodes/search?search=filler&app_version=1.2.3")).includes("filler-1"));
    for (const id of Object.keys(ranges)) await send(app, "PUT", path(id), own(), { supported_app_version: "" });
  });

  test("bypasses the cache when the latest is requested", async () => {
    const count = (downloads: number) =>
      app.database.execute(sql`update nodes set downloads = ${downloads} where node_id = 'controlnet-aux'`);
    const shown = async (query: string) =>
      memberOf(listOf((await get(`/nodes?limit=1&sort=downloads;desc${query}`)).json(), "nodes")[0], "downloads");
    // Counted installs show within a minute. News of an earlier change may still arrive and clear the cache: then try
    // again.
    for (let downloads = 500, isRemembered = false; !isRemembered; downloads++) {
      assert.ok(downloads < 550, "nothing is ever remembered");
      await shown("");
      await count(downloads + 1);
      isRemembered = (await shown("")) === downloads;
      assert.equal(await shown("&latest=true"), downloads + 1);
    }
    await count(500);
  });

  test("has an ETag that lives until any node changes", async () => {
    const first = await get("/nodes?limit=3");
    const etag = headerOf(first, "etag") ?? "";
    assert.equal((await get("/nodes?limit=3", { "if-none-match": etag })).status, 304);
    await send(app, "PUT", `/publishers/${publisherId}/nodes/filler-6`, own(), { description: "Changed" });
    const second = await get("/nodes?limit=3", { "if-none-match": etag });
    assert.equal(second.status, 200);
    assert.ok(second.text.includes("Changed"));
  });
});

describe("a search", () => {
  const first = async (text: string) => (await ids(`/nodes/search?search=${encodeURIComponent(text)}`))[0];
  test("finds several words in any order, by prefix and without their spaces", async () => {
    for (const text of ["impact pack", "pack impact", "Impact-Pack", "impactpack", "IMPACT PACK", "impact detailer"])
      assert.equal(await first(text), "Impact-Pack", text);
    for (const text of ["ksampler", "tuner", "ksamplertuner", "KSampler Tuner", "ksam"])
      assert.equal(await first(text), "KSamplerTuner", text);
    assert.equal(await first("fannovel"), "controlnet-aux");
  });

  test("finds the right node first despite misspelt words", async () => {
    for (const [text, meant] of [
      ["imapct pakc", "Impact-Pack"],
      ["contrlnet auxilary", "controlnet-aux"],
      ["ksampelr tunre", "KSamplerTuner"],
      ["vidoe helpr siute", "video-helper"],
      ["preprocesors contolnet", "controlnet-aux"],
    ] as const)
      assert.equal(await first(text), meant, text);
  });

  test("needs every word, and finds nothing for words that nobody wrote", async () => {
    for (const text of ["impact zebra", "qqqqqqqq", "!!!", "' or 1=1 --", "impact & | ! ( ) :*"])
      assert.ok(!["filler-0"].includes((await first(text)) ?? ""), text);
    assert.equal(await first("impact zebraxylophon"), undefined);
    assert.equal(await first("%"), undefined);
    assert.equal((await ids("/nodes/search")).length, 10, "no words: a list, the most installed first");
    assert.equal((await ids("/nodes/search"))[0], "controlnet-aux");
  });

  test("ranks a match in the title above one in the description, and installs raise the rank", async () => {
    const found = await ids("/nodes/search?search=impact");
    assert.deepEqual(found.slice(0, 2), ["Impact-Pack", "impactful"]);
    const page = (await get("/nodes/search?search=filler&limit=2&page=2")).json();
    assert.deepEqual([memberOf(page, "total"), memberOf(page, "totalPages"), listOf(page, "nodes").length], [7, 4, 2]);
    assert.equal(memberOf((await get("/nodes/search?search=filler&limit=5&page=9")).json(), "total"), 7);
  });

  test("of several misspelt words prefers the node that has them all in its title, then by installs and ranking", async () => {
    assert.equal((await ids("/nodes/search?search=impcat%20pakc"))[0], "Impact-Pack");
    await send(app, "PUT", "/admin/nodes/filler-2", admin(), { search_ranking: 1 });
    assert.equal((await ids("/nodes/search?search=filer%20nohting"))[0], "filler-2", "the operators' ranking lifts");
    await app.database.execute(sql`update nodes set downloads = 90000 where node_id = 'filler-1'`);
    await send(app, "PUT", "/admin/nodes/filler-2", admin(), { search_ranking: 0 });
    assert.equal((await ids("/nodes/search?search=filer%20nohting"))[0], "filler-1", "installs lift");
    await app.database.execute(sql`update nodes set downloads = 0 where node_id = 'filler-1'`);
  });

  test("finds parts of a repository's address, and knows no wildcards", async () => {
    assert.deepEqual(await ids("/nodes/search?repository_url_search=example/tun"), ["KSamplerTuner"]);
    for (const wild of ["%25", "_", "%5C"])
      assert.deepEqual(await ids(`/nodes/search?repository_url_search=${wild}`), []);
  });

  test("follows a changed name, and rebuilding the index drops only unused words", async () => {
    await send(app, "PUT", `/publishers/${publisherId}/nodes/filler-0`, own(), { name: "Quokka" });
    await app.database.execute(sql`insert into registry_words (word) values ('unused')`);
    await send(app, "POST", "/nodes/reindex", admin());
    for (let tries = 0; tries < 5_000; tries++) {
      const left = await app.database.query(sql`select word from registry_words where word = 'unused'`);
      assert.equal(await first("impact pakc"), "Impact-Pack", "searches go on meanwhile");
      if (left.length === 0) break;
    }
    assert.equal((await app.database.query(sql`select word from registry_words where word = 'unused'`)).length, 0);
    assert.equal(await first("quoka"), "filler-0");
    assert.equal(await first("imapct pakc"), "Impact-Pack");
  });
});

describe("a mirror's sync", () => {
  const lines = async (query: string) => {
    const answer = await get(`/bulk/nodes${query}`);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(headerOf(answer, "content-type"), "application/x-ndjson");
    return answer.text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  };

  test("gets every listed node in one call, and since a given time only changes, bans and deletions included", async () => {
    assert.equal((await lines("")).length, 12);
    const [row] = await app.database.query<{ now: Date }>(sql`select clock_timestamp() as now`);
    const since = encodeURIComponent(row?.now.toISOString() ?? "");
    assert.deepEqual(await lines(`?timestamp=${since}&include_banned=true`), []);
    await app.database.execute(sql`update nodes set downloads = downloads + 1 where node_id = 'filler-2'`);
    await send(app, "PUT", `/publishers/${publisherId}/nodes/filler-3`, own(), { name: "Changed" });
    await send(app, "POST", `/publishers/${publisherId}/nodes/filler-4/ban`, admin());
    await send(app, "DELETE", `/publishers/${publisherId}/nodes/filler-5`, own());
    const changed = await lines(`?timestamp=${since}&include_banned=true`);
    assert.deepEqual(changed.map((node: unknown) => [textOf(node, "id"), textOf(node, "status")]).sort(), [
      ["filler-3", "NodeStatusActive"],
      ["filler-4", "NodeStatusBanned"],
      ["filler-5", "NodeStatusDeleted"],
    ]);
    assert.deepEqual(
      (await lines(`?timestamp=${since}`)).map((node: unknown) => textOf(node, "id")),
      ["filler-3"],
    );
    assert.deepEqual(await ids(`/nodes?timestamp=${since}`), ["filler-3"]);
    assert.equal((await get("/bulk/nodes?timestamp=soon")).status, 400);
  });
});

describe("a node class", () => {
  const provide = async (nodeId: string, name: string) => {
    const [node] = await app.database.query<{ id: string }>(sql`select id from nodes where node_id = ${nodeId}`);
    const versionId = crypto.randomUUID();
    await app.database.execute(sql`
      insert into node_versions (id, node_id, version, status) values (${versionId}, ${node?.id}, '1.0.0', 'NodeVersionStatusActive')
      on conflict (node_id, version) do nothing`);
    await app.database.execute(sql`
      update nodes set latest_version_id = (select id from node_versions where node_id = ${node?.id}) where id = ${node?.id}`);
    await app.database.execute(sql`
      insert into node_descriptors (version_id, name) select id, ${name} from node_versions where node_id = ${node?.id}`);
  };

  test("belongs to the node that preempts its name, then to the lower ranking, then to the more installed", async () => {
    for (const id of ["Impact-Pack", "controlnet-aux", "video-helper"]) await provide(id, "SharedClass");
    const whose = async () => textOf((await get("/svc-nodes/SharedClass/node")).json(), "id");
    assert.equal(await whose(), "controlnet-aux");
    await send(app, "PUT", "/admin/nodes/Impact-Pack", admin(), { search_ranking: 3 });
    assert.equal(await whose(), "Impact-Pack");
    await send(app, "PUT", "/admin/nodes/filler-1", admin(), { preempted_svc_node_names: ["SharedClass"] });
    assert.equal(await whose(), "filler-1");
    const answer = await get("/svc-nodes/SharedClass/node");
    const held = { "if-none-match": headerOf(answer, "etag") ?? "" };
    assert.equal((await get("/svc-nodes/SharedClass/node", held)).status, 304);
    for (const unknown of ["Nobody", "%00", "x".repeat(300)])
      assert.equal((await get(`/svc-nodes/${unknown}/node`)).status, 404, unknown);
  });

  test("finds its nodes in a search by part of the name", async () => {
    const found = await ids("/nodes/search?svc_node_search=sharedcl");
    assert.deepEqual(found.sort(), ["Impact-Pack", "controlnet-aux", "video-helper"].sort());
  });
});

test("a publisher's nodes are all listed, not only the first ten", async () => {
  const all = await get(`/publishers/${publisherId}/nodes`);
  assert.equal(listOf(all.json()).length, 10, "filler-4 is banned and filler-5 deleted");
  assert.equal(listOf((await get(`/publishers/${publisherId}/nodes`, own())).json()).length, 11);
  const page = (await get(`/publishers/${publisherId}/nodes/v2?limit=4&page=3`)).json();
  assert.deepEqual([memberOf(page, "total"), memberOf(page, "page"), listOf(page, "nodes").length], [10, 3, 2]);
  assert.equal((await get("/publishers/nobody-here/nodes")).status, 404);
});
