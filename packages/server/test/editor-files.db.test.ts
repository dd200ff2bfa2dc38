// The editor's files and settings over HTTP: workflows are the workspace's saved workflows, everything else is a person's own.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type AppAnswer, type AppRequest, bearer, headerOf, memberOf, textOf } from "./support/app-client.ts";
import { addMember, addTenant, owner } from "./support/app-people.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let app: TestApp;
// Two people of one workspace, and one of another.
let [ann, bob, eve] = ["", "", ""];
before(async () => {
  app = await testApp({ env: { ATELIER_DIALECT: "comfy", ATELIER_JOB_SECOND_CREDITS: "0.01" } });
  ann = (await owner(app)).jwt;
  bob = (await addMember(app, "Bob")).jwt;
  eve = (await addTenant(app, "Eve")).jwt;
});
after(() => app.close());

const as = (jwt: string, request: AppRequest): Promise<AppAnswer> =>
  app.call({ ...request, headers: { ...bearer(jwt), ...request.headers } });
const at = (file: string) => `/api/userdata/${encodeURIComponent(file)}`;
const read = (jwt: string, file: string) => as(jwt, { path: at(file) });
const write = (jwt: string, file: string, body: string, query = "", headers: Record<string, string> = {}) =>
  as(jwt, { method: "POST", path: `${at(file)}${query}`, body, headers });
const list = async (jwt: string, dir: string, more = "&recurse=true&split=false&full_info=true") =>
  as(jwt, { path: `/api/userdata?dir=${encodeURIComponent(dir)}${more}` });
const paths = async (jwt: string, dir: string) => {
  const files = (await list(jwt, dir)).json();
  assert.ok(Array.isArray(files));
  return files.map((file: unknown) => textOf(file, "path"));
};
// With unusual spacing and an unknown member, so that kept bytes are recognised.
const canvas = (text: string) =>
  `{"last_node_id": 1,  "nodes": [{"id":1,"type":"Note","pos":[0,0],"widgets_values":["${text}"]}], "links":[],"x":18446744073709551615}`;
const saved = async (name: string) => {
  const found = await app.call({ path: `/account/workflows?q=${name}`, headers: bearer(app.key) });
  return memberOf(found.json(), "data", 0);
};

