// Answers one message of the Model Context Protocol with a server created for it. The official server library is loaded with
// this file, on the first message: a process that never gets one pays nothing for it.
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { Atelier } from "@atelier/sdk";
import { createMcpHandler, McpServer, type RegisteredTool, type Tool } from "@modelcontextprotocol/server";
import type { Principal } from "../../capabilities/identity/index.ts";
import type { Arrival, BytesAnswer, Incoming } from "../../foundation/http/area.ts";
import { inlineJsonLimits, requireJsonShape } from "../../foundation/json/json-bytes.ts";
import { oneTurnBytesMax, wholeTurn } from "../../foundation/memory/whole-turn.ts";
import type { AnswerMcpDeps } from "./answer-deps.ts";
import { registerClassTools } from "./class-tools.ts";
import { registerEstimateTools } from "./estimate-tools.ts";
import { registerJobTools } from "./job-tools.ts";
import { registerModelTools } from "./model-tools.ts";
import { registerRequestTools } from "./request-tools.ts";
import { workCatalog } from "./work-catalog.ts";
import { calledWork, listWorkTools, registerWorkTool, type WorkMessage } from "./work-tools.ts";

export async function answerMcp(deps: AnswerMcpDeps, incoming: Incoming<Principal>): Promise<BytesAnswer> {
  const bytes = await incoming.bytes();
  // The official server parses and checks a message in one turn, while everything else waits.
  requireJsonShape(bytes, inlineJsonLimits);
  // The tools call our own API over HTTP and take turns there.
  incoming.waitsForOthers();
  const parsedBody = readMessage(bytes);
  // Parsing a large message and checking it are separate turns.
  if (bytes.byteLength > oneTurnBytesMax) await wholeTurn();
  const called = calledWork(parsedBody, bytes);
  const handler = createMcpHandler(() => serverFor(deps, incoming, called));
  const request = new Request(`${deps.ownUrl()}/mcp`, {
    method: "POST",
    headers: passedOn(incoming, ["content-type", "accept", "mcp-protocol-version", "mcp-method", "mcp-name"]),
    body: parsedBody === undefined ? new Uint8Array(bytes) : null,
    signal: incoming.signal,
  });
  const response = await handler.fetch(request, { parsedBody });
  const contentType = response.headers.get("content-type");
  const headers = {
    "cache-control": "no-store",
    ...(contentType === null ? {} : { "content-type": contentType }),
  };
  if (response.body === null) return { status: response.status, headers };
  if (contentType?.startsWith("text/event-stream"))
    return { status: response.status, headers, body: Readable.fromWeb(response.body as ReadableStream) };
  return { status: response.status, headers, body: new Uint8Array(await response.arrayBuffer()) };
}

// Undefined if it cannot be parsed: the official server reports that itself.
function readMessage(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}

function serverFor(deps: AnswerMcpDeps, incoming: Incoming<Principal>, called: WorkMessage | null): McpServer {
  const server = new McpServer(
    { name: "atelier", title: "Atelier", version: deps.version },
    {
      instructions:
        "Runs picture, video, voice and text models and node workflows. For one result: list_models, describe_model, run_model. For several steps on pictures: list_node_classes, describe_node_class, run_workflow, whose nodes can ask models too. Tools whose names begin with work_ are workflows that people published here: call them directly. For costs: estimate_model, estimate_workflow, get_balance. Pictures come back as small previews with a link to the full file. Errors say what to do next and whether anything was billed.",
    },
  );
  const atelier = new Atelier({
    baseUrl: deps.ownUrl(),
    headers: passedOn(incoming, ["authorization", "x-api-key"]),
    // The server's environment must not supply the caller's key.
    apiKey: "",
  });
  const fixed = remembered(server);
  registerModelTools(server, atelier, deps);
  registerClassTools(server, atelier);
  registerEstimateTools(server, atelier);
  registerRequestTools(server, atelier, deps);
  registerJobTools(server, atelier);
  const catalog = workCatalog(deps, incoming.caller);
  listWorkTools(server, catalog, fixed);
  if (called !== null) registerWorkTool(server, called, { atelier, tools: deps, catalog });
  return server;
}

// The tools registered from here on, as a list shows them. The official server lists its tools without pages.
function remembered(server: McpServer): () => readonly Tool[] {
  const tools = new Map<string, RegisteredTool>();
  const register: (...given: Parameters<McpServer["registerTool"]>) => RegisteredTool =
    server.registerTool.bind(server);
  server.registerTool = (...given: Parameters<McpServer["registerTool"]>) => {
    const tool = register(...given);
    tools.set(given[0], tool);
    return tool;
  };
  return () =>
    [...tools].map(([name, { title, description, annotations }]) => ({
      name,
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
      ...(annotations === undefined ? {} : { annotations }),
      inputSchema: { ...server.toolInputSchemaJson(name), type: "object" },
    }));
}

function passedOn({ headers }: Pick<Arrival, "headers">, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (typeof headers[name] === "string" ? [[name, headers[name]] as const] : [])),
  );
}
