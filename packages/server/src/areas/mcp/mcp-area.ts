// Models and workflows as tools of the Model Context Protocol. The endpoint is stateless: every message brings its
// credential, is answered by a server made for it, and leaves nothing behind. Tools go through our own front door with
// the caller's credential, so that keys, limits, prices and errors are the same as everywhere.
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { operations } from "@atelier/contract";
import { Atelier } from "@atelier/sdk";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import type { Principal } from "../../capabilities/identity/index.ts";
import type { Area, Arrival, BytesAnswer, Incoming } from "../../foundation/http/area.ts";
import { registerJobTools } from "./job-tools.ts";
import { jsonRpcEnvelope } from "./json-rpc-envelope.ts";
import { registerModelTools } from "./model-tools.ts";
import type { OpenPicture } from "./pictures.ts";

export interface McpDeps {
  authenticate(arrival: Arrival): Principal | Promise<Principal>;
  admit(caller: Principal): void | Promise<void>;
  // Where this process listens.
  readonly ownUrl: () => string;
  readonly version: string;
  readonly openPicture: OpenPicture;
}

const bodyBytesMax = 4 * 1024 * 1024;

export function mcp(deps: McpDeps): Area<Principal> {
  return {
    name: "agents",
    prefixes: ["/mcp"],
    authenticate: deps.authenticate,
    admit: (caller) => deps.admit(caller),
    envelope: jsonRpcEnvelope,
    cors: "listed",
    routes: [{ operation: operations.callMcp, bodyBytesMax, handle: (incoming) => answer(deps, incoming) }],
  };
}

async function answer(deps: McpDeps, incoming: Incoming<Principal>): Promise<BytesAnswer> {
  const bytes = await incoming.bytes();
  const handler = createMcpHandler(() => serverFor(deps, incoming), { maxRequestBodySize: bodyBytesMax });
  const request = new Request(`${deps.ownUrl()}/mcp`, {
    method: "POST",
    headers: passedOn(incoming, ["content-type", "accept", "mcp-protocol-version", "mcp-method", "mcp-name"]),
    body: new Uint8Array(bytes),
    signal: incoming.signal,
  });
  const response = await handler.fetch(request);
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

function serverFor(deps: McpDeps, incoming: Incoming<Principal>): McpServer {
  const server = new McpServer(
    { name: "atelier", title: "Atelier", version: deps.version },
    { instructions: "Runs picture, film, voice and text models and node workflows. Ask list_models first." },
  );
  const atelier = new Atelier({
    baseUrl: deps.ownUrl(),
    headers: passedOn(incoming, ["authorization", "x-api-key"]),
    // The environment of the server is not the caller's.
    apiKey: "",
  });
  registerModelTools(server, atelier, deps.openPicture);
  registerJobTools(server, atelier);
  return server;
}

function passedOn({ headers }: Pick<Arrival, "headers">, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (typeof headers[name] === "string" ? [[name, headers[name]] as const] : [])),
  );
}
