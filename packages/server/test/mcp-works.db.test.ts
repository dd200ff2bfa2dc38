// Works as tools of agents: listed per workspace, page by page, each with the schema of its form.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Atelier, type Form } from "@atelier/sdk";
import { Client, StreamableHTTPClientTransport, type Tool } from "@modelcontextprotocol/client";
import { bearer } from "./support/app-client.ts";
import { addTenant, raiseRates, type Tenant } from "./support/app-people.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let app: TestApp;
let other: Tenant;
let atelier: Atelier;
let workflowId: string;
let agent: Client;
let stranger: Client;

const graph = {
  "1": { class_type: "EmptyImage", inputs: { width: 64, height: 64, batch_size: 1, color: 255 } },
  "2": { class_type: "SaveImage", inputs: { images: ["3", 0], filename_prefix: "square" } },
  "3": { class_type: "ImageAddNoise", inputs: { image: ["1", 0], seed: 7, strength: 0.5 } },
} as const;
const greatestSeed = 18446744073709551615n;
const form: Form = {
  inputs: [
    {
      name: "width",
      node: "1",
      input: "width",
      kind: "integer",
      minimum: 16,
      maximum: 512,
      default: 64,
      label: "Width",
    },
    { name: "seed", node: "3", input: "seed", kind: "integer", minimum: 0, maximum: greatestSeed },
  ],
  outputs: [{ name: "picture", node: "2" }],
};

