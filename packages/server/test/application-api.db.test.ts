// The application's own API, over HTTP: with the dialect, behind a key, one workspace per key, and with the same answers
// from every process. Without the dialect none of it exists.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { after, before, describe, test } from "node:test";
import { applicationOperations, cloudOperations } from "../src/areas/application-api/index.ts";
import { type AppAnswer, type AppRequest, bearer, headerOf, memberOf, textOf } from "./support/app-client.ts";
import { addTenant, owner, type Tenant } from "./support/app-people.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

const graph = {
  "1": { class_type: "EmptyImage", inputs: { width: 64, height: 32, batch_size: 1, color: 255 } },
  "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "deep/made" } },
  "3": { class_type: "PrimitiveString", inputs: { value: "words" } },
  "4": { class_type: "PreviewAny", inputs: { source: ["3", 0] } },
};
// Takes half a minute, within the memory limit of a graph, so it is still running when a busy machine gets round to the
// rest.
const slowGraph = {
  "1": { class_type: "EmptyImage", inputs: { width: 2048, height: 2048, batch_size: 4, color: 255 } },
  "2": { class_type: "ImageBlur", inputs: { image: ["1", 0], blur_radius: 31, sigma: 9 } },
  "3": { class_type: "ImageBlur", inputs: { image: ["2", 0], blur_radius: 31, sigma: 8 } },
  "4": { class_type: "SaveImage", inputs: { images: ["3", 0], filename_prefix: "late" } },
};

let app: TestApp;
let second: TestApp;
let stranger: Tenant;
let person: Tenant;
before(async () => {
  app = await testApp({ env: { ATELIER_DIALECT: "comfy" } });
  second = await testApp({ beside: app, env: { ATELIER_DIALECT: "comfy", ATELIER_ENGINE_SLOTS: "0" } });
  person = await owner(app);
  stranger = await addTenant(app, "Eve");
});
after(async () => {
  await second.close();
  await app.close();
});

const own = (request: AppRequest, at: TestApp = app) =>
  at.call({ ...request, headers: { "x-api-key": app.key, ...request.headers } });

async function submit(prompt: object, others: object = {}, at: TestApp = app): Promise<string> {
  const answer = await own({ method: "POST", path: "/api/prompt", body: { prompt, ...others } }, at);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(memberOf(answer.json(), "node_errors"), {});
  return textOf(answer.json(), "prompt_id");
}

const historyOf = (promptId: string) =>
  until(`the history of ${promptId}`, async () => {
    const record = memberOf((await own({ path: `/history/${promptId}` })).json(), promptId);
    return record ?? null;
  });

interface SocketMessage {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

// Records every message a socket receives, in order.
class Listener {
  readonly received: SocketMessage[] = [];
  readonly socket: WebSocket;

  constructor(at: TestApp, key: string, clientId: string) {
    this.socket = new WebSocket(`${at.baseUrl.replace("http", "ws")}/api/ws?clientId=${clientId}&token=${key}`);
    this.socket.addEventListener("message", ({ data }) => {
      if (typeof data === "string") this.received.push(JSON.parse(data));
    });
  }

  hears(type: string, isIt: (data: SocketMessage["data"]) => boolean = () => true): Promise<SocketMessage> {
    return until(
      `${type} is told`,
      async () => this.received.find((each) => each.type === type && isIt(each.data)) ?? null,
    );
  }

