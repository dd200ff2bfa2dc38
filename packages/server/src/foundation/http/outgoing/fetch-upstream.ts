// Calls to providers that the operator configured. Never throws for network failures: the outcome says whether the provider can
// have seen the request, because money depends on it. `not_sent` is proven: the connection was never made or never used. Once a
// byte may have left, a missing or partial answer is `broken`, and must not be guessed at.
import type { LookupFunction } from "node:net";
import { Pool } from "undici";
import type { Clock } from "../../clock.ts";
import { UpstreamCall } from "./fetch-upstream-call.ts";
import type { UpstreamOutcome, UpstreamRequest } from "./upstream-outcome.ts";

export interface Upstream {
  fetch(request: UpstreamRequest): Promise<UpstreamOutcome>;
  // Lets calls in flight finish and closes idle connections.
  close(): Promise<void>;
}

export interface UpstreamOptions {
  readonly clock: Clock;
  // Default 5 s.
  readonly connectMs?: number;
  // Resolves names to addresses. Default: the system's resolver.
  readonly lookup?: LookupFunction;
  // The minimum rate of an answer once it has begun, over 30 s windows. Default 1,024; 0 disables it.
  readonly answerBytesPerSecondMin?: number;
}

// Parsing a URL costs as much as the rest of a request, and models send to the same URL again and again.
const origins = new WeakMap<URL, { origin: string; path: string }>();

function originOf(url: URL): { origin: string; path: string } {
  const known = origins.get(url);
  if (known) return known;
  const origin = { origin: url.origin, path: `${url.pathname}${url.search}` };
  origins.set(url, origin);
  return origin;
}

const defaultAnswerBytesMax = 64 * 1024 * 1024;

export function createUpstream(options: UpstreamOptions): Upstream {
  const pools = new Map<string, Pool>();

  const poolFor = (origin: string): Pool => {
    const known = pools.get(origin);
    if (known) return known;
    const pool = new Pool(origin, {
      // The library's default limits are 5 minutes, less than a generation may take. The signal is the deadline.
      headersTimeout: 0,
      bodyTimeout: 0,
      pipelining: 1,
      allowH2: false,
      connect: {
        timeout: options.connectMs ?? 5000,
        autoSelectFamily: true,
        ...(options.lookup ? { lookup: options.lookup } : {}),
      },
    });
    pools.set(origin, pool);
    return pool;
  };

  return {
    fetch: (request) => {
      const call = new UpstreamCall({
        clock: options.clock,
        signal: request.signal,
        answerBytesMax: request.answerBytesMax ?? defaultAnswerBytesMax,
        answerBytesPerSecondMin: options.answerBytesPerSecondMin ?? 1024,
        ...(request.tap ? { tap: request.tap } : {}),
      });
      const { origin, path } = originOf(request.url);
      const { method, headers, body } = request;
      return call.run(poolFor(origin), { method, headers, path, ...(body ? { body } : {}) });
    },
    close: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.close()));
      pools.clear();
    },
  };
}
