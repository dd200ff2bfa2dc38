// Operators' tokens (decisions, section 7). Every request asks the database, so a revoked token is dead at once; operators
// are few. The token of the environment is one of them by name; it has no row, and only the environment can take it back.
import { timingSafeEqual } from "node:crypto";
import { Fault } from "../../foundation/fault.ts";
import type { Arrival } from "../../foundation/http/area.ts";
import type { AdminTokenId, RequestId } from "../../foundation/ids.ts";
import type { Secret } from "../../foundation/settings.ts";
import { hashSecret, readPresented } from "./token-secret.ts";
import type { Token } from "./token-store.ts";
import { createTokens, requireTokenName, type TokenKind, type Tokens, type TokensDeps } from "./tokens.ts";

// Nothing but its name.
type Carried = Readonly<Record<never, never>>;
export type AdminToken = Token<"admin-token", Carried>;

export interface AdminCaller {
  readonly kind: "admin";
  // Null for the token of the environment, which has no row.
  readonly id: AdminTokenId | null;
  readonly name: string;
}

export interface AdminTokens extends Omit<Tokens<"admin-token", Carried>, "authenticate"> {
  // Throws unauthorized, or rate_limited for an address that failed too often.
  authenticate(arrival: Pick<Arrival, "rawHeaders" | "peer">): Promise<AdminCaller>;
  // The environment's token, if there is one, and what is known of its use in this process.
  environment(): { lastUsedAt: Date | null } | null;
}

export interface AdminTokensDeps extends TokensDeps {
  // ATELIER_ADMIN_TOKEN.
  readonly environmentToken: Secret | null;
}

// The named record of ATELIER_ADMIN_TOKEN: its id on the wire and its name in the audit.
export const environmentName = "environment";

const kind: TokenKind<"admin-token", Carried> = {
  name: "admin-token",
  article: "an",
  prefix: "admin-",
  table: "admin_tokens",
  columns: [],
  believedMs: 0,
};

export function createAdminTokens(deps: AdminTokensDeps): AdminTokens {
  const tokens = createTokens(kind, deps);
  const { environmentToken } = deps;
  const environmentHash = environmentToken === null ? null : hashSecret(environmentToken.reveal());
  let environmentUsedAt: Date | null = null;
  return {
    ...tokens,
    environment: () => (environmentHash === null ? null : { lastUsedAt: environmentUsedAt }),
    async authenticate({ rawHeaders, peer }) {
      const presented = readPresented(rawHeaders);
      const hash = presented.kind === "secret" && environmentHash !== null ? hashSecret(presented.secret) : null;
      if (hash !== null && environmentHash !== null && timingSafeEqual(environmentHash, hash)) {
        environmentUsedAt = deps.clock.now();
        return { kind: "admin", id: null, name: environmentName };
      }
      const { id, name } = await tokens.authenticate(presented, peer);
      return { kind: "admin", id, name };
    },
    async create(request, by) {
      return tokens.create({ ...request, name: requireAdminName(request.name) }, by);
    },
    async revoke(id, by) {
      if (id === environmentName && environmentHash !== null) {
        const how = "take it out of the environment to end it";
        throw new Fault("conflict", `This token is set by ATELIER_ADMIN_TOKEN; ${how}.`);
      }
      await tokens.revoke(id, by);
    },
  };
}

// No token may pretend to be the environment's.
export function requireAdminName(text: string): string {
  const name = requireTokenName(text);
  if (name.toLowerCase() === environmentName) {
    throw new Fault("conflict", `The name "${environmentName}" belongs to the token of ATELIER_ADMIN_TOKEN.`);
  }
  return name;
}

// As the audit wants to know it.
export function actingAsAdmin(caller: AdminCaller, requestId: RequestId) {
  return { actor: { kind: "admin" as const, id: caller.id ?? environmentName, name: caller.name }, requestId };
}
