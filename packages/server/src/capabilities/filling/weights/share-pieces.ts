// Gives pieces of weights to neighbours of the pool. Each of them got the key from the server; others get nothing. Only
// weights by their hash can be asked for, so no other file of this machine is ever read.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { FillProblem } from "../fill-problem.ts";
import { isSameKey } from "./neighbour.ts";
import { hasBit } from "./pieces.ts";

export interface SharedWeight {
  // One bit for each piece that is there, then as many for pieces that are on their way from the server.
  bits(): Buffer;
  read(piece: number): Promise<Buffer>;
}

export interface ShareDeps {
  // Null: not here, and not on its way.
  find(blake3: string): Promise<SharedWeight | null>;
  // A neighbour called that we may not know yet.
  met(workerId: string): void;
  sent(bytes: number): void;
}

export interface Share {
  readonly url: string;
  readonly key: string;
  close(): Promise<void>;
}

const countMax = 64;
const atOnceMax = 64;

// `address`: where neighbours reach us. Port 0 picks a free one.
export async function sharePieces(address: string, deps: ShareDeps): Promise<Share> {
  const key = randomBytes(24).toString("hex");
  const asked = new URL(address);
  const server = createServer((request, response) => {
    answer(deps, key, request, response).catch(() => response.destroy());
  });
  server.maxConnections = atOnceMax;
  server.requestTimeout = 30_000;
  const host = asked.hostname.replace(/^\[|\]$/g, "");
  server.listen(Number(asked.port || 9190), host);
  await Promise.race([
    once(server, "listening"),
    once(server, "error").then(([error]) => {
      throw new FillProblem(`--share: cannot listen at ${address}: ${error instanceof Error ? error.message : error}.`);
    }),
  ]);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${asked.hostname}:${port}`,
    key,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(deps: ShareDeps, key: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const isKnown = isSameKey(request.headers.authorization ?? "", `Bearer ${key}`);
  const [, blake3, part, query] =
    /^\/weights\/([0-9a-f]{64})(\/pieces)?(?:\?(.{1,100}))?$/.exec(request.url ?? "") ?? [];
  if (!isKnown || request.method !== "GET" || blake3 === undefined) return refuse(response, isKnown ? 404 : 401);
  const from = request.headers["x-worker-id"];
  if (typeof from === "string") deps.met(from);
  const weight = await deps.find(blake3);
  if (weight === null) return refuse(response, 404);
  if (part === undefined) return void response.end(weight.bits());
  const asked = new URLSearchParams(query);
  const [first, count] = [Number(asked.get("from")), Number(asked.get("count"))];
  const isSound = Number.isInteger(first) && Number.isInteger(count) && first >= 0 && count >= 1 && count <= countMax;
  if (!isSound) return refuse(response, 400);
  const both = weight.bits();
  const bits = both.subarray(0, both.length / 2);
  for (let piece = first; piece < first + count; piece += 1) {
    if (!hasBit(bits, piece)) return refuse(response, 404);
  }
  await pipeline(Readable.from(piecesOf(deps, weight, first, count)), response);
}

async function* piecesOf(deps: ShareDeps, weight: SharedWeight, first: number, count: number): AsyncGenerator<Buffer> {
  for (let piece = first; piece < first + count; piece += 1) {
    const bytes = await weight.read(piece);
    deps.sent(bytes.length);
    yield bytes;
  }
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status).end();
}
