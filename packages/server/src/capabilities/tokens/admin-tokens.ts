// Operators' tokens (decisions, section 7). Every request asks the database, so a revoked token stops working
// immediately; operators are few. An operator who is a person presents an identity token instead, which identity checks.
// The environment's token is a named one too, but it has no row, and only changing the environment revokes it.
import { timingSafeEqual } from "node:crypto";
import { Fault } from "../../foundation/fault.ts";
import type { Arrival } from "../../foundation/http/area.ts";
import type { AdminTokenId, PersonId, RequestId } from "../../foundation/ids.ts";
import type { Secret } from "../../foundation/settings.ts";
import type { Operators } from "../identity/index.ts";
import { hashSecret, isIdentityToken, readPresented } from "./token-secret.ts";
import type { Token } from "./token-store.ts";
import {
  type ActingOnTokens,
  createTokens,
  requireTokenName,
  type TokenKind,
  type Tokens,
  type TokensDeps,
  unauthorized,
} from "./tokens.ts";

type Asking = Pick<Arrival, "rawHeaders" | "peer" | "operation">;

// Nothing but its name.
type Carried = Readonly<Record<never, never>>;
export type AdminToken = Token<"admin-token", Carried>;

export interface AdminCaller {
  readonly kind: "admin";
  // Null for the environment's token, which has no row, and for a person.
  readonly id: AdminTokenId | null;
  readonly name: string;
  // Set if the operator is a person.
  readonly personId?: PersonId;
}

export interface AdminTokens extends Omit<Tokens<"admin-token", Carried>, "authenticate"> {
  // Throws unauthorized, or rate_limited for an address that failed too often.
  authenticate(arrival: Asking): Promise<AdminCaller>;
  // The environment's token, if there is one, and its last use in this process.
  environment(): { lastUsedAt: Date | null } | null;
}

export interface AdminTokensDeps extends TokensDeps {
  // ATELIER_ADMIN_TOKEN.
  readonly environmentToken: Secret | null;
  // If absent, people cannot be operators here.
  readonly operators?: Pick<Operators, "authenticate">;
}

// The name of ATELIER_ADMIN_TOKEN: its id on the wire and its name in the audit.
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
    async authenticate({ rawHeaders, peer, operation }) {
      const presented = readPresented(rawHeaders);
      const hash = presented.kind === "secret" && environmentHash !== null ? hashSecret(presented.secret) : null;
      if (hash !== null && environmentHash !== null && timingSafeEqual(environmentHash, hash)) {
        environmentUsedAt = deps.clock.now();
        return { kind: "admin", id: null, name: environmentName };
      }
      if (deps.operators !== undefined && isIdentityToken(rawHeaders))
        return authenticatePerson(deps.operators, { rawHeaders, peer, operation });
      const { id, name } = await tokens.authenticate(presented, peer);
      return { kind: "admin", id, name };
    },
    async create(request, by) {
      return tokens.create({ ...request, name: requireAdminName(request.name) }, by);
    },
    async revoke(id, by) {
      if (id === environmentName && environmentHash !== null) {
        const how = "remove it from the environment to revoke it";
        throw new Fault("conflict", `This token is set by ATELIER_ADMIN_TOKEN; ${how}.`);
      }
      await tokens.revoke(id, by);
    },
  };
}

// Every wrong credential gets the same message, no matter what kind it was meant to be.
async function authenticatePerson(operators: Pick<Operators, "authenticate">, arrival: Asking): Promise<AdminCaller> {
  try {
    const { id, name } = await operators.authenticate(arrival);
    return { kind: "admin", id: null, name, personId: id };
  } catch (thrown) {
    throw thrown instanceof Fault && thrown.code === "unauthorized" ? unauthorized(kind) : thrown;
  }
}

// No token may pretend to be the environment's.
export function requireAdminName(text: string): string {
  const name = requireTokenName(text);
  if (name.toLowerCase() === environmentName) {
    throw new Fault("conflict", `The name "${environmentName}" is reserved for the token in ATELIER_ADMIN_TOKEN.`);
  }
  return name;
}

// The actor for the audit.
export function actingAsAdmin({ id, name, personId }: AdminCaller, requestId: RequestId): ActingOnTokens {
  if (personId !== undefined) return { actor: { kind: "person", id: personId, name }, requestId };
  return { actor: { kind: "admin", id: id ?? environmentName, name }, requestId };
}
