// The scripted provider: a real HTTP server that does its work once per request, forgets nothing, and answers as badly as
// its script says. Kinds: `ask` can be asked about our id, `repeat` runs an id once however often it is sent, `neither`
// runs everything that arrives.
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { openProviderLog, type RunLine, readProviderLog } from "./provider-log.ts";
import { doesNotRun, type Fault, nextProviderStep, type ProviderKind, type ProviderTemper } from "./provider-script.ts";
import { seeded } from "./seeded.ts";

export interface ProviderSettings {
  readonly logFile: string;
  readonly port: number;
  readonly seed: string;
  readonly temper: ProviderTemper;
}

const settings: ProviderSettings = JSON.parse(process.argv[2] ?? "{}");
const random = seeded(settings.seed);
let { temper } = settings;

interface Work {
  readonly body: string;
  readonly done: Promise<unknown>;
  isDone: boolean;
}
const works = new Map<string, Work>();
// Everything in the log has run, so a restart finds it done.
for (const { callId, body } of readProviderLog(settings.logFile))
  works.set(callId, { body, done: Promise.resolve(), isDone: true });
const log = openProviderLog(settings.logFile);

function work(line: Omit<RunLine, "body">, workMs: number): Work {
  const { callId, price } = line;
  // Spaces and a number that no double can hold, so that parsing and rewriting it is noticed.
  const body = `{ "call":"${callId}", "output":"${randomBytes(12).toString("hex")}","big":9007199254740993,"price":${price} }\n`;
  log.write({ ...line, body });
  const done = sleep(workMs);
  const started: Work = { body, done, isDone: false };
  void done.then(() => {
    started.isDone = true;
  });
  works.set(callId, started);
  return started;
}

async function run(kind: ProviderKind, callId: string, request: IncomingMessage, response: ServerResponse) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const price = Number(JSON.parse(Buffer.concat(chunks).toString()).price);
  const step = nextProviderStep(random, temper);
  if (doesNotRun.has(step.fault)) return refuse(step.fault, response);
  if (step.lateMs > 0) await sleep(step.lateMs);
  const known = kind === "repeat" ? works.get(callId) : undefined;
  const current = known ?? work({ callId, kind, price }, step.workMs);
  await current.done;
  answer(step.fault, current.body, response);
}

function refuse(fault: Fault, response: ServerResponse): void {
  if (fault === "html502")
    response.writeHead(502, { "content-type": "text/html" }).end("<html><h1>502 Bad Gateway</h1></html>");
  else if (fault === "refuse")
    response.writeHead(429, { "content-type": "application/json" }).end('{"error":"too many"}');
  else response.req.socket.resetAndDestroy();
}

function answer(fault: Fault, body: string, response: ServerResponse): void {
  if (fault === "hang") return;
  if (fault === "reset") return void response.req.socket.resetAndDestroy();
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  if (fault === "truncate") response.write(body.slice(0, body.length / 2), () => response.req.socket.destroy());
  else response.end(body);
}

function report(callId: string, response: ServerResponse): void {
  const known = works.get(callId);
  if (!known) response.writeHead(404).end();
  else if (known.isDone) response.writeHead(200, { "content-type": "application/json" }).end(known.body);
  else response.writeHead(202).end();
}

const server = createServer((request, response) => {
  const [, kind, callId = ""] = (request.url ?? "").split("/");
  response.on("error", () => undefined);
  if (request.method === "GET") report(callId, response);
  else if (kind === "ask" || kind === "repeat" || kind === "neither")
    run(kind, callId, request, response).catch(() => response.destroy());
  else response.writeHead(404).end();
});
process.on("message", (message: { temper?: ProviderTemper }) => {
  if (message.temper) temper = message.temper;
});
process.on("disconnect", () => process.exit(1));
// Longer than any pause: a process that wakes up finds its connections as it left them.
server.keepAliveTimeout = 30_000;
server.listen(settings.port, "127.0.0.1", () => {
  const address = server.address();
  process.send?.({ port: typeof address === "object" && address ? address.port : 0 });
});
