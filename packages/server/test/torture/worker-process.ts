// A worker: the real calls capability, follower, upstream client and bus behind a small HTTP server, in a process that
// can be killed and stopped at any point.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { flushCompileCache } from "node:module";
import { createCalls, createFollower } from "../../src/capabilities/calls/index.ts";
import { createBackground } from "../../src/foundation/background.ts";
import { postgresBus } from "../../src/foundation/bus/postgres-bus.ts";
import { systemClock } from "../../src/foundation/clock.ts";
import { type ConnectionSettings, openDatabase } from "../../src/foundation/database/index.ts";
import { Fault } from "../../src/foundation/fault.ts";
import { createUpstream } from "../../src/foundation/http/outgoing/fetch-upstream.ts";
import { createLog } from "../../src/foundation/log.ts";
import { callsUnder, type Plant, rulesUnder } from "./planted-bugs.ts";
import { scale } from "./scale.ts";
import { createStrikePoints, type StrikePoint } from "./strike-points.ts";
import { answerCall, type CallRequest, errorReply, type Reply } from "./worker-call.ts";
import { tortureFollowing } from "./worker-following.ts";

export interface WorkerSettings {
  readonly connection: ConnectionSettings;
  readonly providerUrl: string;
  readonly plant: Plant | null;
}

const { connection, providerUrl, plant }: WorkerSettings = JSON.parse(process.argv[2] ?? "{}");
const clock = systemClock;
const log = createLog({ level: "error" });
const database = openDatabase({ connection, poolSize: 6, log, applicationName: "torture-worker" });
const bus = postgresBus({ connection, database, clock, log });
const blobs = { keep: async () => "", read: async () => null, release: async () => undefined };
const { sendWithinMs, leaseSeconds, heartbeatSeconds, sweepSeconds, lostAfterSeconds } = scale;
const realCalls = createCalls({ database, clock, log, bus, blobs, sendWithinMs });
const calls = callsUnder(plant, realCalls, database);
const upstream = createUpstream({ clock, connectMs: 1_000 });
const points = createStrikePoints();
const follower = createFollower({
  database,
  log,
  calls,
  followings: [tortureFollowing({ upstream, providerUrl, points })],
  leaseSeconds,
  heartbeatSeconds,
  sweepSeconds,
  lostAfterSeconds,
  rules: rulesUnder(plant),
});

async function replyTo(request: IncomingMessage): Promise<Reply> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const input: CallRequest = JSON.parse(Buffer.concat(chunks).toString());
  try {
    return await answerCall({ calls, upstream, providerUrl, points, plant }, input);
  } catch (error) {
    if (error instanceof Fault) return errorReply(503, error.code);
    log.error({ err: error }, "a call failed");
    return errorReply(500, String(error));
  }
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const reply = await replyTo(request);
  response.writeHead(reply.status, { "content-type": "application/json", "x-call-id": reply.callId ?? "" });
  response.end(reply.body, () => setImmediate(() => void reply.afterwards?.()));
}

const server = createServer((request, response) => {
  response.on("error", () => undefined);
  serve(request, response).catch(() => response.destroy());
});

const stopping = new AbortController();
await untilStored(() => realCalls.start());
const following = follower.run(createBackground({ clock: systemClock, log }), stopping.signal);

process.on("message", (message: { point: StrikePoint | null; signal: "SIGKILL" | "SIGSTOP" }) =>
  points.arm(message.point, message.signal),
);
process.on("disconnect", () => process.exit(1));
process.once("SIGTERM", async () => {
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeIdleConnections();
  });
  stopping.abort();
  await following;
  await realCalls.close();
  await bus.close();
  await upstream.close();
  await database.close();
  process.disconnect?.();
  process.exit(0);
});
server.listen(0, "127.0.0.1", () => {
  // A killed process would lose its compile cache.
  flushCompileCache();
  const address = server.address();
  process.send?.({ port: typeof address === "object" && address ? address.port : 0 });
});

// A worker may start while the database is still coming up.
async function untilStored(store: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await store();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      await clock.sleep(100);
    }
  }
}
