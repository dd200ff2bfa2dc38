// Who reads. Reading a registry is public, so a credential is welcome and never asked for: with a good one the caller
// also sees what is private to their workspace or publisher; with a bad one they are nobody, as without one. Only a
// caller without any credential can be served from prepared answers.
import type { AdminTokens } from "../../capabilities/admin-tokens/index.ts";
import type { Identity, Principal } from "../../capabilities/identity/index.ts";
import type { Arrival } from "../../foundation/http/area.ts";
import type { PersonId, WorkspaceId } from "../../foundation/ids.ts";

export interface Reader {
  readonly workspaceId: WorkspaceId | null;
  readonly personId: PersonId | null;
  readonly isAdmin: boolean;
}

export const nobody: Reader = { workspaceId: null, personId: null, isAdmin: false };
export const operator: Reader = { workspaceId: null, personId: null, isAdmin: true };

export interface ReaderDeps {
  readonly identity: Pick<Identity, "authenticate">;
  readonly adminTokens: Pick<AdminTokens, "authenticate">;
}

export function isAnonymous(arrival: Pick<Arrival, "headers">): boolean {
  return arrival.headers.authorization === undefined && arrival.headers["x-api-key"] === undefined;
}

export function readerOf(principal: Principal): Reader {
  return { workspaceId: principal.workspaceId, personId: principal.personId, isAdmin: false };
}

export async function whoReads(deps: ReaderDeps, arrival: Arrival): Promise<Reader> {
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

// Neither an API key nor three parts with dots between them. Looked at so that one good credential is never counted as
// a refused one of the other kind.
export function looksLikeAdmin({ headers }: Pick<Arrival, "headers">): boolean {
  const key = headers["x-api-key"];
  const given = typeof key === "string" ? key : (headers.authorization ?? "").replace(/^bearer +/i, "");
  return !given.startsWith("service-") && given.split(".").length !== 3;
}
