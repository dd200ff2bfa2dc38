// What the application's clients look at: previews, whole pictures on the websocket, the editor's graph in history and
// files, part of a graph, and a history that can be cleared. All on the loopback port, as those clients use it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import sharp from "sharp";
import { editorGraph } from "../src/surfaces/editor-graphs.fixture.ts";
import { memberOf, textOf } from "./support/app-client.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let first: TestApp;
let app: TestApp;
let url: string;
before(async () => {
  first = await testApp({ env: { ATELIER_DIALECT: "comfy" } });
  const env = { ATELIER_DIALECT: "comfy", ATELIER_APPLICATION_API_PORT: "0", ATELIER_APPLICATION_API_KEY: first.key };
  app = await testApp({ beside: first, env: { ...env, ATELIER_ENGINE_SLOTS: "0" } });
  url = `http://127.0.0.1:${/"port":(\d+),"message":"the application's API/.exec(app.logged.join("\n"))?.[1]}`;
});

after(async () => {
  await app.close();
  await first.close();
});

const image = (width: number, height: number, batch = 1) => ({
  class_type: "EmptyImage",
  inputs: { width, height, batch_size: batch, color: 0x336699 },
});

async function posted(path: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const answer = await fetch(`${url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  assert.equal(answer.status, 200, await answer.clone().text());
  return answer.json();
}

const got = async (path: string): Promise<unknown> => (await fetch(`${url}${path}`)).json();
const submit = async (prompt: object, others: object = {}) =>
  textOf(await posted("/prompt", { prompt, ...others }), "prompt_id");
const historyOf = (promptId: string) =>
  until(`the history of ${promptId}`, async () => memberOf(await got(`/history/${promptId}`), promptId) ?? null);

interface Heard {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly bytes?: Buffer;
}

// Everything that one socket receives, texts and pictures in order.
async function listen(clientId: string, features: object = {}) {
  const heard: Heard[] = [];
  const socket = new WebSocket(`${url.replace("http", "ws")}/ws?clientId=${clientId}`);
  socket.binaryType = "arraybuffer";
  socket.addEventListener("open", () => socket.send(JSON.stringify({ type: "feature_flags", data: features })));
  socket.addEventListener("message", ({ data }) => {
    if (typeof data === "string") heard.push(JSON.parse(data));
    else heard.push({ type: "picture", data: {}, bytes: Buffer.from(data as ArrayBuffer) });
  });
  await until("the socket is greeted", async () => heard.find(({ type }) => type === "status") ?? null);
  return {
    heard,
    close: () => socket.close(),
    over: () => until("the prompt is over", async () => heard.find(({ type }) => type === "execution_success") ?? null),
  };
}

// The node that a named preview belongs to.
function nodeOf(frame: Buffer): string {
  assert.equal(frame.readUInt32BE(0), 4);
  return textOf(JSON.parse(frame.toString("utf8", 8, 8 + frame.readUInt32BE(4))), "node_id");
}

const textChunk = (png: Buffer, name: string): string | null => {
  const at = png.indexOf(`tEXt${name}\0`);
  return at === -1 ? null : png.toString("latin1", at + 5 + name.length, at + 4 + png.readUInt32BE(at - 4));
};

test("a preview is announced, is in the history, can be fetched, and is listed among the job's outputs", async () => {
  const socket = await listen("looker");
  const promptId = await submit(
    {
      "1": image(96, 64, 2),
      "2": { class_type: "PreviewImage", inputs: { images: ["1", 0] } },
      "3": { class_type: "SolidMask", inputs: { value: 1, width: 8, height: 8 } },
      "4": { class_type: "MaskPreview", inputs: { mask: ["3", 0] } },
      "5": { class_type: "EmptyAudio", inputs: { duration: 0.1, sample_rate: 8000, channels: 1 } },
      "6": { class_type: "PreviewAudio", inputs: { audio: ["5", 0] } },
    },
    { client_id: "looker" },
  );
  await socket.over();
  socket.close();
  const executed = socket.heard.filter(({ type }) => type === "executed");
  assert.deepEqual(executed.map(({ data }) => data["node"]).sort(), ["2", "4", "6"]);
  const outputs = memberOf(await historyOf(promptId), "outputs");
  const files = Object(memberOf(outputs, "2", "images"));
  assert.equal(files.length, 2);
  assert.deepEqual(memberOf(executed.find(({ data }) => data["node"] === "2")?.data, "output", "images"), files);
  for (const [node, key] of [
    ["2", "images"],
    ["4", "images"],
    ["6", "audio"],
  ] as const) {
    const file = memberOf(outputs, node, key, 0);
    assert.equal(memberOf(file, "type"), "temp");
    const query = `filename=${textOf(file, "filename")}&subfolder=${textOf(file, "subfolder")}`;
    const bytes = await fetch(`${url}/view?${query}&type=temp`);
    assert.equal(bytes.status, 200, node);
    if (node === "2") {
      const { width, height } = await sharp(Buffer.from(await bytes.arrayBuffer())).metadata();
      assert.deepEqual([width, height], [96, 64]);
    }
    assert.equal((await fetch(`${url}/view?${query}&type=output`)).status, 404, "it is no result");
  }
  const job = await app.call({ path: `/api/v2/jobs/${promptId}`, headers: { "x-api-key": app.key } });
  const listed = Object(memberOf(job.json(), "outputs"));
  assert.deepEqual(
    listed.map((output: unknown) => memberOf(output, "is_preview")),
    [true, true, true, true],
  );
});

// The editor keeps a preview at its node until that node starts again, and prefers it to the node's result.
test("a node gets previews, but none that would hide its own result, also if the socket opens after the end", async () => {
  // The blur takes long enough to be previewed.
  const blur = { class_type: "ImageBlur", inputs: { image: ["1", 0], blur_radius: 31, sigma: 9 } };
  const slow = {
    ...{ "1": image(1024, 1024), "2": blur },
    "3": { class_type: "GetImageSize", inputs: { image: ["2", 0] } },
    "4": { class_type: "PreviewAny", inputs: { source: ["3", 0] } },
  };
  const shows = { "1": image(98, 66), "5": { class_type: "PreviewImage", inputs: { images: ["1", 0] } } };
  const previewedIn = async (clientId: string, prompt: object) => {
    const during = await listen(clientId, { supports_preview_metadata: true });
    await submit(prompt, { client_id: clientId });
    await during.over();
    during.close();
    const unwatched = await submit(prompt, { client_id: `${clientId} later` });
    await historyOf(unwatched);
    const later = await listen(`${clientId} later`, { supports_preview_metadata: true });
    await later.over();
    later.close();
    const frames = [...during.heard, ...later.heard].flatMap(({ bytes }) => (bytes === undefined ? [] : nodeOf(bytes)));
    return [...new Set(frames)];
  };
  assert.notDeepEqual(await previewedIn("slow", slow), [], "a preview came as a frame");
  assert.ok(!(await previewedIn("shows", shows)).includes("5"), "a preview would hide the picture");
});

test("SaveImageWebsocket sends every picture whole, as PNG, in order and while its node runs", async () => {
  const socket = await listen("collector");
  const prompt = {
    "1": image(1024, 768, 1),
    "2": { class_type: "ImageInvert", inputs: { image: ["1", 0] } },
    "3": { class_type: "ImageBatch", inputs: { image1: ["1", 0], image2: ["2", 0] } },
    save_image_websocket_node: { class_type: "SaveImageWebsocket", inputs: { images: ["3", 0] } },
  };
  const promptId = await submit(prompt, { client_id: "collector" });
  await socket.over();
  socket.close();
  let current: unknown = null;
  const frames: Buffer[] = [];
  // As the application's own example reads them.
  for (const { type, data, bytes } of socket.heard) {
    if (type === "executing") current = data["node"];
    if (bytes && current === "save_image_websocket_node") frames.push(bytes);
  }
  assert.equal(frames.length, 2);
  const colours = await Promise.all(
    frames.map(async (frame) => {
      assert.deepEqual([frame.readUInt32BE(0), frame.readUInt32BE(4)], [1, 2], "a picture, as PNG");
      const { data, info } = await sharp(frame.subarray(8)).raw().toBuffer({ resolveWithObject: true });
      assert.deepEqual([info.width, info.height], [1024, 768]);
      return data[0];
    }),
  );
  assert.deepEqual(colours, [0x33, 0xcc]);
  const record = await historyOf(promptId);
  assert.deepEqual(memberOf(record, "outputs"), {}, "it makes no file there");
});

test("the editor's graph is kept in the history, in the job and in the files, where an application can read it", async () => {
  const form = new FormData();
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: "#123456" } })
    .png()
    .toBuffer();
  form.append("image", new Blob([new Uint8Array(png)]), "cat.png");
  assert.equal((await fetch(`${url}/upload/image`, { method: "POST", body: form })).status, 200);
  const prompt = {
    "1": { class_type: "LoadImage", inputs: { image: "cat.png" } },
    "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "cat" } },
  };
  const info = { workflow: { nodes: [], version: 0.4, seed: 7 }, note: { by: "hand" } };
  const promptId = await submit(prompt, { extra_data: { extra_pnginfo: info, api_key_comfy_org: "" } });
  const record = await historyOf(promptId);
  assert.deepEqual(memberOf(record, "prompt", 3, "extra_pnginfo"), info);
  assert.deepEqual(memberOf(record, "prompt", 2), prompt, "files have the names that were given");
  const job = await got(`/api/jobs/${promptId}`);
  assert.deepEqual(memberOf(job, "workflow", "extra_data", "extra_pnginfo"), info);
  const file = await fetch(`${url}/view?filename=cat_00001_.png&subfolder=${promptId}&type=output`);
  const bytes = Buffer.from(await file.arrayBuffer());
  assert.deepEqual(JSON.parse(textChunk(bytes, "workflow") ?? "null"), info.workflow);
  assert.deepEqual(JSON.parse(textChunk(bytes, "note") ?? "null"), info.note);
  const embedded = JSON.parse(textChunk(bytes, "prompt") ?? "null");
  assert.deepEqual(embedded, prompt);
  await submit(embedded);
});

test("a workflow submitted in the editor's format is in the file exactly as it was sent", async () => {
  const headers = { "x-api-key": app.key };
  const workflow = editorGraph("EmptyImage");
  const sent = await app.call({ method: "POST", path: "/api/v2/jobs", headers, body: { workflow } });
  const id = textOf(sent.json(), "id");
  await historyOf(id);
  const file = await fetch(`${url}/view?filename=out_00001_.png&subfolder=${id}&type=output`);
  const bytes = Buffer.from(await file.arrayBuffer());
  assert.deepEqual(JSON.parse(textChunk(bytes, "workflow") ?? "null"), workflow);
});

test("partial_execution_targets runs its targets and nothing else", async () => {
  const prompt = {
    "1": image(8, 8),
    "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "wanted" } },
    "3": image(9, 9),
    "4": { class_type: "SaveImage", inputs: { images: ["3", 0], filename_prefix: "unwanted" } },
    "5": { class_type: "LoadImage", inputs: { image: "not-there.png" } },
    "6": { class_type: "SaveImage", inputs: { images: ["5", 0], filename_prefix: "broken" } },
  };
  const promptId = await submit(prompt, { partial_execution_targets: ["2", "77"] });
  const record = await historyOf(promptId);
  assert.deepEqual(Object.keys(Object(memberOf(record, "outputs"))), ["2"]);
  assert.deepEqual(memberOf(record, "prompt", 4), ["2"]);
  const job = await app.call({ path: `/api/v2/jobs/${promptId}`, headers: { "x-api-key": app.key } });
  assert.equal(memberOf(job.json(), "progress", "nodes_total"), 2, "only what they need is counted, and charged");
  const name = "01a1e4ee-a3ed-7186-9008-4b7943c980b9";
  await submit(prompt, { partial_execution_targets: ["2"], prompt_id: name });
  const other = { prompt, prompt_id: name, partial_execution_targets: ["4"] };
  for (const [body, type] of [
    [{ prompt, partial_execution_targets: ["1"] }, "prompt_no_outputs"],
    [{ prompt, partial_execution_targets: "2" }, "invalid_targets"],
    [other, "idempotency_key_reuse"],
  ] as const) {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${url}/prompt`, { method: "POST", headers, body: JSON.stringify(body) });
    assert.ok(answer.status >= 400 && answer.status < 500);
    assert.equal(textOf(await answer.json(), "error", "type"), type);
  }
});

