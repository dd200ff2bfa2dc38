// A receiver on loopback that prints every delivery and whether its signature is valid. It answers 204 to what it accepts and
// 400 to what it does not, so that retries and dead letters can be tried out as well.
import { createServer, type IncomingMessage } from "node:http";
import { unwrap, WebhookRefused } from "@atelier/sdk/webhooks";
import type { CommandInput, CommandResult } from "@atelier/server/commands";
import { jsonText } from "../json-text.ts";
import { ClientProblem } from "../server/client-problem.ts";
import type { Asked } from "../server/over-http.ts";
import { onLeave } from "../terminal/on-leave.ts";

const bodyBytesMax = 10 * 1024 * 1024;

interface Received {
  readonly at: string;
  readonly id: string | null;
  // Null if no secret was given.
  readonly is_genuine: boolean | null;
  readonly problem: string | null;
  readonly body: unknown;
}

export async function listen({ call, input }: Asked): Promise<CommandResult> {
  const port = call.whole("port", 0, 65_535) ?? 8765;
  const most = call.whole("count", 1, 1_000_000) ?? Number.POSITIVE_INFINITY;
  const secret = call.text("secret") ?? (input.env["ATELIER_WEBHOOK_SECRET"] || null);
  let count = 0;
  const done = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    const received = await receive(request, secret).catch(() => null);
    if (received === null) return void response.writeHead(413, { connection: "close" }).end();
    const isTaken = received.is_genuine !== false;
    response.writeHead(isTaken ? 204 : 400).end();
    printDelivery(received, input, call.has("jsonl"));
    count++;
    if (count >= most) done.resolve();
  });
  server.once("error", (error: NodeJS.ErrnoException) => done.reject(portProblem(error, port)));
  server.listen(port, "127.0.0.1", () => {
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : port}`;
    input.say(`listening at ${url}   (Ctrl-C to stop)`);
    if (secret === null) input.say("! Signatures are not verified: pass --secret or set ATELIER_WEBHOOK_SECRET.");
    input.say(`  to let the server send here: atelier webhooks allow ${new URL(url).host}`);
  });
  const endSignals = onLeave(() => done.resolve());
  try {
    await done.promise;
  } finally {
    endSignals();
    server.close();
    server.closeAllConnections();
  }
  return { data: { received: count }, text: call.has("jsonl") ? jsonText({ type: "result", received: count }) : "" };
}

async function receive(request: IncomingMessage, secret: string | null): Promise<Received> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request) {
    bytes += piece.length;
    if (bytes > bodyBytesMax) throw new Error("too large");
    pieces.push(piece);
  }
  const text = Buffer.concat(pieces).toString("utf8");
  const problem = secret === null ? null : await signatureProblem(text, request.headers, secret);
  const id = request.headers["webhook-id"];
  return {
    at: new Date().toISOString(),
    id: typeof id === "string" ? id : null,
    is_genuine: secret === null ? null : problem === null,
    problem,
    body: parsed(text),
  };
}

async function signatureProblem(
  text: string,
  headers: IncomingMessage["headers"],
  secret: string,
): Promise<string | null> {
  try {
    await unwrap(text, headers, secret);
    return null;
  } catch (error) {
    return error instanceof WebhookRefused ? error.message : "The body is not JSON.";
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function printDelivery(received: Received, input: CommandInput, jsonLines: boolean): void {
  if (jsonLines || input.json) {
    if (jsonLines) input.line(jsonText({ type: "delivery", ...received }));
    return;
  }
  const mark = received.is_genuine === null ? "?" : received.is_genuine ? "✓" : "✕";
  const verdict = received.problem ?? (received.is_genuine === null ? "not checked" : "signature holds");
  input.line(`${mark} ${received.at}   ${received.id ?? "no webhook-id"}   ${verdict}`);
  input.line(`  ${typeof received.body === "string" ? received.body : jsonText(received.body)}`);
}

function portProblem(error: NodeJS.ErrnoException, port: number): ClientProblem {
  const reason =
    error.code === "EADDRINUSE" ? `Port ${port} is already in use.` : `Port ${port} cannot be used (${error.code}).`;
  return new ClientProblem("usage", "usage", reason, { hint: "choose another with --port; 0 picks a free one" });
}
