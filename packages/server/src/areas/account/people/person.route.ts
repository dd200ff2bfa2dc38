// A person's own data: all of it as one JSON document, and its erasure.
import { operations } from "@atelier/contract";
import { actingAs, type Identity, type IdentityPrincipal } from "../../../capabilities/identity/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";
import type { PersonId, RequestId } from "../../../foundation/ids.ts";
import type { AccountCaller } from "../account-caller.ts";
import type { SessionCookie } from "../signing-in/session-cookie.ts";
import { readFlag } from "./read-flag.ts";

export interface PersonalData {
  // Throws not_found.
  export(personId: PersonId): Promise<{
    readonly lists: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
    readonly cut: readonly string[];
  }>;
  // Throws not_found, and conflict for the only owner of a workspace.
  erase(
    erasure: { readonly personId: PersonId; readonly keepKeys: boolean },
    by: { readonly actor: ReturnType<typeof actingAs>["actor"]; readonly requestId: RequestId },
  ): Promise<Readonly<Record<string, number>>>;
}

export interface PersonRouteDeps {
  readonly identity: Identity;
  readonly personalData: PersonalData;
  readonly cookie: SessionCookie;
}

const fresh = { "cache-control": "no-store" };

export function exportPersonRoute({ personalData }: PersonRouteDeps): Route<AccountCaller> {
  return route(operations.exportPerson, async ({ caller }) => {
    const { lists, cut } = await personalData.export(requirePerson(caller).personId);
    return jsonAnswer(200, { ...lists, cut }, fresh);
  });
}

export function erasePersonRoute({ personalData, cookie }: PersonRouteDeps): Route<AccountCaller> {
  return route(operations.erasePerson, async ({ caller, query, requestId }) => {
    const principal = requirePerson(caller);
    const erasure = { personId: principal.personId, keepKeys: readFlag(query, "keep_keys") };
    const erased = await personalData.erase(erasure, { ...actingAs(principal, requestId), requestId });
    return jsonAnswer(200, { erased }, { ...fresh, "set-cookie": cookie.clear() });
  });
}

function requirePerson({ principal }: AccountCaller): IdentityPrincipal {
  if (principal.kind === "identity") return principal;
  throw new Fault("forbidden", "Only people have personal data here; this is an API key. Sign in with a browser.");
}
