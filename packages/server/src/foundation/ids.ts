// Branded id types, so that a key id cannot be passed where a workspace id is expected.
// New ids are UUID version 7: they sort by time, which keeps the newest rows of a table together. They are made here and not in
// SQL, because PostgreSQL 15 has no uuidv7().
import { randomFillSync } from "node:crypto";
import { Fault } from "./fault.ts";

declare const kind: unique symbol;
export type Id<Kind extends string> = string & { readonly [kind]: Kind };

export type WorkspaceId = Id<"workspace">;
export type PersonId = Id<"person">;
export type ServiceAccountId = Id<"service-account">;
export type KeyId = Id<"key">;
export type RequestId = Id<"request">;
export type AdminTokenId = Id<"admin-token">;

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

// Only the lower-case canonical form: two spellings of one id would be two cache keys.
export function isUuid(text: string): boolean {
  return text.length === 36 && uuidPattern.test(text);
}

export function parseId<Kind extends string>(text: string): Id<Kind> | null {
  return isUuid(text) ? (text as Id<Kind>) : null;
}

// For ids in a path: text that is not an id gets the same answer as an unknown id.
export function requireId<Kind extends string>(text: string | undefined, refusal: string): Id<Kind> {
  const id = parseId<Kind>(text ?? "");
  if (id === null) throw new Fault("not_found", refusal);
  return id;
}

// For ids that come from our own database or configuration.
export function trustedId<Kind extends string>(text: string): Id<Kind> {
  return text as Id<Kind>;
}

const randomPool = Buffer.allocUnsafe(4096);
let poolAt = randomPool.length;
let lastMs = Number.NaN;
let turn = 0;

// Ids of one process sort in the order they were made, even within a millisecond (for at least two thousand of them). So a
// queue sorted by id is first come, first served.
export function newId<Kind extends string>(nowMs: number = Date.now()): Id<Kind> {
  if (poolAt + 10 > randomPool.length) {
    randomFillSync(randomPool);
    poolAt = 0;
  }
  const hex = randomPool.toString("hex", poolAt, poolAt + 10);
  poolAt += 10;
  turn = nowMs === lastMs ? (turn + 1) & 0xfff : Number.parseInt(hex.slice(0, 3), 16) & 0x7ff;
  lastMs = nowMs;
  const time = nowMs.toString(16).padStart(12, "0");
  const variant = ((Number.parseInt(hex.charAt(3), 16) & 0x3) | 0x8).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-7${turn.toString(16).padStart(3, "0")}-${variant}${hex.slice(4, 7)}-${hex.slice(7, 19)}` as Id<Kind>;
}

// Sorted by time as well, so that the index of requests grows at its end and not all over.
export function newRequestId(): RequestId {
  return newId<"request">();
}
