// Which operator is calling? Every request asks the database, so a revoked token is dead at once; operators are few.
// Unknown, revoked, expired and malformed tokens get one answer. A refused token counts against its address; an address
// far over its budget costs no more look-ups.
import { timingSafeEqual } from "node:crypto";
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { Arrival } from "../../foundation/http/area.ts";
import type { AdminTokenId, RequestId } from "../../foundation/ids.ts";
import type { FailureBudget } from "../identity/index.ts";
import { hashAdminSecret, readPresented } from "./admin-token.ts";
import { findUsableToken, noteTokenUse } from "./admin-token-store.ts";

export interface AdminCaller {
  readonly kind: "admin";
  // Null for the token of the environment, which has no row.
  readonly id: AdminTokenId | null;
  readonly name: string;
}

// The named record of ATELIER_ADMIN_TOKEN: its id on the wire and its name in the audit.
export const environmentName = "environment";

export interface AuthenticateAdminDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly failures: FailureBudget;
  // The hash of the environment's token; null when there is none.
  readonly environmentHash: Buffer | null;
  noteEnvironmentUse(at: Date): void;
}

export async function authenticateAdmin(
  deps: AuthenticateAdminDeps,
  arrival: Pick<Arrival, "rawHeaders" | "peer">,
): Promise<AdminCaller> {
  const presented = readPresented(arrival.rawHeaders);
  if (presented.kind === "none") throw unauthorized();
  if (presented.kind === "refused") throw refuse(deps.failures, arrival.peer);
  const hash = hashAdminSecret(presented.secret);
  if (deps.environmentHash !== null && timingSafeEqual(deps.environmentHash, hash)) {
    deps.noteEnvironmentUse(deps.clock.now());
    return { kind: "admin", id: null, name: environmentName };
  }
  if (deps.failures.isClosed(arrival.peer)) throw refuse(deps.failures, arrival.peer);
  const token = await findUsableToken(deps.database, hash);
  if (token === null || !timingSafeEqual(token.hash, hash)) throw refuse(deps.failures, arrival.peer);
  if (token.isUseDue) await noteTokenUse(deps.database, token.id);
  return { kind: "admin", id: token.id, name: token.name };
}

// As the audit wants to know it.
export function actingAsAdmin(caller: AdminCaller, requestId: RequestId) {
  return { actor: { kind: "admin" as const, id: caller.id ?? environmentName, name: caller.name }, requestId };
}

function refuse(failures: FailureBudget, peer: string): Fault {
  const retryAfterSeconds = failures.spend(peer);
  if (retryAfterSeconds === null) return unauthorized();
  return new Fault("rate_limited", "Too many refused credentials from this address.", { retryAfterSeconds });
}

function unauthorized(): Fault {
  return new Fault("unauthorized", "No usable admin token. Send one in Authorization: Bearer.");
}
