// Nodes over HTTP on a whole app: creating, changing, reading, rating, translating, claiming, banning.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { bearer, headerOf, listOf, memberOf, textOf } from "./support/app-client.ts";
import { addTenant, owner, type Tenant } from "./support/app-people.ts";
import { createNode, createPublisher, send, someId } from "./support/registry-app.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let app: TestApp;
let mine: Tenant;
let theirs: Tenant;
let publisherId: string;
before(async () => {
  app = await testApp({ env: { ATELIER_REGISTRY_PUBLISHERS_MAX: "40" } });
  mine = await owner(app);
  theirs = await addTenant(app, "Eve");
  publisherId = textOf((await createPublisher(app, bearer(mine.key))).json(), "id");
});
after(() => app.close());

const own = () => bearer(mine.key);
const admin = () => bearer(app.adminToken);
const get = (path: string, headers: Record<string, string> = {}) => send(app, "GET", path, headers);
const create = (body: object, headers = own()) => send(app, "POST", `/publishers/${publisherId}/nodes`, headers, body);
const fieldsNamed = (answer: { json(): unknown }) =>
  listOf(answer.json(), "details")
    .map((one) => textOf(one, "path"))
    .sort();

describe("create", () => {
  test("400 lists every missing and every bad field", async () => {
    assert.deepEqual(fieldsNamed(await create({})), ["/id", "/name"]);
    const bad = { id: "-bad-", name: 1, description: "x".repeat(1001), tags: "a", supported_os: [1], icon: "a\u0000" };
    const answer = await create(bad);
    assert.equal(answer.status, 400);
    const named = ["/description", "/icon", "/id", "/name", "/supported_os/0", "/tags"];
    assert.deepEqual(fieldsNamed(answer), named);
    assert.equal((await get("/nodes/-bad-")).status, 404);
    for (const id of ["", ".a", "a-", "a b", "ä", "a/b", "x".repeat(101)]) {
      assert.deepEqual(fieldsNamed(await create({ id, name: "x" })), ["/id"], id);
    }
    assert.equal((await create({ id: "x".repeat(100), name: "x" })).status, 201);
    const harmful = { repository: "javascript:alert(1)", icon: " java\tscript:x", banner_url: "DATA:text/html,x" };
    assert.deepEqual(fieldsNamed(await create({ id: someId("n"), name: " \t", ...harmful })), [
      "/banner_url",
      "/icon",
      "/name",
      "/repository",
    ]);
  });

  test("an address with markup or a scheme that a browser would run or read is refused by name, in every field", async () => {
    const id = await createNode(app, own(), publisherId);
    const bad = [
      "javascript:alert(1)",
      "<script>alert(1)</script>",
      'https://x.example/"><img src=x onerror=alert(1)>',
      "https://x.example/<b>",
      "https://x.example/' onclick='x",
      "data:text/html,<script>1</script>",
      "data:image/svg+xml,<svg onload=alert(1)>",
      "vbscript:x",
      "file:///etc/passwd",
      "ftp://x.example/a",
      "blob:https://x.example/1",
      "\u0001javascript:alert(1)",
      "https://",
      "https://user:secret@x.example/",
    ];
    for (const text of bad) {
      const fields = { repository: text, icon: text, banner_url: text };
      const named = ["/banner_url", "/icon", "/repository"];
      assert.deepEqual(fieldsNamed(await create({ id: someId("n"), name: "x", ...fields })), named, text);
      const update = await send(app, "PUT", `/publishers/${publisherId}/nodes/${id}`, own(), fields);
      assert.deepEqual(fieldsNamed(update), named, text);
      assert.deepEqual(fieldsNamed(await send(app, "PUT", `/admin/nodes/${id}`, admin(), fields)), named, text);
      const body = { node: fields, node_version: { version: "1.0.0" } };
      const publish = await send(app, "POST", `/publishers/${publisherId}/nodes/${id}/versions`, own(), body);
      assert.deepEqual(fieldsNamed(publish), ["/node/banner_url", "/node/icon", "/node/repository"], text);
      const ofPublisher = { logo: text, website: text, support: text, source_code_repo: text };
      const changed = await send(app, "PUT", `/publishers/${publisherId}`, own(), ofPublisher);
      assert.deepEqual(fieldsNamed(changed), ["/logo", "/source_code_repo", "/support", "/website"], text);
    }
    const good = { website: "https://x.example/a?b=c#d", support: "mailto:help@x.example", source_code_repo: "" };
    assert.equal((await send(app, "PUT", `/publishers/${publisherId}`, own(), good)).status, 200);
  });

  test("all common kinds of address are kept, and empty list entries are dropped", async () => {
    for (const repository of [
      "https://github.com/a/b",
      "git@github.com:a/b.git",
      "ssh://git@host/a",
      "github.com/a/b",
    ]) {
      const kept = await create({ id: someId("n"), name: "x", repository, icon: "https://x.example/i.png" });
      assert.equal(textOf(kept.json(), "repository"), repository);
    }
    const sent = { tags: ["a", ""], supported_os: [""], supported_accelerators: ["", "CUDA"] };
    const made = (await create({ id: someId("n"), name: "x", ...sent })).json();
    assert.deepEqual(
      [memberOf(made, "tags"), Reflect.get(Object(made), "supported_os"), memberOf(made, "supported_accelerators")],
      [["a"], undefined, ["CUDA"]],
    );
  });

  test("server-owned fields in a body change nothing", async () => {
    const id = someId("n");
    const owned = {
      downloads: 1_000_000,
      rating: 5,
      search_ranking: 1,
      status: "NodeStatusBanned",
      status_detail: "mine",
      tags_admin: ["trusted"],
      created_at: "2001-01-01T00:00:00.000Z",
      github_stars: 99,
      publisher: { id: "somebody-else" },
      latest_version: { version: "9.9.9" },
      preempted_svc_node_names: ["KSampler"],
    };
    const checkOwned = (answer: { json(): unknown }) => {
      const node = answer.json();
      assert.deepEqual(
        [memberOf(node, "downloads"), memberOf(node, "status"), textOf(node, "publisher", "id")],
        [0, "NodeStatusActive", publisherId],
      );
      for (const absent of ["rating", "search_ranking", "status_detail", "tags_admin", "github_stars"])
        assert.equal(memberOf(node, absent), undefined, absent);
      assert.equal(memberOf(node, "latest_version"), undefined, "absent, never null");
      assert.equal(memberOf(node, "preempted_svc_node_names"), undefined);
      assert.ok(textOf(node, "created_at") > "2026");
    };
    checkOwned(await create({ id, name: "x", ...owned }));
    checkOwned(await get(`/nodes/${id}`, admin()));
    checkOwned(await send(app, "PUT", `/publishers/${publisherId}/nodes/${id}`, own(), { ...owned, name: "y" }));
  });

  test("every publisher field is kept and shown, including category", async () => {
    const said = {
      id: someId("n"),
      name: "Impact",
      author: "Ada",
      description: "Detail",
      category: "image",
      license: '{"file":"LICENSE"}',
      repository: "https://github.com/ada/impact",
      icon: "https://pictures.example/i.png",
      banner_url: "https://pictures.example/b.png",
      tags: ["upscale", "détail"],
      supported_os: ["Linux", "Windows"],
      supported_accelerators: ["CUDA"],
      supported_app_version: ">=1.0",
      supported_app_frontend_version: ">=1.2",
    };
    const made = await create(said);
    assert.equal(made.status, 201);
    for (const answer of [made, await get(`/nodes/${said.id}`)])
      for (const [name, value] of Object.entries(said)) assert.deepEqual(memberOf(answer.json(), name), value, name);
  });

  test("an id is unique regardless of case, deleted ones included, and reserved words are refused", async () => {
    const id = someId("Node");
    assert.equal((await create({ id, name: "x" })).status, 201);
    for (const other of [id, id.toLowerCase(), id.toUpperCase()])
      assert.equal((await create({ id: other, name: "x" })).status, 409, other);
    await send(app, "DELETE", `/publishers/${publisherId}/nodes/${id}`, own());
    assert.equal((await create({ id, name: "x" })).status, 409);
    for (const reserved of ["search", "Search", "pricing", "reindex", "update-github-stars", "v2"])
      assert.deepEqual(fieldsNamed(await create({ id: reserved, name: "x" })), ["/id"], reserved);
    const race = someId("race");
    const made = await Promise.all(
      Array.from({ length: 6 }, (_, at) => create({ id: at % 2 ? race : race.toUpperCase(), name: "x" })),
    );
    assert.deepEqual(made.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409]);
  });

  test("without a credential it is 401, at an unknown publisher 404, at another's 403", async () => {
    const body = { id: someId("n"), name: "x" };
    const at = (id: string) => `/publishers/${id}/nodes`;
    assert.equal((await send(app, "POST", at(publisherId), {}, body)).status, 401);
    assert.equal((await send(app, "POST", at("nobody-here"), own(), body)).status, 404);
    assert.equal((await send(app, "POST", at(publisherId), bearer(theirs.key), body)).status, 403);
    assert.equal((await get(`/nodes/${body.id}`)).status, 404);
  });

  test("a registry can require a repository and a licence", async () => {
    const strict = await testApp({ beside: app, env: { ATELIER_REGISTRY_REQUIRED_FIELDS: "repository,license" } });
    try {
      const path = `/publishers/${publisherId}/nodes`;
      const answer = await send(strict, "POST", path, own(), { id: someId("n"), repository: "" });
      assert.deepEqual(fieldsNamed(answer), ["/license", "/name", "/repository"]);
    } finally {
      await strict.close();
    }
  });
});

