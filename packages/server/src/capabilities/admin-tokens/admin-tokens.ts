// Operators' tokens: named, shown once, stored as a hash, revocable (decisions, section 7). The token of the environment
// is one of them by name; it has no row, and only the environment can take it back.
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { Arrival } from "../../foundation/http/area.ts";
import { newId, parseId, type RequestId } from "../../foundation/ids.ts";
import type { Secret } from "../../foundation/settings.ts";
import type { Audit, AuditActor } from "../audit/index.ts";
import type { FailureBudget } from "../identity/index.ts";
import { hashAdminSecret, newAdminSecret } from "./admin-token.ts";
import { type AdminToken, insertToken, listTokens, lockToken, revokeToken } from "./admin-token-store.ts";
import { type AdminCaller, authenticateAdmin, environmentName } from "./authenticate-admin.ts";

export interface ActingAdmin {
  readonly actor: AuditActor;
  readonly requestId: RequestId;
}

export interface AdminTokens {
  // Throws unauthorized, or rate_limited for an address that failed too often.
  authenticate(arrival: Pick<Arrival, "rawHeaders" | "peer">): Promise<AdminCaller>;
  // `secret` exists in this answer only.
  create(
    wish: { name: string; expiresAt: Date | null },
    by: ActingAdmin,
  ): Promise<{ token: AdminToken; secret: string }>;
  // The environment's token, if there is one, and what is known of its use in this process.
  environment(): { lastUsedAt: Date | null } | null;
  list(): Promise<AdminToken[]>;
  revoke(id: string, by: ActingAdmin): Promise<void>;
}

export interface AdminTokensDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly failures: FailureBudget;
  // ATELIER_ADMIN_TOKEN.
  readonly environmentToken: Secret | null;
}

export function createAdminTokens(deps: AdminTokensDeps): AdminTokens {
  let environmentUsedAt: Date | null = null;
  const authentication = {
    ...deps,
    environmentHash: deps.environmentToken === null ? null : hashAdminSecret(deps.environmentToken.reveal()),
    noteEnvironmentUse: (at: Date) => {
      environmentUsedAt = at;
    },
  };
  return {
    authenticate: (arrival) => authenticateAdmin(authentication, arrival),
    create: (wish, by) => createToken(deps, wish, by),
    environment: () => (deps.environmentToken === null ? null : { lastUsedAt: environmentUsedAt }),
    list: () => listTokens(deps.database),
    revoke: (id, by) => revoke(deps, id, by),
  };
}

async function createToken(deps: AdminTokensDeps, wish: { name: string; expiresAt: Date | null }, by: ActingAdmin) {
  const name = requireTokenName(wish.name);
  if (wish.expiresAt !== null && wish.expiresAt <= deps.clock.now()) {
    throw new Fault("invalid_request", "expires_at must lie in the future.");
  }
  const secret = newAdminSecret();
  const token = await deps.database.transaction(async (tx) => {
    const made = await insertToken(tx, { id: newId(), name, hash: hashAdminSecret(secret), expiresAt: wish.expiresAt });
    if (made === null) throw new Fault("conflict", "There is already an admin token of this name.");
    await deps.audit.append(tx, {
      ...by,
      action: "admin_token.create",
      subject: { kind: "admin_token", id: made.id },
      after: { name: made.name, expires_at: made.expiresAt },
    });
    return made;
  });
  return { token, secret };
}

// Revoking a revoked token is no error: the caller has what they wanted.
async function revoke(deps: AdminTokensDeps, text: string, by: ActingAdmin): Promise<void> {
  if (text === environmentName && deps.environmentToken !== null) {
    throw new Fault("conflict", "This token is set by ATELIER_ADMIN_TOKEN; take it out of the environment to end it.");
  }
  const id = parseId<"admin-token">(text);
  if (id === null) throw noSuchToken();
  await deps.database.transaction(async (tx) => {
    const token = await lockToken(tx, id);
    if (token === null) throw noSuchToken();
    if (token.revokedAt !== null) return;
    await revokeToken(tx, id);
    await deps.audit.append(tx, {
      ...by,
      action: "admin_token.revoke",
      subject: { kind: "admin_token", id },
      before: { name: token.name },
    });
  });
}

// A name is what the audit shows for years, so it must be readable and must not pretend to be the environment's.
export function requireTokenName(text: string): string {
  const name = text.normalize("NFC").trim();
  if (name === "" || [...name].length > 100 || /[\p{C}\p{Zl}\p{Zp}]/u.test(name)) {
    throw new Fault("invalid_request", "name must have 1 to 100 visible characters.");
  }
  if (name.toLowerCase() === environmentName) {
    throw new Fault("conflict", `The name "${environmentName}" belongs to the token of ATELIER_ADMIN_TOKEN.`);
  }
  return name;
}

function noSuchToken(): Fault {
  return new Fault("not_found", "There is no such admin token.");
}
