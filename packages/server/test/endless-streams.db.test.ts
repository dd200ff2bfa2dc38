// A provider that streams for ever, floods or dribbles: the stream ends by time or size, the caller gets an error event, the
// provider's connection is closed, and the call costs what the provider then says was used, or nothing.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { callInvariants } from "../src/capabilities/calls/shared-sql.ts";
import { systemClock } from "../src/foundation/clock.ts";
import { headerOf, memberOf, textOf } from "./support/app-client.ts";
import { aDefinition, aModel, putProvider } from "./support/provider-example-calls.ts";
import { aKey, invokeOn } from "./support/router-calls.ts";
import { recordedUnderKey, walletOf } from "./support/router-records-store.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

const ways = ["for_ever", "floods", "dribbles", "dribbles_then_known"] as const;
type Way = (typeof ways)[number];

const event = (text: string) => `data: ${JSON.stringify({ text })}\n\n`;
const largest = event("x".repeat(64 * 1024));
const streamBytesMax = 16 * 1024 * 1024;

let app: TestApp;
let provider: Server;
// Streams that the provider still writes.
const open = new Set<ServerResponse>();
const known = new Set<string>();
let written = 0;

async function write(response: ServerResponse, way: Way): Promise<void> {
  open.add(response);
  let goOn = () => {};
  response.on("drain", () => goOn());
  response.on("close", () => {
    open.delete(response);
    goOn();
  });
  response.on("error", () => undefined);
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(event("It begins"));
  while (open.has(response)) {
    const part = way === "floods" ? largest : way === "for_ever" ? event(" and goes on") : "d";
    written += part.length;
    const drained = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    if (!response.write(part) && open.has(response)) await drained;
    if (way !== "floods") await systemClock.sleep(50);
  }
}

before(async () => {
  provider = createServer(async (request, response) => {
    const { url = "", headers } = request;
    if (request.method === "GET") {
      const isKnown = known.has(url.slice("/references/".length));
      response.writeHead(isKnown ? 200 : 404, { "content-type": "application/json" });
      return response.end(isKnown ? JSON.stringify({ text: "It ended", usage: { output_tokens: 7 } }) : "{}");
    }
    let text = "";
    for await (const part of request) text += part;
    const { way } = JSON.parse(text) as { way: Way };
    if (way === "dribbles_then_known") known.add(String(headers["x-reference"]));
    return write(response, way);
  });
  provider.listen(0, "127.0.0.1");
  await once(provider, "listening");
  const { port } = provider.address() as AddressInfo;
  app = await testApp({ env: { ATELIER_ENGINE_SLOTS: "0" } });
  const talk = aModel({
    model: "talk",
    released: true,
    kind: "text",
    submit: { path: "/talk", encoding: "json" },
    price: {
      usd: { kind: "tokens", rates: [{ reported: "output_tokens", usd_per_million: "1000", default: 5, most: 4000 }] },
    },
    usage: { output_tokens: "/usage/output_tokens" },
    input_schema: {
      type: "object",
      required: ["way"],
      additionalProperties: false,
      properties: { way: { enum: [...ways] }, stream: { type: "boolean" } },
    },
    stream: {
      member: "stream",
      end: { data: "[DONE]" },
      whole: [
        { from: "/text", into: "/text", as: "append" },
        { from: "/usage", into: "/usage", as: "set" },
      ],
      idle_seconds: 3,
    },
    recovery: "neither",
    longest_run_seconds: 6,
  });
  const ask = { path: "/references/{reference}", not_found: [404], running: [409] };
  const told = aModel({ ...talk, model: "told", recovery: "ask", ask });
  const base_url = `http://127.0.0.1:${port}`;
  const definition = aDefinition("endless", { base_url, reference_header: "X-Reference", models: [talk, told] });
  const put = await putProvider(app, definition);
  assert.equal(put.status, 201, put.text);
});
after(async () => {
  await app.close();
  provider.closeAllConnections();
  provider.close();
});

// [what it does, what ends it, whether the provider can be asked what became of the call]
const cases: readonly [Way, string, boolean][] = [
  ["for_ever", "the longest run of its model", false],
  ["floods", "the most that a stream may have", false],
  ["dribbles", "the time without a complete line", false],
  ["dribbles_then_known", "the time without a complete line", true],
];

for (const [way, bound, isKnown] of cases)
  test(`a provider that ${way.replaceAll("_", " ")} is ended by ${bound}`, async (t) => {
    const key = aKey();
    const model = isKnown ? "endless/told" : "endless/talk";
    const before = written;
    const started = performance.now();
    const answer = await invokeOn(app, model, { way, stream: true }, key);
    t.diagnostic(`${Math.round(performance.now() - started)} ms, ${written - before} bytes`);
    assert.equal(answer.status, 200);
    assert.match(answer.text.slice(0, 40), /^data: \{"text":"It begins"\}/);
    const [, told = ""] = /event: error\ndata: (.*)\n\n$/.exec(answer.text.slice(-2_000)) ?? [];
    assert.match(textOf(JSON.parse(told), "error_type"), /^provider_(error|timeout)$/);
    assert.ok(answer.bytes.length <= streamBytesMax + 2_000, `${answer.bytes.length} bytes`);
    await until("the provider's connection is closed", () => open.size === 0);

    const call = await until("the call has ended", async () => {
      const [found] = await recordedUnderKey(app.database, key["idempotency-key"]);
      return found && found.state !== "open" ? found : null;
    });
    // A provider that cannot be asked leaves the cost with us; otherwise the call costs what it reports.
    const ended = way === "floods" || isKnown ? "finished" : "unknown";
    assert.deepEqual(
      [call.state, call.settleSum, call.settleLines],
      [ended, isKnown ? 7n * 211_000n : 0n, isKnown ? 1 : 0],
    );
    const again = await invokeOn(app, model, { way, stream: true }, { ...key, accept: "application/json" });
    assert.equal(headerOf(again, "idempotent-replayed"), "true");
    assert.equal(again.status, isKnown ? 200 : 502);
    if (isKnown) assert.equal(memberOf(again.json(), "text"), "It ended");
    const { held, inFlight } = await walletOf(app.database, app.workspaceId);
    assert.deepEqual([held, inFlight], [0n, 0]);
  });

test("the books are right after all of this", async () => {
  for (const { name, statement } of callInvariants) assert.deepEqual(await app.database.query(statement), [], name);
});
