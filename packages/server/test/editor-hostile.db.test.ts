// What a person, a page or a name may try at the editor's own addresses: another workspace's things, another host's name, names
// that climb, workflows and sockets beyond measure. Nothing of it is seen, kept or felt by anyone else.
import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, describe, test } from "node:test";
import { WebSocket } from "ws";
import { type AppRequest, bearer, headerOf, memberOf, textOf } from "./support/app-client.ts";
import { addTenant, owner, ownPage, raiseRates, type Tenant } from "./support/app-people.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";
import { installTinyEditor } from "./support/tiny-editor.ts";

let app: TestApp;
let [ann, eve]: Tenant[] = [];
before(async () => {
  app = await testApp();
  [ann, eve] = [await owner(app), await addTenant(app, "Eve")];
  await installTinyEditor(app.home);
  await raiseRates(app, ann.workspaceId);
  await raiseRates(app, eve.workspaceId);
});
after(() => app.close());

const known = (who: Tenant | undefined): Tenant => who ?? assert.fail("nobody has come yet");
const at = (who: Tenant, path: string) => `/editor/${who.workspaceId}/api${path}`;
// As the editor of this person, in their own workspace.
const as = (person: Tenant | undefined, request: AppRequest) => {
  const who = known(person);
  const headers = { ...ownPage(app, who.cookie), ...request.headers };
  return app.call({ ...request, path: at(who, request.path), headers });
};
const graph = (prefix: string) => ({
  "1": { class_type: "EmptyImage", inputs: { width: 8, height: 8, batch_size: 1, color: 255 } },
  "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: prefix } },
});
const canvas = (text: string) =>
  JSON.stringify({ nodes: [{ id: 1, type: "Note", pos: [0, 0], widgets_values: [text] }], links: [] });
const file = (name: string) => `/userdata/${encodeURIComponent(name)}`;

async function upload(who: Tenant | undefined, name: string, fields: Readonly<Record<string, string>> = {}) {
  const form = new FormData();
  form.append("image", new Blob([Buffer.from("R0lGODlhAQABAAAAACwAAAAAAQABAAA=", "base64")]), name);
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  const headers = ownPage(app, known(who).cookie);
  const answer = await fetch(`${app.baseUrl}${at(known(who), "/upload/image")}`, {
    method: "POST",
    headers,
    body: form,
  });
  return { status: answer.status, text: await answer.text() };
}

