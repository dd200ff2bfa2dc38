// Who changes something in the registry (a member or an operator), what every change is given, and the audit line it
// writes.
import type { Clock } from "../../../foundation/clock.ts";
import type { Database, Queryable } from "../../../foundation/database/index.ts";
import type { RequestId } from "../../../foundation/ids.ts";
import type { Audit, NewAuditEntry } from "../../audit/index.ts";
import { actingAs, type Principal } from "../../identity/index.ts";
import { type AdminCaller, actingAsAdmin } from "../../tokens/index.ts";
import { operator, type Reader, readerOf } from "./reader.ts";

export interface ChangeDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Pick<Audit, "append">;
  // Folded ids; call it after the commit.
  nodesChanged(folded: readonly string[]): Promise<void>;
}

export type RegistryActor = Principal | AdminCaller;

export interface Asked<Caller extends RegistryActor = Principal> {
  readonly caller: Caller;
  readonly requestId: RequestId;
}

// A request with a body. The body is read only once we know that the caller may change anything here, so a stranger gets
// 403 before any complaint about the body.
export interface Sent<Caller extends RegistryActor = Principal> extends Asked<Caller> {
  json(): Promise<unknown>;
}

export function readerFor(actor: RegistryActor): Reader {
  return actor.kind === "admin" ? operator : readerOf(actor);
}

// Runs in the transaction of the change it records. `kind` and `id` name its subject.
export function note(
  { audit }: Pick<ChangeDeps, "audit">,
  tx: Queryable,
  { caller, requestId }: Asked<RegistryActor>,
  { kind, id, ...entry }: Omit<NewAuditEntry, "actor" | "requestId" | "subject"> & NewAuditEntry["subject"],
): Promise<void> {
  const acting = caller.kind === "admin" ? actingAsAdmin(caller, requestId) : actingAs(caller, requestId);
  return audit.append(tx, { ...acting, ...entry, subject: { kind, id } });
}
