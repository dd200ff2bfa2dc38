// Who acts, where members and operators use the same route: the credential decides. Without a good one it is 401.
import { type AdminCaller, type AdminTokens, actingAsAdmin } from "../../capabilities/admin-tokens/index.ts";
import type { NewAuditEntry } from "../../capabilities/audit/index.ts";
import {
  actingAs,
  type Identity,
  type Principal,
  requireScope,
  unauthorized,
} from "../../capabilities/identity/index.ts";
import type { Limits } from "../../capabilities/limits/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { Arrival } from "../../foundation/http/area.ts";
import type { RequestId } from "../../foundation/ids.ts";
import { isAnonymous, looksLikeAdmin, operator, type Reader, readerOf } from "./registry-reader.ts";

export type RegistryActor =
  | { readonly kind: "member"; readonly principal: Principal }
  | { readonly kind: "operator"; readonly admin: AdminCaller };

export interface ActorDeps {
  readonly identity: Pick<Identity, "authenticate">;
  readonly adminTokens: Pick<AdminTokens, "authenticate">;
  readonly limits: Pick<Limits, "admit">;
}

export async function requireActor(deps: ActorDeps, arrival: Arrival): Promise<RegistryActor> {
  if (isAnonymous(arrival) || !looksLikeAdmin(arrival)) {
    return { kind: "member", principal: await requireMember(deps, arrival) };
  }
  try {
    return { kind: "operator", admin: await deps.adminTokens.authenticate(arrival) };
  } catch (thrown) {
    // Every wrong credential gets the same words, whatever it was meant to be.
    throw thrown instanceof Fault && thrown.code === "unauthorized" ? unauthorized() : thrown;
  }
}

export async function requireMember(deps: Omit<ActorDeps, "adminTokens">, arrival: Arrival): Promise<Principal> {
  const principal = await deps.identity.authenticate(arrival);
  requireScope(principal, "registry");
  await deps.limits.admit(principal.workspaceId, "workflow_and_registry");
  return principal;
}

export function readerFor(actor: RegistryActor): Reader {
  return actor.kind === "operator" ? operator : readerOf(actor.principal);
}

export function actingOf(actor: RegistryActor, requestId: RequestId): Pick<NewAuditEntry, "actor" | "requestId"> {
  return actor.kind === "operator" ? actingAsAdmin(actor.admin, requestId) : actingAs(actor.principal, requestId);
}