  typesOf(promptId: string): string[] {
    return this.received.filter(({ data }) => data["prompt_id"] === promptId).map(({ type }) => type);
  }
}

describe("the guard", () => {
  const all = [
    ...Object.values({ ...applicationOperations, ...cloudOperations }).map((each) => ({ ...each, before: "/api" })),
    ...Object.values(applicationOperations).map((each) => ({ ...each, before: "" })),
  ];
  const pathOf = ({ before: prefix, path }: { before: string; path: string }) =>
    `${prefix}${path.replace(/\{\w+\}/g, "01a1e4ee-a3ed-7186-9008-4b7943c980b9")}`;

  test("every operation, in both spellings, answers 401 without a credential and with a wrong one", async () => {
    for (const each of all) {
      for (const headers of [{}, bearer("letmein"), { "x-api-key": "letmein" }]) {
        const answer = await app.call({ method: each.method, path: pathOf(each), headers });
        assert.equal(answer.status, 401, `${each.method} ${pathOf(each)}`);
        assert.equal(textOf(answer.json(), "error", "type"), "unauthorized");
      }
    }
  });

  test("a key in the query opens the websocket and nothing else", async () => {
    for (const each of all.filter(({ id }) => id !== "openPromptSocket")) {
      const answer = await app.call({ method: each.method, path: `${pathOf(each)}?token=${app.key}` });
      assert.equal(answer.status, 401, `${each.method} ${pathOf(each)}`);
    }
    const refused = new WebSocket(`${app.baseUrl.replace("http", "ws")}/ws?clientId=a&token=letmein`);
    const how = await new Promise((resolve) => {
      refused.addEventListener("open", () => resolve("open"));
      refused.addEventListener("error", () => resolve("refused"));
    });
    assert.equal(how, "refused");
  });

  test("none of it is in the OpenAPI document, with the dialect or without", async () => {
    const paths = Object.keys(Object(memberOf((await app.call({ path: "/openapi.json" })).json(), "paths")));
    assert.ok(paths.includes("/api/v2/jobs"));
    for (const each of all) assert.ok(!paths.includes(`${each.before}${each.path}`), each.path);
  });

  test("without the dialect none of it is mounted", async () => {
    const plain = await testApp({ beside: app, env: { ATELIER_ENGINE_SLOTS: "0" } });
    try {
      for (const each of all.filter(({ path }) => path !== "/users")) {
        const { status } = await own({ method: each.method, path: pathOf(each) }, plain);
        assert.ok(status === 404 || status === 405, `${each.method} ${pathOf(each)} answers ${status}`);
      }
    } finally {
      await plain.close();
    }
  });
});

describe("a prompt", () => {
  test("sends its events to its client over the websocket in order, even from another process", async () => {
    const [here, there] = [new Listener(app, app.key, "painter"), new Listener(second, app.key, "painter")];
    const foreign = new Listener(app, stranger.key, "painter");
    for (const each of [here, there, foreign]) await each.hears("status", (data) => data["sid"] === "painter");
    const promptId = await submit(graph, { client_id: "painter" });
    for (const each of [here, there]) {
      await each.hears("executing", (data) => data["prompt_id"] === promptId && data["node"] === null);
      const types = each.typesOf(promptId);
      assert.deepEqual(types.slice(0, 2), ["execution_start", "execution_cached"]);
      assert.deepEqual(types.slice(-2), ["execution_success", "executing"]);
      const { data } = await each.hears("executed", ({ node }) => node === "2");
      const file = { filename: "made_00001_.png", subfolder: `${promptId}/deep`, type: "output" };
      assert.deepEqual(data["output"], { images: [file] });
      assert.deepEqual(types.filter((type) => type === "executed").length, 2, "each node with outputs once");
    }
    assert.deepEqual(foreign.typesOf(promptId), [], "another workspace hears nothing, whatever it calls itself");
    for (const each of [here, there, foreign]) each.socket.close();
  });

  test("is in the history once it has ended, with its files, which can be read in ranges", async () => {
    const promptId = await submit(graph);
    const record = await historyOf(promptId);
    assert.equal(memberOf(record, "status", "status_str"), "success");
    assert.deepEqual(memberOf(record, "outputs", "4", "text"), ["words"]);
    assert.deepEqual(memberOf(record, "prompt", 4), ["2", "4"], "the nodes whose outputs were asked for");
    const path = `/view?filename=made_00001_.png&subfolder=${promptId}%2Fdeep&type=output`;
    const redirect = await own({ path });
    assert.equal(redirect.status, 302, "bytes that users made come from an origin of their own");
    const range = await fetch(headerOf(redirect, "location") ?? "", { headers: { range: "bytes=1-3" } });
    assert.deepEqual([range.status, await range.text()], [206, "PNG"]);
    const foreign = await app.call({ path, headers: bearer(stranger.key) });
    const absent = await own({ path: path.replace("made", "gone") });
    assert.deepEqual([foreign.status, absent.status], [404, 404]);
    assert.equal(
      foreign.text,
      (await app.call({ path: path.replace(promptId, app.workspaceId), headers: bearer(stranger.key) })).text,
    );
    for (const where of ["/api/history_v2/", "/api/history/"])
      assert.equal((await app.call({ path: where + promptId, headers: bearer(stranger.key) })).text, "{}");
    assert.equal((await app.call({ path: `/api/jobs/${promptId}`, headers: bearer(stranger.key) })).status, 404);
    assert.equal(memberOf((await own({ path: `/api/jobs/${promptId}` })).json(), "status"), "completed");
    assert.equal(
      memberOf((await own({ path: `/api/v2/jobs/${promptId}` })).json(), "status"),
      "succeeded",
      "it is a job",
    );
  });

  test("keeps the id its caller chose, and sent twice is one prompt", async () => {
    const name = "9b2f6a30-5d0e-4f7c-9a52-0f2f7b6f6d11";
    assert.equal(await submit(graph, { prompt_id: name }), name);
    assert.equal(await submit(graph, { prompt_id: name }, second), name);
    await historyOf(name);
    const jobs = memberOf((await own({ path: "/api/jobs" })).json(), "jobs");
    assert.equal(JSON.stringify(jobs).split(name).length - 1, 1);
  });

  test("keeps every digit of a seed", async () => {
    const seeded = `{"prompt":{"1":{"class_type":"ImageAddNoise","inputs":{"image":["2",0],"seed":18446744073709551615,"strength":0.5}},
      "2":{"class_type":"EmptyImage","inputs":{"width":16,"height":16,"batch_size":1,"color":0}},
      "3":{"class_type":"SaveImage","inputs":{"images":["1",0],"filename_prefix":"seed"}}}}`;
    const answer = await own({ method: "POST", path: "/prompt", body: seeded });
    assert.equal(answer.status, 200, answer.text);
    const promptId = textOf(answer.json(), "prompt_id");
    await historyOf(promptId);
    assert.ok((await own({ path: `/history/${promptId}` })).text.includes("18446744073709551615"));
  });

  test("can be interrupted while it runs, and says so", async () => {
    const listener = new Listener(app, app.key, "impatient");
    await listener.hears("status");
    const promptId = await submit(slowGraph, { client_id: "impatient" });
    await listener.hears("executing", (data) => data["node"] !== null);
    assert.equal((await own({ method: "POST", path: "/interrupt", body: { prompt_id: promptId } })).status, 200);
    await listener.hears("execution_interrupted", (data) => data["prompt_id"] === promptId);
    assert.equal(memberOf(await historyOf(promptId), "status", "completed"), false);
    listener.socket.close();
  });

  test("can be taken out of the queue while it waits, and an interruption does not touch it", async () => {
    const pendingNow = async () => memberOf((await own({ path: "/api/queue" })).json(), "queue_pending");
    const pause = (paused: boolean) =>
      app.call({ method: "PUT", path: "/account/queue", headers: bearer(person.jwt), body: { paused } });
    assert.equal((await pause(true)).status, 200);
    const promptId = await submit(graph);
    await own({ method: "POST", path: "/interrupt", body: { prompt_id: promptId } });
    assert.equal(memberOf(await pendingNow(), 0, 1), promptId);
    assert.deepEqual((await app.call({ path: "/queue", headers: bearer(stranger.key) })).json(), {
      queue_running: [],
      queue_pending: [],
    });
    await own({ method: "POST", path: "/queue", body: { delete: [promptId] } });
    assert.deepEqual(await pendingNow(), []);
    assert.equal((await pause(false)).status, 200);
  });
});

describe("a refusal", () => {
  const refused = async (body: unknown): Promise<AppAnswer> => own({ method: "POST", path: "/prompt", body });
  const typeOf = (answer: AppAnswer) => [answer.status, memberOf(answer.json(), "error", "type")];

  test("uses the application's own words", async () => {
    assert.deepEqual(typeOf(await refused({})), [400, "no_prompt"]);
    assert.deepEqual(typeOf(await refused({ prompt: {} })), [400, "prompt_no_outputs"]);
    assert.deepEqual(typeOf(await refused({ prompt: { a: { class_type: "None", inputs: {} } } })), [
      400,
      "invalid_prompt",
    ]);
    assert.deepEqual(typeOf(await refused({ prompt: graph, prompt_id: "mine" })), [400, "invalid_prompt_id"]);
    const { "1": image, ...rest } = graph;
    const { batch_size: _, ...inputs } = image.inputs;
    const answer = await refused({ prompt: { ...rest, "1": { ...image, inputs } } });
    assert.deepEqual(typeOf(answer), [400, "prompt_outputs_failed_validation"]);
    assert.equal(memberOf(answer.json(), "node_errors", "1", "errors", 0, "type"), "required_input_missing");
  });

  test("answers invalid JSON, duplicate members and oversized bodies", async () => {
    for (const text of ["{", "[]", '{"prompt":{},"prompt":{}}', '{"prompt":{"1":{"a":1,"a":2}}}', `${"[".repeat(99)}`])
      assert.equal((await refused(text)).status, 400, text);
    assert.equal((await refused(`{"prompt":{"a":"${"x".repeat(11 * 1024 * 1024)}"}}`)).status, 413);
  });
});

describe("an upload", () => {
  async function upload(bytes: string, fields: Readonly<Record<string, string>> = {}): Promise<unknown> {
    const form = new FormData();
    form.append("image", new Blob([bytes]), "photo.txt");
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    const answer = await fetch(`${app.baseUrl}/upload/image`, {
      method: "POST",
      headers: { "x-api-key": app.key },
      body: form,
    });
    assert.equal(answer.status, 200);
    return answer.json();
  }
  const read = async (name: string, headers = { "x-api-key": app.key }) => {
    const answer = await app.call({ path: `/api/view?filename=${encodeURIComponent(name)}&type=input`, headers });
    return answer.status === 302 ? (await fetch(headerOf(answer, "location") ?? "")).text() : answer.status;
  };

  test("of other bytes under a taken name gets another name, and overwrites only when asked to", async () => {
    const input = { subfolder: "", type: "input" };
    assert.deepEqual(await upload("one"), { name: "photo.txt", ...input });
    assert.deepEqual(await upload("one"), { name: "photo.txt", ...input });
    assert.deepEqual(await upload("two"), { name: "photo (1).txt", ...input });
    assert.deepEqual([await read("photo.txt"), await read("photo (1).txt")], ["one", "two"]);
    for (const bytes of ["three", "one"]) {
      assert.deepEqual(await upload(bytes, { overwrite: "true" }), { name: "photo.txt", ...input });
      assert.equal(await read("photo.txt"), bytes, "also when it had these bytes before");
    }
    assert.deepEqual(await upload("four", { subfolder: "deep" }), {
      name: "photo.txt",
      subfolder: "deep",
      type: "input",
    });
    assert.equal(await read("photo.txt", { "x-api-key": stranger.key }), 404);
  });
});

describe("what tools ask for first", () => {
  test("is answered", async () => {
    const { json } = await own({ path: "/api/object_info/EmptyImage" });
    assert.equal(memberOf(json(), "EmptyImage", "name"), "EmptyImage");
    assert.deepEqual((await own({ path: "/object_info/None" })).json(), {});
    for (const path of ["/api/system_stats", "/api/features", "/embeddings", "/extensions", "/api/user", "/api/users"])
      assert.equal((await own({ path })).status, 200, path);
    assert.equal(memberOf((await own({ path: "/system_stats" })).json(), "system", "comfyui_version"), "0.7.0");
  });
});

describe("the loopback port", () => {
  test("uses its own key for callers that send none, serves bytes directly, and closes cleanly when the server stops", async () => {
    const env = { ATELIER_DIALECT: "comfy", ATELIER_APPLICATION_API_PORT: "0", ATELIER_APPLICATION_API_KEY: app.key };
    const newer = { ATELIER_APPLICATION_PROFILE: "0.30" };
    const third = await testApp({ beside: app, env: { ...env, ...newer, ATELIER_ENGINE_SLOTS: "0" } });
    let isStopped = false;
    try {
      const port = /"port":(\d+),"message":"the application's API/.exec(third.logged.join("\n"))?.[1];
      const url = `http://127.0.0.1:${port}`;
      const form = { "content-type": "application/x-www-form-urlencoded" };
      const sent = await fetch(`${url}/prompt`, {
        method: "POST",
        headers: form,
        body: JSON.stringify({ prompt: graph }),
      });
      assert.equal(sent.status, 200);
      const promptId = textOf(await sent.json(), "prompt_id");
      await historyOf(promptId);
      const file = `${url}/view?filename=made_00001_.png&subfolder=${promptId}/deep&type=output`;
      const part = await fetch(file, { headers: { range: "bytes=1-3" }, redirect: "manual" });
      assert.deepEqual([part.status, await part.text()], [206, "PNG"]);
      const wrong = { headers: bearer("service-letmein") };
      assert.equal((await fetch(file, wrong)).status, 401, "a key of ours that is wrong counts");
      const page = { origin: "https://elsewhere.example", ...form };
      assert.equal((await fetch(`${url}/prompt`, { method: "POST", headers: page, body: "{}" })).status, 403);
      const asText = { method: "POST", body: JSON.stringify({ prompt: graph }) };
      assert.equal((await fetch(`${url}/prompt`, asText)).status, 200, "fetch of Node calls a string text/plain");
      const old = await fetch(`${url}/prompt`, { ...asText, headers: { referer: "https://elsewhere.example/" } });
      assert.equal(old.status, 400, "any page can send text without asking first");
      const framed = await fetch(`${url}/system_stats`);
      assert.deepEqual(
        [framed.headers.get("x-frame-options"), framed.headers.get("content-security-policy")],
        ["DENY", "frame-ancestors 'none'"],
      );
      assert.equal(memberOf(await framed.json(), "system", "comfyui_version"), "0.30.0", "the version that it follows");
      for (const version of ["8", "7", "12", ""])
        assert.match(await handshake(Number(port), version), /^HTTP\/1\.1 400 /);
      assert.equal((await fetch(`${url}/account`)).status, 404, "nothing else is there");
      const socket = new WebSocket(`ws://127.0.0.1:${port}/ws?clientId=last`);
      await new Promise((resolve) => socket.addEventListener("message", resolve, { once: true }));
      const closed = new Promise((resolve) => socket.addEventListener("close", ({ code }) => resolve(code)));
      isStopped = true;
      await third.stop();
      assert.equal(await closed, 1001);
    } finally {
      if (!isStopped) await third.close();
    }
  });

  test("is not opened without a key", async () => {
    const env = { ATELIER_DIALECT: "comfy", ATELIER_APPLICATION_API_PORT: "0" };
    await assert.rejects(testApp({ beside: app, env }), /ATELIER_APPLICATION_API_KEY/);
  });
});

test("a socket that sends an oversized message is closed", async () => {
  const listener = new Listener(app, app.key, "loud");
  await listener.hears("status");
  const closed = new Promise((resolve) => listener.socket.addEventListener("close", ({ code }) => resolve(code)));
  listener.socket.send("{}");
  listener.socket.send("[[[");
  listener.socket.send("x".repeat(65 * 1024));
  assert.equal(await closed, 1009);
});

// The first line of the answer to a handshake with this protocol version.
async function handshake(port: number, version: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  const key = randomBytes(16).toString("base64");
  socket.write(
    `GET /ws HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Key: ${key}\r\n${version === "" ? "" : `Sec-WebSocket-Version: ${version}\r\n`}\r\n`,
  );
  const [answer] = await once(socket, "data");
  socket.destroy();
  return String(answer).split("\r\n", 1)[0] ?? "";
}
