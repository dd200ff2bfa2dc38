// The only way to call a URL that a caller gave us. The URL is checked by egress-guard.ts and resolved once; every address is
// checked and one is pinned. Each request uses its own connection unless a scope allows sharing. No redirects, no proxies, no
// decompression; sizes and times are bounded. Reasons are for our log only: customers see the same text for all of them, since
// the difference between "refused" and "closed" would let them scan our network.
import { lookup } from "node:dns/promises";
import type { Readable } from "node:stream";
import { Client, type Dispatcher } from "undici";
import type { Clock } from "../../clock.ts";
import { startDeadline } from "../../deadline.ts";
import { isAddressAllowed, isNamedByOperator } from "./egress-allow.ts";
import {
  checkAddress,
  checkTarget,
  type EgressPolicy,
  type EgressRefusal,
  isLoopback,
  type TargetVerdict,
} from "./egress-guard.ts";
import { PeerMismatch, pinnedConnector } from "./guarded-client-connect.ts";
import { type GuardedConnections, guardedConnections } from "./guarded-connections.ts";

export type Resolve = (name: string) => Promise<readonly string[]>;

export interface GuardedClientOptions {
  readonly policy: EgressPolicy;
  readonly clock: Clock;
  // Returns every address of a name. Default: the system's resolver.
  readonly resolve?: Resolve;
}

export interface GuardedRequest {
  readonly url: string;
  readonly method: "GET" | "POST" | "PUT";
  // Never put our own credentials here.
  readonly headers?: Readonly<Record<string, string>>;
  // A stream needs a content-length header. It is read once and uses its own connection.
  readonly body?: Uint8Array | Readable;
  // Default 64 KiB. The rest is not read.
  readonly answerBytesMax?: number;
  // Default 30 s for the whole request.
  readonly totalMs?: number;
  readonly signal?: AbortSignal;
  // Requests of one scope can share a connection to the same origin for ten seconds. If absent, the request uses its own.
  readonly scope?: string;
  // Receives the answer's bytes as they arrive, without a size limit; the outcome then holds none of them. If it throws, the
  // error becomes the cause of a failure.
  readonly receive?: (answer: GuardedAnswer) => Promise<void>;
}

export interface GuardedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: AsyncIterable<Buffer>;
}

export type GuardedFailure = "resolve" | "connect" | "broken" | "timed_out" | "aborted";

export type GuardedOutcome =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
      readonly body: Buffer;
      // The answer was longer than the limit.
      readonly truncated: boolean;
    }
  // No connection was attempted.
  | { readonly kind: "refused"; readonly reason: EgressRefusal }
  | { readonly kind: "failed"; readonly reason: GuardedFailure; readonly cause: unknown };

export interface GuardedClient {
  request(request: GuardedRequest): Promise<GuardedOutcome>;
  // Closes the shared connections once their requests have finished.
  close(): Promise<void>;
}

const resolveMs = 3000;
const connectMs = 5000;
const headersMs = 15_000;

type Target = Extract<TargetVerdict, { ok: true }>;

export function createGuardedClient(options: GuardedClientOptions): GuardedClient {
  const resolve = options.resolve ?? systemResolve;
  const connections = guardedConnections({ clock: options.clock, connectMs, headersMs });
  return {
    close: () => connections.close(),
    async request(request) {
      const target = checkTarget(request.url, options.policy);
      if (!target.ok) return { kind: "refused", reason: target.reason };
      const deadline = startDeadline({
        clock: options.clock,
        afterMs: request.totalMs ?? 30_000,
        ...(request.signal ? { disconnect: request.signal } : {}),
      });
      try {
        const pick = () => pickAddress(target, options, resolve, deadline.signal);
        if (request.scope !== undefined) {
          const outcome = await shareConnection(connections, { target, request, pick, signal: deadline.signal });
          if (outcome !== "closed before") return outcome;
        }
        const found = await pick();
        if (typeof found !== "string") return found;
        return await exchangeAlone(target, found, request, deadline.signal);
      } catch (thrown) {
        const stopped = deadline.reason();
        if (stopped !== null) return failed(stopped === "deadline" ? "timed_out" : "aborted", thrown);
        return failed(thrown instanceof PeerMismatch || isConnectError(thrown) ? "connect" : "broken", thrown);
      } finally {
        deadline.release();
      }
    },
  };
}

const failed = (reason: GuardedFailure, cause: unknown): GuardedOutcome => ({ kind: "failed", reason, cause });

async function systemResolve(name: string): Promise<readonly string[]> {
  const answers = await lookup(name, { all: true, order: "verbatim" });
  return answers.map(({ address }) => address);
}

