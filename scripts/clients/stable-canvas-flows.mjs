// What programs do with @stable-canvas/comfyui-client, against the application's port. This file is copied next to the
// unmodified package and run there; each flow prints one line of JSON.
import assert from "node:assert/strict";
import { Client, Workflow } from "@stable-canvas/comfyui-client";

const application = process.env["FLOWS_APPLICATION_URL"];
const open = () => new Client({ api_host: new URL(application).host, WebSocket: globalThis.WebSocket });

function blank(last, inputs = {}) {
  const workflow = new Workflow();
  const [image] = workflow.classes.EmptyImage({ width: 64, height: 64, batch_size: 1, color: 255 });
  workflow.classes[last]({ images: image, ...inputs });
  return workflow;
}

async function requirePictures({ images }, count) {
  assert.equal(images.length, count, JSON.stringify(images));
  for (const { type, data } of images) {
    const bytes = type === "url" ? Buffer.from(await (await fetch(data)).arrayBuffer()) : Buffer.from(data);
    assert.equal(bytes.subarray(1, 4).toString(), "PNG");
  }
}

async function connected(use) {
  const client = open();
  await client.connect();
  try {
    return await use(client);
  } finally {
    client.close();
  }
}

const flows = {
  "what a program asks first": () =>
    connected(async (client) => {
      assert.ok("SaveImage" in (await client.getNodeDefs()));
      assert.ok(await client.getSystemStats());
      assert.deepEqual(Object.keys(await client.getQueue()), ["Running", "Pending"]);
    }),
  "a workflow over the websocket, its picture fetched": () =>
    connected(async (client) =>
      requirePictures(await blank("SaveImage", { filename_prefix: "canvas" }).invoke(client), 1),
    ),
  "a workflow by polling": async () => {
    const client = open();
    await requirePictures(await blank("SaveImage", { filename_prefix: "polled" }).invoke_polling(client), 1);
  },
  "what is only shown": () =>
    connected(async (client) =>
      requirePictures(
        { images: (await blank("PreviewImage").invoke(client)).images.filter(({ type }) => type === "url") },
        1,
      ),
    ),
  "a graph that cannot run is refused": () =>
    connected((client) => assert.rejects(blank("NoSuchClass").invoke(client))),
  "a prompt by plain `fetch`, which calls a string text": async () => {
    const { prompt } = blank("SaveImage", { filename_prefix: "plain" }).workflow();
    const sent = await fetch(`${application}/prompt`, { method: "POST", body: JSON.stringify({ prompt }) });
    assert.equal(sent.status, 200);
  },
};

for (const [flow, run] of Object.entries(flows)) {
  try {
    await run();
    console.log(JSON.stringify({ flow, ok: true }));
  } catch (thrown) {
    console.log(JSON.stringify({ flow, ok: false, note: String(thrown?.stack ?? thrown).slice(0, 600) }));
  }
}
process.exit(0);
