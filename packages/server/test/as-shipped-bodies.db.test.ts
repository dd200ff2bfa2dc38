// Bodies above 256 KiB take another path through the server (threads, children). It must also work on a server started as
// the README says, without any test flags.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { type AsShippedServer, startAsShipped } from "./support/as-shipped-server.ts";
import { until } from "./support/server-process.ts";

const bodyBytes = 300_000;
let server: AsShippedServer;

before(async () => {
  server = await startAsShipped();
});
after(() => server.close());

// 300,000 bytes of JSON in all, with one long member.
function padded(body: Readonly<Record<string, unknown>>, member: string): string {
  const bare = JSON.stringify({ ...body, [member]: "" }).length;
  return JSON.stringify({ ...body, [member]: "A".repeat(bodyBytes - bare) });
}

const json = { "content-type": "application/json" };

describe("300,000 bytes, sent to a server started as the README says", () => {
  test("reach a model, which sends them back equal", async () => {
    const body = padded({ seed: 1 }, "text");
    const answer = await server.call({ method: "POST", path: "/v1/models/sandbox/open-1", headers: json, body });
    assert.equal(answer.status, 200, answer.text.slice(0, 500));
    assert.ok(answer.text === body, "the sandbox sends back what it was sent");
  });

  test("are checked by a model with a schema, with and without an Idempotency-Key", async () => {
    const body = padded({ prompt: "a red fox" }, "note");
    for (const key of [{}, { "idempotency-key": "large-1" }, { "idempotency-key": "large-1" }]) {
      const request = { method: "POST", path: "/v1/models/sandbox/image-1", headers: { ...json, ...key }, body };
      const answer = await server.call(request);
      assert.equal(answer.status, 200, answer.text.slice(0, 500));
    }
    const wrong = padded({ prompt: 7 }, "note");
    const request = { method: "POST", path: "/v1/models/sandbox/image-1", headers: json, body: wrong };
    assert.equal((await server.call(request)).status, 422);
  });

  test("reach a partner", async () => {
    const body = padded({}, "image");
    const path = "/proxy/partner-a/v1/ai/image-relight";
    for (const key of [{}, { "idempotency-key": "large-2" }]) {
      const answer = await server.call({ method: "POST", path, headers: { ...json, ...key }, body });
      assert.equal(answer.status, 200, answer.text.slice(0, 500));
    }
  });

  test("make a job that runs and returns its graph", async () => {
    const text = "b".repeat(bodyBytes);
    const workflow = {
      1: { class_type: "PrimitiveStringMultiline", inputs: { value: text } },
      2: { class_type: "PreviewAny", inputs: { source: ["1", 0] } },
    };
    const made = await server.call({ method: "POST", path: "/api/v2/jobs", headers: json, body: { workflow } });
    assert.equal(made.status, 201, made.text.slice(0, 500));
    const { id } = Object(made.json());
    const path = `/api/v2/jobs/${id}`;
    const ended = await until("the job ends", async () => {
      const { status } = Object((await server.call({ path })).json());
      return ["succeeded", "failed", "canceled"].includes(status) ? String(status) : null;
    });
    assert.equal(ended, "succeeded");
    const { workflow: kept } = Object((await server.call({ path: `${path}/workflow` })).json());
    assert.equal(kept["1"].inputs.value, text);
  });

  test("are stored as an asset", async () => {
    const bytes = randomBytes(bodyBytes);
    const form = new FormData();
    form.set("file", new File([bytes], "bytes.bin"));
    form.set("content_type", "application/octet-stream");
    form.set("file_path", "bytes.bin");
    const headers = { authorization: `Bearer ${server.key}` };
    const made = await fetch(`${server.baseUrl}/api/v2/assets`, { method: "POST", headers, body: form });
    const asset = Object(await made.json());
    assert.equal(made.status, 201, JSON.stringify(asset));
    const content = await fetch(asset.url);
    assert.deepEqual(Buffer.from(await content.arrayBuffer()), bytes);
  });
});