async function connect(key: string): Promise<Client> {
  const client = new Client({ name: "a test", version: "1.0.0" });
  const requestInit = { headers: bearer(key) };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${app.baseUrl}/mcp`), { requestInit }));
  return client;
}

const publish = (name: string, options: Parameters<Atelier["works"]["publish"]>[2] = {}) =>
  atelier.works.publish(name, workflowId, { form, examples: [], ...options });

before(async () => {
  app = await testApp({ env: { ATELIER_SANDBOX: "off" } });
  await raiseRates(app, app.workspaceId);
  other = await addTenant(app, "Other");
  atelier = new Atelier({ baseUrl: app.baseUrl, apiKey: app.key });
  workflowId = (await atelier.workflows.save("Square", graph)).id;
  await publish("square", { title: "Square", description: "Draws a square of one colour." });
  await publish("open-square", { title: "Open square", visibility: "public" });
  agent = await connect(app.key);
  stranger = await connect(other.key);
});
after(async () => {
  await agent.close();
  await stranger.close();
  await app.close();
});

async function pagesOf(client: Client): Promise<Tool[][]> {
  const pages: Tool[][] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await client.request({ method: "tools/list", params: cursor === undefined ? {} : { cursor } });
    pages.push([...page.tools]);
    cursor = page.nextCursor;
    if (cursor === undefined) return pages;
  }
}
const worksOf = async (client: Client): Promise<string[]> =>
  (await pagesOf(client))
    .flat()
    .map(({ title }) => title ?? "")
    .filter((title) => /square/i.test(title));

async function toolFor(title: string): Promise<Tool> {
  const tool = (await pagesOf(agent)).flat().find((each) => each.title === title);
  assert.ok(tool, title);
  return tool;
}

describe("works as tools", { timeout: 900_000 }, () => {
  test("a workspace sees its own works and public ones, each with its form as the schema", async () => {
    assert.deepEqual(await worksOf(agent), ["Open square", "Square"]);
    assert.deepEqual(await worksOf(stranger), ["Open square"]);
    const tool = await toolFor("Square");
    assert.match(tool.name, /^work_[a-z0-9_-]+__square$/);
    assert.match(tool.description ?? "", /Draws a square of one colour\./);
    const { properties = {}, additionalProperties } = tool.inputSchema;
    assert.deepEqual(Object.keys(properties), ["width", "seed", "_max_credits", "_idempotency_key"]);
    assert.equal(Object(properties["width"])["maximum"], 512);
    assert.equal(additionalProperties, false);
  });

  test("a call answers with the picture, the inputs that were used, and what it cost", async () => {
    const { name } = await toolFor("Square");
    const args = { width: 32, _max_credits: 5, _idempotency_key: "a-square" };
    const { content, isError } = await agent.callTool({ name, arguments: args });
    assert.notEqual(isError, true, JSON.stringify(content));
    const [first, picture, link, last] = content;
    assert.ok(first?.type === "text" && picture?.type === "image" && link?.type === "resource_link");
    const answer = JSON.parse(first.text);
    assert.deepEqual(answer.inputs, { width: 32, seed: 7 });
    const bytes = Buffer.from(await (await fetch(link.uri)).arrayBuffer());
    assert.ok(bytes.equals(Buffer.from(picture.data, "base64")), "a small picture comes whole");
    assert.ok(last?.type === "text" && JSON.parse(last.text).credits_used !== undefined);
    const again = await agent.callTool({ name, arguments: args });
    const [repeated] = again.content;
    assert.ok(repeated?.type === "text" && JSON.parse(repeated.text).job_id === answer.job_id, "one key is one run");
  });

  test("a wrong input, another workspace's work and a work that is gone say what to do", async () => {
    const { name } = await toolFor("Square");
    const failed = async (client: Client, tool: string, args: Record<string, unknown>) => {
      const { content, isError } = await client.callTool({ name: tool, arguments: args });
      const [first] = content;
      assert.ok(isError === true && first?.type === "text", JSON.stringify(content));
      return JSON.parse(first.text);
    };
    const wrong = await failed(agent, name, { width: 5, hight: 5 });
    assert.deepEqual([wrong.error, wrong.billed], ["invalid_input", "no"]);
    assert.match(JSON.stringify(wrong.details), /width.*hight|hight.*width/);
    assert.equal((await failed(stranger, name, {})).error, "model_not_found");
    assert.equal((await failed(agent, `${name}--v9`, {})).error, "model_not_found");
    assert.equal((await failed(agent, `work_${"x".repeat(50)}___0123456789abcdef`, {})).error, "model_not_found");
  });

  test("a version is called by its name, and a tool whose name was cut is found", async () => {
    const { name } = await toolFor("Square");
    const run = async (tool: string) => {
      const { content, isError } = await agent.callTool({ name: tool, arguments: { width: 16 } });
      assert.notEqual(isError, true, JSON.stringify(content));
      const [first] = content;
      return first?.type === "text" ? JSON.parse(first.text).work : null;
    };
    assert.match(await run(`${name}--v1`), /\/square\.v1$/);
    await publish(`long-${"n".repeat(100)}`, { title: "Long square" });
    const long = await toolFor("Long square");
    assert.equal(long.name.length, 64);
    assert.match(await run(long.name), /\/long-n+\.v1$/);
  });

  test("an integer beyond 2^53 keeps its digits in the schema, in a call and in its answer", async () => {
    const { name } = await toolFor("Square");
    const send = async (method: string, params: string): Promise<string> => {
      const headers = {
        ...bearer(app.key),
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      };
      const body = `{"jsonrpc": "2.0", "id": 1, "method": "${method}", "params": ${params}}`;
      return (await fetch(`${app.baseUrl}/mcp`, { method: "POST", headers, body })).text();
    };
    assert.ok((await send("tools/list", "{}")).includes(`"maximum":${greatestSeed}`));
    const seed = greatestSeed - 1n;
    const answer = await send("tools/call", `{"name": "${name}", "arguments": {"width": 16, "seed": ${seed}}}`);
    assert.ok(answer.includes(`\\"seed\\": \\"${seed}\\"`), answer.slice(0, 1000));
  });

  test("many works come in pages, each once", async () => {
    for (let at = 0; at < 110; at += 10)
      await Promise.all(
        Array.from({ length: 10 }, (_, each) =>
          publish(`many-${String(at + each).padStart(3, "0")}`, { title: "Many squares" }),
        ),
      );
    const pages = await pagesOf(agent);
    assert.ok(pages.length >= 2);
    for (const page of pages.slice(1)) assert.ok(page.length > 0 && page.length <= 100);
    const many = pages.flat().filter(({ title }) => title === "Many squares");
    assert.deepEqual([many.length, new Set(many.map(({ name }) => name)).size], [110, 110]);
    assert.equal(pages.flat().filter(({ name }) => name === "run_model").length, 1);
  });
});