describe("another workspace", () => {
  const marker = "annssecret";

  test("shows and changes nothing, by any id, client id or file name, at any operation of the editor", async () => {
    const promptId = crypto.randomUUID();
    const body = { prompt: graph(marker), prompt_id: promptId, client_id: "tab-of-ann" };
    const heard: string[] = [];
    const listener = openSocket(known(eve), { clientId: "tab-of-ann" });
    listener.on("message", (data) => void heard.push(String(data)));
    await once(listener, "open");
    const submitted = await as(ann, { method: "POST", path: "/prompt", body });
    assert.equal(submitted.status, 200, submitted.text);
    const subfolder = await until("her picture", async () => {
      const { text } = await as(ann, { path: `/jobs/${promptId}` });
      return text.includes(`${marker}_00001_`) ? (/"subfolder":"([^"]*)"/.exec(text)?.[1] ?? "") : null;
    });
    assert.equal((await upload(ann, `${marker}.gif`)).status, 200);
    for (const name of [`workflows/${marker}.json`, `${marker}.css`])
      assert.equal((await as(ann, { method: "POST", path: file(name), body: canvas(marker) })).status, 200);
    await as(ann, { method: "POST", path: "/settings/Own.secret", body: `"${marker}"` });

    const picture = new URLSearchParams({ filename: `${marker}_00001_.png`, subfolder });
    const input = new URLSearchParams({ filename: `${marker}.gif`, type: "input" });
    const reads = [
      ...["/queue", "/history", `/history/${promptId}`, "/history_v2", `/history_v2/${promptId}`, "/jobs", "/prompt"],
      ...[`/jobs/${promptId}`, `/job/${promptId}/status`, `/view?${picture}`, `/view?${input}`, "/object_info"],
      ...[`/view?${picture}&type=output`, "/object_info/LoadImage", "/settings", "/settings/Own.secret"],
      ...["/userdata?dir=workflows&recurse=true&full_info=true", "/userdata?dir=", "/v2/userdata?path=workflows"],
      ...[file(`workflows/${marker}.json`), file(`${marker}.css`), "/users", "/user"],
    ];
    for (const path of reads) {
      const [hers, theirs] = [await as(ann, { path }), await as(eve, { path })];
      assert.ok(hers.status < 500 && theirs.status < 500, path);
      assert.ok(!theirs.text.includes(marker), `${path} shows ${theirs.text.slice(0, 300)}`);
      if (path.includes(promptId) || path.includes(marker)) {
        assert.equal(hers.status, 200, path);
        assert.ok(theirs.status === 404 || theirs.text === "{}", `${path}: ${theirs.status} ${theirs.text}`);
      }
    }
    const internal = {
      path: `/editor/${known(eve).workspaceId}/internal/files/input`,
      headers: ownPage(app, known(eve).cookie),
    };
    assert.ok(!(await app.call(internal)).text.includes(marker));

    const changes: readonly AppRequest[] = [
      { method: "POST", path: "/queue", body: { delete: [promptId], clear: true } },
      { method: "POST", path: "/interrupt", body: { prompt_id: promptId } },
      { method: "POST", path: `/jobs/${promptId}/cancel`, body: {} },
      { method: "POST", path: "/history", body: { delete: [promptId], clear: true } },
      { method: "DELETE", path: file(`workflows/${marker}.json`) },
      { method: "DELETE", path: file(`${marker}.css`) },
      {
        method: "POST",
        path: `${file(`workflows/${marker}.json`)}/move/${encodeURIComponent("workflows/taken.json")}`,
      },
      { method: "POST", path: file(`workflows/${marker}.json`), body: canvas("eve") },
      { method: "POST", path: "/settings/Own.secret", body: '"eve"' },
      { method: "POST", path: "/prompt", body: { ...body, prompt: graph("eve") } },
    ];
    for (const change of changes) {
      const { status, text } = await as(eve, change);
      assert.ok(status < 500, `${change.path}: ${text}`);
      // A name that she wrote herself may come back.
      if (!change.path.includes(marker)) assert.ok(!text.includes(marker), `${change.path} shows ${text}`);
    }
    assert.equal((await as(ann, { path: `/view?${picture}` })).status, 200, "her picture is there");
    assert.equal((await as(ann, { path: file(`workflows/${marker}.json`) })).text, canvas(marker));
    assert.equal((await as(ann, { path: file(`${marker}.css`) })).status, 200);
    assert.equal((await as(ann, { path: "/settings/Own.secret" })).text, `"${marker}"`);
    assert.ok((await as(ann, { path: `/history/${promptId}` })).text.includes(marker));
    listener.terminate();
    assert.ok(!heard.join().includes(marker), "her socket's name tells nothing either");
  });
});

describe("a foreign Host header", () => {
  test("gets no page, no answer of the API and no websocket", async () => {
    const { workspaceId, cookie } = known(ann);
    for (const host of ["evil.example", "127.0.0.1", `localhost.evil.example:${new URL(app.baseUrl).port}`]) {
      for (const path of [
        "/editor",
        `/editor/${workspaceId}/`,
        at(known(ann), "/object_info"),
        at(known(ann), "/queue"),
      ]) {
        const { status } = await app.call({ path, headers: { ...ownPage(app, cookie), host } });
        assert.equal(status, 421, `${host} ${path}`);
      }
      assert.equal(await refusalOf(openSocket(known(ann), { host })), 421, host);
    }
  });
});

describe("hostile names", () => {
  const names = [
    ...[
      "../../climbs.gif",
      "..\\..\\climbs.gif",
      "/etc/passwd.gif",
      "<img src=x onerror=alert(1)>.gif",
      "con.gif",
      "..",
    ],
    ...["%2e%2e%2fclimbs.gif", "a\u0000b.gif", "‮gif.exe", "💥 é ü.gif", `${"x".repeat(400)}.gif`, "a\r\nb: c.gif", "."],
  ];

  test("of uploads stay names: what is taken is read back under the name that was told, and never as a page", async () => {
    let taken = 0;
    for (const name of names)
      for (const subfolder of ["", "../up", "/etc", "deep/er"]) {
        const { status, text } = await upload(ann, name, subfolder === "" ? {} : { subfolder });
        assert.ok(status === 200 || status === 400, `${JSON.stringify([name, subfolder])}: ${status} ${text}`);
        if (status !== 200) continue;
        taken++;
        const told: unknown = JSON.parse(text);
        const [filename, folder] = [textOf(told, "name"), textOf(told, "subfolder")];
        assert.ok(!`${folder}/${filename}`.split(/[/\\]/).includes(".."), text);
        const query = new URLSearchParams({ filename, subfolder: folder, type: "input" });
        const shown = await as(ann, { path: `/view?${query}`, headers: { "sec-fetch-dest": "image" } });
        assert.equal(shown.status, 200, text);
        assert.doesNotMatch(headerOf(shown, "content-type") ?? "", /html|svg|script/);
        assert.equal(headerOf(shown, "x-content-type-options"), "nosniff");
        const line = headerOf(shown, "content-disposition") ?? "";
        assert.doesNotMatch(line, /[\r\n]/);
      }
    assert.ok(taken > 0, "some of them are names like others");
  });

  test("of files to look at, templates and folders find nothing", async () => {
    for (const name of names)
      for (const path of [
        `/view?${new URLSearchParams({ filename: name, type: "input", subfolder: "../.." })}`,
        `/view?${new URLSearchParams({ filename: name, type: "../../etc" })}`,
        `/models/${encodeURIComponent(name)}`,
        `/userdata?${new URLSearchParams({ dir: name })}`,
      ]) {
        const { status, text } = await as(ann, { path });
        assert.ok([200, 400, 403, 404].includes(status), `${path}: ${status}`);
        if (status === 200) assert.equal(text, "[]", path);
      }
  });
});

