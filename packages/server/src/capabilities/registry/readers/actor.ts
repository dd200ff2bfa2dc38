// Who acts, where members and operators may do the same thing.

import type { RequestId } from "../../../foundation/ids.ts";
import type { NewAuditEntry } from "../../audit/index.ts";
import { actingAs, type Principal } from "../../identity/index.ts";
import { type AdminCaller, actingAsAdmin } from "../../tokens/index.ts";
import { operator, type Reader, readerOf } from "./reader.ts";
export type RegistryActor =
  | { readonly kind: "member"; readonly principal: Principal }
  | { readonly kind: "operator"; readonly admin: AdminCaller };

export function readerFor(actor: RegistryActor): Reader {
  return actor.kind === "operator" ? operator : readerOf(actor.principal);
}

export function actingOf(actor: RegistryActor, requestId: RequestId): Pick<NewAuditEntry, "actor" | "requestId"> {
  return actor.kind === "operator" ? actingAsAdmin(actor.admin, requestId) : actingAs(actor.principal, requestId);
}