test("the history can be cleared, in part or whole, and the jobs stay", async () => {
  const prompt = { "1": image(4, 4), "2": { class_type: "PreviewImage", inputs: { images: ["1", 0] } } };
  const [one, two, three] = [await submit(prompt), await submit(prompt), await submit(prompt)];
  for (const promptId of [one, two, three]) await historyOf(promptId);
  await posted("/history", { delete: [one, "nobody"] });
  assert.deepEqual(await got(`/history/${one}`), {});
  const left = Object.keys(Object(await got("/history?max_items=100")));
  assert.deepEqual([left.includes(one), left.includes(two)], [false, true]);
  await posted("/api/history", { clear: true });
  assert.deepEqual(await got("/history"), {});
  assert.deepEqual(memberOf(await got("/api/jobs"), "jobs"), []);
  const job = await app.call({ path: `/api/v2/jobs/${one}`, headers: { "x-api-key": app.key } });
  assert.equal(memberOf(job.json(), "status"), "succeeded");
});

test("tools that send no credential, an empty one or a foreign one are all answered as an application would", async () => {
  for (const authorization of ["Bearer ", "Bearer sk-proj-1", "Basic dTpw"]) {
    const headers = { authorization };
    for (const path of ["/", "/object_info/EmptyImage", "/api/system_stats", "/internal/logs", "/workflow_templates"])
      assert.equal((await fetch(`${url}${path}`, { headers })).status, 200, `${path} with ${authorization}`);
    const prompt = { "1": image(4, 4), "2": { class_type: "PreviewImage", inputs: { images: ["1", 0] } } };
    textOf(await posted("/prompt", { prompt }, headers), "prompt_id");
  }
  assert.match((await fetch(`${url}/`)).headers.get("content-type") ?? "", /^text\/html/);
});