describe("beyond measure", () => {
  test("a workflow of 50 MB is refused as a file and as a prompt, and others are answered meanwhile", async () => {
    const large = `{"prompt":{"1":{"class_type":"EmptyImage","inputs":{"x":"${"y".repeat(50 * 1024 * 1024)}"}}},"nodes":[]}`;
    const meanwhile = until("an answer", async () => (await as(eve, { path: "/queue" })).status === 200 || null);
    const [saved, run] = await Promise.all([
      as(ann, { method: "POST", path: file("workflows/large.json"), body: large }),
      as(ann, { method: "POST", path: "/prompt", body: large, headers: { "content-type": "application/json" } }),
    ]);
    await meanwhile;
    assert.equal(saved.status, 413, saved.text);
    assert.equal(run.status, 413, run.text);
    const list = await as(ann, { path: "/userdata?dir=workflows&recurse=true" });
    assert.ok(!list.text.includes("large"));
  });

  test("of two thousand sockets of one person a few are open, and another person's socket and requests are served", async () => {
    const opened: WebSocket[] = [];
    let [open, refused] = [0, 0];
    for (let round = 0; round < 20; round++) {
      const sockets = Array.from({ length: 100 }, (_, index) =>
        openSocket(known(ann), { clientId: `many-${round}-${index}` }),
      );
      opened.push(...sockets);
      const ends = await Promise.all(sockets.map(endOf));
      open += ends.filter((end) => end === "open").length;
      refused += ends.filter((end) => end === 429).length;
    }
    assert.ok(open >= 20 && open <= 64, `${open} are open`);
    assert.equal(open + refused, 2_000, "every other one is told why");
    const other = openSocket(known(eve), { clientId: "one" });
    assert.equal(await endOf(other), "open");
    assert.equal((await as(eve, { path: "/queue" })).status, 200);
    assert.equal((await app.call({ path: "/account", headers: bearer(app.key) })).status, 200);
    for (const socket of [...opened, other]) socket.terminate();
    await until("there is room again", async () => {
      const socket = openSocket(known(ann), { clientId: "again" });
      const end = await endOf(socket);
      socket.terminate();
      return end === "open" || null;
    });
  });

  test("a client id of any kind is a name and nothing else", async () => {
    for (const clientId of ["", "x".repeat(5_000), "<script>", "a\u0000b", "__proto__"]) {
      const socket = openSocket(known(ann), { clientId });
      const end = await endOf(socket);
      assert.ok(end === "open" || end === 400 || end === 431 || end === 414, `${clientId.slice(0, 20)}: ${end}`);
      socket.terminate();
    }
    const body = { prompt: graph("named"), client_id: "__proto__", extra_data: { client_id: "<script>" } };
    const sent = await as(ann, { method: "POST", path: "/prompt", body });
    assert.equal(sent.status, 200, sent.text);
    assert.match(String(memberOf(sent.json(), "prompt_id")), /^[0-9a-f-]{36}$/);
  });
});

function openSocket(
  who: Tenant,
  { clientId = "tab", ...headers }: { readonly clientId?: string; readonly host?: string },
): WebSocket {
  const url = `${app.baseUrl.replace("http", "ws")}/editor/${who.workspaceId}/ws?${new URLSearchParams({ clientId })}`;
  const socket = new WebSocket(url, { headers: { cookie: who.cookie, origin: app.baseUrl, ...headers } });
  // The library calls giving up an error.
  socket.on("error", () => undefined);
  return socket;
}

// Open, or the status that it was refused with.
const endOf = (socket: WebSocket): Promise<"open" | number> =>
  new Promise((resolve) => {
    socket.once("open", () => resolve("open"));
    socket.once("unexpected-response", (_, answer) => resolve(answer.statusCode ?? 0));
  });

async function refusalOf(socket: WebSocket): Promise<"open" | number> {
  const end = await endOf(socket);
  socket.terminate();
  return end;
}