describe("get", () => {
  test("another spelling of the id redirects to the node's own", async () => {
    const id = await createNode(app, own(), publisherId, { id: someId("CamelCase") });
    for (const round of ["cold", "warm"]) {
      assert.equal((await get(`/nodes/${id}`)).status, 200);
      const led = await get(`/nodes/${id.toLowerCase()}`);
      assert.deepEqual([led.status, headerOf(led, "location")], [302, `/nodes/${id}`], round);
      const withQuery = await get(`/nodes/${id.toUpperCase()}?include_translations=true`);
      assert.equal(headerOf(withQuery, "location"), `/nodes/${id}?include_translations=true`);
    }
  });

  test("a matching ETag saves the body until the node changes, in this process and in another", async () => {
    const beside = await testApp({ beside: app });
    try {
      const id = await createNode(app, own(), publisherId);
      const path = `/nodes/${id}`;
      const first = await get(path);
      const etag = headerOf(first, "etag") ?? "";
      assert.equal((await get(path, { "if-none-match": etag })).status, 304);
      assert.equal((await send(beside, "GET", path, { "if-none-match": etag })).status, 304, "equal bytes, equal tag");
      await send(app, "PUT", `/publishers/${publisherId}/nodes/${id}`, own(), { name: "Another name" });
      const second = await get(path, { "if-none-match": etag });
      assert.deepEqual([second.status, textOf(second.json(), "name")], [200, "Another name"]);
      for (let tries = 0; tries < 3_000; tries++) {
        if (textOf((await send(beside, "GET", path)).json(), "name") === "Another name") return;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      assert.fail("the other process still shows the old name");
    } finally {
      await beside.close();
    }
  });

  test("impossible ids are 404, not an internal error", async () => {
    for (const id of ["nobody", "%00", "a%20b", "-x", "x".repeat(300), "..%2f..", "%F0%9F%A6%84"])
      assert.equal((await get(`/nodes/${id}`)).status, 404, id);
    const id = await createNode(app, own(), publisherId);
    assert.equal((await get(`/nodes/${id}?include_translations=maybe`)).status, 400);
  });

  test("creating and changing a node return what was sent, translations included (Spec, Node)", async () => {
    const at = `/publishers/${publisherId}/nodes`;
    const translations = { de: { name: "Knoten" } };
    const bad = { id: "said-in-klingon", name: "x", translations: { "not a language": {} } };
    const refused = await send(app, "POST", at, own(), bad);
    assert.deepEqual(
      [refused.status, refused.text.includes("/translations/not a language")],
      [400, true],
      refused.text,
    );
    const made = await send(app, "POST", at, own(), { ...bad, translations });
    assert.deepEqual([made.status, memberOf(made.json(), "translations")], [201, translations], made.text);
    const changed = await send(app, "PUT", `${at}/${bad.id}`, own(), { translations: { fr: { name: "Nœud" } } });
    assert.deepEqual(memberOf(changed.json(), "translations"), { ...translations, fr: { name: "Nœud" } });
    assert.equal((await send(app, "PUT", `${at}/${bad.id}`, own(), { translations: { "?": {} } })).status, 400);
  });

  test("translations come on request, and members add them", async () => {
    const id = await createNode(app, own(), publisherId);
    const at = `/nodes/${id}/translations`;
    const data = { fr: { name: "Nœud" }, "pt-BR": { name: "Nó", description: null } };
    assert.equal((await send(app, "POST", at, bearer(theirs.key), { data })).status, 403);
    assert.equal((await send(app, "POST", at, own(), { data: { "not a language": {} } })).status, 400);
    assert.equal((await send(app, "POST", at, own(), { data })).status, 201);
    assert.equal((await send(app, "POST", at, own(), { data: { fr: { name: "Le nœud" } } })).status, 201);
    assert.equal(memberOf((await get(`/nodes/${id}`)).json(), "translations"), undefined);
    const shown = await get(`/nodes/${id}?include_translations=true`);
    assert.deepEqual(memberOf(shown.json(), "translations"), { ...data, fr: { name: "Le nœud" } });
  });
});

describe("change", () => {
  test("an update merges: absent fields stay, empty ones are cleared", async () => {
    const id = await createNode(app, own(), publisherId, {
      author: "Ada",
      tags: ["a"],
      repository: "https://x.example",
    });
    const path = `/publishers/${publisherId}/nodes/${id}`;
    const changed = await send(app, "PUT", path, own(), { name: "New", repository: "" });
    assert.equal(changed.status, 200, changed.text);
    const node = (await get(`/nodes/${id}`)).json();
    assert.deepEqual(
      [memberOf(node, "name"), memberOf(node, "author"), memberOf(node, "tags"), memberOf(node, "repository")],
      ["New", "Ada", ["a"], undefined],
    );
    const wrong = await send(app, "PUT", path, own(), { id: "another", name: "" });
    assert.deepEqual([wrong.status, fieldsNamed(wrong)], [400, ["/id", "/name"]]);
  });

  test("a node exists only at its own publisher's path, and strangers cannot change it", async () => {
    const id = await createNode(app, own(), publisherId);
    const foreign = textOf((await createPublisher(app, bearer(theirs.key))).json(), "id");
    const before = (await get(`/nodes/${id}`)).text;
    for (const method of ["PUT", "DELETE"]) {
      const through = (at: string, headers: Record<string, string>) =>
        send(app, method, `/publishers/${at}/nodes/${id}`, headers, method === "PUT" ? { name: "taken" } : undefined);
      assert.equal((await through(publisherId, bearer(theirs.key))).status, 403, method);
      assert.equal((await through(foreign, bearer(theirs.key))).status, 404, method);
      assert.equal((await through(foreign, own())).status, 403, method);
      assert.equal((await through(publisherId, {})).status, 401, method);
    }
    assert.equal((await get(`/nodes/${id}`)).text, before);
    const permissions = `/publishers/${publisherId}/nodes/${id}/permissions`;
    assert.deepEqual((await get(permissions, own())).json(), { canEdit: true });
    assert.deepEqual((await get(permissions, bearer(theirs.key))).json(), { canEdit: false });
    assert.equal((await get(`/publishers/${foreign}/nodes/${id}/permissions`, own())).status, 404);
  });

  test("a deleted node is gone for everybody, and deleting it again is 404", async () => {
    const id = await createNode(app, own(), publisherId);
    const path = `/publishers/${publisherId}/nodes/${id}`;
    await get(`/nodes/${id}`);
    assert.equal((await send(app, "DELETE", path, own())).status, 204);
    assert.equal((await get(`/nodes/${id}`)).status, 404);
    assert.equal((await send(app, "DELETE", path, own())).status, 404);
    assert.equal((await send(app, "PUT", path, own(), { name: "x" })).status, 404);
    const listed = listOf((await get(`/nodes?node_id=${id}`)).json(), "nodes");
    assert.equal(listed.length, 0);
    const revived = await send(app, "PUT", `/admin/nodes/${id}`, admin(), { status: "NodeStatusActive" });
    assert.equal(revived.status, 409, "deleted is for good");
  });

  test("one rating per reviewer: the second replaces the first, and stars outside 1 to 5 are refused", async () => {
    const id = await createNode(app, own(), publisherId);
    const rate = (star: string, headers: Record<string, string>) =>
      send(app, "POST", `/nodes/${id}/reviews?star=${star}`, headers);
    assert.equal((await rate("5", own())).status, 200);
    assert.equal((await rate("2", own())).status, 200);
    const rated = await rate("4", bearer(theirs.jwt));
    assert.equal(memberOf(rated.json(), "rating"), 3);
    for (const star of ["0", "6", "", "4.5", "x", "4&star=5"])
      assert.equal((await rate(star, own())).status, 400, star);
    assert.equal((await send(app, "POST", `/nodes/${id}/reviews`, own())).status, 400);
    assert.equal((await rate("3", {})).status, 401);
    assert.equal(memberOf((await get(`/nodes/${id}`)).json(), "rating"), 3);
  });
});
