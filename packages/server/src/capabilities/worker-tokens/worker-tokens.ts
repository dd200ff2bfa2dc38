// Workers' tokens: named, scoped to pools, shown once, stored as a hash, revocable (decisions, section 6). A worker asks
// many times a second, so a token that was found is believed for two seconds; one that this process revokes is dead at
// once. Unknown, revoked, expired and malformed tokens get one answer and count against their address.
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { Arrival } from "../../foundation/http/area.ts";
import { type Id, newId, parseId, type RequestId } from "../../foundation/ids.ts";
import type { Audit, AuditActor } from "../audit/index.ts";
import type { FailureBudget } from "../identity/index.ts";
import { hashWorkerSecret, newWorkerSecret, presentedSecret } from "./worker-secret.ts";
import {
  findUsableWorkerToken,
  insertWorkerToken,
  isUsableWorkerToken,
  listWorkerTokens,
  lockWorkerToken,
  markRevoked,
  noteWorkerTokenUse,
  type WorkerToken,
  type WorkerTokenId,
} from "./worker-token-store.ts";

export interface WorkerCaller {
  readonly kind: "worker";
  readonly tokenId: WorkerTokenId;
  readonly poolIds: readonly Id<"pool">[];
}

export interface ActingOnWorkerTokens {
  readonly actor: AuditActor;
  readonly requestId: RequestId;
}

export interface WorkerTokenWish {
  readonly name: string;
  readonly poolIds: readonly Id<"pool">[];
  readonly expiresAt: Date | null;
}

export interface WorkerTokens {
  // Throws unauthorized, or rate_limited for an address that failed too often.
  authenticate(arrival: Pick<Arrival, "rawHeaders" | "peer">): Promise<WorkerCaller>;
  // `secret` exists in this answer only.
  create(wish: WorkerTokenWish, by: ActingOnWorkerTokens): Promise<{ token: WorkerToken; secret: string }>;
  list(): Promise<WorkerToken[]>;
  // Neither revoked nor expired.
  isUsable(id: WorkerTokenId): Promise<boolean>;
  // Throws not_found. Revoking a revoked token changes nothing.
  revoke(id: string, by: ActingOnWorkerTokens): Promise<void>;
}

export interface WorkerTokensDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Pick<Audit, "append">;
  readonly failures: FailureBudget;
}

interface Believed {
  readonly caller: WorkerCaller;
  readonly untilMs: number;
}

const believedMs = 2_000;
const believedMax = 10_000;

export function createWorkerTokens(deps: WorkerTokensDeps): WorkerTokens {
  const { database, clock } = deps;
  const believed = new Map<string, Believed>();

  async function authenticate({ rawHeaders, peer }: Pick<Arrival, "rawHeaders" | "peer">): Promise<WorkerCaller> {
    const secret = presentedSecret(rawHeaders);
    if (secret === null) throw unauthorized();
    const hash = hashWorkerSecret(secret);
    const key = hash.toString("base64");
    const known = believed.get(key);
    if (known && known.untilMs > clock.monotonicMs()) return known.caller;
    if (deps.failures.isClosed(peer)) throw refuse(deps.failures, peer);
    const token = await findUsableWorkerToken(database, hash);
    believed.delete(key);
    if (token === null) throw refuse(deps.failures, peer);
    await noteWorkerTokenUse(database, token.id);
    const caller: WorkerCaller = { kind: "worker", tokenId: token.id, poolIds: token.poolIds };
    if (believed.size >= believedMax) believed.clear();
    believed.set(key, { caller, untilMs: clock.monotonicMs() + believedMs });
    return caller;
  }

  return {
    authenticate,
    create: (wish, by) => create(deps, wish, by),
    list: () => listWorkerTokens(database),
    isUsable: (id) => isUsableWorkerToken(database, id),
    async revoke(text, by) {
      const id = parseId<"worker-token">(text);
      if (id === null) throw noSuchToken();
      await revoke(deps, id, by);
      for (const [key, { caller }] of believed) if (caller.tokenId === id) believed.delete(key);
    },
  };
}

async function create(deps: WorkerTokensDeps, wish: WorkerTokenWish, by: ActingOnWorkerTokens) {
  const name = requireName(wish.name);
  if (wish.expiresAt !== null && wish.expiresAt <= deps.clock.now()) {
    throw new Fault("invalid_request", "expires_at must lie in the future.");
  }
  const poolIds = [...new Set(wish.poolIds)];
  if (poolIds.length === 0) throw new Fault("invalid_request", "pool_ids must name at least one pool.");
  const secret = newWorkerSecret();
  const token = await deps.database.transaction(async (tx) => {
    const made = await insertWorkerToken(tx, {
      id: newId(),
      name,
      poolIds,
      hash: hashWorkerSecret(secret),
      expiresAt: wish.expiresAt,
    });
    if (made === null) throw new Fault("conflict", "There is already a worker token of this name.");
    await deps.audit.append(tx, {
      ...by,
      action: "worker_token.create",
      subject: { kind: "worker_token", id: made.id },
      after: { name: made.name, pool_ids: made.poolIds, expires_at: made.expiresAt },
    });
    return made;
  });
  return { token, secret };
}

async function revoke(deps: WorkerTokensDeps, id: WorkerTokenId, by: ActingOnWorkerTokens): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const token = await lockWorkerToken(tx, id);
    if (token === null) throw noSuchToken();
    if (token.revokedAt !== null) return;
    await markRevoked(tx, id);
    await deps.audit.append(tx, {
      ...by,
      action: "worker_token.revoke",
      subject: { kind: "worker_token", id },
      before: { name: token.name },
    });
  });
}

// The audit shows it for years, so it must be readable.
function requireName(text: string): string {
  const name = text.normalize("NFC").trim();
  if (name === "" || [...name].length > 100 || /[\p{C}\p{Zl}\p{Zp}]/u.test(name)) {
    throw new Fault("invalid_request", "name must have 1 to 100 visible characters.");
  }
  return name;
}

function refuse(failures: FailureBudget, peer: string): Fault {
  const retryAfterSeconds = failures.spend(peer);
  if (retryAfterSeconds === null) return unauthorized();
  return new Fault("rate_limited", "Too many refused credentials from this address.", { retryAfterSeconds });
}

function unauthorized(): Fault {
  return new Fault("unauthorized", "No usable worker token. Send one in Authorization: Bearer.");
}

function noSuchToken(): Fault {
  return new Fault("not_found", "There is no such worker token.");
}