describe("a workflow that the editor saves", () => {
  test("is a saved workflow of the workspace, byte for byte, with a version for every save", async () => {
    const file = "workflows/posters/Sea side.json";
    const made = await write(ann, file, canvas("one"), "?overwrite=false&full_info=true");
    assert.equal(made.status, 200, made.text);
    assert.equal(textOf(made.json(), "path"), file);
    assert.equal(memberOf(made.json(), "size"), canvas("one").length);
    assert.equal((await write(ann, file, canvas("two"), "?overwrite=false")).status, 409);
    assert.deepEqual((await write(ann, file, canvas("two"))).json(), file);
    assert.equal((await read(bob, file)).text, canvas("two"), "every member of the workspace sees it");
    const workflow = await saved("Sea");
    assert.deepEqual([memberOf(workflow, "folder"), memberOf(workflow, "version")], ["posters", 2]);
    const first = `/account/workflows/${textOf(workflow, "id")}/versions/1/document`;
    assert.equal((await app.call({ path: first, headers: bearer(app.key) })).text, canvas("one"));
    assert.deepEqual(await paths(bob, "workflows"), ["posters/Sea side.json"]);
    assert.deepEqual(await paths(eve, "workflows"), [], "another workspace sees nothing");
    assert.equal((await read(eve, file)).status, 404);
  });

  test("is not overwritten by a tab that has not read the newest version", async () => {
    const file = "workflows/shared.json";
    await write(ann, file, canvas("start"));
    const [here, there] = [await read(ann, file), await read(bob, file)];
    const etag = headerOf(here, "etag") ?? "";
    assert.equal(headerOf(there, "etag"), etag);
    const unchanged = await as(bob, { path: at(file), headers: { "if-none-match": etag } });
    assert.equal(unchanged.status, 304);
    const won = await write(ann, file, canvas("ann's"), "", { "if-match": etag });
    assert.equal(won.status, 200);
    assert.notEqual(headerOf(won, "etag"), etag);
    assert.equal((await write(bob, file, canvas("bob's"), "", { "if-match": etag })).status, 412);
    assert.equal((await read(bob, file)).text, canvas("ann's"));
    assert.equal((await write(ann, file, canvas("next"), "", { "if-match": headerOf(won, "etag") ?? "" })).status, 200);
  });

  test("can be an empty canvas, but nothing that is no workflow", async () => {
    assert.equal((await write(ann, "workflows/empty.json", '{"nodes":[],"links":[]}')).status, 200);
    for (const body of ["{", "[]", "{}", '"text"'])
      assert.equal((await write(ann, "workflows/broken.json", body)).status, 400, body);
    const large = `{"nodes":["${"x".repeat(50 * 1024 * 1024)}"]}`;
    assert.equal((await write(ann, "workflows/large.json", large)).status, 413);
  });

  test("moves with its versions, and is archived when it is deleted", async () => {
    await write(ann, "workflows/old.json", canvas("kept"));
    const move = (from: string, to: string, query: string) =>
      as(bob, { method: "POST", path: `${at(from)}/move/${encodeURIComponent(to)}${query}` });
    await write(ann, "workflows/taken.json", canvas("other"));
    assert.equal((await move("workflows/old.json", "workflows/taken.json", "?overwrite=false")).status, 409);
    const moved = await move("workflows/old.json", "workflows/deep/new.json", "?overwrite=false&full_info=true");
    assert.deepEqual([moved.status, textOf(moved.json(), "path")], [200, "workflows/deep/new.json"]);
    assert.deepEqual(
      [(await read(ann, "workflows/old.json")).status, (await read(ann, "workflows/deep/new.json")).text],
      [404, canvas("kept")],
    );
    assert.equal((await move("workflows/deep/new.json", "workflows/taken.json", "")).status, 200, "by default");
    assert.equal((await read(ann, "workflows/taken.json")).text, canvas("kept"));
    assert.equal((await as(bob, { method: "DELETE", path: at("workflows/taken.json") })).status, 204);
    assert.equal((await as(bob, { method: "DELETE", path: at("workflows/taken.json") })).status, 404);
    const archived = await app.call({ path: "/account/workflows?archived=true", headers: bearer(app.key) });
    assert.ok(archived.text.includes('"taken"'), "an owner can bring it back");
    assert.equal((await move("workflows/none.json", "workflows/x.json", "")).status, 404);
  });
});

describe("another file", () => {
  test("is its writer's own in this workspace", async () => {
    for (const [who, text] of [
      [ann, '[{"name":"ann"}]'],
      [bob, '[{"name":"bob"}]'],
    ] as const)
      assert.equal((await write(who, "comfy.templates.json", text)).status, 200);
    assert.equal((await read(ann, "comfy.templates.json")).text, '[{"name":"ann"}]');
    assert.equal((await read(eve, "comfy.templates.json")).status, 404);
    await write(ann, "workflows/.index.json", '{"bookmarks":["a"]}');
    assert.equal((await read(bob, "workflows/.index.json")).status, 404, "bookmarks are a person's own");
    await write(ann, "user.css", "body{}");
    assert.match(headerOf(await read(ann, "user.css"), "content-type") ?? "", /^text\/css/);
    await write(ann, "page.html", "<script>alert(1)</script>");
    const page = await read(ann, "page.html");
    assert.equal(headerOf(page, "content-type"), "application/octet-stream");
    assert.match(headerOf(page, "content-security-policy") ?? "", /sandbox/);
  });

  test("is listed in every form that the application has", async () => {
    for (const file of ["subgraphs/a.json", "subgraphs/deep/b.json"]) await write(bob, file, "{}");
    assert.deepEqual((await list(bob, "subgraphs", "")).json(), ["a.json"]);
    assert.deepEqual((await list(bob, "subgraphs", "&recurse=true")).json(), ["a.json", "deep/b.json"]);
    assert.deepEqual((await list(bob, "subgraphs/deep", "&split=true")).json(), [["b.json", "b.json"]]);
    const info = memberOf((await list(bob, "subgraphs", "&full_info=true")).json(), 0);
    assert.deepEqual(Object.keys(Object(info)).sort(), ["created", "modified", "path", "size"]);
    const tree = (await as(bob, { path: "/api/v2/userdata?path=subgraphs" })).json();
    assert.ok(Array.isArray(tree));
    assert.deepEqual(
      tree.map((entry: unknown) => [memberOf(entry, "type"), memberOf(entry, "path")]),
      [
        ["directory", "subgraphs/deep"],
        ["file", "subgraphs/a.json"],
        ["file", "subgraphs/deep/b.json"],
      ],
    );
    assert.equal((await list(bob, "none")).status, 404);
    assert.equal((await as(bob, { path: "/api/userdata" })).status, 400);
    assert.deepEqual((await list(eve, "subgraphs")).json(), [], "the editor asks for it before it is there");
  });

  test("with a name that climbs, or that no file can have, is refused and nothing is written", async () => {
    const names = ["../x", "workflows/../../x.json", "/etc/passwd", "a//b", "a\\b", "a/./b", "..", "x".repeat(500)];
    for (const name of [...names, `workflows/${"y".repeat(120)}.json`]) {
      for (const answer of [await write(ann, name, "{}"), await read(ann, name)])
        assert.ok(answer.status === 403 || answer.status === 400, `${JSON.stringify(name)} answers ${answer.status}`);
      const moved = await as(ann, { method: "POST", path: `${at("user.css")}/move/${encodeURIComponent(name)}` });
      assert.ok(moved.status === 403 || moved.status === 400, name);
    }
    assert.equal((await list(ann, "../")).status, 403);
    assert.equal((await read(ann, "user.css")).status, 200, "nothing was moved");
  });
});

