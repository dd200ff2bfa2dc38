// A publishing token: 256 random bits, shown once, kept as a hash. It acts for its publisher and only for publishing.
import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "../../../foundation/clock.ts";
import type { Queryable } from "../../../foundation/database/index.ts";
import { type PublisherTokenId, takePublisherToken } from "./publisher-token-store.ts";

const tokenPattern = /^[A-Za-z0-9_-]{43}$/;
export const shownCharacters = 4;

export function newPublisherSecret(): string {
  return randomBytes(32).toString("base64url");
}

export function hashPublisherSecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

// Whom a token in a publish body acts for; null when it is none of ours, revoked, or past its end. Notes the use.
export async function publisherOfToken(
  db: Queryable,
  clock: Pick<Clock, "now">,
  secret: string,
): Promise<{ id: PublisherTokenId; publisherId: string } | null> {
  if (!tokenPattern.test(secret)) return null;
  return takePublisherToken(db, { hash: hashPublisherSecret(secret), now: clock.now() });
}
