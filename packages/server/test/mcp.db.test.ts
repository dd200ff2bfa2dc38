// An agent with the official Model Context Protocol client, in both generations of the protocol.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import sharp from "sharp";
import { bearer } from "./support/app-client.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import { until } from "./support/server-process.ts";
import type { TestApp } from "./support/test-app.ts";

let apps: SandboxApps;
let app: TestApp;
let agent: Client;

async function connect(headers: Readonly<Record<string, string>>): Promise<Client> {
  const client = new Client({ name: "a test", version: "1.0.0" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${app.baseUrl}/mcp`), { requestInit: { headers: { ...headers } } }),
  );
  return client;
}

before(async () => {
  apps = await sandboxApps();
  app = await apps.open();
  agent = await connect(bearer(app.key));
});
after(async () => {
  await agent.close();
  await apps.close();
});

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly data?: string;
  readonly uri?: string;
}
async function call(name: string, args: Record<string, unknown> = {}, client = agent) {
  const result = await client.callTool({ name, arguments: args });
  const blocks = result.content as unknown as Block[];
  const [first] = blocks;
  return {
    isError: result.isError === true,
    facts: JSON.parse(first?.text ?? "null"),
    links: blocks.flatMap(({ type, uri }) => (type === "resource_link" && uri !== undefined ? [uri] : [])),
    pictures: blocks.filter(({ type }) => type === "image").map(({ data = "" }) => Buffer.from(data, "base64")),
  };
}

const graph = (model: string) => ({
  "1": {
    class_type: "AtelierModelImage",
    inputs: { model, prompt: "a harbour at dawn", width: 96, height: 64, seed: 7, parameters: "{}" },
  },
  "2": { class_type: "ImageInvert", inputs: { image: ["1", 0] } },
  "3": { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: "agent" } },
});

describe("an agent", { timeout: 900_000 }, () => {
  test("sees every tool, each with a description and a schema", async () => {
    const { tools } = await agent.listTools();
    assert.deepEqual(tools.map(({ name }) => name).sort(), [
      "cancel_job",
      "cancel_model_request",
      "describe_model",
      "describe_node_class",
      "estimate_model",
      "estimate_workflow",
      "get_balance",
      "get_job",
      "get_model_request",
      "get_picture",
      "list_jobs",
      "list_models",
      "list_node_classes",
      "run_model",
      "run_workflow",
      "submit_model_request",
    ]);
    for (const tool of tools) assert.ok(tool.description && tool.inputSchema.type === "object", tool.name);
  });

  test("queues a model call, polls it until it has completed, and gets its picture", async () => {
    const submitted = await call("submit_model_request", {
      model: "sandbox/image-1-queued",
      input: { prompt: "a harbour", width: 64, height: 64 },
    });
    const { model, request_id } = submitted.facts;
    assert.ok(["IN_QUEUE", "IN_PROGRESS"].includes(submitted.facts.status), JSON.stringify(submitted.facts));
    const done = await until("it has completed", async () => {
      const looked = await call("get_model_request", { model, request_id });
      return looked.pictures.length > 0 ? looked : null;
    });
    assert.equal(done.isError, false);
    const late = await call("cancel_model_request", { model, request_id });
    assert.deepEqual([late.isError, late.facts.error], [true, "already_completed"]);
    assert.match(late.facts.what_to_do, /get_model_request/);
  });

  test("finds node classes by words and reads their inputs, with seed limits in all their digits", async () => {
    const { facts } = await call("list_node_classes", { q: "scale image", limit: 3 });
    assert.equal(facts.node_classes[0].name, "ImageScale");
    assert.equal(facts.node_classes.length, 3);
    const described = await call("describe_node_class", { name: "AtelierModelImage" });
    const seed = described.facts.inputs.find(({ name }: { name: string }) => name === "seed");
    assert.equal(seed.max, "18446744073709551615");
    const wrong = await call("describe_node_class", { name: "ImageScael" });
    assert.match(wrong.facts.what_to_do, /list_node_classes/);
    const again = await call("list_node_classes", { query: "scale image", limit: 3 });
    assert.deepEqual(again.facts, facts, "the name that it had before");
  });

  test("gets an unknown argument reported by its name", async () => {
    for (const [name, args] of [
      ["list_node_classes", { search: "scale" }],
      ["list_models", { provider: "sandbox" }],
      ["run_model", { model: "sandbox/image-1", input: {}, maxCredits: 1 }],
    ] as const) {
      const result = await agent.callTool({ name, arguments: args });
      assert.equal(result.isError, true, name);
      const [unknown = ""] = Object.keys(args).slice(-1);
      assert.match(
        JSON.stringify(result.content),
        new RegExp(`unknown argument: ${unknown}; (allowed: |this tool takes no arguments)`),
        name,
      );
    }
  });

  test("asks for the cost before it pays, sets the most it may cost, and sees the balance", async () => {
    const input = { prompt: "waves", seconds: 2, width: 64, height: 64 };
    const { facts } = await call("estimate_model", { model: "sandbox/video-1", input });
    assert.deepEqual([facts.credits, facts.hold], [{ lowest: "10.55", highest: "21.1" }, "21.1"]);
    const before = (await call("get_balance")).facts;
    const dear = await call("run_model", { model: "sandbox/video-1", input, max_credits: "21" });
    assert.deepEqual([dear.isError, dear.facts.error, dear.facts.billed], [true, "invalid_input", "no"]);
    assert.match(dear.facts.what_to_do, /max_credits/);
    const byNumber = await call("run_model", { model: "sandbox/video-1", input, max_credits: 21 });
    assert.deepEqual([byNumber.isError, byNumber.facts.error], [true, "invalid_input"], "a number is a limit as well");
    const whole = await call("estimate_workflow", { workflow: graph("sandbox/image-1-queued") });
    assert.equal(whole.facts.nodes[0].node_id, "1");
    assert.equal(whole.facts.credits.highest, whole.facts.nodes[0].credits.highest);
    assert.ok(Number(whole.facts.credits.highest) > 0);
    const refused = await call("run_workflow", { workflow: graph("sandbox/image-1-queued"), max_credits: "0.01" });
    assert.deepEqual([refused.isError, refused.facts.error], [true, "price_above_limit"]);
    assert.deepEqual((await call("get_balance")).facts, before, "nothing is spent or held");
    assert.ok(Number(before.available) > 0 && before.held === "0");
    const wrong = await call("estimate_model", { model: "sandbox/video-1", input: { seconds: -1 } });
    assert.deepEqual([wrong.isError, wrong.facts.error], [true, "invalid_input"]);
  });

  test("lists models, reads a model's inputs, runs it and gets the picture", async () => {
    const { facts } = await call("list_models");
    const picture = facts.models.find(({ id }: { id: string }) => id === "sandbox/image-1");
    assert.deepEqual([picture.kind, picture.price, picture.title !== undefined], ["image", "0", true]);
    const films = await call("list_models", { kind: "video" });
    assert.deepEqual(
      films.facts.models.map(({ id }: { id: string }) => id),
      ["sandbox/video-1"],
    );
    const described = await call("describe_model", { model: "sandbox/image-1" });
    assert.equal(described.facts.input.properties.prompt.type, "string", "the schema itself, not where it stands");
    assert.ok(described.facts.input.required.includes("prompt"));
    assert.equal((await call("describe_model", { model: "sandbox/open-1" })).facts.input.type, "object");
    for (const response_format of ["url", "b64_json"]) {
      const input = { prompt: "a red fox in the snow", width: 128, height: 96, response_format };
      const ran = await call("run_model", { model: "sandbox/image-1", input });
      assert.equal(ran.isError, false, JSON.stringify(ran.facts));
      assert.equal(ran.pictures.length, 1, response_format);
      const { width, height } = await sharp(ran.pictures[0]).metadata();
      assert.deepEqual([width, height], [128, 96]);
    }
  });

  test("sees a large picture scaled down, with the address of the full one", async () => {
    const ran = await call("run_model", { model: "sandbox/image-1", input: { prompt: "a forest", seed: 3 } });
    assert.equal(ran.isError, false, JSON.stringify(ran.facts));
    const { width } = await sharp(ran.pictures[0]).metadata();
    assert.equal(width, 512);
    const whole = await fetch(ran.links[0] ?? "");
    assert.equal((await sharp(await whole.arrayBuffer()).metadata()).width, 1024);
  });

  test("runs a workflow, follows its progress, and looks at the job and its picture", async () => {
    const heard: number[] = [];
    const result = await agent.callTool(
      { name: "run_workflow", arguments: { workflow: graph("sandbox/image-1"), metadata: "agent" } },
      { onprogress: ({ progress }) => heard.push(progress) },
    );
    const [first] = result.content as unknown as Block[];
    const facts = JSON.parse(first?.text ?? "");
    assert.equal(facts.status, "succeeded", first?.text ?? "");
    assert.deepEqual(
      [...heard].sort((a, b) => a - b),
      heard,
    );
    const looked = await call("get_job", { job_id: facts.job_id });
    assert.deepEqual([looked.facts.status, looked.pictures.length], ["succeeded", 1]);
    const picture = await call("get_picture", { asset_id: facts.outputs[0].asset_id });
    assert.equal((await fetch(String(picture.facts.url))).status, 200);
    assert.equal(picture.pictures.length, 1);
    const listed = await call("list_jobs", { limit: 5 });
    assert.equal(listed.facts.jobs[0].job_id, facts.job_id);
    assert.equal((await call("cancel_job", { job_id: facts.job_id })).facts.status, "succeeded");
  });

  test("learns what was wrong, in words it can act on, with the request's id", async () => {
    const wrong = await call("run_model", { model: "sandbox/image-1", input: { prompt: 5 } });
    assert.deepEqual([wrong.isError, wrong.facts.error, wrong.facts.billed], [true, "invalid_input", "no"]);
    assert.match(wrong.facts.what_to_do, /describe_model/);
    assert.ok(wrong.facts.request_id);
    const graphless = await call("run_workflow", { workflow: { "1": { class_type: "Nothing", inputs: {} } } });
    assert.deepEqual([graphless.isError, graphless.facts.error], [true, "invalid_workflow"]);
    const foreign = await call("get_job", { job_id: crypto.randomUUID() });
    assert.equal(foreign.facts.error, "not_found");
  });
});

test("without a usable key nobody connects, and the refusal is JSON-RPC", async () => {
  await assert.rejects(connect({}));
  await assert.rejects(connect(bearer("service-nobody")));
  const refused = await app.call({ method: "POST", path: "/mcp", body: "{}" });
  const body = refused.json() as { jsonrpc: string; error: { data: { error: string } } };
  assert.deepEqual([refused.status, body.jsonrpc, body.error.data.error], [401, "2.0", "unauthorized"]);
});

test("the older handshake works too, and an invalid message is refused without harm", async () => {
  const headers = {
    ...bearer(app.key),
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const send = (body: unknown) => fetch(`${app.baseUrl}/mcp`, { method: "POST", headers, body: JSON.stringify(body) });
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "old", version: "1" } };
  const begun = await send({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  assert.equal(begun.status, 200);
  assert.match(await begun.text(), /"protocolVersion"/);
  for (const wrong of [[], 5, { jsonrpc: "1.0" }, { jsonrpc: "2.0", id: 1, method: "nothing" }]) {
    const answer = await send(wrong);
    assert.ok(answer.status < 500, JSON.stringify(wrong));
    await answer.text();
  }
});
