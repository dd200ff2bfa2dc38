// Authenticates callers of the registry. Reading is public, so a credential is optional: with a valid one the caller also sees
// what is private to their workspace or publisher; with an invalid one they are anonymous, as without one. Only a caller
// without any credential can get prepared answers. If members and operators use the same route, the credential decides who
// acts; without a valid one it is 401.

import { type Identity, type Principal, requireScope, unauthorized } from "../../capabilities/identity/index.ts";
import type { Limits } from "../../capabilities/limits/index.ts";
import {
  nobody,
  operator,
  type Reader,
  type Registry,
  type RegistryActor,
  readerOf,
} from "../../capabilities/registry/index.ts";
import type { AdminTokens } from "../../capabilities/tokens/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { Arrival } from "../../foundation/http/area.ts";

export interface ReaderDeps {
  readonly identity: Pick<Identity, "authenticate">;
  readonly adminTokens: Pick<AdminTokens, "authenticate">;
}

export function isAnonymous(arrival: Pick<Arrival, "headers">): boolean {
  return arrival.headers.authorization === undefined && arrival.headers["x-api-key"] === undefined;
}

export async function identifyReader(deps: ReaderDeps, arrival: Arrival): Promise<Reader> {
  if (isAnonymous(arrival)) return nobody;
  try {
    if (looksLikeAdmin(arrival)) {
      await deps.adminTokens.authenticate(arrival);
      return operator;
    }
    const principal = await deps.identity.authenticate(arrival);
    return principal.scopes.includes("registry") ? readerOf(principal) : nobody;
  } catch {
    return nobody;
  }
}

// Neither an API key nor three parts separated by dots. Checked first, so that one valid credential is never counted as a
// refused one of the other kind.
export function looksLikeAdmin({ headers }: Pick<Arrival, "headers">): boolean {
  const key = headers["x-api-key"];
  const given = typeof key === "string" ? key : (headers.authorization ?? "").replace(/^bearer +/i, "");
  return !given.startsWith("service-") && given.split(".").length !== 3;
}

export interface ActorDeps extends ReaderDeps {
  readonly limits: Pick<Limits, "admit">;
}

export interface RegistryRouteDeps extends ActorDeps {
  readonly registry: Registry;
}

export async function requireActor(deps: ActorDeps, arrival: Arrival): Promise<RegistryActor> {
  if (isAnonymous(arrival) || !looksLikeAdmin(arrival)) {
    return requireMember(deps, arrival);
  }
  try {
    return await deps.adminTokens.authenticate(arrival);
  } catch (thrown) {
    // Every wrong credential gets the same message, whatever kind it was meant to be.
    throw thrown instanceof Fault && thrown.code === "unauthorized" ? unauthorized() : thrown;
  }
}

export async function requireMember(deps: Omit<ActorDeps, "adminTokens">, arrival: Arrival): Promise<Principal> {
  const principal = await deps.identity.authenticate(arrival);
  requireScope(principal, "registry");
  await deps.limits.admit(principal.workspaceId, "workflow_and_registry");
  return principal;
}
