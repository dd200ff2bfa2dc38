// A sandbox whose partners have keys and secrets, helpers to call them, and a receiver that keeps every callback.
// Loopback only.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import sharp from "sharp";
import { type RunningSandbox, type SandboxOptions, startSandbox } from "../../src/start-sandbox.ts";
import { portrait } from "./portrait.ts";
import { bodyOf } from "./sandbox-client.ts";

export const secrets = { "partner-a": "sécret of a", "partner-b": "secret of b" } as const;
const quickPartners = { createdSeconds: 0.02, toolSeconds: 0.05, filmSeconds: 0.05, callbackRetrySeconds: 0.02 };
export const faceSize = { width: 96, height: 112 };

const facePng = sharp(portrait(faceSize.width, faceSize.height), { raw: { ...faceSize, channels: 3 } })
  .png()
  .toBuffer();
export const face = async () => (await facePng).toString("base64");

type Body = Record<string, unknown>;

export interface PartnerClient extends RunningSandbox {
  // Posts under /partner-a with its key, or under /partner-b with its bearer token.
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  // Calls with the sandbox's own credential.
  control(method: string, path: string, body?: unknown): Promise<Response>;
  until(path: string, isDone: (body: Body) => boolean): Promise<Body>;
}

export async function partnerClient(options: SandboxOptions = {}, films?: "mp4" | "webp"): Promise<PartnerClient> {
  const sandbox = await startSandbox({
    credential: "own",
    pace: quickPartners,
    partners: {
      "partner-a": { key: "key a", callbackSecret: secrets["partner-a"] },
      "partner-b": { key: "key b", callbackSecret: secrets["partner-b"] },
      ...(films && { films }),
    },
    ...options,
  });
  const keyed = (path: string): Record<string, string> =>
    path.startsWith("/partner-a")
      ? { "x-partner-a-api-key": "key a" }
      : { authorization: path.startsWith("/partner-b") ? "Bearer key b" : "Bearer own" };
  const call = (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(sandbox.url + path, {
      method,
      headers: { ...keyed(path), ...(body !== undefined && { "content-type": "application/json" }), ...headers },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    });
  const get: PartnerClient["get"] = (path, headers) => call("GET", path, undefined, headers);
  return {
    ...sandbox,
    get,
    post: (path, body, headers) => call("POST", path, body, headers),
    control: (method, path, body) => call(method, path, body),
    async until(path, isDone) {
      for (let attempt = 0; attempt < 3_000; attempt++) {
        const body = await bodyOf(await get(path));
        if (isDone(body)) return body;
        await pause(20);
      }
      return assert.fail(`the condition on ${path} never held`);
    },
  };
}

interface Letter {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly raw: Buffer;
  readonly body: Body;
}

export interface Receiver {
  readonly url: string;
  readonly letters: Letter[];
  // Statuses for the next calls; 204 once the list is empty.
  readonly answers: number[];
  received(count: number): Promise<readonly Letter[]>;
  close(): Promise<void>;
}

export async function receiver(): Promise<Receiver> {
  const letters: Letter[] = [];
  const answers: number[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const raw = Buffer.concat(pieces);
    letters.push({ headers: request.headers, raw, body: JSON.parse(raw.toString()) });
    response.writeHead(answers.shift() ?? 204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return {
    url: `http://127.0.0.1:${address.port}/hook`,
    letters,
    answers,
    async received(count) {
      for (let attempt = 0; attempt < 3_000 && letters.length < count; attempt++) await pause(20);
      assert.ok(letters.length >= count, `${letters.length} of ${count} callbacks came`);
      return letters;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
