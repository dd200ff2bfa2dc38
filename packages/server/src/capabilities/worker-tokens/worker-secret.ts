// What a worker's token looks like and how a request presents it. The text holds 256 random bits, so a fast hash is right:
// only the hash is stored, and it is also the look-up.
import { createHash, randomBytes } from "node:crypto";

export function newWorkerSecret(): string {
  return `worker-${randomBytes(32).toString("base64url")}`;
}

export function hashWorkerSecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

const bearerPattern = /^bearer +(worker-[!-~]{1,200})$/i;

// Null: none, or none that could be ours. A header that was sent twice is refused, since two readers could see two
// different callers.
export function presentedSecret(rawHeaders: readonly string[]): string | null {
  const values = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === "authorization");
  return values.length === 1 ? (bearerPattern.exec(values[0] ?? "")?.[1] ?? null) : null;
}
