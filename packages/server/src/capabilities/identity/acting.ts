// Who acts and in which request, for the audit. Every change in this capability takes an `Acting` and writes its audit
// entry in the same transaction.
import type { Forgetting } from "../../foundation/bus/forgetting.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Acting, Actor, ChangeAudit } from "../../foundation/database/acting.ts";
import type { Database } from "../../foundation/database/database.ts";
import type { RequestId } from "../../foundation/ids.ts";
import type { Principal } from "./principal.ts";

export type { Acting } from "../../foundation/database/acting.ts";
export type Audit = ChangeAudit;

// What every change here is given.
export interface ChangeDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: Audit;
  // Invalidates caches of other processes. If absent, this process is the only one.
  readonly forgetting?: Forgetting;
}

export function actingAs(principal: Principal, requestId: RequestId): Acting {
  return { actor: actorOf(principal), requestId };
}

function actorOf(principal: Principal): Actor {
  if (principal.kind === "identity") return { kind: "person", id: principal.personId };
  const { keyId, serviceAccount } = principal;
  return serviceAccount ? { kind: "service_account", ...serviceAccount } : { kind: "key", id: keyId };
}