describe("settings", () => {
  const set = (jwt: string, path: string, body: string, headers: Record<string, string> = {}) =>
    as(jwt, { method: "POST", path: `/api/settings${path}`, body, headers });
  const all = async (jwt: string) => (await as(jwt, { path: "/api/settings" })).json();

  test("are kept for each person in each workspace, one by one and together", async () => {
    assert.deepEqual(await all(eve), {});
    assert.equal((await set(ann, "", '{"Comfy.Locale":"fr","Comfy.Zoom":1}')).status, 200);
    await Promise.all(["a", "b", "c", "d"].map((name) => set(ann, `/Own.${name}`, `"${name}"`)));
    await set(ann, "/Comfy.Zoom", "2");
    assert.deepEqual(await all(ann), {
      "Comfy.Locale": "fr",
      "Comfy.Zoom": 2,
      "Own.a": "a",
      "Own.b": "b",
      "Own.c": "c",
      "Own.d": "d",
    });
    assert.deepEqual(await all(bob), {});
    assert.equal((await as(ann, { path: "/api/settings/Comfy.Locale" })).text, '"fr"');
    assert.equal((await as(ann, { path: "/api/settings/toString" })).text, "null");
    assert.equal((await set(ann, "/__proto__", '{"x":1}')).status, 200);
    assert.equal((await as(ann, { path: "/api/settings/__proto__" })).text, '{"x":1}');
    assert.deepEqual(JSON.parse((await read(ann, "comfy.settings.json")).text), await all(ann), "as a file too");
  });

  test("are written by the editor's own page as text, and by no page of another origin", async () => {
    const text = { "content-type": "text/plain;charset=UTF-8" };
    const ownPage = { ...text, origin: app.baseUrl, "sec-fetch-site": "same-origin" };
    assert.equal((await set(bob, "/A", "1", ownPage)).status, 200);
    for (const foreign of [
      { origin: "https://elsewhere.example" },
      { origin: app.baseUrl, "sec-fetch-site": "same-site" },
      { referer: `${app.baseUrl}/x` },
    ]) {
      const { status } = await set(bob, "/A", "2", { ...text, ...foreign });
      assert.ok(status >= 400, JSON.stringify(foreign));
    }
    assert.equal((await as(bob, { path: "/api/settings/A" })).text, "1");
  });

  test("limit what a run of this person may cost, and of nobody else", async () => {
    assert.equal((await set(ann, "/Atelier.MaxCredits", '"plenty"')).status, 400);
    assert.equal((await set(ann, "/Atelier.MaxCredits", "0.000001")).status, 200);
    const prompt = {
      "1": { class_type: "EmptyImage", inputs: { width: 64, height: 32, batch_size: 1, color: 255 } },
      "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "made" } },
    };
    const run = (jwt: string) => as(jwt, { method: "POST", path: "/api/prompt", body: { prompt } });
    const refused = await run(ann);
    assert.equal(refused.status, 400, refused.text);
    assert.equal(textOf(refused.json(), "error", "type"), "price_above_limit", refused.text);
    assert.deepEqual(memberOf(refused.json(), "node_errors"), {});
    assert.equal((await run(bob)).status, 200);
  });
});