// All addresses must pass, not only the one we pick: a mixed answer is how DNS rebinding begins. Pure, so it can be tested on
// any address without a socket.
export function chooseAddress(
  addresses: readonly string[],
  policy: EgressPolicy,
  target: Pick<Target, "development" | "isPublic" | "allowances">,
): { readonly address: string } | "none" | "forbidden" {
  const [address] = addresses;
  if (address === undefined) return "none";
  const passes = (candidate: string) => {
    if (target.development) return isLoopback(candidate);
    if (target.isPublic && checkAddress(candidate, policy).ok) return true;
    return isAddressAllowed(candidate, target.allowances);
  };
  return addresses.every(passes) ? { address } : "forbidden";
}

async function pickAddress(
  target: Target,
  { policy, clock }: GuardedClientOptions,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<string | GuardedOutcome> {
  if (target.literal !== undefined) return target.literal;
  const limit = startDeadline({ clock, afterMs: resolveMs, disconnect: signal });
  try {
    // A name that the operator wrote may be known only to this machine's own resolver.
    const ask = isNamedByOperator(target.host, target.allowances) ? systemResolve : resolve;
    const addresses = await Promise.race([ask(target.host), rejection(limit.signal)]);
    const choice = chooseAddress(addresses, policy, target);
    if (choice === "none") return failed("resolve", new Error("the host name has no address"));
    return choice === "forbidden" ? { kind: "refused", reason: "address" } : choice.address;
  } catch (thrown) {
    signal.throwIfAborted();
    return failed("resolve", thrown);
  } finally {
    limit.release();
  }
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

interface Sharing {
  readonly target: Target;
  readonly request: GuardedRequest;
  readonly pick: () => Promise<string | GuardedOutcome>;
  readonly signal: AbortSignal;
}

// The peer may close a kept connection while our next request is on its way. That is not a failure: the request is sent once
// more on a fresh connection.
async function shareConnection(
  connections: GuardedConnections,
  { target, request, pick, signal }: Sharing,
): Promise<GuardedOutcome | "closed before"> {
  const endpoint = { scope: request.scope ?? "", origin: target.url.origin, port: target.port };
  const taken = await connections.take(endpoint, pick);
  if (!("pool" in taken)) return taken;
  try {
    return await exchange(taken.pool, target, request, signal);
  } catch (thrown) {
    if (taken.isUsed && !signal.aborted && isClosedByPeer(thrown)) return "closed before";
    throw thrown;
  }
}

async function exchangeAlone(
  target: Target,
  address: string,
  request: GuardedRequest,
  signal: AbortSignal,
): Promise<GuardedOutcome> {
  signal.throwIfAborted();
  const client = new Client(target.url.origin, {
    connect: pinnedConnector(address, target.port, connectMs),
    // 0 means one request, then the connection is closed.
    pipelining: 0,
    allowH2: false,
    headersTimeout: headersMs,
    bodyTimeout: headersMs,
  });
  try {
    return await exchange(client, target, request, signal);
  } finally {
    await client.destroy();
  }
}

async function exchange(
  dispatcher: Dispatcher,
  target: Target,
  request: GuardedRequest,
  signal: AbortSignal,
): Promise<GuardedOutcome> {
  const answer = await dispatcher.request({
    path: `${target.url.pathname}${target.url.search}`,
    method: request.method,
    headers: { ...request.headers, host: target.url.host, "accept-encoding": "identity" },
    body: request.body ?? null,
    signal,
  });
  const { statusCode: status, headers } = answer;
  if (request.receive) {
    await request.receive({ status, headers, body: answer.body });
    return { kind: "answered", status, headers, body: Buffer.alloc(0), truncated: false };
  }
  const { body, truncated } = await readAtMost(answer.body, request.answerBytesMax ?? 64 * 1024);
  return { kind: "answered", status, headers, body, truncated };
}

async function readAtMost(
  stream: AsyncIterable<Buffer>,
  bytesMax: number,
): Promise<{ body: Buffer; truncated: boolean }> {
  const chunks: Buffer[] = [];
  let received = 0;
  // Leaving the loop destroys the stream and the connection.
  for await (const chunk of stream) {
    chunks.push(chunk);
    received += chunk.length;
    if (received > bytesMax) break;
  }
  return { body: Buffer.concat(chunks).subarray(0, bytesMax), truncated: received > bytesMax };
}

function isConnectError(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const { code, syscall } = { code: undefined, syscall: undefined, ...thrown };
  return (
    syscall === "connect" ||
    code === "UND_ERR_CONNECT_TIMEOUT" ||
    /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_|UNABLE_|SELF_)/.test(String(code))
  );
}

function isClosedByPeer(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const { code } = { code: undefined, ...thrown };
  return code === "UND_ERR_SOCKET" || code === "ECONNRESET" || code === "EPIPE";
}
