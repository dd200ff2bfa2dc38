// Caches what upstream answered for a path. An answer is fresh for some minutes; after that we revalidate it by ETag.
// While upstream is down we serve it stale.

import type { Clock } from "../../../foundation/clock.ts";
import type { Database } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { jsonOrUndefined } from "../../../foundation/json/foreign-json.ts";
import { findUpstreamAnswer, putUpstreamAnswer, type UpstreamAnswer } from "./mirror-store.ts";
import type { UpstreamRegistry } from "./upstream-registry.ts";
export interface KnownAnswerDeps {
  readonly database: Database;
  readonly clock: Pick<Clock, "now">;
  readonly upstream: UpstreamRegistry;
  readonly freshSeconds: number;
}

// Null if upstream's answer was unreadable. Throws if upstream is down and nothing is cached, since any answer would be a
// guess.
export async function knownAnswer(deps: KnownAnswerDeps, path: string): Promise<UpstreamAnswer | null> {
  const { database, clock, upstream } = deps;
  const known = await findUpstreamAnswer(database, path);
  const now = clock.now();
  if (known !== null && now.getTime() - known.readAt.getTime() < deps.freshSeconds * 1000) return known;
  const reply = await upstream.get(path, known?.etag ?? null);
  if (reply.kind === "away") {
    if (known !== null) return known;
    throw new Fault("service_unavailable", "The upstream registry does not respond.", { retryAfterSeconds: 10 });
  }
  if (reply.status === 304 && known !== null) {
    await putUpstreamAnswer(database, path, { ...known, readAt: now });
    return known;
  }
  const isJson = reply.status !== 200 || jsonOrUndefined(reply.body) !== undefined;
  if (!isJson) return null;
  // For a redirect we keep only the target.
  const body = reply.status === 302 ? Buffer.from(reply.location ?? "") : reply.body;
  const answer = { status: reply.status, etag: reply.etag, body, readAt: now };
  await putUpstreamAnswer(database, path, answer);
  return answer;
}
